"""Times at which the elements of one array occupy a cell: live intervals, from write to last read.

A value lives in its cell from its write to its last read, at least during the instant of its
write. Live-in values are written before the start, live-out values are read after the end.
Elements whose live intervals overlap must not share a cell: two overlap exactly when one begins
while the other lasts. The union over all reads of a value says the same as its last read, without
the pieces a maximum would make.

With slack k a live interval ends at the k-th next beat of the read stream that makes its last
read, so that an overwrite need not wait for its own cycle; after that stream's last beat it ends
with the program.
"""

from __future__ import annotations

from dataclasses import field, replace
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import DimType, Map, UnionMap, UnionSet
from hlsmem.polyhedra.extremes import lexmin
from hlsmem.polyhedra.relations import (
    dimension_names,
    fixed_entries,
    only_map,
    plain_box,
    rearrangement,
)
from hlsmem.program.model import Array, Order, Program, Statement
from hlsmem.timing.events import LIVE_OUT, Events, same_step
from hlsmem.timing.value_flow import Dataflow


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveIntervals:
    """All live intervals of one array, within the context.

    `starts`: A[x] -> [event], the writes of all values. `stays`: A[x] -> [[event] -> [event]],
    from a value's write to each of its reads (the last one ends the live interval); values
    nobody reads have none. Events are those of `order.events`, where `handovers` are explained
    too, without entries that never change: they order nothing. `pattern` says for each entry
    there which entry it is here, or what number it always is.
    `may_overlap` is False where values of one element surely follow each other, `written_once`
    is True where no element has more than one.
    """

    array: Array
    starts: Any = field(compare=False)
    stays: Any = field(compare=False)
    handovers: Any = field(compare=False)
    pattern: tuple[int | str, ...]
    may_overlap: bool = True
    written_once: bool = False

    @property
    def dimensions(self) -> int:
        return sum(isinstance(entry, int) for entry in self.pattern)


def live_intervals(program: Program, array: Array, flow: Dataflow, times: Events) -> LiveIntervals:
    """The live intervals of `array`; `times` are the events of the program in its own order.

    Reads in the same step as their source need no cell: they are left out.
    """
    uses = stored_uses(program, flow)
    size = times.dimensions
    same = UnionMap.from_map(rearrangement(size, range(size)))
    written = times.writes.product(same)  # [W[i] -> [event]] -> [[event] -> [event]]
    stays = uses.apply_range(times.ends).curry().apply_range(written)
    starts = flow.values.apply_range(times.writes)
    event = f"[{', '.join(dimension_names('t', size))}]"
    element = f"{array.name}[{', '.join(dimension_names('x', len(array.index)))}]"
    starts = only_map(starts, Map(f"{{ {element} -> {event} : false }}"))
    stays = only_map(stays, Map(f"{{ {element} -> [{event} -> {event}] : false }}"))
    reads = stays.range().unwrap().range()
    pattern = _pattern(starts.range().union(reads))
    shorter = rearrangement(size, [k for k, entry in enumerate(pattern) if isinstance(entry, int)])
    handovers = times.handovers.intersect_domain(reads).intersect_range(starts.range())
    return LiveIntervals(
        array=array,
        starts=starts.apply_range(shorter).coalesce(),
        stays=stays.apply_range(shorter.product(shorter)).coalesce(),
        handovers=handovers.apply_domain(shorter).apply_range(shorter),
        pattern=pattern,
        may_overlap=not (times.ends_are_reads and _writes_for_sure(program, array.name)),
        written_once=flow.written_once,
    )


def _pattern(events: Any) -> tuple[int | str, ...]:
    """For each entry of the events its place among those that change, or its one value."""
    size = events.dim(DimType.set)
    constant = fixed_entries(events)
    kept = [entry for entry in range(size) if entry not in constant]
    return tuple(
        kept.index(entry)
        if entry in kept
        else str(events.plain_get_val_if_fixed(DimType.set, entry))
        for entry in range(size)
    )


def _writes_for_sure(program: Program, array: str) -> bool:
    return all(
        access.must
        for statement in program.statements
        for access in statement.writes
        if access.array == array
    )


def stored_uses(program: Program, flow: Dataflow) -> Any:
    """[A[x] -> W[i]] -> R[j]: the uses for which a value must be in a cell.

    All of them in sequential order; by iterations, those in a later step than the write.
    """
    if program.order is Order.SEQUENTIAL:
        return flow.uses
    return flow.uses.curry().subtract_range(same_step(program).wrap()).uncurry()


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
