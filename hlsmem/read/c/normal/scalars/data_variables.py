"""Data dependence in a function: the variables that hold data, and the expressions with them."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from typing import Any

from hlsmem.read.c import names, tree
from hlsmem.read.c.trees import nodes_of, nodes_of_body


@lru_cache(maxsize=4)
def data_names(function: Any) -> frozenset[str]:
    """Variables whose value data may decide: assigned ones that count no loop, and their like.

    Several rewrites ask of one function, which the others left as it is.
    """
    nodes = nodes_of_body(function)
    counters = {
        target.name
        for node in nodes
        if isinstance(node, tree.For)
        for part in (node.init, node.next)
        if part is not None
        for target in names.assignments(part)
    }
    found = {target.name for target in names.assignments_among(nodes)} - counters
    left = [n for n in nodes if isinstance(n, tree.Decl) and n.init is not None]
    while True:
        hold = [node for node in left if node.name in found or holds_data(node.init, found)]
        if not hold:
            return frozenset(found)
        found.update(node.name for node in hold)
        left = [node for node in left if node.name not in found]


def holds_data(node: Any, data: Collection[str]) -> bool:
    """True if an expression reads elements, or variables whose value data may decide."""
    return any(
        isinstance(part, (tree.ArrayRef, tree.StructRef))
        or (isinstance(part, tree.UnaryOp) and part.op == "*")
        or (isinstance(part, tree.ID) and part.name in data)
        for part in nodes_of(node)
    )
