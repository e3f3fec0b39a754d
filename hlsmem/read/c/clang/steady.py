"""Variables that keep one value where they are in scope, and what that value is.

The width of a slice is proved on what its ends stand for: `high = low + 7`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.clang import clang_types
from hlsmem.read.c.clang.library import library, walked
from hlsmem.read.c.clang.used_variables import names_in
from hlsmem.read.c.tree import Expression

Steady = Mapping[str, Expression]
"""Names of variables with their values; counters of loops stand for themselves."""
_CHANGING = ("++", "--", "p++", "p--", "&")
_PARTS = (
    "ARRAY_SUBSCRIPT_EXPR", "MEMBER_REF_EXPR", "UNEXPOSED_EXPR", "PAREN_EXPR", "UNARY_OPERATOR",
)  # fmt: skip
_INDEX_BITS = 32


def changes_in(cursor: Any) -> tuple[int, ...]:
    """Return the variables that a text may assign, each as often as it does."""
    return tuple(base for target in targets_in(cursor, _is_name) for base in _bases_of(target))


def moves(pointer: Any, function: Any) -> bool:
    """Return True where a function may assign a pointer itself, not what it points to."""
    for target in targets_in(function, _is_name):
        target = clang_types.unwrapped(target)
        if target.kind.name == "DECL_REF_EXPR" and target.referenced.hash == pointer.hash:
            return True
    return False


def targets_in(cursor: Any, is_named: Callable[[Any], bool]) -> Iterator[Any]:
    """Yield the expressions that a text assigns, and those `is_named` holds for that are referred
    to: as arguments, perhaps, as then no conversion stands around them."""
    for one in walked(cursor):
        targets: list[Any] = []
        match one.kind.name:
            case "UNARY_OPERATOR" if library().unary_operator(one) in _CHANGING:
                targets = list(one.get_children())
            case "BINARY_OPERATOR" if library().binary_operator(one) == "=":
                targets = [next(iter(one.get_children()))]
            case "COMPOUND_ASSIGNMENT_OPERATOR":
                targets = [next(iter(one.get_children()))]
            case "CALL_EXPR":
                targets = [a for a in one.get_arguments() if is_named(a)]
            case "VAR_DECL" if one.type.get_canonical().kind.name == "LVALUEREFERENCE":
                targets = [a for a in one.get_children() if is_named(a)]
        yield from targets


def _bases_of(target: Any) -> list[int]:
    """The variables of which a target is an element or a member: not those of its subscripts."""
    while target.kind.name in _PARTS:
        below = [one for one in target.get_children() if one.kind.is_expression()]
        if not below:
            return []
        target = below[0]
    return [
        one.referenced.hash
        for one in walked(target)
        if one.kind.name == "DECL_REF_EXPR" and one.referenced is not None
    ]


def _is_name(cursor: Any) -> bool:
    while cursor.kind.name == "PAREN_EXPR":
        cursor = next(iter(cursor.get_children()))
    return bool(cursor.kind.name == "DECL_REF_EXPR")


def without(known: Steady, name: str) -> Steady:
    """Return the values where a variable is declared: those of an outer one are not its own."""
    return {
        one: value for one, value in known.items() if one != name and (name not in names_in(value))
    }


def with_counter(known: Steady, counter: Any) -> Steady:
    """Return the values in the body of a loop that does not change its counter."""
    return known if not isinstance(counter, tree.ID) else {**known, counter.name: counter}


def with_value(
    known: Steady, name: str, kind: tree.Type, first: Any, number: int | float | None
) -> Steady:
    """Return the values with that of a variable that nothing assigns behind its declaration."""
    if first is None or not isinstance(kind, tree.Number) or kind.point:
        return known
    if isinstance(number, int):
        if number < 0 or not kind.least <= number <= kind.greatest:
            return known
        return {**known, name: tree.Constant(str(number), kind, first.place)}
    own = first.type
    is_word = not kind.exact and kind.bits >= _INDEX_BITS and isinstance(own, tree.Number)
    if not is_word or not _is_linear(first) or not names_in(first) <= known.keys():
        return known
    value = with_values(first, known)
    return {**known, name: value if own == kind else tree.Cast(value, kind, first.place)}


def _is_linear(node: Any) -> bool:
    """True for sums and products of names and numbers, of 32 bits or more."""
    match node:
        case tree.ID(type=kind) | tree.Constant(type=kind):
            return isinstance(kind, tree.Number) and not kind.point
        case tree.BinaryOp(op, left, right):
            return op in ("+", "-", "*") and _is_linear(left) and _is_linear(right)
        case tree.UnaryOp(op, expr):
            return op in ("+", "-") and _is_linear(expr)
        case tree.Cast(expr, tree.Number(bits=bits, exact=False)):
            return bits >= _INDEX_BITS and _is_linear(expr)
        case _:
            return False


def with_values(node: Expression, known: Steady) -> Expression:
    """Return an index in which variables that keep their values are these values."""
    match node:
        case tree.ID(name) if name in known:
            return known[name]
        case tree.BinaryOp(left=left, right=right):
            return replace(node, left=with_values(left, known), right=with_values(right, known))
        case tree.UnaryOp(expr=expr) | tree.Cast(expr=expr):
            return replace(node, expr=with_values(expr, known))
        case _:
            return node
