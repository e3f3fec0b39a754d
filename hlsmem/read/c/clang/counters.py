"""Counters of loops that are numbers of few bits: int in C, where they hold all that they count."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c import tree
from hlsmem.read.c.clang import clang_types
from hlsmem.read.c.clang.library import library, walked
from hlsmem.read.c.clang.lowering import Refused
from hlsmem.read.c.clang.steady import changes_in
from hlsmem.read.c.clang.types_in_c import literal_number
from hlsmem.read.c.tree import SourceRange

_CLOSING = ((1, "<"), (1, "<="), (1, "!="), (-1, ">"), (-1, ">="), (-1, "!="))
"""Signs of steps with the comparisons that they end."""
_NOWHERE = SourceRange("", 1, 1)
Numbers = Mapping[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """The header of a loop: numbers that it sets variables to, its condition and its step.

    Variables are told apart by the hashes of their declarations. `known` are those of the function
    that keep one number.
    """

    loop: Any
    firsts: Numbers
    condition: Any
    step: Any
    known: Numbers


def header_of(
    loop: Any, declared: Mapping[int, tree.Decl], condition: Any, step: Any, known: Numbers
) -> Header:
    """Return the header of a loop that declares variables."""
    firsts = {one: _number(own.init) for one, own in declared.items()}
    numbers = {one: number for one, number in firsts.items() if number is not None}
    return Header(loop=loop, firsts=numbers, condition=condition, step=step, known=known)


def counter_as_int(declared: tree.Decl, own: int, header: Header) -> tree.Decl:
    """Return the declaration of a loop's counter as an int; that of any other variable as it is.

    A loop that counts to a bound ends only where the bits of its counter hold that bound, so an int
    counts alike; so does one for what steps along with it, within its bits. Raises Refused where
    the loop never ends.
    """
    kind = declared.type
    if not isinstance(kind, tree.Number) or not kind.exact or kind.point or kind.bits > 32:
        return declared
    counter, operator, bound, _ = _comparison(header.condition, header.known)
    first, step = header.firsts.get(own), _step_of(header, own)
    if counter != own:
        turns = _turns(header)
        is_known = turns is not None and first is not None and step != 0
        fits = is_known and kind.least <= first + turns * step <= kind.greatest  # type: ignore[operator]
        return as_int(declared) if fits else declared
    if (_sign(step), operator) not in _CLOSING:
        return declared
    if bound is None:
        is_open = abs(step) == 1 and operator in ("<", "<=")
        return as_int(declared) if is_open else declared
    last = _end(first, step, operator, bound)
    if last is None:
        return declared
    if not kind.least <= last <= kind.greatest:
        if first is None and abs(step) != 1:
            return declared
        what = f"'{declared.name}' counts a loop, and its {kind.bits} bits never hold its end"
        raise Refused(header.loop, what, "count with int")
    return as_int(declared)


def _end(first: int | None, step: int, operator: str, bound: int) -> int | None:
    """Return what a counter holds behind its loop, or the farthest that it may; None for never."""
    past = bound + {"<=": 1, ">=": -1}.get(operator, 0)
    if first is None:
        return None if operator == "!=" else past + step - _sign(step)
    turns, rest = divmod(past - first, step)
    if operator == "!=":
        return past if turns >= 0 and not rest else None
    return first + step * max(0, turns + (rest != 0))


def _turns(header: Header) -> int | None:
    """Return how often a loop runs whose counter is compared with a number; None where unknown."""
    counter, operator, bound, kind = _comparison(header.condition, header.known)
    first, step = header.firsts.get(counter), _step_of(header, counter)
    if bound is None or first is None or (_sign(step), operator) not in _CLOSING:
        return None
    last = _end(first, step, operator, bound)
    number = kind if isinstance(kind, tree.Number) else tree.INT
    if last is None or not number.least <= last <= number.greatest:
        return None
    return (last - first) // step


def counts_loops_alone(function: Any, cursor: Any, kind: tree.Type, known: Numbers) -> bool:
    """Return True for a variable in front of loops that their headers alone assign.

    What they assign first is cut to its bits, and from there an int counts alike.
    """
    if not isinstance(kind, tree.Number) or not kind.exact:
        return False
    found = 0
    for loop in walked(function):
        if loop.kind.name != "FOR_STMT":
            continue
        *parts, body = loop.get_children()
        count = sum(changes_in(one).count(cursor.hash) for one in parts)
        if not count:
            continue
        if len(parts) != 3 or count != 2 or cursor.hash in changes_in(body):
            return False
        firsts = dict(filter(None, map(assigned_number, joined(parts[0]))))
        declared = tree.Decl(cursor.spelling, kind, _NOWHERE)
        header = Header(loop=loop, firsts=firsts, condition=parts[1], step=parts[2], known=known)
        if counter_as_int(declared, cursor.hash, header) is declared:
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
    """The expression below parentheses, conversions and copies of numbers."""
    while cursor.kind.name in ("UNEXPOSED_EXPR", "PAREN_EXPR") or _is_copy(cursor):
        below = list(cursor.get_children())
        if len(below) != 1:
            return cursor
        cursor = below[0]
    return cursor


def _is_copy(cursor: Any) -> bool:
    known = cursor.referenced if cursor.kind.name == "CALL_EXPR" else None
    return known is not None and known.kind.name == "CONSTRUCTOR"


def joined(cursor: Any) -> list[Any]:
    """Return the expressions that commas join, those of our own numbers too."""
    own = _unwrapped(cursor)
    sides: list[Any] = []
    if own.kind.name == "BINARY_OPERATOR" and library().binary_operator(own) == ",":
        sides = list(own.get_children())
    elif own.kind.name == "CALL_EXPR" and own.spelling == "operator,":
        is_ours = clang_types.qualified_name(own.referenced.semantic_parent) == "hlsmem"
        sides = list(own.get_arguments()) if is_ours else []
    return [one for side in sides for one in joined(side)] if sides else [own]


def assigned_number(cursor: Any) -> tuple[int, int] | None:
    """Return the variable and the constant of an assignment; None for others."""
    sides = list(cursor.get_arguments() if cursor.kind.name == "CALL_EXPR" else ())
    if cursor.kind.name == "BINARY_OPERATOR" and library().binary_operator(cursor) == "=":
        sides = list(cursor.get_children())
    elif cursor.spelling != "operator=":
        return None
    if len(sides) != 2 or sides[0].kind.name != "DECL_REF_EXPR":
        return None
    value = number_of(sides[1], {})
    return None if value is None else (sides[0].referenced.hash, value)


def _hash_of(cursor: Any) -> int:
    """The variable that a name is; 0 for none."""
    is_name = cursor.kind.name == "DECL_REF_EXPR" and cursor.referenced is not None
    return int(cursor.referenced.hash) if is_name else 0


def _sign(step: int) -> int:
    return (step > 0) - (step < 0)


def _step_of(header: Header, variable: int) -> int:
    """The constant by which a header steps a variable; 0 for others, and for other steps."""
    for own in [] if header.step is None else joined(header.step):
        operator, sides = "", list(own.get_children())
        match own.kind.name:
            case "UNARY_OPERATOR":
                operator = library().unary_operator(own).removeprefix("p")
            case "COMPOUND_ASSIGNMENT_OPERATOR":
                operator = library().binary_operator(own)
            case "CALL_EXPR":
                operator = own.spelling.removeprefix("operator")
                sides = list(own.get_arguments())
        if not sides or _hash_of(_unwrapped(sides[0])) != variable:
            continue
        if operator in ("++", "--"):
            return 1 if operator == "++" else -1
        if operator in ("+=", "-=") and len(sides) == 2:
            step = number_of(sides[1], header.known) or 0
            return step if operator == "+=" else -step
    return 0


def _comparison(condition: Any, known: Numbers) -> tuple[int, str, int | None, Any]:
    """The counter, the operator, the bound where it is a constant, and the counter's type."""
    own = None if condition is None else _unwrapped(condition)
    if own is None:
        return 0, "", None, None
    if own.kind.name == "CALL_EXPR" and own.referenced is not None:
        operator = (own.referenced.spelling or "").removeprefix("operator")
        sides = list(own.get_arguments())
    elif own.kind.name == "BINARY_OPERATOR":
        operator = library().binary_operator(own)
        sides = list(own.get_children())
    else:
        return 0, "", None, None
    counter = _converted(sides[0]) if len(sides) == 2 else None
    if counter is None:
        return 0, "", None, None
    kind = clang_types.number_kind(counter.type)
    return _hash_of(counter), operator, number_of(sides[1], known), kind


def _converted(side: Any) -> Any | None:
    """The variable whose value an expression is, through conversions; None where it is another."""
    while side.kind.name != "DECL_REF_EXPR":
        below = [one for one in side.get_children() if one.kind.is_expression()]
        is_conversion = side.kind.name in ("UNEXPOSED_EXPR", "PAREN_EXPR", "MEMBER_REF_EXPR") or (
            side.kind.name == "CALL_EXPR"
            and side.referenced is not None
            and side.referenced.kind.name in ("CONSTRUCTOR", "CONVERSION_FUNCTION")
        )
        if len(below) != 1 or not is_conversion:
            return None
        side = below[0]
    return side


def _number(node: tree.Expression | None) -> int | None:
    if isinstance(node, tree.Cast):
        return _number(node.expr)
    return None if node is None else literal_number(node)


def number_of(cursor: Any, known: Numbers) -> int | None:
    """Return the number that an expression is: a constant, or a variable that is known.

    Conversions to a number of other bits are left to the caller.
    """
    found = clang_types.value_of(cursor)
    if found is None:
        own = _unwrapped(cursor)
        found = clang_types.value_of(own)
        if found is None:
            return known.get(_hash_of(own))
    return int(found) if found == int(found) else None
