"""Conversions of exact numbers: the point moved, rounded, then cut or saturated."""

from __future__ import annotations

from hlsmem.read.c import tree
from hlsmem.read.c.clang.c_integers import cut, moved_left, multiplied
from hlsmem.read.c.clang.c_types import holds
from hlsmem.read.c.clang.exact_values import WIDEST, NotExact, Value, as_typed
from hlsmem.read.c.clang.float_numbers import from_float, to_float
from hlsmem.read.c.clang.rounding import (
    Overflow,
    overflow_of,
    rounded,
    rounding_of,
    saturated,
)
from hlsmem.read.c.tree import BOOL, INT, Float, Number


def converted(value: Value, to: Number | Float) -> Value:
    """Return a number as one of another type: the point moved, rounded, then cut or saturated."""
    return value if value.type == to else as_typed(_converted(value, to))


def _converted(value: Value, to: Number | Float) -> Value:
    if isinstance(to, Float):
        return to_float(value, to)
    if to.is_bool:
        return truth(value)
    if isinstance(value.type, Float):
        return from_float(value, to)
    places = to.point - value.type.point
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


def truth(value: Value) -> Value:
    """Return 1 where a number is not zero, else 0."""
    if not isinstance(value.type, Float) and value.least >= 0 and value.greatest <= 1:
        return Value(value.node, BOOL, value.least, value.greatest)
    place = value.node.place
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
