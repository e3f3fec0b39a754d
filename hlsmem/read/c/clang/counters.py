"""Counters of loops that are numbers of few bits: int in C, where they hold all that they count."""

from __future__ import annotations

from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.clang import clang_types
from hlsmem.read.c.clang.library import library
from hlsmem.read.c.clang.lowering import Refused
from hlsmem.read.c.clang.steady import changes_in
from hlsmem.read.c.tree import SourceRange

_CLOSING = ((1, "<"), (1, "<="), (1, "!="), (-1, ">"), (-1, ">="), (-1, "!="))
"""Signs of steps with the comparisons that they end."""
_NOWHERE = SourceRange("", 1, 1)


def counter_as_int(declared: tree.Decl, condition: Any, step: Any, loop: Any) -> tree.Decl:
    """Return the declaration of a loop's counter as an int; that of any other variable as it is.

    A loop that counts by one to a bound ends only where the bits of its counter hold that bound, so
    an int counts alike. Raises Refused where it never ends.
    """
    kind = declared.type
    if not isinstance(kind, tree.Number) or not kind.exact or kind.point or kind.bits > 32:
        return declared
    operator, bound = _comparison(condition, declared.name)
    first, sign = _number(declared.init), _sign_of_step(step, declared.name)
    if (sign, operator) not in _CLOSING:
        return declared
    if bound is None:
        return as_int(declared) if operator in ("<", "<=") else declared
    last = bound + {"<=": 1, ">=": -1}.get(operator, 0)
    if operator == "!=" and (first is None or (last - first) * sign < 0):
        return declared
    if not kind.least <= last <= kind.greatest:
        what = f"'{declared.name}' counts a loop, and its {kind.bits} bits never hold its end"
        raise Refused(loop, what, "count with int")
    return as_int(declared)


def counts_loops_alone(function: Any, cursor: Any, kind: tree.Type) -> bool:
    """Return True for a variable in front of loops that their headers alone assign.

    Each begins at a constant, and an int counts alike.
    """
    if not isinstance(kind, tree.Number) or not kind.exact:
        return False
    found = 0
    for loop in function.walk_preorder():
        if loop.kind.name != "FOR_STMT":
            continue
        *header, body = loop.get_children()
        count = sum(changes_in(one).count(cursor.hash) for one in header)
        if not count:
            continue
        if len(header) != 3 or count != 2 or cursor.hash in changes_in(body):
            return False
        first = _assigned_number(header[0], cursor)
        declared = tree.Decl(cursor.spelling, kind, _NOWHERE, first)
        if first is None or counter_as_int(declared, header[1], header[2], loop) is declared:
            return False
        found += count
    return found > 0 and changes_in(function).count(cursor.hash) == found


def as_int(declared: tree.Decl) -> tree.Decl:
    """Return the declaration of a counter as that of an int, or of an unsigned of 32 bits."""
    kind = declared.type
    assert isinstance(kind, tree.Number)
    own = tree.INT if kind.signed or kind.bits < tree.INT.bits else tree.UNSIGNED
    return tree.Decl(declared.name, own, declared.place, declared.init, declared.storage)


def _unwrapped(cursor: Any) -> Any:
    while cursor.kind.name in ("UNEXPOSED_EXPR", "PAREN_EXPR"):
        below = list(cursor.get_children())
        if len(below) != 1:
            return cursor
        cursor = below[0]
    return cursor


def _assigned_number(cursor: Any, variable: Any) -> tree.Expression | None:
    """The constant that the first part of a header assigns to a variable."""
    call = _unwrapped(cursor)
    sides = list(call.get_arguments() if call.kind.name == "CALL_EXPR" else ())
    if len(sides) != 2 or call.spelling != "operator=" or sides[0].referenced != variable:
        return None
    value = _value(sides[1])
    if value is None:
        return None
    made = tree.Constant(str(abs(value)), tree.INT, _NOWHERE)
    return made if value >= 0 else tree.UnaryOp("-", made, tree.INT, _NOWHERE)


def _sign_of_step(step: Any, name: str) -> int:
    """1 for a step of one up, -1 for one down, 0 for others and for those of other variables."""
    own = None if step is None else _unwrapped(step)
    if own is None:
        return 0
    if own.kind.name == "UNARY_OPERATOR":
        operator, sides = library().unary_operator(own), list(own.get_children())
    elif own.kind.name == "CALL_EXPR":
        operator = own.spelling.removeprefix("operator")
        sides = list(own.get_arguments())
    else:
        return 0
    if not sides or _unwrapped(sides[0]).spelling != name:
        return 0
    return {"++": 1, "--": -1}.get(operator.removeprefix("p"), 0)


def _comparison(condition: Any, name: str) -> tuple[str, int | None]:
    """The operator between a counter and its bound, and that bound where it is a constant."""
    own = None if condition is None else _unwrapped(condition)
    if own is None:
        return "", None
    if own.kind.name == "CALL_EXPR" and own.referenced is not None:
        operator = (own.referenced.spelling or "").removeprefix("operator")
        sides = list(own.get_arguments())
    elif own.kind.name == "BINARY_OPERATOR":
        operator = library().binary_operator(own)
        sides = list(own.get_children())
    else:
        return "", None
    if len(sides) != 2 or not _is_counter(sides[0], name):
        return "", None
    return operator, _value(sides[1])


def _is_counter(side: Any, name: str) -> bool:
    """True for the counter itself, through conversions of its value."""
    while side.kind.name != "DECL_REF_EXPR":
        below = [one for one in side.get_children() if one.kind.is_expression()]
        is_conversion = side.kind.name in ("UNEXPOSED_EXPR", "PAREN_EXPR", "MEMBER_REF_EXPR") or (
            side.kind.name == "CALL_EXPR"
            and side.referenced is not None
            and side.referenced.kind.name in ("CONSTRUCTOR", "CONVERSION_FUNCTION")
        )
        if len(below) != 1 or not is_conversion:
            return False
        side = below[0]
    return bool(side.spelling == name)


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


def _value(cursor: Any) -> int | None:
    found = clang_types.value_of(cursor)
    below = list(cursor.get_children())
    while found is None and below and cursor.kind.name in ("UNEXPOSED_EXPR", "CALL_EXPR"):
        cursor = below[-1]
        found, below = clang_types.value_of(cursor), list(cursor.get_children())
    return int(found) if found is not None else None
