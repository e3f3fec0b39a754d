"""Counters of loops that are numbers of few bits: int in C, where they hold all that they count."""

from __future__ import annotations

from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.clang import types
from hlsmem.read.c.clang.library import library
from hlsmem.read.c.clang.lowering import Refused


def counter_as_int(declared: tree.Decl, condition: Any, loop: Any) -> tree.Decl:
    """Return the declaration of a loop's counter as an int; that of any other variable as it is.

    A loop that counts by one to a bound ends only where the bits of its counter hold that bound, so
    an int counts alike. Raises Refused where it never ends.
    """
    kind = declared.type
    if not isinstance(kind, tree.Number) or not kind.exact:
        return declared
    last = None if condition is None else _last(condition)
    first = _number(declared.init)
    if kind.point or kind.bits > 32:
        return declared
    if last is not None and not _holds(kind, first or 0, last):
        what = f"'{declared.name}' counts a loop, and its {kind.bits} bits never hold its end"
        raise Refused(loop, what, "count with int")
    if last is None and not _is_less(condition):
        return declared
    return tree.Decl(declared.name, tree.INT, declared.place, declared.init, declared.storage)


def _holds(kind: tree.Number, first: int, last: int) -> bool:
    return all(kind.least <= one <= kind.greatest for one in (first, last))


def _number(node: tree.Expression | None) -> int | None:
    match node:
        case tree.Constant(value):
            return int(value.rstrip("ulUL"), 0)
        case tree.UnaryOp("-", tree.Constant(value)):
            return -int(value.rstrip("ulUL"), 0)
        case tree.Cast(expr):
            return _number(expr)
        case _:
            return None


def _is_less(condition: Any) -> bool:
    """True for a condition of the form counter < bound, or <=."""
    for one in condition.walk_preorder() if condition is not None else ():
        if one.kind.name == "CALL_EXPR" and one.spelling in ("operator<", "operator<="):
            return True
        if one.kind.name == "BINARY_OPERATOR":
            return library().binary_operator(one) in ("<", "<=")
    return False


def _last(condition: Any) -> int | None:
    """The value of a counter behind its last iteration, for a step of one."""
    while condition.kind.name in ("UNEXPOSED_EXPR", "PAREN_EXPR"):
        below = list(condition.get_children())
        if len(below) != 1:
            return None
        condition = below[0]
    if condition.kind.name == "CALL_EXPR":
        operator = (condition.referenced.spelling or "").removeprefix("operator")
        sides = list(condition.get_arguments())
    elif condition.kind.name == "BINARY_OPERATOR":
        operator = library().binary_operator(condition)
        sides = list(condition.get_children())
    else:
        return None
    bound = _value(sides[1]) if len(sides) == 2 else None
    if bound is None or operator not in ("<", "<=", "!=", ">", ">="):
        return None
    return bound + {"<=": 1, ">=": -1}.get(operator, 0)


def _value(cursor: Any) -> int | None:
    found = types.value_of(cursor)
    below = list(cursor.get_children())
    while found is None and below and cursor.kind.name in ("UNEXPOSED_EXPR", "CALL_EXPR"):
        cursor = below[-1]
        found, below = types.value_of(cursor), list(cursor.get_children())
    return int(found) if found is not None else None
