"""The beats of a process that take an operand of a stream: all of them, or some."""

from __future__ import annotations

from collections.abc import Collection
from functools import reduce
from typing import Any

from hlsmem.datapath.processes import Process
from hlsmem.datapath.statements import Beat
from hlsmem.polyhedra import DimType
from hlsmem.polyhedra.extremes import lexmin
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.program.model import Program

ReadingBeats = dict[str, tuple[Beat, Any]]
"""By the names of streams: the statement's beats, and its instances that read, a set without a
name."""


def reading_beats(program: Program, process: Process, streams: Collection[str]) -> ReadingBeats:
    """Return the streams that come with some beats of their statements alone, as of
    `y > 0 ? a[x] : 0`. `streams` are all that there are."""
    found: ReadingBeats = {}
    for statement in process.statements:
        for array in dict.fromkeys(one.array for one in statement.reads):
            name = f"m_{array}_{statement.name}"
            reading = [
                one.relation.intersect_domain(statement.domain).domain()
                for one in statement.reads
                if one.array == array
            ]
            own = reduce(lambda one, other: one.union(other), reading)
            if name in streams and not statement.domain.is_subset(own):
                own = fix_parameters(own, program.values).coalesce().reset_tuple_id()
                found[name] = process.beat(statement), own
    return found


def is_early(program: Program, process: Process, streams: Collection[str]) -> bool:
    """True if the first beat of a process takes no operand: it is not known to be of a frame."""
    some = reading_beats(program, process, streams)
    return not any(
        process.beat(statement) is not Beat.LAST
        and (name not in some or _begins(program, process, some[name][1]))
        for statement in process.statements
        for name in dict.fromkeys(f"m_{one.array}_{statement.name}" for one in statement.reads)
        if name in streams
    )


def _begins(program: Program, process: Process, reading: Any) -> bool:
    """True if the first beat of a process is among those of instances that read."""
    domain = fix_parameters(process.deepest.domain, program.values)
    times = fix_parameters(process.deepest.schedule, program.values).intersect_domain(domain)
    taken = times.intersect_domain(reaching(domain, reading)).range()
    return bool(lexmin(times.range()).is_subset(taken))


def reaching(domain: Any, outer: Any) -> Any:
    """Return the instances of a domain whose first entries are in `outer`, a set without a name."""
    further = domain.dim(DimType.set) - outer.dim(DimType.set)
    whole = outer.insert_dims(DimType.set, outer.dim(DimType.set), further)
    return domain.intersect(whole.set_tuple_name(domain.get_tuple_name()))
