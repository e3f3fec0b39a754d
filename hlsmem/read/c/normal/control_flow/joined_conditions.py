"""Conditions joined by `|` and `&` as those joined by `||` and `&&`, which regions have."""

from __future__ import annotations

from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.normal.rewrite_unit import Unit
from hlsmem.read.c.trees import changed, nodes_of, rewrite

_JOINED = {"|": "||", "&": "&&"}
_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


def join_conditions(unit: Unit) -> Unit:
    """Return the unit where comparisons of numbers in variables are joined as conditions."""
    return unit.with_function(joined(unit.function))


def joined(node: Any) -> Any:
    """Return a node where comparisons are joined by `||` and `&&`.

    All four operators give 0 or 1 of operands that are 0 or 1. Operands that load an element or
    have an effect stay as they are: behind `||` they would not always be evaluated.
    """

    def replaced(node: Any) -> Any | None:
        match node:
            case tree.BinaryOp(op="|" | "&" as op, left=left, right=right):
                if _is_truth(left) and _is_truth(right):
                    return changed(node, op=_JOINED[op], left=joined(left), right=joined(right))
        return None

    return rewrite(node, replaced)


def _is_truth(node: Any) -> bool:
    match node:
        case tree.BinaryOp(op="|" | "&" | "||" | "&&", left=left, right=right):
            return _is_truth(left) and _is_truth(right)
        case tree.BinaryOp(op=op) if op in _COMPARISONS:
            return all(map(_is_of_variables, nodes_of(node)))
        case tree.UnaryOp(op="!"):
            return all(map(_is_of_variables, nodes_of(node)))
        case _:
            return False


def _is_of_variables(node: Any) -> bool:
    if isinstance(node, tree.UnaryOp):
        return node.op in ("!", "-", "+", "~")
    return isinstance(node, (tree.ID, tree.Constant, tree.BinaryOp))
