"""How many elements are written within a distance of rows: what an order is judged by at first.

An estimate at the plan's values, from boxes of iterations; the plan counts exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any

from hlsmem.orders.candidates import Row
from hlsmem.polyhedra import DimType

# A loop, and how many of its iterations a strip has.
Strip = tuple[int, int]


@dataclass(slots=True)
class Window:
    """The elements that a statement writes of one array; `writes` maps [loops] to elements."""

    writes: Any
    bits: int
    _boxes: dict[tuple[frozenset[int], Strip | None], int] = field(default_factory=dict)

    def cells(
        self, rows: Sequence[Row], distance: Sequence[int] | None, strip: Strip | None = None
    ) -> int:
        """The elements written during a distance of rows, of one strip where there are strips.

        All that it ever writes where values wait for no distance (None).
        """
        whole = self._elements(frozenset(), None)
        if distance is None:
            return whole
        kept: frozenset[int] = frozenset()
        found = 0
        for row, steps in zip(rows, distance, strict=True):
            if row.loop is not None:
                kept |= {row.loop}
                found += steps * self._elements(kept, strip) // row.scale
            elif steps > 0:
                return min(whole, found + self._elements(kept, strip))
        return max(1, min(whole, found + self._elements(kept, strip)))

    def _elements(self, kept: frozenset[int], strip: Strip | None) -> int:
        """The elements of a box that are written while the loops `kept` stand still."""
        if strip is not None and strip[0] in kept:
            strip = None
        key = kept, strip
        if key not in self._boxes:
            here = self.writes
            if strip is not None:
                here = _through(here, strip[0], strip[1])
            for loop in sorted(kept):
                here = _through(here, loop, 1)
            elements = here.range()
            self._boxes[key] = prod(
                elements.dim_max_val(k).to_python() - elements.dim_min_val(k).to_python() + 1
                for k in range(elements.dim(DimType.set))
            )
        return self._boxes[key]


def _through(relation: Any, loop: int, iterations: int) -> Any:
    """The part of a relation in some iterations of a loop: in its middle, or its first ones."""
    times = relation.domain()
    low, high = (int(one(loop).to_python()) for one in (times.dim_min_val, times.dim_max_val))
    for first in ((low + high) // 2, low):
        found = relation.lower_bound_val(DimType.in_, loop, first)
        found = found.upper_bound_val(DimType.in_, loop, first + iterations - 1)
        if not found.is_empty():
            break
    return found
