"""Live intervals made longer by some beats, so that an overwrite need not wait for its own cycle.

With slack k a live interval ends at the k-th next beat of the read stream that makes its last
read; after that stream's last beat it ends with the program.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hlsmem.polyhedra import DimType, Map, UnionMap, UnionSet
from hlsmem.polyhedra.extremes import lexmin
from hlsmem.program.model import Program, Statement
from hlsmem.timing.events import LIVE_OUT, Events


def with_slack(program: Program, array: str, times: Events, slack: int) -> Events:
    """The events with ends of `array`'s live intervals `slack` beats later in each read stream."""
    if slack == 0:
        return times
    readers = {
        statement.name: instances
        for statement in program.statements
        if (instances := _readers(program, statement, array)) is not None
    }
    ends = times.ends
    for statement in program.statements:
        if statement.name not in readers:
            continue
        instances = readers[statement.name]
        later = UnionMap.from_map(_later(statement, instances, slack))
        own = UnionSet.from_set(instances)
        left = own.subtract(later.domain())
        at_end = UnionSet(f"{{ {LIVE_OUT}[] }}").apply(times.ends)
        moved = later.apply_range(times.ends)
        moved = moved.union(UnionMap.from_domain_and_range(left, at_end))
        ends = ends.subtract_domain(own).union(moved)
    return replace(times, ends=ends.coalesce(), ends_are_reads=False)


def _readers(program: Program, statement: Statement, array: str) -> Any:
    """The instances of a statement that read the array, or None."""
    found = None
    for access in statement.sees:
        if access.array == array:
            domain = access.relation.domain().intersect(statement.domain)
            found = domain if found is None else found.union(domain)
    if found is None or found.is_empty():
        return None
    return found.intersect_params(program.context).coalesce()


def _later(statement: Statement, instances: Any, beats: int) -> Any:
    """{ instance -> the instance `beats` beats after it }, where there is one."""
    times = statement.schedule.intersect_domain(instances)
    if not times.is_injective():
        coordinates = Map.identity(instances.space.map_from_set()).reset_tuple_id(DimType.out)
        times = times.flat_range_product(coordinates).intersect_domain(instances)
    beat_times = times.range()
    after = Map.lex_lt(beat_times.get_space())
    after = after.intersect_domain(beat_times).intersect_range(beat_times)
    following = lexmin(after).coalesce()
    result = following
    for _ in range(beats - 1):
        result = result.apply_range(following)
    return times.apply_range(result).apply_range(times.reverse()).coalesce()
