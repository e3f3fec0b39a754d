"""Nests of loops over whole boxes, as rewrites put them in the place of other text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.operations import binary, unary
from hlsmem.read.c.tree import INT
from hlsmem.read.c.trees import block, declaration, fresh, integer, name


def nest(
    extents: Sequence[Any], taken: set[str], body: Callable[[list[Any]], Any], place: Any
) -> Any:
    """A block with `body` of the counters in a loop from 0 for every extent; names not `taken`."""
    own = counters(len(extents), taken)
    found = body([name(one, INT, place) for one in own])
    for counter, extent in reversed(list(zip(own, extents, strict=True))):
        found = tree.For(
            tree.DeclList((declaration(INT, counter, integer(0, place), place),), place),
            binary("<", name(counter, INT, place), fresh(extent, place), place),
            unary("p++", name(counter, INT, place), place),
            found,
            place,
        )
    return block([found], place)


def counters(count: int, taken: set[str], stem: str = "i") -> list[str]:
    """Names for the counters of so many loops, of those that are not `taken`."""
    found = []
    for level in range(count):
        own, number = f"{stem}{level}", 2
        while own in taken:
            own, number = f"{stem}{level}_{number}", number + 1
        found.append(own)
    return found
