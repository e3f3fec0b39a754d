"""The source of each read, by this room's own means: the last write before it.

On times: an element, the time of a write and the time of a read make a flow. Times get a phase in
front: 0 before the start (live-in), 1 running, 2 after the end (live-out), so that what comes from
outside needs no rule of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field, replace
from functools import reduce
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import DimType, Map, Set, Space, UnionMap, UnionSet, Val
from hlsmem.polyhedra.extremes import lexmax
from hlsmem.program.model import Access, Array, KernelBody, Program, Statement

BEFORE, RUNNING, AFTER = 0, 1, 2
# What writes before the program and reads after it, where flows are between instances.
START, END = "start'", "end'"


@dataclass(frozen=True, slots=True, kw_only=True)
class Flow:
    """The accesses of an array, and who sees what; within the context, on times with a phase.

    `writes` { element -> write time } are all writes and what is live before; `reads`
    { element -> read time } what is read, or live after; `source` { [element -> read time] ->
    write time } the last write that surely happens before a read, and later ones that may.
    """

    writes: Any = field(compare=False)
    reads: Any = field(compare=False)
    source: Any = field(compare=False)

    @property
    def values(self) -> Any:
        """{ [element -> write time] -> read time }."""
        return by_value(self.source)


def flow_of(program: Program, array: str) -> Flow:
    """The flow of one array in the order of the program's times."""
    space = element_space(program.context, program.arrays[array])
    time = Space.set_alloc(space.get_ctx(), 0, 1 + program.time_dimensions)
    fills = _at_phase(program, elements_of(program.live_in, space), BEFORE)
    drains = _at_phase(program, elements_of(program.live_out, space), AFTER)
    surely = access_times(program, array, _sure_writes)
    writes = _join([fills, *surely], space, time)
    reads = _join([drains, *access_times(program, array, reads_of)], space, time)

    # The last write before each read: { [element -> read time] -> write time }.
    earlier = reads.range_map().apply_range(Map.lex_gt(time))
    source = lexmax(reads.domain_map().apply_range(writes).intersect(earlier))
    perhaps = list(access_times(program, array, _possible_writes))
    if perhaps:
        uncertain = _join(perhaps, space, time)
        possible = reads.domain_map().apply_range(uncertain).intersect(earlier)
        source = source.union(possible.subtract(source.apply_range(Map.lex_gt(time)))).coalesce()
        writes = writes.union(uncertain).coalesce()
    return Flow(writes=writes, reads=reads, source=source)


def uses_of(program: Program, array: str) -> Any:
    """{ [element -> writing instance] -> reading instance }, a UnionMap with START and END."""
    times = flow_of(program, array).values.curry()  # { element -> [write time -> read time] }
    found = UnionMap("{ }")
    writers = list(_touching(program, array, _all_writes, START, program.live_in, BEFORE))
    readers = list(_touching(program, array, reads_of, END, program.live_out, AFTER))
    for written, at in writers:
        for read, then in readers:
            both = written.range_product(read)
            own = times.apply_range(at.reverse().product(then.reverse())).intersect(both)
            found = found.union(UnionMap.from_map(own.uncurry()))
    return found.coalesce()


def _touching(
    program: Program, array: str, accesses: Any, outside: str, live: Any, phase: int
) -> Iterator[tuple[Any, Any]]:
    """({ element -> instance }, { instance -> time }) of each statement that has accesses."""
    space = element_space(program.context, program.arrays[array])
    elements = elements_of(live, space).intersect_params(program.context)
    if not elements.is_empty():
        size = program.time_dimensions
        there = Set(f"{{ {outside}[] }}").align_params(space)
        at = Map(f"{{ {outside}[] -> [{phase}{', 0' * size}] }}")
        yield Map.from_domain_and_range(elements, there), at.align_params(space)
    for statement in program.statements:
        own = [one.relation for one in accesses(statement) if one.array == array]
        if own:
            touched = reduce(lambda left, right: left.union(right), own)
            touched = touched.intersect_domain(statement.domain)
            yield touched.intersect_params(program.context).reverse(), running(statement)


def running(statement: Statement) -> Any:
    """{ instance -> [running, time] }."""
    times = statement.schedule.intersect_domain(statement.domain)
    return times.insert_dims(DimType.out, 0, 1).fix_val(DimType.out, 0, Val(RUNNING))


def element_space(context: Any, array: Array) -> Any:
    """The space of an array's elements, with the parameters of the context."""
    plain = context.params().get_space().set_from_params().add_dims(DimType.set, len(array.index))
    return plain.set_tuple_name(DimType.set, array.name)


def elements_of(union: Any, space: Any) -> Any:
    """The elements of one array in a union of sets."""
    name = space.get_tuple_name(DimType.set)
    sets = union.get_set_list()
    found = [sets.get_at(i) for i in range(sets.n_set())]
    own = [piece for piece in found if piece.get_tuple_name() == name]
    return reduce(lambda left, right: left.union(right), own, Set.empty(space))


def without_elements(union: Any, array: str) -> Any:
    """A union of sets without those of an array."""
    sets = union.get_set_list()
    found = [sets.get_at(i) for i in range(sets.n_set())]
    own = (UnionSet.from_set(one) for one in found if one.get_tuple_name() == array)
    return reduce(lambda left, right: left.subtract(right), own, union)


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


def _all_writes(statement: Statement) -> Sequence[Access]:
    return statement.writes


def reads_of(statement: Statement) -> list[Access]:
    """The reads of some run: operands, and what filters look at before the instance runs."""
    conditions = [(one.value.domain(), look) for one in statement.filters for look in one.accesses]
    return [
        *statement.reads,
        *(replace(one, relation=one.relation.intersect_domain(k)) for k, one in conditions),
    ]


def access_times(
    program: Program, array: str, accesses: Callable[[Statement], Sequence[Access]]
) -> Iterable[Any]:
    """{ element -> time } of every access, one map each."""
    for statement in program.statements:
        for access in accesses(statement):
            if access.array == array:
                yield _access_time(program, statement, access)


def _access_time(program: Program, statement: Statement, access: Access) -> Any:
    touched = access.relation.intersect_domain(statement.domain)
    times = statement.schedule.insert_dims(DimType.out, 0, 1)
    at = times.fix_val(DimType.out, 0, Val(RUNNING))
    return touched.intersect_params(program.context).reverse().apply_range(at)


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


def by_value(source: Any) -> Any:
    """{ [element -> write time] -> read time } from { [element -> read time] -> write time }."""
    return source.curry().range_reverse().uncurry()
