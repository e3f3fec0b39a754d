"""Expressions of operators, with the types that C gives them (C99 6.3.1.8 and 6.5)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.tree import INT, LONG, UNSIGNED_LONG, UNTYPED, Float, Number, Type

TRUTHS = frozenset(["<", "<=", ">", ">=", "==", "!=", "&&", "||"])
"""The operators with two operands whose value is 0 or 1."""


def binary(op: str, left: Any, right: Any, place: Any = None) -> tree.BinaryOp:
    """Return an operator with two operands.

    >>> binary("+", tree.Constant("1", INT), tree.Constant("2l", LONG)).type == LONG
    True
    """
    return tree.BinaryOp(op, left, right, type_of_two(op, left.type, right.type), place)


def unary(op: str, expr: Any, place: Any = None) -> tree.UnaryOp:
    """Return an operator with one operand."""
    return tree.UnaryOp(op, expr, type_of_one(op, expr.type), place)


def conditional(cond: Any, iftrue: Any, iffalse: Any, place: Any = None) -> tree.TernaryOp:
    """Return a conditional value."""
    return tree.TernaryOp(cond, iftrue, iffalse, _chosen(iftrue.type, iffalse.type), place)


def indexed(base: Any, subscript: Any, place: Any = None) -> tree.ArrayRef:
    """Return an element of an array."""
    return tree.ArrayRef(base, subscript, type_of_one("*", base.type), place)


def assigned(op: str, lvalue: Any, rvalue: Any, place: Any = None) -> tree.Assignment:
    """Return an assignment."""
    return tree.Assignment(op, lvalue, rvalue, lvalue.type, place)


def sequence(exprs: Sequence[Any], place: Any = None) -> tree.ExprList:
    """Return expressions of which the last has the value."""
    return tree.ExprList(tuple(exprs), exprs[-1].type, place)


def retyped(node: Any) -> Any:
    """Return a node with the type that follows from its operands; others as they are."""
    rule = _RULES.get(type(node))
    kind = None if rule is None else rule(node)
    return node if kind is None or kind == node.type else tree.with_parts(node, type=kind)


# Types.


def type_of_two(op: str, left: Type, right: Type) -> Type:
    """Return the type of an operator with two operands of some types."""
    if op in TRUTHS:
        return INT
    if op in ("<<", ">>"):
        return promoted(left)
    pointers = [one for one in (left, right) if isinstance(one, (tree.Array, tree.Pointer))]
    if len(pointers) == 2:
        return LONG
    return tree.Pointer(pointers[0].element) if pointers else common(left, right)


def type_of_one(op: str, kind: Type) -> Type:
    """Return the type of an operator with one operand of a type."""
    match op:
        case "!":
            return INT
        case "+" | "-" | "~":
            return promoted(kind)
        case "&":
            return tree.Pointer(kind)
        case "*":
            return kind.element if isinstance(kind, (tree.Array, tree.Pointer)) else UNTYPED
        case "sizeof":
            return UNSIGNED_LONG
    return kind


def _chosen(iftrue: Type, iffalse: Type) -> Type:
    is_number = isinstance(iftrue, (Number, Float, tree.Counter))
    return common(iftrue, iffalse) if is_number else iftrue


def promoted(kind: Type) -> Type:
    """Return the type that C computes in (C99 6.3.1.1)."""
    match kind:
        case tree.Counter():
            return INT
        case Number():
            return kind.stored().promoted()
    return kind


def common(left: Type, right: Type) -> Type:
    """Return the type that C converts both operands to (C99 6.3.1.8), without long double."""
    kinds = (promoted(left), promoted(right))
    floats = [one for one in kinds if isinstance(one, Float)]
    if floats and all(isinstance(one, (Number, Float)) for one in kinds):
        return max(floats, key=lambda one: one.bits)
    first, second = kinds
    if isinstance(first, Number) and isinstance(second, Number):
        return first.common(second)
    return UNTYPED


_RULES: dict[type, Callable[[Any], Type]] = {
    tree.BinaryOp: lambda node: type_of_two(node.op, node.left.type, node.right.type),
    tree.UnaryOp: lambda node: type_of_one(node.op, node.expr.type),
    tree.TernaryOp: lambda node: _chosen(node.iftrue.type, node.iffalse.type),
    tree.ArrayRef: lambda node: type_of_one("*", node.name.type),
    tree.Assignment: lambda node: node.lvalue.type,
    tree.ExprList: lambda node: node.exprs[-1].type,
}
