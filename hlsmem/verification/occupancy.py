"""Who occupies a cell when: conflicts recomputed from their definition, by the shortest path.

Independent of how the plan was made. A value is (element, time of its write). It lies in its
cell at every write from its own up to its last read, at its own write at least, and two
elements conflict when one of them is written while a value of the other lies in its cell.

Times get a phase in front: 0 before the start (live-in), 1 running, 2 after the end
(live-out), so that what comes from outside needs no rule of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any

from hlsmem.polyhedra import DimType, Map, Set, Space, Val
from hlsmem.polyhedra.extremes import lexmax, lexmin
from hlsmem.program import Access, Array, KernelBody, Order, Program, Statement

_BEFORE, _RUNNING, _AFTER = 0, 1, 2


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
    space = element_space(program.context, program.arrays[array])
    time = Space.set_alloc(space.get_ctx(), 0, 1 + program.time_dimensions)
    fills = _at_phase(program, _named(program.live_in, space), _BEFORE)
    drains = _at_phase(program, _named(program.live_out, space), _AFTER)
    surely = _access_times(program, array, _sure_writes)
    writes = _join([fills, *surely], space, time)
    reads = _join([drains, *_access_times(program, array, _reads)], space, time)

    # The last write before each read: { [element -> read time] -> write time }.
    earlier = reads.range_map().apply_range(Map.lex_gt(time))
    source = lexmax(reads.domain_map().apply_range(writes).intersect(earlier))
    perhaps = list(_access_times(program, array, _possible_writes))
    if perhaps:
        uncertain = _join(perhaps, space, time)
        possible = reads.domain_map().apply_range(uncertain).intersect(earlier)
        source = source.union(possible.subtract(source.apply_range(Map.lex_gt(time)))).coalesce()
        writes = writes.union(uncertain).coalesce()
    flow = _by_value(source)

    # All writes of a step come after all reads of a step, in textual order among themselves.
    step = _step_of(program, time)
    made_in = writes.range_map().apply_range(step)
    stored = flow.intersect(_later(made_in).apply_range(step.reverse()))
    released = _released(program, array, stored, source, slack)
    until = lexmax(released.apply_range(step)).coalesce()
    filled = _at(writes, _BEFORE).intersect(flow.domain().unwrap())
    values = _at(writes, _RUNNING).union(filled)

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
        undefined=_undefined(program, array, reads, source),
        slack=slack,
    )


def _undefined(program: Program, array: str, reads: Any, source: Any) -> Any:
    """{ [element -> read time] } that nothing provides."""
    missing = reads.wrap().subtract(source.domain())
    if missing.is_empty():
        return missing
    provided = source.domain().unwrap()
    for chosen in _access_times(program, array, lambda s: [a for a in s.reads if a.chosen]):
        own = chosen.reset_tuple_id(DimType.out).align_params(provided.get_space())
        some = own.intersect(provided).range()
        missing = missing.subtract(own.intersect_range(some).wrap())
    return missing


def element_space(context: Any, array: Array) -> Any:
    """The space of an array's elements, with the parameters of the context."""
    plain = context.params().get_space().set_from_params().add_dims(DimType.set, len(array.index))
    return plain.set_tuple_name(DimType.set, array.name)


def _named(elements: Any, space: Any) -> Any:
    """The elements of one array in a union of sets."""
    name = space.get_tuple_name(DimType.set)
    sets = elements.get_set_list()
    found = [sets.get_at(i) for i in range(sets.n_set())]
    own = [piece for piece in found if piece.get_tuple_name() == name]
    return reduce(lambda left, right: left.union(right), own, Set.empty(space))


def _sure_writes(statement: Statement) -> list[Access]:
    """The writes that happen in every run: of instances that no filter is for."""
    if not statement.filters:
        return [one for one in statement.writes if one.must]
    if isinstance(statement.body, KernelBody):
        return []
    conditional = [one.value.domain() for one in statement.filters]
    return [
        replace(
            one, relation=reduce(lambda rest, k: rest.subtract_domain(k), conditional, one.relation)
        )
        for one in statement.writes
    ]


def _possible_writes(statement: Statement) -> list[Access]:
    """The writes that happen in some run, and perhaps in no other."""
    return [one for one in statement.writes if statement.filters or not one.must]


def _reads(statement: Statement) -> list[Access]:
    """The reads of some run: operands, and what filters look at before the instance runs."""
    conditions = [(one.value.domain(), look) for one in statement.filters for look in one.accesses]
    return [
        *statement.reads,
        *(replace(one, relation=one.relation.intersect_domain(k)) for k, one in conditions),
    ]


def _access_times(program: Program, array: str, accesses: Any) -> Iterable[Any]:
    """{ element -> time } of every access, one map each."""
    for statement in program.statements:
        chosen: Sequence[Access] = accesses(statement)
        for access in chosen:
            if access.array == array:
                yield _access_time(program, statement, access)


def _access_time(program: Program, statement: Statement, access: Access) -> Any:
    touched = access.relation.intersect_domain(statement.domain)
    times = statement.schedule.insert_dims(DimType.out, 0, 1)
    running = times.fix_val(DimType.out, 0, Val(_RUNNING))
    return touched.intersect_params(program.context).reverse().apply_range(running)


def _at_phase(program: Program, elements: Any, phase: int) -> Any:
    """{ element -> [phase, 0, .., 0] }."""
    whole = Map.from_domain(elements.intersect_params(program.context))
    times = whole.add_dims(DimType.out, 1 + program.time_dimensions)
    for position in range(1 + program.time_dimensions):
        times = times.fix_val(DimType.out, position, Val(phase if position == 0 else 0))
    return times


def _join(maps: list[Any], space: Any, time: Any) -> Any:
    empty = Map.empty(space.map_from_domain_and_range(time.align_params(space)))
    named = (one.reset_tuple_id(DimType.out) for one in maps)
    return reduce(lambda left, right: left.union(right), named, empty).coalesce()


def _at(times: Any, phase: int) -> Any:
    return times.fix_val(DimType.out, 0, Val(phase))


def _step_of(program: Program, time: Any) -> Any:
    """{ time -> step }: the step is the whole time unless the order is by iteration."""
    kept = time.dim(DimType.set)
    if program.order is Order.ITERATION:
        kept = 1 + program.step_dimensions
    identity = Map.identity(time.map_from_set())
    return identity.project_out(DimType.out, kept, time.dim(DimType.set) - kept)


def _by_value(source: Any) -> Any:
    """{ [element -> write time] -> read time } from { [element -> read time] -> write time }."""
    return source.curry().range_reverse().uncurry()


def _released(program: Program, array: str, stored: Any, source: Any, slack: int) -> Any:
    """{ value -> time } at which its readers let it go: `slack` of their beats after they read.

    What is read after the end, or near the end of a stream, is let go after the end.
    """
    if slack == 0:
        return stored
    released = stored.intersect_range(_phase(stored, _AFTER))
    for statement in program.statements:
        beats = _beats(program, array, statement)
        if beats is None:
            continue
        time_of = _times_of(beats, stored.range().get_space())
        elements = Map.identity(beats.domain().get_space().map_from_set())
        read_at = elements.product(time_of).intersect_domain(beats.wrap())
        reading = _by_value(read_at.apply_range(source))
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
    for access in _reads(statement):
        if access.array == array:
            touched = access.relation.intersect_domain(statement.domain)
            touched = touched.intersect_params(program.context)
            found = touched if found is None else found.union(touched)
    if found is None or found.is_empty():
        return None
    running = statement.schedule.insert_dims(DimType.out, 0, 1)
    running = running.fix_val(DimType.out, 0, Val(_RUNNING))
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
        only = only.fix_val(DimType.set, position, Val(_AFTER if position == 0 else 0))
    return only


def _phase(relation: Any, phase: int) -> Any:
    times = Set.universe(relation.range().get_space())
    return times.fix_val(DimType.set, 0, Val(phase))


def _later(made_in: Any) -> Any:
    """{ value -> step : the step comes after the one that made the value }."""
    return made_in.apply_range(Map.lex_lt(made_in.range().get_space()))
