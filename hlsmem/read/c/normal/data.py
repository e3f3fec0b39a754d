"""What data decide in a function: the variables that hold data, and the expressions with them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from pycparser import c_ast

from hlsmem.read.c import names
from hlsmem.read.c.trees import nodes_of


def data_names(function: Any) -> frozenset[str]:
    """Variables whose value data may decide: assigned ones that count no loop, and their like."""
    counters = {
        target.name
        for node in nodes_of(function.body)
        if isinstance(node, c_ast.For)
        for part in (node.init, node.next)
        if part is not None
        for target in names.assignments(part)
    }
    found = set(names.assigned_names(function.body)) - counters
    again = True
    while again:
        again = False
        for node in nodes_of(function.body):
            if not isinstance(node, c_ast.Decl) or node.init is None or node.name in found:
                continue
            if holds_data(node.init, found):
                found.add(node.name)
                again = True
    return frozenset(found)


def holds_data(node: Any, data: Collection[str]) -> bool:
    """Whether an expression reads elements, or variables whose value data may decide."""
    return any(
        isinstance(part, (c_ast.ArrayRef, c_ast.StructRef))
        or (isinstance(part, c_ast.UnaryOp) and part.op == "*")
        or (isinstance(part, c_ast.ID) and part.name in data)
        for part in nodes_of(node)
    )
