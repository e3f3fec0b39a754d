"""Expressions of integers that names and constants give alone, and the types that C gives."""

from __future__ import annotations

from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.constants import integer_literal
from hlsmem.read.c.normal.scalars.index_values import MARK, plain
from hlsmem.read.c.purity import is_pure_call
from hlsmem.read.c.symbols import IntegerConstant, Parameter, Scope, Shape, Variable
from hlsmem.read.c.tree import INT, Float, Number
from hlsmem.read.c.types import ScalarType, scalar_type


def is_index(node: Any, scope: Scope) -> bool:
    """True if an expression is computed of names and constants alone, all of them stable."""
    match node:
        case tree.Constant():
            return integer_literal(node) is not None
        case tree.ID():
            return is_stable(node.name, scope)
        case tree.BinaryOp():
            return is_index(node.left, scope) and is_index(node.right, scope)
        case tree.UnaryOp(op="+" | "-" | "~" | "!"):
            return is_index(node.expr, scope)
        case tree.TernaryOp():
            return all(is_index(one, scope) for one in (node.cond, node.iftrue, node.iffalse))
        case tree.Cast():
            return isinstance(node.type, Number) and is_index(node.expr, scope)
        case tree.FuncCall():
            return is_pure_call(node, scope) and all(is_index(one, scope) for one in node.args)
    return False


def is_stable(own: str, scope: Scope) -> bool:
    if own.startswith(MARK):
        return True
    symbol = scope.find(plain(own))
    if isinstance(symbol, (Parameter, IntegerConstant)):
        return True
    return (
        isinstance(symbol, Variable)
        and isinstance(symbol.shape.scalar, Number)
        and (not symbol.shape.extents and symbol.scope != "file")
    )


def type_of(node: Any, scope: Scope) -> ScalarType | None:
    """The C type of an expression of numbers; None where it is not known."""
    match node:
        case tree.Constant():
            return scalar_type(node.type)
        case tree.ID() | tree.ArrayRef():
            return _type_of_element(node, scope)
        case tree.BinaryOp(op="&&" | "||" | "<" | "<=" | ">" | ">=" | "==" | "!="):
            return INT
        case tree.BinaryOp(op="<<" | ">>"):
            return promoted(type_of(node.left, scope))
        case tree.BinaryOp():
            return _common(type_of(node.left, scope), type_of(node.right, scope))
        case tree.UnaryOp(op="!"):
            return INT
        case tree.UnaryOp(op="+" | "-" | "~"):
            return promoted(type_of(node.expr, scope))
        case tree.TernaryOp():
            return _common(type_of(node.iftrue, scope), type_of(node.iffalse, scope))
        case tree.Cast():
            return scalar_type(node.type)
    return None


def _type_of_element(node: Any, scope: Scope) -> ScalarType | None:
    """The type of a variable, or of an element of an array with all its subscripts."""
    subscripts = 0
    while isinstance(node, tree.ArrayRef):
        subscripts, node = subscripts + 1, node.name
    if not isinstance(node, tree.ID):
        return None
    match scope.find(plain(node.name)):
        case (Parameter() | IntegerConstant()) as symbol:
            return symbol.type
        case Variable(shape=Shape(scalar=kind, extents=extents)) if len(extents) == subscripts:
            return kind
    return None


def promoted(kind: ScalarType | None) -> ScalarType | None:
    """C99 6.3.1.1: what is narrower than int becomes int."""
    return kind.promoted() if isinstance(kind, Number) else kind


def _common(left: ScalarType | None, right: ScalarType | None) -> ScalarType | None:
    """C99 6.3.1.8, without long double."""
    if left is None or right is None:
        return None
    floats = [one for one in (left, right) if isinstance(one, Float)]
    if floats:
        return max(floats, key=lambda one: one.bits)
    assert isinstance(left, Number)
    assert isinstance(right, Number)
    return left.common(right)
