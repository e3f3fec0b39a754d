"""Branches that are decided by the tests in front of them: `else if (k == 1)` where `k % 3` is
neither 2 nor 0.

A number of few values is tried with each that it may have. Where none is left for one side of a
branch, no run comes there, and what variables hold behind the branch is what the other side says.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.c_text import text_of
from hlsmem.read.c.constants import integer_literal
from hlsmem.read.c.tree import Number
from hlsmem.read.c.trees import nodes_of
from hlsmem.read.c.types import scalar_type

Test = tuple[Any, bool]
"""A condition and whether it holds."""
_MOST_VALUES = 64
_CHANGES = (tree.FuncCall, tree.Assignment, tree.ExprList)
_COMPARED: dict[str, Callable[[int, int], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def decided(
    condition: Any, before: tuple[Test, ...], is_positive: Callable[[Any], bool]
) -> bool | None:
    """Whether a condition holds where the tests `before` came out so; None where both may be.

    Nothing changes between the tests. `is_positive` says of an expression that it is surely none
    below 0.
    """
    if any(isinstance(one, _CHANGES) for one in nodes_of(condition)):
        return None
    for number in _compared_numbers(condition):
        most = _most(number, is_positive)
        if most is None or most >= _MOST_VALUES:
            continue
        text = text_of(number)
        left = [
            value
            for value in range(most + 1)
            if all(_holds(test, text, value) in (holds, None) for test, holds in before)
        ]
        found = {_holds(condition, text, value) for value in left}
        if len(found) == 1 and None not in found:
            return found.pop()
    return None


def _compared_numbers(condition: Any) -> list[Any]:
    """The expressions that a condition compares with constants."""
    match condition:
        case tree.UnaryOp(op="!"):
            return _compared_numbers(condition.expr)
        case tree.BinaryOp(op="&&" | "||"):
            return _compared_numbers(condition.left) + _compared_numbers(condition.right)
        case tree.BinaryOp(op=op) if op in _COMPARED:
            return [one for one in (condition.left, condition.right) if _literal(one) is None]
    return []


def _most(node: Any, is_positive: Callable[[Any], bool]) -> int | None:
    """The greatest value of a number that is none below 0; None where that is not known."""
    found = None
    match node:
        case tree.BinaryOp(op="%") if is_positive(node.left):
            modulus = _literal(node.right)
            found = modulus - 1 if modulus else None
        case tree.BinaryOp(op="&"):
            found = _literal(node.right)
        case tree.Cast():
            found = _most(node.expr, is_positive)
    kind = scalar_type(node.type) if isinstance(node, (tree.Cast, tree.ID)) else None
    if isinstance(kind, Number) and (found is None or found > kind.greatest):
        return None if kind.signed or kind.point else kind.greatest
    return found


def _holds(condition: Any, text: str, value: int) -> bool | None:
    """Whether a condition holds where the expression of this text has a value."""
    match condition:
        case tree.UnaryOp(op="!"):
            found = _holds(condition.expr, text, value)
            return None if found is None else not found
        case tree.BinaryOp(op="&&" | "||" as op):
            sides = [_holds(one, text, value) for one in (condition.left, condition.right)]
            ends = op == "||"
            if ends in sides:
                return ends
            return None if None in sides else not ends
        case tree.BinaryOp(op=op, left=left, right=right) if op in _COMPARED:
            a, b = (_number(one, text, value) for one in (left, right))
            return None if a is None or b is None else _COMPARED[op](a, b)
    return None


def _number(node: Any, text: str, value: int) -> int | None:
    found = _literal(node)
    return value if found is None and text_of(node) == text else found


def _literal(node: Any) -> int | None:
    found = integer_literal(node) if isinstance(node, tree.Constant) else None
    return None if found is None else found[0]
