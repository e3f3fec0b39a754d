"""Conversions of exact numbers: the point moved, rounded, then cut or saturated."""

from __future__ import annotations

from hlsmem.read.c import tree
from hlsmem.read.c.clang.c_integers import cut, moved_left, multiplied
from hlsmem.read.c.clang.exact_values import NotExact, Value, as_typed
from hlsmem.read.c.clang.float_numbers import from_float, to_float
from hlsmem.read.c.clang.rounding import (
    Overflow,
    Rounding,
    overflow_of,
    rounded,
    rounding_of,
    saturated,
)
from hlsmem.read.c.clang.types_in_c import WIDEST, holds, is_wide
from hlsmem.read.c.clang.wide_words import (
    as_integer,
    bits_from,
    is_word,
    truth_of_word,
)
from hlsmem.read.c.tree import BOOL, INT, Float, Number


def converted(value: Value, to: Number | Float) -> Value:
    """Return a number as one of another type: the point moved, rounded, then cut or saturated."""
    return value if value.type == to else as_typed(_converted(value, to))


def _converted(value: Value, to: Number | Float) -> Value:
    if isinstance(to, Float):
        return to_float(as_integer(value), to)
    if to.is_bool:
        return truth(value)
    if isinstance(value.type, Float):
        return from_float(value, to)
    places = to.point - value.type.point
    if is_word(value) or is_wide(to):
        found = _of_word(value, places, to)
        if found is not None:
            return found
        value = as_integer(value)
    overflow = overflow_of(to)
    if places < 0:
        value = rounded(value, -places, rounding_of(to))
    elif overflow == Overflow.WRAP and to.bits <= WIDEST:
        return moved_left(value, places, to)
    else:
        value = aligned(value, to.point)
    if overflow == Overflow.WRAP or to.bits > WIDEST:
        return fitted(value, to)
    return saturated(value, to)


def _of_word(value: Value, places: int, to: Number) -> Value | None:
    """Return a number with a word on one side; None where its integer has to be computed with."""
    kind = value.number
    rounding = rounding_of(to)
    is_rounded = (
        places < 0
        and rounding != Rounding.TRN
        and (rounding != Rounding.TRN_ZERO or value.least < 0)
    )
    bits = max(kind.bits + places, 1)
    fits = bits + (not kind.signed and to.signed) <= to.bits and (to.signed or value.least >= 0)
    if is_rounded or (overflow_of(to) != Overflow.WRAP and not fits):
        return None
    if not is_word(value) and not places and holds(to, value.least, value.greatest):
        return Value(value.node, to, value.least, value.greatest)
    return bits_from(value, -places, to)


def truth(value: Value) -> Value:
    """Return 1 where a number is not zero, else 0."""
    is_bit = not isinstance(value.type, Float) and value.least >= 0 and value.greatest <= 1
    if is_bit and not (isinstance(value.node, tree.BinaryOp) and value.node.op in (">>", "+")):
        return Value(value.node, BOOL, value.least, value.greatest)
    place = value.node.place
    if is_word(value):
        return Value(truth_of_word(value), BOOL, 0, 1)
    zero = tree.Constant("0", INT, place)
    return Value(tree.BinaryOp("!=", value.node, zero, INT, place), BOOL, 0, 1)


def aligned(value: Value, point: int) -> Value:
    """Return a number with more binary places, exact."""
    kind = value.number
    places = point - kind.point
    if not places:
        return value
    moved = multiplied(value, places)
    to = Number(kind.bits + places, kind.signed, point, exact=True)
    return Value(moved.node, to, moved.least, moved.greatest)


def fitted(value: Value, result: Number) -> Value:
    """Return what an operator computes as a number of the type that C++ gives it."""
    if result.point != value.number.point or result.is_bool:
        return converted(value, result)
    if holds(result, value.least, value.greatest):
        return Value(value.node, result, value.least, value.greatest)
    if result.bits > WIDEST:
        remedy = f"compute with at most {WIDEST} bits"
        raise NotExact(f"loses bits of a number of {result.bits} bits", remedy)
    return cut(value, result)
