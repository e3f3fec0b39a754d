"""Number of elements written within a distance of rows: the first measure of an order.

An estimate at the plan's values, from boxes of iterations; the plan counts exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from math import gcd, prod
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import Aff, Constraint, DimType, LocalSpace
from hlsmem.schedule_search.row_candidates import Row

# A loop, and how many of its iterations a strip has.
Strip = tuple[int, int]


@dataclass(slots=True)
class Window:
    """The elements that a statement writes of one array; `writes` maps [loops] to elements."""

    writes: Any
    bits: int
    _boxes: dict[tuple[frozenset[Row], Strip | None], int] = field(default_factory=dict)

    def cells(
        self, rows: Sequence[Row], distance: Sequence[int] | None, strip: Strip | None = None
    ) -> int:
        """The elements written during a distance of rows, of one strip where there are strips.

        All that it ever writes where values wait for no distance (None).
        """
        whole = self._elements(frozenset(), None)
        if distance is None:
            return whole
        kept: frozenset[Row] = frozenset()
        found = 0
        for row, steps in zip(rows, distance, strict=True):
            if row.terms:
                scale = gcd(*(factor for _, factor in row.terms))
                kept |= {row if row.single is None else Row.of(row.loops[0])}
                found += steps * self._elements(kept, strip) // scale
            elif steps > 0:
                return min(whole, found + self._elements(kept, strip))
        return max(1, min(whole, found + self._elements(kept, strip)))

    def with_border(self, cells: int, row: Row, steps: int) -> int:
        """The cells of a strip, and those read so many steps of `row` later, by the next strip.

        Beside a strip all of the other rows wait until the next one is run.
        """
        if not row.terms or steps <= 0:
            return cells
        scale = gcd(*(factor for _, factor in row.terms))
        kept = frozenset({row if row.single is None else Row.of(row.loops[0])})
        beside = -(-steps // scale) * self._elements(kept, None)
        return min(self._elements(frozenset(), None), cells + beside)

    def _elements(self, kept: frozenset[Row], strip: Strip | None) -> int:
        """The elements of a box that are written while the rows `kept` stand still."""
        if strip is not None and Row.of(strip[0]) in kept:
            strip = None
        key = kept, strip
        if key not in self._boxes:
            here = self.writes
            if strip is not None:
                here = _through(here, strip[0], strip[1])
            sums = []
            for row in sorted(kept, key=lambda row: row.terms):
                if row.single is not None:
                    here = _through(here, row.loops[0], 1)
                else:
                    sums.append(row)
                    here = _at(here, row)
            self._boxes[key] = prod(_ranges(here.range()))
            if sums:  # a diagonal of a box has fewer elements than the box
                self._boxes[key] = min(self._boxes[key], _iterations(here.domain(), sums))
        return self._boxes[key]


def _ranges(points: Any) -> list[int]:
    """Number of values that each entry of some points spans."""
    return [
        points.dim_max_val(k).to_python() - points.dim_min_val(k).to_python() + 1
        for k in range(points.dim(DimType.set))
    ]


def _iterations(loops: Any, fixed: Sequence[Row]) -> int:
    """The iterations of a box where each of some sums of loops has one value, or more."""
    ranges = dict(enumerate(_ranges(loops)))
    for row in fixed:
        free = [(ranges[loop], loop) for loop in row.loops if loop in ranges]
        if free:
            ranges.pop(max(free)[1])
    return prod(ranges.values())


def _at(relation: Any, row: Row) -> Any:
    """The part of a relation at one value of a sum of loops, in its middle or its first."""
    loops = relation.domain()
    form = Aff.zero_on_domain(LocalSpace.from_space(loops.get_space()))
    for loop, factor in row.terms:
        form = form.set_coefficient_val(DimType.in_, loop, factor)
    low, high = (int(one(form).to_python()) for one in (loops.min_val, loops.max_val))
    for value in ((low + high) // 2, low):
        at = Constraint.equality_from_aff(form.set_constant_val(-value))
        found = relation.intersect_domain(loops.add_constraint(at))
        if not found.is_empty():
            break
    return found


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
