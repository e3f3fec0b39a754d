"""Local arrays that begin with zeros: loops that write them."""

from __future__ import annotations

from typing import Any

from pycparser import c_ast

from hlsmem.read.c.names import identifiers
from hlsmem.read.c.normal.nests import nest
from hlsmem.read.c.normal.unit import Unit
from hlsmem.read.c.trees import (
    changed,
    element,
    integer,
    is_constant,
    items_of,
    name,
    nodes_of,
    rewrite_statements,
)


def assign_initial_values(unit: Unit) -> Unit:
    """The unit whose region declares no array with zeros, but constant tables."""
    if not any(isinstance(node, c_ast.InitList) for node in nodes_of(unit.function.body)):
        return unit
    taken = set(identifiers(unit.function))

    def replaced(node: Any) -> Any | None:
        if isinstance(node, c_ast.Compound):
            old = items_of(node)
            new = _block(old, taken, replaced)
            same = len(old) == len(new) and all(a is b for a, b in zip(old, new, strict=True))
            return node if same else changed(node, block_items=new)
        return None

    return unit.with_region(lambda items: _block(items, taken, replaced))


def _block(items: list[Any], taken: set[str], replaced: Any) -> list[Any]:
    found: list[Any] = []
    for item in items:
        if _is_initialised(item):
            found += [changed(item, init=None), _zeros(item, _extents(item), taken)]
        else:
            found.append(rewrite_statements(item, replaced))
    return found


def _is_initialised(node: Any) -> bool:
    return (
        isinstance(node, c_ast.Decl)
        and isinstance(node.type, c_ast.ArrayDecl)
        and isinstance(node.init, c_ast.InitList)
        and "static" not in node.storage
        and not is_constant(node)
        and len(node.init.exprs or []) <= 1
        and _is_zero(node.init)
        and None not in _extents(node)
    )


def _extents(node: Any) -> list[Any]:
    kind, found = node.type, []
    while isinstance(kind, c_ast.ArrayDecl):
        found.append(kind.dim)
        kind = kind.type
    return found


def _is_zero(node: Any) -> bool:
    if isinstance(node, c_ast.InitList):
        return all(map(_is_zero, node.exprs or []))
    return isinstance(node, c_ast.Constant) and node.value in ("0", "0.0", "0.0f", "0.f", "0.")


def _zeros(node: Any, extents: list[Any], taken: set[str]) -> Any:
    def assigned(subscripts: list[Any]) -> Any:
        place = element(name(node.name, node.coord), subscripts)
        return c_ast.Assignment("=", place, integer(0, node.coord), node.coord)

    return nest(extents, taken, assigned, node.coord)
