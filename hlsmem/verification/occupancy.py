"""Who occupies a cell when: conflicts recomputed from their definition, by the shortest path.

Independent of how the plan was made. A value is (element, time of its write). It lies in its
cell at every write from its own up to its last read, at its own write at least, and two
elements conflict when one of them is written while a value of the other lies in its cell.

Times get a phase in front: 0 before the start (live-in), 1 running, 2 after the end
(live-out), so that what comes from outside needs no rule of its own.
"""

from __future__ import annotations

from dataclasses import field
from functools import reduce
from typing import Any

from hlsmem.polyhedra import DimType, Map, Set, Val
from hlsmem.polyhedra.extremes import lexmax, lexmin
from hlsmem.program import Order, Program, Statement
from hlsmem.values import dataclass
from hlsmem.verification.flow import (
    AFTER,
    BEFORE,
    RUNNING,
    Flow,
    access_times,
    by_value,
    flow_of,
    reads_of,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Occupancy:
    """Times include the phase. All relations carry the parameters, within the context.

    `values` { element -> write time } are all writes, and live-in values that are read;
    `reads` { [element -> write time] -> read time } says which value a read gets; `occupied`
    { [element -> write time] -> time } holds every write time of the array at which the value
    lies in its cell; `conflicts` { element -> element } is symmetric, without the identity.
    `undefined` { [element -> read time] } are reads that nothing provides; of one whose element
    data choose, only where nothing provides any of them. A read gets the last write that surely
    happens before it, or any later one that may. With `slack` k a
    value stays until the k-th next beat of each statement that reads it, or to the end.
    """

    values: Any = field(compare=False)
    reads: Any = field(compare=False)
    occupied: Any = field(compare=False)
    conflicts: Any = field(compare=False)
    undefined: Any = field(compare=False)
    slack: int = 0


def occupancy(program: Program, array: str, *, strict: bool, slack: int = 0) -> Occupancy:
    """The occupancy of one array under the program's schedule and order.

    `strict` forbids that a cell is read and overwritten at the same time, `slack` counts beats.
    """
    found = flow_of(program, array)
    writes, source, flow = found.writes, found.source, found.values
    time = writes.range().get_space()

    # All writes of a step come after all reads of a step, in textual order among themselves.
    step = _step_of(program, time)
    made_in = writes.range_map().apply_range(step)
    stored = flow.intersect(_later(made_in).apply_range(step.reverse()))
    released = _released(program, array, stored, source, slack)
    until = lexmax(released.apply_range(step)).coalesce()
    filled = _at(writes, BEFORE).intersect(flow.domain().unwrap())
    values = _at(writes, RUNNING).union(filled)

    # Of all times only those of writes matter: nothing else can destroy a value.
    write_times = writes.range().coalesce()
    ends_after = Map.lex_ge if strict else Map.lex_gt
    ends = ends_after(step.range().get_space())
    kept = until.apply_range(ends.apply_range(step.intersect_domain(write_times).reverse()))
    own = values.range_map()
    not_before = own.apply_range(Map.lex_le(time)).intersect_range(write_times)
    occupied = kept.intersect(not_before).union(own).coalesce()

    meets = occupied.apply_range(values.reverse()).domain_factor_domain()
    others = meets.subtract(Map.identity(meets.get_space()))
    return Occupancy(
        values=values,
        reads=flow,
        occupied=occupied,
        conflicts=others.union(others.reverse()).coalesce(),
        undefined=_undefined(program, array, found),
        slack=slack,
    )


def _undefined(program: Program, array: str, flow: Flow) -> Any:
    """{ [element -> read time] } that nothing provides."""
    missing = flow.reads.wrap().subtract(flow.source.domain())
    if missing.is_empty():
        return missing
    provided = flow.source.domain().unwrap()
    for chosen in access_times(program, array, lambda s: [a for a in s.reads if a.chosen]):
        own = chosen.reset_tuple_id(DimType.out).align_params(provided.get_space())
        some = own.intersect(provided).range()
        missing = missing.subtract(own.intersect_range(some).wrap())
    return missing


def _at(times: Any, phase: int) -> Any:
    return times.fix_val(DimType.out, 0, Val(phase))


def _step_of(program: Program, time: Any) -> Any:
    """{ time -> step }: the step is the whole time unless the order is by iteration."""
    kept = time.dim(DimType.set)
    if program.order is Order.ITERATION:
        kept = 1 + program.step_dimensions
    identity = Map.identity(time.map_from_set())
    return identity.project_out(DimType.out, kept, time.dim(DimType.set) - kept)


def _released(program: Program, array: str, stored: Any, source: Any, slack: int) -> Any:
    """{ value -> time } at which its readers let it go: `slack` of their beats after they read.

    What is read after the end, or near the end of a stream, is let go after the end.
    """
    if slack == 0:
        return stored
    released = stored.intersect_range(_phase(stored, AFTER))
    for statement in program.statements:
        beats = _beats(program, array, statement)
        if beats is None:
            continue
        time_of = _times_of(beats, stored.range().get_space())
        elements = Map.identity(beats.domain().get_space().map_from_set())
        read_at = elements.product(time_of).intersect_domain(beats.wrap())
        reading = by_value(read_at.apply_range(source))
        reading = reading.intersect(stored.apply_range(time_of.reverse()))
        delayed = _next_beats(beats.range().coalesce(), slack)
        rest = reading.subtract_range(delayed.domain())
        at_end = Map.from_domain_and_range(rest.domain(), _end(stored.range().get_space()))
        let_go = reading.apply_range(delayed).apply_range(time_of)
        released = released.union(let_go).union(at_end)
    return released.coalesce()


def _beats(program: Program, array: str, statement: Statement) -> Any:
    """{ element -> beat } of all reads of one statement, or None where it reads none.

    A beat is the time, followed by the iterators where several instances share a time.
    """
    found = None
    for access in reads_of(statement):
        if access.array == array:
            touched = access.relation.intersect_domain(statement.domain)
            touched = touched.intersect_params(program.context)
            found = touched if found is None else found.union(touched)
    if found is None or found.is_empty():
        return None
    running = statement.schedule.insert_dims(DimType.out, 0, 1)
    running = running.fix_val(DimType.out, 0, Val(RUNNING))
    running = running.intersect_domain(found.domain().coalesce())
    if not running.is_injective():
        names = Map.identity(running.domain().get_space().map_from_set())
        running = running.flat_range_product(names.reset_tuple_id(DimType.out))
    return found.reverse().apply_range(running)


def _times_of(beats: Any, time: Any) -> Any:
    """{ beat -> time }."""
    beat = beats.range().get_space()
    more = beat.dim(DimType.set) - time.dim(DimType.set)
    identity = Map.identity(beat.map_from_set())
    return identity.project_out(DimType.out, time.dim(DimType.set), more)


def _next_beats(times: Any, beats: int) -> Any:
    """{ time -> the time `beats` beats later }, where there is one."""
    later = Map.lex_lt(times.get_space()).intersect_domain(times).intersect_range(times)
    following = lexmin(later).coalesce()
    return reduce(lambda found, _: found.apply_range(following), range(beats - 1), following)


def _end(time: Any) -> Any:
    """{ [after, 0, .., 0] }."""
    only = Set.universe(time)
    for position in range(time.dim(DimType.set)):
        only = only.fix_val(DimType.set, position, Val(AFTER if position == 0 else 0))
    return only


def _phase(relation: Any, phase: int) -> Any:
    times = Set.universe(relation.range().get_space())
    return times.fix_val(DimType.set, 0, Val(phase))


def _later(made_in: Any) -> Any:
    """{ value -> step : the step comes after the one that made the value }."""
    return made_in.apply_range(Map.lex_lt(made_in.range().get_space()))
