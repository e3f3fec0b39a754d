"""Bits, slices and concatenations of numbers, by shifts and masks."""

from __future__ import annotations

from collections.abc import Sequence

from hlsmem.read.c import tree
from hlsmem.read.c.clang import word_slices
from hlsmem.read.c.clang.c_integers import (
    cut,
    literal,
    literal_value,
    low_word,
    masked,
    multiplied,
    operation,
    wrapped,
)
from hlsmem.read.c.clang.conversions import converted
from hlsmem.read.c.clang.exact_values import NotExact, Value, as_typed
from hlsmem.read.c.clang.linear_indices import Index, constant_index, is_pure, width_of
from hlsmem.read.c.clang.rounding import shifted_down
from hlsmem.read.c.clang.slice_masks import bits_type, joined, with_bits_at, with_bits_from
from hlsmem.read.c.clang.types_in_c import WIDEST, is_wide
from hlsmem.read.c.clang.wide_words import is_word
from hlsmem.read.c.clang.word_slices import concatenated_word, slice_of_word
from hlsmem.read.c.tree import INT, Number, SourceRange

_NOWHERE = SourceRange("", 1, 1)


def slice_value(number: Value, high: Index, low: Index) -> Value:
    """Return the bits of a number from index `low` to `high`, as an unsigned integer."""
    bits = width_of(high, low)
    low = _low_of(number.number, bits, low)
    first = constant_index(low)
    check_slice(number.number, bits, first)
    if is_word(number) or bits > WIDEST:
        return slice_of_word(number, bits, low)
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


def _low_of(kind: Number, bits: int, low: Index) -> Index:
    """The lowest index of a slice: 0 where it is as wide as the number."""
    return 0 if bits == kind.bits and is_pure(_node(low, _NOWHERE)) else low


def check_slice(kind: Number, bits: int, first: int | None) -> None:
    """Raise NotExact for bits that a number has not."""
    if bits > kind.bits or (first is not None and not 0 <= first <= kind.bits - bits):
        at = "" if first is None else f" from {first} on"
        what = f"names {bits} bits{at}, and the number has {kind.bits}"
        raise NotExact(what, f"name bits from 0 to {kind.bits - 1}")


def slice_assignments(
    target: tree.Expression, high: Index, low: Index, value: Value
) -> tuple[tree.Assignment, ...]:
    """Return the assignments of some bits of a variable, whose others it keeps.

    One; of a number of more than 64 bits one for each of its limbs.
    """
    width = width_of(high, low)
    assert isinstance(target.type, Number)
    bits = converted(value, bits_type(width))
    return _assigned(target, _low_of(target.type, width, low), bits, target.place)


def _assigned(
    target: tree.Expression, low: Index, bits: Value, place: SourceRange
) -> tuple[tree.Assignment, ...]:
    kind, width, first = target.type, bits.number.bits, constant_index(low)
    assert isinstance(kind, Number)
    check_slice(kind, width, first)
    if not is_pure(target):
        raise NotExact("assigns bits of what has an effect", "write the effect before")
    if is_wide(kind):
        return word_slices.slice_assignments(target, low, bits, place)
    if first is not None:
        made = with_bits_at(target, kind, width, first, bits)
    else:
        made = with_bits_from(target, kind, width, _node(low, place), bits)
    return (tree.Assignment("=", target, as_typed(cut(made, kind)).node, kind, place),)


def _node(index: Index, place: SourceRange) -> tree.Expression:
    return literal(index, INT, place) if isinstance(index, int) else index


def concatenated(parts: Sequence[Value]) -> Value:
    """Return the bits of numbers side by side, those of the first the highest."""
    total = sum(one.number.bits for one in parts)
    if total > WIDEST:
        return concatenated_word(parts)
    made = _bits(parts[0])
    for one in parts[1:]:
        width = one.number.bits
        upper, lower = multiplied(made, width), _bits(one)
        to = bits_type(made.number.bits + width)
        greatest = upper.greatest | ((1 << width) - 1)
        if upper.constant == 0:
            made = Value(lower.node, to, *lower.range)
        else:
            made = Value(joined(upper, lower), to, 0, greatest)
    return as_typed(made)


def _bits(value: Value) -> Value:
    """Return a number's bits as an unsigned integer."""
    to = bits_type(value.number.bits)
    return cut(Value(value.node, to, *value.range), to)
