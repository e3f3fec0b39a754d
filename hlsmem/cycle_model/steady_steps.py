"""Steps of a program behind the middle of its longest stream, counted by isl."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hlsmem.polyhedra import DimType, Map, Set
from hlsmem.polyhedra.sets import count


def steps_behind(times: Any, others: Sequence[Any], middle: Any, entries: int) -> int:
    """The steps behind that of one of some times, up to their end.

    Steps in which others alone have beats count if they are of the same loops: where `times` have
    a constant, theirs have the same.
    """
    own = _steps(times, entries)
    slots = Set.universe(own.get_space())
    for entry in range(entries):
        low, high = own.dim_min_val(entry), own.dim_max_val(entry)
        if low.eq(high):
            slots = slots.fix_val(DimType.set, entry, low)
    steps = own
    for one in others:
        other = _steps(one, entries)
        if other.is_subset(slots):
            steps = steps.union(other)
    space = own.get_space()
    after = _steps(middle, entries).apply(Map.lex_lt(space))
    until = own.lexmax().apply(Map.lex_ge(space))
    return count(steps.intersect(after).intersect(until).coalesce())


def _steps(times: Any, entries: int) -> Any:
    return times.project_out(DimType.set, entries, times.dim(DimType.set) - entries)
