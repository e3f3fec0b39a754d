"""Arrays of which filters decide what an element holds, or which of their beats come."""

from __future__ import annotations

from hlsmem.polyhedra import UnionMap
from hlsmem.program.model import Program


def may_hold_several_values(program: Program, array: str) -> bool:
    """True if a stream would carry one of several values, or values of some instances alone.

    Where streams have a beat for every instance, an element that is written once holds that value,
    or none that anybody may read.
    """
    filtered = [one for one in program.statements if one.filters]
    if not program.skips:
        is_guarded = any(access.array == array for one in filtered for access in one.writes)
        return is_guarded and not is_written_once(program, array)
    return any(
        access.array == array
        for statement in filtered
        for access in (
            *statement.writes,
            *(look for one in statement.filters for look in one.accesses),
            *(statement.reads if statement.looks_apart else ()),
        )
    )


def is_written_once(program: Program, array: str) -> bool:
    """True if no element of an array has two values in a run, one from before it among them."""
    written = UnionMap("{ }")
    for statement in program.statements:
        for access in (one for one in statement.writes if one.array == array):
            relation = access.relation.intersect_domain(statement.domain)
            written = written.union(UnionMap.from_map(relation))
    written = written.intersect_params(program.context)
    given = written.range().intersect(program.live_in)
    return bool(written.is_injective()) and bool(given.is_empty())
