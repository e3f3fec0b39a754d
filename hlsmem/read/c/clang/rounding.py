"""Rounding and saturation of fixed-point numbers as C.

A right shift rounds down. Other roundings add to the number before it; where that takes the number
twice and it is no name, a small function does it, which `helpers` defines.
"""

from __future__ import annotations

from enum import IntEnum

from hlsmem.read.c import tree
from hlsmem.read.c.clang.c_integers import (
    in_type_for,
    least_type,
    literal,
    literal_value,
    operation,
)
from hlsmem.read.c.clang.exact_values import Function, NotExact, Value, value_of
from hlsmem.read.c.clang.types_in_c import INT128, PREFIX, WIDE_END, c_type, holds
from hlsmem.read.c.tree import INT, LONG, Number, SourceRange


class Rounding(IntEnum):
    """The modes of `hlsmem_number.h`, in their order."""

    TRN = 0
    TRN_ZERO = 1
    RND = 2
    RND_ZERO = 3
    RND_MIN_INF = 4
    RND_INF = 5
    RND_CONV = 6
    RND_CONV_ODD = 7


class Overflow(IntEnum):
    """The modes of `hlsmem_number.h`, in their order."""

    WRAP = 0
    SAT = 1
    SAT_ZERO = 2
    SAT_SYM = 3


_NONNEGATIVE = {  # modes that are others for numbers that are not negative
    Rounding.TRN_ZERO: Rounding.TRN,
    Rounding.RND_ZERO: Rounding.RND_MIN_INF,
    Rounding.RND_INF: Rounding.RND,
}
_TWICE = {
    Rounding.RND_ZERO: "round_zero",
    Rounding.RND_INF: "round_inf",
    Rounding.RND_CONV: "round_conv",
    Rounding.RND_CONV_ODD: "round_conv_odd",
}
_SATURATED = {
    Overflow.SAT: "saturate",
    Overflow.SAT_ZERO: "saturate_zero",
    Overflow.SAT_SYM: "saturate_sym",
}


def rounding_of(kind: Number) -> Rounding:
    """Return how a number is rounded that is converted to a type; C rounds towards zero."""
    return Rounding(kind.rounding & 7) if kind.exact else Rounding.TRN_ZERO


def overflow_of(kind: Number) -> Overflow:
    """Return what happens to numbers that a type has not."""
    if kind.overflow in tuple(Overflow):
        return Overflow(kind.overflow)
    what = "has an overflow mode (AP_WRAP_SM) that is not read"
    raise NotExact(what, "use AP_WRAP, AP_SAT, AP_SAT_ZERO or AP_SAT_SYM")


def is_cheap(node: tree.Expression) -> bool:
    """Return True if an expression may be written twice: a name or a literal."""
    match node:
        case tree.Cast(expr):
            return is_cheap(expr)
        case tree.ID() | tree.Constant():
            return True
    return False


# Rounding.


def rounded_number(number: int, places: int, mode: Rounding) -> int:
    """Return number / 2**places, rounded.

    >>> [rounded_number(-3, 1, mode) for mode in Rounding]
    [-2, -1, -1, -1, -2, -2, -2, -1]
    """
    half = 1 << (places - 1)
    match mode:
        case Rounding.TRN:
            return number >> places
        case Rounding.TRN_ZERO:
            return -(-number >> places) if number < 0 else number >> places
        case Rounding.RND:
            return (number + half) >> places
        case Rounding.RND_MIN_INF:
            return (number + half - 1) >> places
        case Rounding.RND_INF:
            return (number + half - (number < 0)) >> places
        case Rounding.RND_ZERO:
            return (number + half - 1 + (number < 0)) >> places
        case Rounding.RND_CONV:
            return (number + half - 1 + ((number >> places) & 1)) >> places
        case Rounding.RND_CONV_ODD:
            return (number + half - ((number >> places) & 1)) >> places


def rounded(value: Value, places: int, mode: Rounding) -> Value:
    """Return a value with so many binary places less."""
    old = value.number
    kind = Number(old.bits, old.signed, old.point - places, exact=True)
    if value.least >= 0:
        mode = _NONNEGATIVE.get(mode, mode)
    least, greatest = (rounded_number(n, places, mode) for n in (value.least, value.greatest))
    place = value.node.place
    if least == greatest and (value.constant is not None or least == 0):
        return literal_value(least, kind, place)
    return Value(_rounded_node(value, places, mode), kind, least, greatest)


def _rounded_node(value: Value, places: int, mode: Rounding) -> tree.Expression:
    place = value.node.place
    half = 1 << (places - 1)
    count = literal(places, INT, place)
    match mode:
        case Rounding.TRN:
            return shifted_down(value, places)
        case Rounding.TRN_ZERO:
            node = in_type_for(value, 0, 2 * half)
            return operation("/", node, _constant(2 * half, place), place)
        case Rounding.RND:
            return operation(">>", added(value, half), count, place)
        case Rounding.RND_MIN_INF:
            return operation(">>", added(value, half - 1), count, place)
        case _:
            ends = value.least - half, value.greatest + half
            if is_cheap(value.node):
                return twice_rounded(mode, in_type_for(value, *ends), places)
            return called(f"{_TWICE[mode]}_{places}", value, *ends)


def shifted_down(value: Value, places: int) -> tree.Expression:
    """Return a stored integer shifted right, by more than its type has bits as well."""
    kind, place = c_type(value.node), value.node.place
    if places >= kind.bits and not kind.signed:
        return literal(0, INT, place)
    count = literal(min(places, kind.bits - 1), INT, place)
    return operation(">>", value.node, count, place)


def added(value: Value, number: int) -> tree.Expression:
    """Return a value plus a number that is not negative, exact."""
    if not number:
        return value.node
    place = value.node.place
    node = in_type_for(value, value.least, value.greatest + number)
    return operation("+", node, _constant(number, place), place)


def _constant(number: int, place: SourceRange) -> tree.Expression:
    return literal(number, least_type(number, number), place)


def twice_rounded(mode: Rounding, node: tree.Expression, places: int) -> tree.Expression:
    """Return the rounding of a number that is written twice, in a type with room for a half."""
    place = node.place
    half = 1 << (places - 1)

    def plus(left: tree.Expression, number: int) -> tree.Expression:
        return operation("+", left, _constant(number, place), place) if number else left

    is_negative = tree.BinaryOp("<", node, _constant(0, place), INT, place)
    match mode:
        case Rounding.RND_INF:
            moved = operation("-", plus(node, half), is_negative, place)
        case Rounding.RND_ZERO:
            moved = operation("+", plus(node, half - 1), is_negative, place)
        case _:
            whole = operation(">>", node, _constant(places, place), place)
            last = operation("&", whole, _constant(1, place), place)
            if mode == Rounding.RND_CONV:
                moved = operation("+", plus(node, half - 1), last, place)
            else:
                moved = operation("-", plus(node, half), last, place)
    return operation(">>", moved, _constant(places, place), place)


# Saturation.


def limits_of(kind: Number) -> tuple[int, int]:
    """Return the least and the greatest number that saturation leaves."""
    is_symmetric = kind.signed and overflow_of(kind) == Overflow.SAT_SYM
    return (-kind.greatest if is_symmetric else kind.least), kind.greatest


def saturated(value: Value, to: Number) -> Value:
    """Return a stored integer as a number of that type, which saturates."""
    least, greatest = limits_of(to)
    if least <= value.least and value.greatest <= greatest:
        return Value(value.node, to, value.least, value.greatest)
    mode = overflow_of(to)
    if value.constant is not None:
        number = max(least, min(value.constant, greatest))
        if mode == Overflow.SAT_ZERO and number != value.constant:
            number = 0
        return literal_value(number, to, value.node.place)
    low, high = max(least, value.least), min(greatest, value.greatest)
    if mode == Overflow.SAT_ZERO:
        low, high = min(low, 0), max(high, 0)
    low, high = min(low, greatest), max(high, least)
    if not is_cheap(value.node):
        name = f"{_SATURATED[mode]}_{'' if to.signed else 'u'}{to.bits}"
        return Value(called(name, value, value.least, value.greatest), to, low, high)
    node = value.node
    if value.greatest > greatest:
        node = _clamped(">", value, greatest, mode, node)
    if value.least < least:
        node = _clamped("<", value, least, mode, node)
    return Value(node, to, low, high)


def _clamped(
    op: str, value: Value, end: int, mode: Overflow, inner: tree.Expression
) -> tree.Expression:
    """Return `inner` where a value does not lie beyond an end of a range."""
    place = value.node.place
    edge = _constant(end, place)
    cond = tree.BinaryOp(op, value.node, edge, INT, place)
    then = literal(0, INT, place) if mode == Overflow.SAT_ZERO else edge
    return tree.TernaryOp(cond, then, inner, c_type(then).common(c_type(inner)), place)


# Functions.


def called(name: str, value: Value, least: int, greatest: int) -> tree.FuncCall:
    """Return a call of one of `helpers`, which computes from `least` to `greatest`."""
    kind = LONG if holds(LONG, least, greatest) else INT128
    name = f"{PREFIX}{name}{'' if kind == LONG else WIDE_END}"
    return tree.FuncCall(name, (value.node,), kind, value.node.place)


def function_of(name: str, place: SourceRange) -> Function | None:
    """Return a function of this module by its name."""
    kind = INT128 if name.endswith(WIDE_END) else LONG
    x = tree.ID("x", kind, place)
    words = name.removeprefix(PREFIX).removesuffix(WIDE_END)
    purpose, _, size = words.rpartition("_")
    for rounding, known in _TWICE.items():
        if known == purpose:
            return Function((x,), kind, twice_rounded(rounding, x, int(size)))
    for overflow, known in _SATURATED.items():
        if known == purpose:
            bits = int(size.removeprefix("u"))
            to = Number(bits, size == str(bits), overflow=overflow)
            return Function((x,), kind, saturated(value_of(x), to).node)
    return None
