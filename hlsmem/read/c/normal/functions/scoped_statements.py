"""Statements of a region with the names that each of them knows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.normal.rewrite_unit import Unit
from hlsmem.read.c.symbols import Scope, declare
from hlsmem.read.c.syntax import find_region
from hlsmem.read.c.tree import Node
from hlsmem.read.c.trees import block, changed

# What stands in the place of a statement: other statements, or None where it stays.
Replace = Callable[[Any, Scope], "list[Any] | None"]

_PARTS = ("block_items", "stmts", "init", "stmt", "iftrue", "iffalse")


def with_statements(unit: Unit, replace: Replace) -> Unit:
    """The unit whose region has other statements where `replace` says so, from the top."""
    scope = unit.file_scope().inner()
    for node in unit.function.parameters:
        declare(node, scope, "parameter")
    old = unit.function.body
    body = _single(_Walk(unit, replace).statement(old, scope, inside=False))
    return unit if body is old else unit.with_function(changed(unit.function, body=body))


class _Walk:
    def __init__(self, unit: Unit, replace: Replace) -> None:
        self.replace = replace
        self.region = set(map(id, find_region(unit.function, unit.source).statements))

    def statement(self, node: Any, scope: Scope, *, inside: bool) -> list[Any]:
        inside = inside or id(node) in self.region
        if isinstance(node, tree.Decl):
            declare(node, scope, "region")
        found = self.replace(node, scope) if inside else None
        if found is not None:
            return found
        if isinstance(node, tree.Decl):
            return [node]
        if isinstance(node, tree.DeclList):
            for one in node.decls:
                declare(one, scope, "region")
            return [node]
        if isinstance(node, (tree.Compound, tree.For)):
            scope = scope.inner()
        parts: dict[str, Any] = {}
        for key in _PARTS:
            old = getattr(node, key, None)
            if isinstance(old, tuple):
                made = (self.statement(item, scope, inside=inside) for item in old)
                parts[key] = [one for items in made for one in items]
            elif isinstance(old, Node):
                parts[key] = _single(self.statement(old, scope, inside=inside))
        return [changed(node, **parts)]


def _single(nodes: list[Any]) -> Any:
    return nodes[0] if len(nodes) == 1 else block(nodes)
