"""Integer constant expressions of C (C99 6.6): literals, and what operators make of them."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.tree import BOOL, INT, Number
from hlsmem.read.c.types import scalar_type

# A value with its type.
Constant = tuple[int, Number]
_COMPARED = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
_BITWISE = {"&": operator.and_, "|": operator.or_, "^": operator.xor}
_ARITHMETIC = {"+": operator.add, "-": operator.sub, "*": operator.mul}


def constant_value(node: Any, named: Callable[[str], Constant | None]) -> Constant | None:
    """The value and type of a constant expression; None where it is none, or C leaves it open.

    `named` knows constants by name. Overflow of signed types, division by zero and shifts by more
    than a type has are left open (C99 6.5).
    """

    def value(node: Any) -> Constant | None:
        match node:
            case tree.Constant():
                return integer_literal(node)
            case tree.ID():
                return named(node.name)
            case tree.UnaryOp(op="+" | "-" | "~" | "!"):
                return _unary(node.op, value(node.expr))
            case tree.Cast():
                kind, inner = scalar_type(node.type), value(node.expr)
                if not isinstance(kind, Number) or inner is None:
                    return None
                return _held(inner[0], kind), kind
            case tree.BinaryOp(op="&&" | "||"):
                return _logical(node.op, value(node.left), value(node.right))
            case tree.BinaryOp():
                left, right = value(node.left), value(node.right)
                return None if left is None or right is None else _binary(node.op, left, right)
            case tree.TernaryOp():
                condition, then, other = map(value, (node.cond, node.iftrue, node.iffalse))
                if condition is None or then is None or other is None:
                    return None
                common = then[1].common(other[1])
                return _held((then if condition[0] else other)[0], common), common
        return None

    return value(node)


def value_at(node: Any, values: Mapping[str, int]) -> int | None:
    """The value of an expression in which names have these values; None where it is none."""

    def named(name: str) -> Constant | None:
        return (values[name], INT) if name in values else None

    found = None if node is None else constant_value(node, named)
    return None if found is None else found[0]


def _held(value: int, kind: Number) -> int:
    """A value converted to a type; to signed ones as gcc and clang do."""
    if kind == BOOL:
        return int(value != 0)
    wrapped = value & ((1 << kind.bits) - 1)
    return wrapped - (1 << kind.bits) if wrapped > kind.greatest else wrapped


def _exact(value: int, kind: Number) -> Constant | None:
    """A result in its type; None where a signed one overflows."""
    held = _held(value, kind)
    return None if kind.signed and held != value else (held, kind)


def _unary(sign: str, operand: Constant | None) -> Constant | None:
    if operand is None:
        return None
    value, kind = operand[0], operand[1].promoted()
    match sign:
        case "-":
            return _exact(-value, kind)
        case "~":
            return _held(~value, kind), kind
        case "!":
            return int(not value), INT
        case _:
            return value, kind


def _logical(sign: str, left: Constant | None, right: Constant | None) -> Constant | None:
    if left is None:
        return None
    if bool(left[0]) == (sign == "||"):
        return int(sign == "||"), INT
    return None if right is None else (int(right[0] != 0), INT)


def _binary(sign: str, left: Constant, right: Constant) -> Constant | None:
    if sign in ("<<", ">>"):
        return _shifted(sign, left, right[0])
    kind = left[1].common(right[1])
    a, b = _held(left[0], kind), _held(right[0], kind)
    if sign in _COMPARED:
        return int(_COMPARED[sign](a, b)), INT
    if sign in _BITWISE:
        return _held(_BITWISE[sign](a, b), kind), kind
    if sign in _ARITHMETIC:
        return _exact(_ARITHMETIC[sign](a, b), kind)
    if sign not in ("/", "%") or b == 0:
        return None
    quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    whole = _exact(quotient, kind)  # the least number by -1 overflows, and so does its rest
    return whole if sign == "/" or whole is None else _exact(a - quotient * b, kind)


def _shifted(sign: str, left: Constant, places: int) -> Constant | None:
    value, kind = left[0], left[1].promoted()
    if not 0 <= places < kind.bits:
        return None
    if sign == ">>":
        return value >> places, kind
    return None if value < 0 else _exact(value << places, kind)


def integer_literal(node: Any) -> Constant | None:
    """Value and type of an integer literal, or None."""
    return literal_of(node.value)


def literal_of(text: str) -> Constant | None:
    """The value and type of a literal of an integer (C99 6.4.4.1); None for other texts.

    >>> literal_of("0xffffffff"), literal_of("1.5")
    ((4294967295, Number(bits=32, signed=False, point=0, rounding=0, overflow=0, exact=False, \
is_bool=False, spelled='')), None)
    """
    digits = text.lower().rstrip("ul")
    suffix = text.lower()[len(digits) :]
    try:
        value = int(digits, 8) if digits[:1] == "0" and digits.isdigit() else int(digits, 0)
    except ValueError:
        return None
    decimal = digits[:1] != "0"
    for bits in (32, 64) if "l" not in suffix else (64,):
        for signed in (True, False):
            type = Number(bits, signed)
            allowed = ("u" not in suffix) if signed else ("u" in suffix or not decimal)
            if allowed and value <= type.greatest:
                return value, type
    return None
