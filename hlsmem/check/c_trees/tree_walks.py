"""Walks over trees, and copies of them with other parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.tree import parts_of, with_parts


def nodes_in(node: Any) -> Iterator[Any]:
    """Return a node and all below it, in textual order."""
    yield node
    for child in node:
        yield from nodes_in(child)


def names_in(node: Any) -> set[str]:
    """Return the names of variables and functions in a tree; those of members are none."""
    if isinstance(node, tree.ID):
        return {node.name}
    return set[str]().union(*map(names_in, node))


def with_children(node: Any, change: Callable[[Any, str], Any]) -> Any:
    """Return a node whose children are what `change` makes of each and the name of its part.

    A node of which nothing is changed is the same node.
    """
    kind: Any = type(node)
    parts: dict[str, Any] = {}
    for name in parts_of(kind):
        value = getattr(node, name)
        if isinstance(value, tuple):
            made = tuple(change(one, name) for one in value)
            if any(new is not old for new, old in zip(made, value, strict=True)):
                parts[name] = made
        elif value is not None and (made := change(value, name)) is not value:
            parts[name] = made
    return with_parts(node, **parts) if parts else node


def with_node(node: Any, old: Any, new: Any) -> Any:
    """Return a tree with another node in the place of one in it."""
    if node is old:
        return new
    return with_children(node, lambda child, _part: with_node(child, old, new))
