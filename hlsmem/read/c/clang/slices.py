"""Bits, slices and concatenations of numbers of at most 64 bits, by shifts and masks."""

from __future__ import annotations

from collections.abc import Sequence

from hlsmem.read.c import tree
from hlsmem.read.c.clang.c_integers import (
    cast,
    cut,
    in_common_type,
    literal,
    literal_value,
    low_word,
    masked,
    multiplied,
    operation,
    wrapped,
)
from hlsmem.read.c.clang.c_types import c_type
from hlsmem.read.c.clang.conversions import converted, truth
from hlsmem.read.c.clang.exact_values import WIDEST, NotExact, Value, as_typed
from hlsmem.read.c.clang.linear_indices import Index, constant_index, is_pure, width_of
from hlsmem.read.c.clang.rounding import Rounding, shifted_down
from hlsmem.read.c.tree import INT, UNSIGNED, UNSIGNED_LONG, Number, Place


def bits_type(bits: int) -> Number:
    """Return the type of so many bits: an unsigned integer, to which fractions are cut."""
    return Number(bits, False, rounding=Rounding.TRN_ZERO, exact=True)


def slice_value(number: Value, high: Index, low: Index) -> Value:
    """Return the bits of a number from index `low` to `high`, as an unsigned integer."""
    bits, first = width_of(high, low), constant_index(low)
    check_slice(number.number, bits, first)
    to, place = bits_type(bits), number.node.place
    if number.constant is not None and first is not None:
        return as_typed(literal_value(wrapped(number.constant >> first, to), to, place))
    if first is None:
        node: tree.Expression = operation(">>", number.node, _node(low, place), place)
    else:
        node = shifted_down(number, first) if first else number.node
        if number.least >= 0 and number.greatest >> first <= to.greatest:
            return as_typed(Value(node, to, number.least >> first, number.greatest >> first))
    return as_typed(Value(masked(low_word(node), bits), to, 0, to.greatest))


def bit_value(number: Value, index: Index) -> Value:
    """Return one bit of a number, 0 or 1."""
    return slice_value(number, index, index)


def check_slice(kind: Number, bits: int, first: int | None) -> None:
    """Raise NotExact for bits that a number has not."""
    if bits > kind.bits or (first is not None and not 0 <= first <= kind.bits - bits):
        at = "" if first is None else f" from {first} on"
        what = f"names {bits} bits{at}, and the number has {kind.bits}"
        raise NotExact(what, f"name bits from 0 to {kind.bits - 1}")


def slice_assigned(
    target: tree.Expression, high: Index, low: Index, value: Value, place: Place | None = None
) -> tree.Assignment:
    """Return the assignment of some bits of a variable, whose others it keeps."""
    bits = converted(value, bits_type(width_of(high, low)))
    return _assigned(target, low, bits, place or target.place)


def bit_assigned(
    target: tree.Expression, index: Index, value: Value, place: Place | None = None
) -> tree.Assignment:
    """Return the assignment of one bit of a variable: 1 for all numbers but zero."""
    return _assigned(target, index, truth(value), place or target.place)


def _assigned(target: tree.Expression, low: Index, bits: Value, place: Place) -> tree.Assignment:
    kind, width, first = target.type, bits.number.bits, constant_index(low)
    assert isinstance(kind, Number)
    check_slice(kind, width, first)
    if not is_pure(target):
        raise NotExact("assigns bits of what has an effect", "write the effect before")
    if first is not None:
        made = _with_bits_at(target, kind, width, first, bits)
    else:
        made = _with_bits_from(target, kind, width, _node(low, place), bits)
    return tree.Assignment("=", target, as_typed(cut(made, kind)).node, kind, place)


def _with_bits_at(
    target: tree.Expression, kind: Number, width: int, first: int, bits: Value
) -> Value:
    """Return a number where the bits from a constant on are others."""
    place = target.place
    mask = ((1 << width) - 1) << first
    everything = (1 << kind.bits) - 1
    if width == kind.bits:
        return Value(bits.node, kind, *bits.range)
    has_sign = kind.signed and first + width < kind.bits
    least, greatest = (kind.least, kind.greatest) if has_sign else (0, everything)
    moved = multiplied(bits, first)
    if bits.constant == (1 << width) - 1 and (has_sign or not kind.signed):
        return Value(_joined(Value(target, kind, least, greatest), moved), kind, least, greatest)
    if has_sign:
        mask_value = literal_value(mask, INT, place)
        inverse = literal(mask, c_type(mask_value.node), place, is_mask=True)
        keeping: tree.Expression = tree.UnaryOp("~", inverse, c_type(inverse), place)
    else:
        kept = everything & ~mask
        keeping = literal(kept, c_type(literal_value(kept, INT, place).node), place, is_mask=True)
    rest = Value(operation("&", target, keeping, place), kind, least, greatest)
    if bits.constant == 0:
        return rest
    return Value(_joined(rest, moved), kind, least, greatest)


def _joined(left: Value, right: Value) -> tree.Expression:
    """Return two numbers without a bit in common as one."""
    least, greatest = min(left.least, right.least), max(left.greatest, right.greatest)
    sides = in_common_type(left, right, least, greatest)[:2]
    return operation("|", *sides, left.node.place)


def _with_bits_from(
    target: tree.Expression, kind: Number, width: int, low: tree.Expression, bits: Value
) -> Value:
    """Return a number where the bits from a variable index on are others."""
    place = target.place
    word = INT if kind.bits < INT.bits else UNSIGNED if kind.bits == INT.bits else UNSIGNED_LONG
    mask = literal((1 << width) - 1, word, place, is_mask=True)
    inverse = tree.UnaryOp("~", operation("<<", mask, low, place), word, place)
    rest = operation("&", target, inverse, place)
    if bits.constant == 0:
        node = rest
    else:
        moved = operation("<<", cast(bits, word), low, place)
        node = operation("|", rest, moved, place)
    own = c_type(node)
    return Value(node, kind, *((own.least, own.greatest) if kind.signed else (0, kind.greatest)))


def _node(index: Index, place: Place) -> tree.Expression:
    return literal(index, INT, place) if isinstance(index, int) else index


def concatenated(parts: Sequence[Value]) -> Value:
    """Return the bits of numbers side by side, those of the first the highest."""
    total = sum(one.number.bits for one in parts)
    if total > WIDEST:
        what = f"concatenates {total} bits, and {WIDEST} are read"
        raise NotExact(what, "write the parts to slices of a variable")
    made = _bits(parts[0])
    for one in parts[1:]:
        width = one.number.bits
        upper, lower = multiplied(made, width), _bits(one)
        to = bits_type(made.number.bits + width)
        greatest = upper.greatest | ((1 << width) - 1)
        if upper.constant == 0:
            made = Value(lower.node, to, *lower.range)
        else:
            made = Value(_joined(upper, lower), to, 0, greatest)
    return as_typed(made)


def _bits(value: Value) -> Value:
    """Return a number's bits as an unsigned integer."""
    to = bits_type(value.number.bits)
    return cut(Value(value.node, to, *value.range), to)
