"""Conflicts of elements, which must not share a cell: their live intervals overlap.

Two live intervals overlap exactly when one begins while the other lasts. The union over all
reads of a value says the same as its last read, without the pieces a maximum would make.
"""

from __future__ import annotations

from typing import Any

from hlsmem.lifetime.live_interval import LiveIntervals
from hlsmem.polyhedra import Map
from hlsmem.polyhedra.relations import plain_box


def written_during(given: LiveIntervals) -> Any:
    """{ a -> b } with a alive when b is written, a and b different: a map of elements.

    Every conflict is in here in at least one direction, those of equal write times in both.
    """
    written = given.starts.reverse()
    during = _events_during(given).apply_range(written)
    at_once = given.starts.apply_range(written)
    same = Map.identity(at_once.get_space())
    if given.may_overlap and not during.is_disjoint(same):
        # Strictly, an element updated in place is overwritten while its old value is read.
        during = during.subtract(same)
    return during.union(at_once.subtract(same)).coalesce()


def _events_during(given: LiveIntervals) -> Any:
    """{ a -> event }: events of writes after a value of a has been written, until its last read.

    Entries that are the same in all writes, or all reads, make no piece of the order.
    """
    write = plain_box(given.starts.range())
    end = plain_box(given.stays.range().unwrap().range())
    event = write.get_space()
    after = Map.lex_lt(event).intersect_domain(write).intersect_range(write)
    before = Map.lex_gt(event).intersect_domain(end).intersect_range(write)
    until_end = given.stays.uncurry().apply_range(before).curry()  # a -> [start -> event]
    return until_end.intersect_range(after.wrap()).range_factor_range()
