"""Times at which an element needs a cell, whatever its values: the union of its live intervals.

An element that is updated in place keeps its cell from the first value to the last: there are
far fewer occupancies than values, and all that counting needs is when they begin and end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.lifetime.live_interval import LiveIntervals
from hlsmem.polyhedra import Map
from hlsmem.polyhedra.extremes import lexmax
from hlsmem.program.model import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Occupancies:
    """The occupancies of one array: A[x] -> [event], as many beginnings as ends an element.

    An element is alive at the event of a write if it has begun more often by then than it has
    ended before. For `pattern` see `live_interval.LiveIntervals`.
    """

    array: Array
    begins: Any = field(compare=False)
    ends: Any = field(compare=False)
    pattern: tuple[int | str, ...]

    @property
    def dimensions(self) -> int:
        return sum(isinstance(entry, int) for entry in self.pattern)

    def full_event(self, event: Sequence[int]) -> tuple[int, ...]:
        """The event as `order.events` has it, from one of those here."""
        return tuple(
            event[entry] if isinstance(entry, int) else int(entry) for entry in self.pattern
        )


def occupancies(given: LiveIntervals) -> Occupancies:
    """The occupancies of an array; of elements with one value each these are its live intervals."""
    starts = given.starts
    if given.written_once:
        ends = _ends(given.stays.range_factor_range(), starts).coalesce()
        return Occupancies(array=given.array, begins=starts, ends=ends, pattern=given.pattern)
    values = _ends(given.stays.uncurry(), starts.range_map()).curry()  # A[x] -> [start -> end]
    ends = values.range_factor_range().coalesce()
    passed_on = ends.apply_range(given.handovers)
    taken_over = starts.apply_range(given.handovers.reverse())
    if given.may_overlap:
        passed_on = passed_on.union(values.apply_range(_begun_before(given)))
        taken_over = taken_over.union(values.apply_range(_lasting_beyond(given)))
    return Occupancies(
        array=given.array,
        begins=starts.subtract(passed_on).coalesce(),
        ends=ends.subtract(taken_over).coalesce(),
        pattern=given.pattern,
    )


def _ends(reads: Any, writes: Any) -> Any:
    """{ value -> event } of its last read; of its write where nobody reads it."""
    return lexmax(reads).union(writes.subtract_domain(reads.domain()))


def _begun_before(given: LiveIntervals) -> Any:
    """{ [start -> end] -> event }: a value that comes then finds the cell occupied."""
    pair = _pairs(given)
    event = given.starts.range().get_space()
    begun = pair.domain_map().apply_range(Map.lex_lt(event))
    return begun.intersect(pair.range_map().apply_range(Map.lex_ge(event)))


def _lasting_beyond(given: LiveIntervals) -> Any:
    """{ [start -> end] -> event }: a value that ends then leaves the cell occupied."""
    pair = _pairs(given)
    event = given.starts.range().get_space()
    begun = pair.domain_map().apply_range(Map.lex_le(event))
    return begun.intersect(pair.range_map().apply_range(Map.lex_gt(event)))


def _pairs(given: LiveIntervals) -> Any:
    event = given.starts.range().get_space()
    return Map.universe(event.map_from_domain_and_range(event))
