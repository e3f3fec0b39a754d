"""When an element needs a cell, whatever values it holds: the union of its residences.

An element that is updated in place keeps its cell from the first value to the last: there are
far fewer occupations than values, and all that counting needs is when they begin and end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from hlsmem.lifetime.residence import Residences, without_constants
from hlsmem.polyhedra import Map
from hlsmem.program import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Occupations:
    """The occupations of one array: A[x] -> [event], as many beginnings as ends an element.

    An element is alive at the event of a write if it has begun more often by then than it has
    ended before. For `pattern` see `residence.Residences`.
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


def occupations(given: Residences) -> Occupations:
    """The occupations of an array, without event entries that never change."""
    short = without_constants(given)
    values = _values(short)  # A[x] -> [[start] -> [end]]
    starts, ends = short.starts, values.range_factor_range()
    return Occupations(
        array=given.array,
        begins=starts.subtract(values.apply_range(_begun_before(short))).coalesce(),
        ends=ends.subtract(values.apply_range(_lasting_beyond(short))).coalesce(),
        pattern=short.pattern,
    )


def _values(short: Residences) -> Any:
    """A[x] -> [start -> end] of every value; one that nobody reads ends where it starts."""
    last = short.stays.uncurry().lexmax()
    unread = short.starts.wrap().subtract(last.domain())
    instant = short.starts.range_map().intersect_domain(unread)
    return last.union(instant).curry().coalesce()


def _begun_before(short: Residences) -> Any:
    """{ [start -> end] -> event }: a value that comes then finds the cell occupied."""
    pair = _pairs(short)
    event = short.starts.range().get_space()
    inside = pair.domain_map().apply_range(Map.lex_lt(event))
    inside = inside.intersect(pair.range_map().apply_range(Map.lex_ge(event)))
    return inside.union(pair.range_map().apply_range(short.handovers))


def _lasting_beyond(short: Residences) -> Any:
    """{ [start -> end] -> event }: a value that ends then leaves the cell occupied."""
    pair = _pairs(short)
    event = short.starts.range().get_space()
    inside = pair.domain_map().apply_range(Map.lex_le(event))
    inside = inside.intersect(pair.range_map().apply_range(Map.lex_gt(event)))
    return inside.union(pair.domain_map().apply_range(short.handovers.reverse()))


def _pairs(short: Residences) -> Any:
    event = short.starts.range().get_space()
    return Map.universe(event.map_from_domain_and_range(event))
