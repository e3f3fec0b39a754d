"""Expressions of C++ on built-in integers as functions of the number that one variable has.

clang is asked once about each: a loop goes through a thousand numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from operator import add, and_, eq, ge, gt, le, lt, mul, ne, or_, sub, xor
from typing import Any

from hlsmem.read.c.clang import clang_types
from hlsmem.read.c.clang.declared import mentions
from hlsmem.read.c.clang.library import library
from hlsmem.read.c.clang.lowering import FunctionFrame
from hlsmem.read.c.tree import Number

_BINARY: Mapping[str, Callable[[int, int], int]] = {
    "+": add, "-": sub, "*": mul, "&": and_, "|": or_, "^": xor,
    "<": lt, "<=": le, ">": gt, ">=": ge, "==": eq, "!=": ne,
}  # fmt: skip
_UNARY: Mapping[str, Callable[[int], int]] = {
    "+": int, "-": lambda one: -one, "~": lambda one: ~one, "!": lambda one: not one,
}  # fmt: skip
_CASTS = (
    "UNEXPOSED_EXPR", "PAREN_EXPR", "CSTYLE_CAST_EXPR", "CXX_STATIC_CAST_EXPR",
    "CXX_FUNCTIONAL_CAST_EXPR",
)  # fmt: skip


Value = Callable[[int], int | None]
"""The number of an expression by that of a variable; None where it is not known."""


def number_of(frame: FunctionFrame, cursor: Any, variable: int) -> Value:
    """Return the number that an expression is, by that of a variable.

    `variable` is the hash of its declaration. Sizes that stay names are not known, nor is what a
    signed type cannot hold.
    """
    kind = clang_types.number_kind(cursor.type)
    if not isinstance(kind, Number) or kind.exact:
        return _unknown
    value = clang_types.value_of(cursor)
    if value is not None:
        is_known = value == int(value) and not mentions(frame, cursor)
        return _constant(_as(kind, int(value))) if is_known else _unknown
    below = [one for one in cursor.get_children() if one.kind.is_expression()]
    match cursor.kind.name:
        case "DECL_REF_EXPR":
            is_it = cursor.referenced is not None and cursor.referenced.hash == variable
            return _same if is_it else _unknown
        case name if name in _CASTS and len(below) == 1:
            return _applied(partial(_converted, kind), number_of(frame, below[0], variable))
        case "UNARY_OPERATOR":
            operate = _UNARY.get(library().unary_operator(cursor))
            if operate is None:
                return _unknown
            inner = number_of(frame, below[0], variable)
            return _applied(lambda one: _as(kind, int(operate(one))), inner)
        case "BINARY_OPERATOR":
            left, right = (number_of(frame, one, variable) for one in cursor.get_children())
            return _binary(library().binary_operator(cursor), kind, left, right)
    return _unknown


def assigned(frame: FunctionFrame, cursor: Any, variable: int) -> Value:
    """Return the number that a statement assigns to the variable, by that in front of it.

    Of other statements none is known.
    """
    below = list(cursor.get_children())
    target = below[0] if below else cursor
    kind = clang_types.number_kind(target.type)
    is_it = target.kind.name == "DECL_REF_EXPR" and target.referenced.hash == variable
    if not is_it or not isinstance(kind, Number):
        return _unknown
    match cursor.kind.name:
        case "UNARY_OPERATOR":
            step = {"++": 1, "--": -1}.get(library().unary_operator(cursor).removeprefix("p"))
            return _unknown if step is None else lambda one: _as(kind, one + step)
        case "BINARY_OPERATOR" if library().binary_operator(cursor) == "=":
            return number_of(frame, below[1], variable)
        case "COMPOUND_ASSIGNMENT_OPERATOR":
            more = number_of(frame, below[1], variable)
            operate = _BINARY.get(library().binary_operator(cursor).removesuffix("="))
            return _unknown if operate is None else _both(operate, kind, _same, more)
    return _unknown


def _unknown(_: int) -> None:
    return None


def _same(one: int) -> int:
    return one


def _constant(value: int | None) -> Value:
    return lambda _: value


def _applied(operate: Value, inner: Value) -> Value:
    def value(one: int) -> int | None:
        found = inner(one)
        return None if found is None else operate(found)

    return value


def _binary(operator: str, kind: Number, left: Value, right: Value) -> Value:
    if operator in ("&&", "||"):
        return _either(operator == "||", left, right)
    operate = _BINARY.get(operator)
    return _unknown if operate is None else _both(operate, kind, left, right)


def _either(settles: bool, left: Value, right: Value) -> Value:
    """One side that is `settles` settles it, whatever the other is."""

    def value(one: int) -> int | None:
        sides = (left(one), right(one))
        if any(side is not None and bool(side) is settles for side in sides):
            return int(settles)
        return None if None in sides else int(not settles)

    return value


def _both(operate: Callable[[int, int], int], kind: Number, left: Value, right: Value) -> Value:
    def value(one: int) -> int | None:
        first, second = left(one), right(one)
        if first is None or second is None:
            return None
        return _as(kind, int(operate(first, second)))

    return value


def _as(kind: Number, value: int) -> int | None:
    """A result in its type: an unsigned one wraps, beyond a signed one is nothing known."""
    if not kind.signed:
        return value & kind.greatest
    return value if kind.least <= value <= kind.greatest else None


def _converted(kind: Number, value: int) -> int | None:
    """A number in another type."""
    return int(value != 0) if kind.greatest == 1 else _as(kind, value)
