"""Array extents as quasi-polynomials over the parameters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.read.c import tree
from hlsmem.read.c.constants import integer_literal
from hlsmem.read.c.symbols import IntegerConstant, Parameter, Scope, Variable, constant_integer
from hlsmem.read.c.tree import Array
from hlsmem.read.c.trees import changed, used_names


def without_later_names(nodes: Sequence[Any]) -> list[Any]:
    """Parameters without the extents that name others behind them, which C does not know yet.

    Streams of C++ have as many elements as such say.
    """
    behind = [node.name for node in nodes]
    found: list[Any] = []
    for node in nodes:
        del behind[0]
        kind = node.type
        if isinstance(kind, Array) and kind.extent and used_names(kind.extent) & {*behind}:
            node = changed(node, type=changed(kind, extent=None))
        found.append(node)
    return found


def extents_of(variable: Variable) -> tuple[QuasiPolynomial, ...] | None:
    """The declared extents of an array; None where one of them is not declared.

    Raises UnknownExtentError, which carries the node that is no quasi-polynomial over params.
    """
    found: list[QuasiPolynomial] = []
    for position, extent in enumerate(variable.shape.extents):
        if extent is not None:
            found.append(quantity(extent, variable.home))
        elif position == 0 and isinstance(variable.initial, tree.InitList):
            found.append(QuasiPolynomial.constant(len(variable.initial.exprs)))
        else:
            return None
    return tuple(found)


class UnknownExtentError(Exception):
    """An extent that is no quasi-polynomial over the parameters; `node` is the part that is not."""

    def __init__(self, node: Any) -> None:
        super().__init__("unknown extent")
        self.node = node


def quantity(node: Any, scope: Scope) -> QuasiPolynomial:
    """A C expression as a quasi-polynomial: + - * of integers and params, / by positive constants.

    `/` is taken as floor: extents are positive. Raises UnknownExtentError.
    """
    match node:
        case tree.Constant():
            literal = integer_literal(node)
            if literal is not None:
                return QuasiPolynomial.constant(literal[0])
        case tree.ID():
            return _named(node, scope)
        case tree.UnaryOp(op="+"):
            return quantity(node.expr, scope)
        case tree.UnaryOp(op="-"):
            return -quantity(node.expr, scope)
        case tree.Cast():
            return quantity(node.expr, scope)
        case tree.BinaryOp(op="+" | "-" | "*" | "/" | "<<"):
            return _binary(node, scope)
    return _constant(node, scope)


def _constant(node: Any, scope: Scope) -> QuasiPolynomial:
    found = constant_integer(node, scope)
    if found is not None:
        return QuasiPolynomial.constant(found)
    raise UnknownExtentError(node)


def _named(node: Any, scope: Scope) -> QuasiPolynomial:
    symbol = scope.find(node.name)
    match symbol:
        case Parameter():
            return QuasiPolynomial.parameter(symbol.name)
        case IntegerConstant():
            return QuasiPolynomial.constant(symbol.value)
        case Variable() if symbol.is_read_only and not symbol.shape.extents:
            return quantity(symbol.initial, symbol.home)
    raise UnknownExtentError(node)


def _binary(node: Any, scope: Scope) -> QuasiPolynomial:
    left, right = quantity(node.left, scope), quantity(node.right, scope)
    match node.op:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
    constant = right.constant_value()
    if node.op == "/" and constant is not None and constant > 0:
        return left.floor_divide(constant)
    if node.op == "<<" and constant is not None and 0 <= constant < 63:
        return left * (1 << constant)
    return _constant(node, scope)
