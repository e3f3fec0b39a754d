"""Conversions between floating-point numbers and the integers that store exact numbers.

A floating-point number is scaled by a power of two, which is exact, rounded by functions of
<math.h>, which is exact, and converted. C leaves open what lies beyond 64 bits; a number that
saturates does so before it is an integer.
"""

from __future__ import annotations

from fractions import Fraction

from hlsmem.read.c import tree
from hlsmem.read.c.clang.c_integers import cut, literal, literal_value, wrapped
from hlsmem.read.c.clang.exact_values import Function, Value
from hlsmem.read.c.clang.rounding import (
    Overflow,
    Rounding,
    limits_of,
    overflow_of,
    rounded_number,
    rounding_of,
)
from hlsmem.read.c.clang.types_in_c import INT128, PREFIX, UNSIGNED_END
from hlsmem.read.c.tree import INT, LONG, UNSIGNED_LONG, Float, Number, SourceRange

_DOUBLE = Float(64)
_DIGITS = {32: 24, 64: 53}
_LEAST_EXPONENT = {32: -149, 64: -1074}
_FUNCTIONS = {
    Rounding.TRN: "floor",
    Rounding.TRN_ZERO: "trunc",
    Rounding.RND_INF: "round",
    Rounding.RND_CONV: "nearbyint",
}
_HALVES = {
    Rounding.RND: "round_up",
    Rounding.RND_MIN_INF: "round_down",
    Rounding.RND_ZERO: "round_near",
    Rounding.RND_CONV_ODD: "round_odd",
}
_SATURATED = {
    Overflow.SAT: "saturate_double",
    Overflow.SAT_ZERO: "saturate_zero_double",
    Overflow.SAT_SYM: "saturate_sym_double",
}


def to_float(value: Value, to: Float) -> Value:
    """Return a number as a floating-point number, rounded once."""
    place = value.node.place
    if isinstance(value.type, Float):
        return Value(tree.Cast(value.node, to, place), to)
    node: tree.Expression = tree.Cast(value.node, to, place)
    point = value.type.point
    if point:
        op = "/" if point > 0 else "*"
        node = tree.BinaryOp(op, node, _power(abs(point), to, place), to, place)
    return Value(node, to)


def _power(places: int, kind: Float, place: SourceRange) -> tree.Expression:
    text = f"{1 << places}.0" if places < 64 else (2.0**places).hex()
    return tree.Constant(text + ("f" if kind.bits == 32 else ""), kind, place)


def from_float(value: Value, to: Number) -> Value:
    """Return a floating-point number as one of arbitrary precision, or as an integer of C."""
    place = value.node.place
    number = constant_of(value.node)
    if number is not None:
        return _constant(number, to, place)
    overflow, mode = overflow_of(to), rounding_of(to)
    node = value.node
    if to.point:
        node = _double(node)
        op = "*" if to.point > 0 else "/"
        node = tree.BinaryOp(op, node, _power(abs(to.point), _DOUBLE, place), _DOUBLE, place)
    if mode != Rounding.TRN_ZERO or overflow != Overflow.WRAP:
        name = _FUNCTIONS.get(mode) or f"{PREFIX}{_HALVES[mode]}"
        node = tree.FuncCall(name, (_double(node),), _DOUBLE, place)
    if overflow != Overflow.WRAP:
        kind = LONG if to.signed else UNSIGNED_LONG
        end = "" if to.signed else UNSIGNED_END
        name = f"{PREFIX}{_SATURATED[overflow]}_{to.bits}{end}"
        return Value(tree.FuncCall(name, (node,), kind, place), to, *limits_of(to))
    if to in (INT, LONG):
        return Value(tree.Cast(node, to, place), to, to.least, to.greatest)
    kind = LONG if to.signed or to.bits < LONG.bits else INT128
    whole = tree.Cast(node, kind, place)
    return cut(Value(whole, kind, kind.least, kind.greatest), to)


def _double(node: tree.Expression) -> tree.Expression:
    return node if node.type == _DOUBLE else tree.Cast(node, _DOUBLE, node.place)


def _constant(number: Fraction, to: Number, place: SourceRange) -> Value:
    """Return a constant as it is stored."""
    scaled = number * Fraction(2) ** to.point
    places = scaled.denominator.bit_length() - 1
    whole = scaled.numerator
    if places:
        whole = rounded_number(whole, places, rounding_of(to))
    least, greatest = limits_of(to)
    match overflow_of(to):
        case Overflow.WRAP:
            whole = wrapped(whole, to)
        case Overflow.SAT_ZERO:
            whole = whole if least <= whole <= greatest else 0
        case _:
            whole = max(least, min(whole, greatest))
    return literal_value(whole, to, place)


def constant_of(node: tree.Expression) -> Fraction | None:
    """Return the number that a floating-point literal is; None where it is none.

    >>> constant_of(tree.Constant("0.1f", Float(32), SourceRange("k.cpp", 1, 1)))
    Fraction(13421773, 134217728)
    """
    is_negative = isinstance(node, tree.UnaryOp) and node.op == "-"
    found = node.expr if isinstance(node, tree.UnaryOp) and is_negative else node
    if not isinstance(found, tree.Constant) or not isinstance(found.type, Float):
        return None
    text = found.value.lower().rstrip("fl" if "x" not in found.value.lower() else "l")
    try:
        number = Fraction(float.fromhex(text)) if "x" in text else Fraction(text)
    except ValueError:
        return None
    bits = found.type.bits
    exponent = _LEAST_EXPONENT[bits]
    if number:
        size = number.numerator.bit_length() - number.denominator.bit_length()
        size -= Fraction(2) ** size > number
        exponent = max(exponent, size - _DIGITS[bits] + 1)
    unit = Fraction(2) ** exponent
    number = round(number / unit) * unit
    return -number if is_negative else number


def function_of(name: str, place: SourceRange) -> Function | None:
    """Return a function of this module by its name."""
    x = tree.ID("x", _DOUBLE, place)
    words = name.removeprefix(PREFIX).removesuffix(UNSIGNED_END)
    for mode, known in _HALVES.items():
        if known == words:
            return Function((x,), _DOUBLE, _half_rounded(mode, x))
    purpose, _, size = words.rpartition("_")
    for overflow, known in _SATURATED.items():
        if known == purpose:
            is_signed = not name.endswith(UNSIGNED_END)
            to = Number(int(size), is_signed, overflow=overflow, exact=True)
            kind = LONG if is_signed else UNSIGNED_LONG
            return Function((x,), kind, _saturated(x, to, kind))
    return None


def _half_rounded(mode: Rounding, x: tree.Expression) -> tree.Expression:
    """Return the nearest integer; a half goes up, down, or to the one nearer to zero.

    Half a unit is not added to `x`: the sum might be rounded.
    """
    place = x.place
    half = tree.Constant("0.5", _DOUBLE, place)

    def nearest(name: str) -> tree.Expression:
        whole = tree.FuncCall(name, (x,), _DOUBLE, place)
        above, below = (x, whole) if name == "floor" else (whole, x)
        rest = tree.BinaryOp("-", above, below, _DOUBLE, place)
        step = tree.BinaryOp(">=", rest, half, INT, place)
        return tree.BinaryOp("+" if name == "floor" else "-", whole, step, _DOUBLE, place)

    if mode == Rounding.RND:
        return nearest("floor")
    if mode == Rounding.RND_MIN_INF:
        return nearest("ceil")
    if mode == Rounding.RND_CONV_ODD:
        return _odd(x)
    is_negative = tree.BinaryOp("<", x, tree.Constant("0.0", _DOUBLE, place), INT, place)
    return tree.TernaryOp(is_negative, nearest("floor"), nearest("ceil"), _DOUBLE, place)


def _odd(x: tree.Expression) -> tree.Expression:
    """Return the nearest integer, the odd one of two."""
    place = x.place

    def operation(op: str, left: tree.Expression, right: tree.Expression) -> tree.Expression:
        return tree.BinaryOp(op, left, right, _DOUBLE, place)

    def constant(text: str) -> tree.Expression:
        return tree.Constant(text, _DOUBLE, place)

    def called(name: str, inner: tree.Expression) -> tree.Expression:
        return tree.FuncCall(name, (inner,), _DOUBLE, place)

    rest = operation("-", x, called("floor", x))
    is_between = tree.BinaryOp("==", rest, constant("0.5"), INT, place)
    pairs = called("floor", operation("*", x, constant("0.5")))
    odd = operation("+", operation("*", constant("2.0"), pairs), constant("1.0"))
    return tree.TernaryOp(is_between, odd, called("nearbyint", x), _DOUBLE, place)


def _saturated(x: tree.Expression, to: Number, kind: Number) -> tree.Expression:
    """Return a whole number in a type; its ends are compared as doubles, which have them."""
    place = x.place
    least, greatest = limits_of(to)
    low, high = (least, greatest)
    if to.overflow == Overflow.SAT_ZERO:
        low = high = 0
    if to.overflow == Overflow.SAT_SYM:  # its least number may be none of double
        is_low = tree.BinaryOp("<=", x, _exact_double(least - 1, place), INT, place)
    else:
        is_low = tree.BinaryOp("<", x, _exact_double(least, place), INT, place)
    is_high = tree.BinaryOp(">=", x, _exact_double(greatest + 1, place), INT, place)
    whole = tree.Cast(x, kind, place)
    inner = tree.TernaryOp(is_high, literal(high, kind, place), whole, kind, place)
    return tree.TernaryOp(is_low, literal(low, kind, place), inner, kind, place)


def _exact_double(number: int, place: SourceRange) -> tree.Expression:
    found = tree.Constant(f"{abs(number)}.0", _DOUBLE, place)
    return tree.UnaryOp("-", found, _DOUBLE, place) if number < 0 else found
