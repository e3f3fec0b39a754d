"""DATAFLOW regions: the calls, loops and other statements in them are tasks, side by side.

Source: AMD UG1399, "Abstract parallel programming model for HLS": a region is the body of a
function, or of a loop, with `#pragma HLS DATAFLOW`. A task of the text of a call is that call; what
it calls is part of it, unless that is a region of its own. What is inlined is no call.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.rewrites import Inlined
from hlsmem.program.model import Task
from hlsmem.read.c import tree
from hlsmem.read.c.pragmas import pragma_of
from hlsmem.read.c.source_map import SourceMap
from hlsmem.read.c.trees import items_of, nodes_of


@dataclass(frozen=True, slots=True)
class Region:
    """A region whose items are read: see `Task`."""

    number: int
    runs: int
    apart: int


@dataclass(slots=True)
class Regions:
    """The regions of a function, as a walk meets them; none where pragmas are not followed."""

    source: SourceMap
    follows: bool
    count: int = 0
    names: set[str] = field(default_factory=set)

    def begun(self, items: Iterable[Any] | None, times: Sequence[Any]) -> Region | None:
        """The region that a block makes whose statements have such times; None where it is none."""
        if not self._has(items, "DATAFLOW"):
            return None
        self.count += 1
        return Region(self.count, len(times), len(times))

    def of_body(self, body: Any, times: Sequence[Any]) -> Region | None:
        """The region that the body of a loop makes: its runs overlap."""
        if not isinstance(body, tree.Compound) or call_of(body) is not None:
            return None
        found = self.begun(items_of(body), times)
        return found and Region(found.number, found.runs, len(times) - 2)

    def is_part(self, node: Any) -> bool:
        """True if an item of a region is no task: a declaration, or a block or inlined call."""
        if isinstance(node, tree.Decl):
            return node.init is None
        if not isinstance(node, tree.Compound):
            return False
        return call_of(node) is None or self._has(node.block_items, "INLINE")

    def task(self, region: Region, node: Any) -> Task:
        """The task that an item of a region is."""
        call = call_of(node)
        line = getattr(self.source.place(node), "line", 0)
        kind = "loop" if isinstance(node, tree.For) else "line"
        name = f"{kind}_{line}" if call is None else call
        if isinstance(node, tree.Label):
            name = node.name
        free, number = name, 2
        while free in self.names:
            free, number = f"{name}_{number}", number + 1
        self.names.add(free)
        return Task(region=region.number, name=free, runs=region.runs, apart=region.apart)

    def _has(self, items: Iterable[Any] | None, name: str) -> bool:
        found = (pragma_of(one, self.source) for one in items or () if self.follows)
        return any(p is not None and p.name == name and "off" not in p.options for p in found)


def call_of(node: Any) -> str | None:
    """The function in the place of whose call a block stands; None for other statements."""
    if isinstance(node, tree.Label):
        return call_of(node.stmt)
    if not isinstance(node, tree.Compound):
        return None
    for part in nodes_of(node):
        place = getattr(part, "place", None)
        for one in () if place is None else place.through:
            if isinstance(one, Inlined) and one.name and one.at is node.place:
                return one.name
    return None
