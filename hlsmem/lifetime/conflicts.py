"""Which elements must not share a cell: those whose residences overlap.

Two residences overlap exactly when one begins while the other lasts. The union over all
reads of a value says the same as its last read, without the pieces a maximum would make.
"""

from __future__ import annotations

from typing import Any

from hlsmem.lifetime.residence import Residences
from hlsmem.polyhedra import Map


def written_during(given: Residences) -> Any:
    """{ a -> b } with a alive when b is written, a and b different: a map of elements.

    Every conflict is in here in at least one direction, those of equal write times in both.
    """
    written = given.starts.reverse()
    during = given.stays.apply_range(_between(given)).apply_range(written)
    at_once = given.starts.apply_range(written)
    same = Map.identity(at_once.get_space())
    if given.may_overlap and not during.is_disjoint(same):
        # Strictly, an element updated in place is overwritten while its old value is read.
        during = during.subtract(same)
    return during.union(at_once.subtract(same)).coalesce()


def conflicts(given: Residences) -> Any:
    """{ a -> b }: elements that need different cells; symmetric, without the identity."""
    oriented = written_during(given)
    return oriented.union(oriented.reverse())


def _between(given: Residences) -> Any:
    """{ [start -> end] -> event : start before event before end }."""
    event = given.starts.range().get_space()
    pair = Map.universe(event.map_from_domain_and_range(event))
    after_start = pair.domain_map().apply_range(Map.lex_lt(event))
    before_end = pair.range_map().apply_range(Map.lex_gt(event))
    return after_start.intersect(before_end)
