"""Expressions of integers that names and constants give alone."""

from __future__ import annotations

from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.constants import integer_literal
from hlsmem.read.c.normal.scalars.index_values import MARK, plain
from hlsmem.read.c.purity import is_pure_call
from hlsmem.read.c.symbols import IntegerConstant, Parameter, Scope, Variable
from hlsmem.read.c.tree import Number


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
