"""Walks over syntax trees that gather names: what is assigned, used outside, needed again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.c_text import base_name
from hlsmem.read.c.syntax import Region
from hlsmem.read.c.trees import nodes_of

_CHANGING = frozenset(["++", "--", "p++", "p--", "&"])


def assigned_names(node: Any) -> frozenset[str]:
    """Names of variables that are assigned, stepped, or have their address taken."""
    return frozenset(target.name for target in assignments(node))


def assignments(node: Any) -> Iterator[Any]:
    """The IDs that are assigned, stepped, or have their address taken below `node`."""
    return assignments_among(nodes_of(node))


def assignments_among(nodes: Iterable[Any]) -> Iterator[Any]:
    """Those of some nodes that are assigned, stepped, or have their address taken."""
    for part in nodes:
        kind = type(part)
        if kind is tree.Assignment:
            target = part.lvalue
        elif kind is tree.UnaryOp and part.op in _CHANGING:
            target = part.expr
        else:
            continue
        if type(target) is tree.ID:
            yield target


def outside(region: Region) -> Iterator[Any]:
    """All nodes of the function's body that are not in the region."""
    inside = set(map(id, region.statements))
    pending = [region.function.body]
    while pending:
        node = pending.pop()
        if id(node) not in inside:
            yield node
            pending.extend(reversed(list(node)))


def names_outside(region: Region) -> frozenset[str]:
    """Names used in the function outside the region, initialised ones included.

    A static variable is initialised by no call.
    """
    found: set[str] = set()
    for node in outside(region):
        is_initialised = (
            isinstance(node, tree.Decl) and node.init is not None and "static" not in node.storage
        )
        if (isinstance(node, tree.ID) or is_initialised) and node.name:
            found.add(node.name)
    return frozenset(found)


def used_after(region: Region, name: str) -> Any:
    """The first use of `name` behind the region that no loop of its own sets, or None."""
    for block in reversed(region.enclosing):
        items = block.block_items if isinstance(block, tree.Compound) else []
        start = region.stop if block is region.parent else _position_behind(items, region)
        for item in items[start:]:
            found = _use(item, name)
            if found is not None:
                return found
    return None


def _position_behind(items: Sequence[Any], region: Region) -> int:
    around = set(map(id, region.enclosing))
    return next((i + 1 for i, item in enumerate(items) if id(item) in around), len(items))


def _use(node: Any, name: str) -> Any:
    match node:
        case tree.ID() if node.name == name:
            return node
        case tree.For(init=tree.Assignment(lvalue=tree.ID(name=counted))) if counted == name:
            return None
    return next((found for child in node if (found := _use(child, name)) is not None), None)


def identifiers(node: Any) -> frozenset[str]:
    """Every name that occurs below the node: uses, declarations, labels, types."""
    found: set[str] = set()
    for part in nodes_of(node):
        kind = type(part)
        if kind is tree.ID:
            found.add(part.name)
        elif kind in _NAMED:
            found.update(names_at(part))
    return frozenset(found)


# What has names besides uses.
_NAMED = frozenset(
    [
        *(tree.Label, tree.Decl, tree.FuncDef, tree.Prototype, tree.StructDef),
        *(tree.FuncCall, tree.StructRef),
        *(tree.Number, tree.Float, tree.Struct),
    ]
)


def names_at(node: Any) -> tuple[str, ...]:
    """The names that a node itself stands for; those of structs with "Struct " in front."""
    match node:
        case tree.ID() | tree.Label() | tree.Decl() | tree.FuncDef() | tree.Prototype():
            return (node.name,)
        case tree.FuncCall():
            return (node.name,)
        case tree.StructRef():
            return (node.field,)
        case tree.Number() | tree.Float():
            return tuple(base_name(node).split())
        case tree.Struct(name=name) | tree.StructDef(name=name):
            return (f"Struct {name}",)
    return ()


def needed_declarations(file: Any, function: Any, other: Any = None) -> tuple[Any, ...]:
    """The file-level nodes in front of the function that it needs, or the `other` form of it, in
    their order.

    Types, constants, prototypes, and static functions called outside the region; what the
    system headers declare is left out.
    """
    before = []
    for node in file.ext:
        if node is function:
            break
        if node.place is not None:
            before.append(node)
    used = identifiers(function) | (frozenset() if other is None else identifiers(other))
    return tuple(map(_known_outside, needed(before, used)))


def _known_outside(node: Any) -> Any:
    """Of a function that is not static its prototype alone."""
    if not isinstance(node, tree.FuncDef) or "static" in node.storage:
        return node
    return tree.Prototype(node.name, node.returns, node.parameters, node.place, node.storage)


def needed(nodes: Sequence[Any], names: Iterable[str]) -> list[Any]:
    """Those of some file-level nodes that declare one of the names, or what such a one needs."""
    wanted, known = set(names), set[str]()
    kept: list[Any] = []
    while wanted != known:
        known = set(wanted)
        kept = [node for node in reversed(nodes) if not wanted.isdisjoint(declared_names(node))]
        wanted.update(*map(identifiers, kept))
    return kept[::-1]


def declared_names(node: Any) -> Iterable[str]:
    """The names a file-level node makes known; tags as "Struct name"."""
    if isinstance(node, tree.StructDef):
        return [f"Struct {node.name}"]
    return [] if isinstance(node, tree.Pragma) else [node.name]
