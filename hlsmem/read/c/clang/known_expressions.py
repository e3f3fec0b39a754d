"""Expressions of C++ on built-in integers, computed where one variable has a number."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import add, and_, eq, ge, gt, le, lt, mul, ne, or_, sub, xor
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
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


@dataclass(frozen=True, slots=True)
class Known:
    """A variable, by the hash of its declaration, and its number."""

    variable: int
    value: int


def number(frame: FunctionFrame, cursor: Any, known: Known) -> int | None:
    """Return the number that an expression is; None where that is not known.

    Sizes that stay names are not known, nor is what a signed type cannot hold.
    """
    kind = clang_types.number_kind(cursor.type)
    if not isinstance(kind, Number) or kind.exact:
        return None
    value = clang_types.value_of(cursor)
    if value is not None:
        return None if mentions(frame, cursor) or value != int(value) else _as(kind, int(value))
    below = [one for one in cursor.get_children() if one.kind.is_expression()]
    match cursor.kind.name:
        case "DECL_REF_EXPR":
            is_it = cursor.referenced is not None and cursor.referenced.hash == known.variable
            return known.value if is_it else None
        case name if name in _CASTS and len(below) == 1:
            inner = number(frame, below[0], known)
            return None if inner is None else _converted(kind, inner)
        case "UNARY_OPERATOR":
            inner = number(frame, below[0], known)
            operator = library().unary_operator(cursor)
            if inner is None or operator not in _UNARY:
                return None
            return _as(kind, int(_UNARY[operator](inner)))
        case "BINARY_OPERATOR":
            return _binary(frame, cursor, kind, known)
    return None


def assigned(frame: FunctionFrame, cursor: Any, known: Known) -> int | None:
    """Return the number that a statement assigns to the variable; None for other statements."""
    below = list(cursor.get_children())
    target = below[0] if below else cursor
    kind = clang_types.number_kind(target.type)
    is_it = target.kind.name == "DECL_REF_EXPR" and target.referenced.hash == known.variable
    if not is_it or not isinstance(kind, Number):
        return None
    match cursor.kind.name:
        case "UNARY_OPERATOR":
            step = {"++": 1, "--": -1}.get(library().unary_operator(cursor).removeprefix("p"))
            return None if step is None else _as(kind, known.value + step)
        case "BINARY_OPERATOR" if library().binary_operator(cursor) == "=":
            return number(frame, below[1], known)
        case "COMPOUND_ASSIGNMENT_OPERATOR":
            more = number(frame, below[1], known)
            operate = _BINARY.get(library().binary_operator(cursor).removesuffix("="))
            return (
                None if more is None or operate is None else _as(kind, operate(known.value, more))
            )
    return None


def _binary(frame: FunctionFrame, cursor: Any, kind: Number, known: Known) -> int | None:
    left, right = (number(frame, one, known) for one in cursor.get_children())
    operator = library().binary_operator(cursor)
    if operator in ("&&", "||"):
        settles = operator == "||"
        if any(one is not None and bool(one) is settles for one in (left, right)):
            return int(settles)
        return None if left is None or right is None else int(not settles)
    if left is None or right is None or operator not in _BINARY:
        return None
    return _as(kind, int(_BINARY[operator](left, right)))


def _as(kind: Number, value: int) -> int | None:
    """A result in its type: an unsigned one wraps, beyond a signed one is nothing known."""
    if not kind.signed:
        return value & kind.greatest
    return value if kind.least <= value <= kind.greatest else None


def _converted(kind: Number, value: int) -> int | None:
    """A number in another type."""
    return int(value != 0) if kind.greatest == 1 else _as(kind, value)
