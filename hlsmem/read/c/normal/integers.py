"""Expressions of integers that names and constants give alone, and the types they have in C."""

from __future__ import annotations

from typing import Any

from pycparser import c_ast

from hlsmem.read.c.constants import integer_literal
from hlsmem.read.c.normal.values import MARK, plain
from hlsmem.read.c.purity import is_pure_call
from hlsmem.read.c.symbols import IntegerConstant, Parameter, Scope, Shape, Variable, shape_of
from hlsmem.read.c.types import INT, FloatType, IntegerType


def is_index(node: Any, scope: Scope) -> bool:
    """Whether an expression is computed of names and constants alone, all of them stable."""
    match node:
        case c_ast.Constant():
            return integer_literal(node) is not None
        case c_ast.ID():
            return is_stable(node.name, scope)
        case c_ast.BinaryOp():
            return is_index(node.left, scope) and is_index(node.right, scope)
        case c_ast.UnaryOp(op="+" | "-" | "~" | "!"):
            return is_index(node.expr, scope)
        case c_ast.TernaryOp():
            return all(is_index(one, scope) for one in (node.cond, node.iftrue, node.iffalse))
        case c_ast.Cast():
            kind = shape_of(node.to_type.type, scope)
            return isinstance(kind.scalar, IntegerType) and is_index(node.expr, scope)
        case c_ast.FuncCall():
            arguments = node.args.exprs if node.args else []
            return is_pure_call(node, scope) and all(is_index(one, scope) for one in arguments)
    return False


def is_stable(own: str, scope: Scope) -> bool:
    if own.startswith(MARK):
        return True
    symbol = scope.find(plain(own))
    if isinstance(symbol, (Parameter, IntegerConstant)):
        return True
    return (
        isinstance(symbol, Variable)
        and isinstance(symbol.shape.scalar, IntegerType)
        and (not symbol.shape.extents and not symbol.shape.volatile and symbol.scope != "file")
    )


def type_of(node: Any, scope: Scope) -> IntegerType | None:
    """The C type of an integer expression; None where it is not known."""
    match node:
        case c_ast.Constant():
            found = integer_literal(node)
            return found[1] if found else None
        case c_ast.ID():
            symbol = scope.find(plain(node.name))
            match symbol:
                case Parameter() | IntegerConstant():
                    return symbol.type
                case Variable(shape=Shape(scalar=IntegerType() as kind)):
                    return kind
            return None
        case c_ast.BinaryOp(op="&&" | "||" | "<" | "<=" | ">" | ">=" | "==" | "!="):
            return INT
        case c_ast.BinaryOp(op=op):
            left, right = type_of(node.left, scope), type_of(node.right, scope)
            if left is None or right is None:
                return None
            return left.promoted() if op in ("<<", ">>") else left.common(right)
        case c_ast.UnaryOp(op="!"):
            return INT
        case c_ast.UnaryOp():
            inner = type_of(node.expr, scope)
            return None if inner is None else inner.promoted()
        case c_ast.TernaryOp():
            left, right = type_of(node.iftrue, scope), type_of(node.iffalse, scope)
            return None if left is None or right is None else left.common(right)
        case c_ast.Cast():
            target = shape_of(node.to_type.type, scope).scalar
            return None if isinstance(target, FloatType) else target
    return None
