"""Masks that keep some bits of a number of at most 64 bits and take others."""

from __future__ import annotations

from hlsmem.read.c import tree
from hlsmem.read.c.clang.c_integers import (
    cast,
    in_common_type,
    literal,
    literal_value,
    multiplied,
    operation,
)
from hlsmem.read.c.clang.exact_values import Value
from hlsmem.read.c.clang.rounding import Rounding
from hlsmem.read.c.clang.types_in_c import c_type
from hlsmem.read.c.tree import INT, UNSIGNED, UNSIGNED_LONG, Number


def bits_type(bits: int) -> Number:
    """Return the type of so many bits: an unsigned integer, to which fractions are cut."""
    return Number(bits, False, rounding=Rounding.TRN_ZERO, exact=True)


def with_bits_at(
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
        return Value(joined(Value(target, kind, least, greatest), moved), kind, least, greatest)
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
    return Value(joined(rest, moved), kind, least, greatest)


def with_bits_from(
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


def joined(left: Value, right: Value) -> tree.Expression:
    """Return two numbers without a bit in common as one."""
    least, greatest = min(left.least, right.least), max(left.greatest, right.greatest)
    sides = in_common_type(left, right, least, greatest)[:2]
    return operation("|", *sides, left.node.place)
