"""Source write of every read: the value-based dataflow of one array, and its last reads.

Source: Feautrier, "Dataflow analysis of array and scalar references" (1991), as implemented
in isl. Values are written [A[x] -> W[i]]: element x as left by instance i; LIVE_IN and LIVE_OUT
are a writer before and a reader after the program.

Where every element is written once, a read at a constant distance from the write is followed
by one at a greater distance, if that reads all the elements it reads. Of stencils few reads
are left, and all that is said of the ends of values stays the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field, replace
from functools import reduce
from operator import itemgetter
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import DimType, Map, UnionAccessInfo, UnionMap, UnionSet
from hlsmem.polyhedra.constraints import Row, plainly_within, rows
from hlsmem.polyhedra.memoized import kept
from hlsmem.polyhedra.relations import (
    constant_point,
    dimension_names,
    fixed_entries,
    maps_of,
    union_map,
)
from hlsmem.polyhedra.sets import parameter_names, without_parameters
from hlsmem.program.model import Program
from hlsmem.timing.events import LIVE_IN, LIVE_OUT, Events, full_events, live_after, live_before

# No more pieces than that take less time than looking for those that are not needed.
_FEW = 4

Point = tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataflow:
    """Values of one array and who reads them; UnionMaps within the context.

    `values`: A[x] -> W[i], every value that exists: all writes, and live-in elements that are
    read. `uses`: [A[x] -> W[i]] -> R[j], which reads see a value. `unprovided`: R[j] -> A[x],
    reads that certainly see no value. `written_once` says that no element has two values.
    """

    array: str
    values: Any = field(compare=False)
    uses: Any = field(compare=False)
    unprovided: Any = field(compare=False)
    written_once: bool


def dataflow(
    program: Program, array: str, full: Events | None = None, *, only_last: bool = False
) -> Dataflow:
    """The dataflow of `array` in full sequential order, whatever the order of the program.

    `full` are the `full_events` of the program, where they are at hand already. Writes that
    are only possible (`must` is False) hide nothing that was written before them. With
    `only_last`, uses that another one by the same statement surely follows may be left out:
    values end at the same time without them.
    """
    full = full or full_events(_touching(program, array))
    reads = accesses(program, array, writes=False).union(live_after(program, array))
    must = accesses(program, array, writes=True, must=True).union(live_before(program, array))
    may = accesses(program, array, writes=True, must=False)
    sources = must.reverse()
    written_once = may.is_empty() and sources.is_single_valued()
    found = _single_source(reads, sources, full, only_last) if written_once else None
    if found is None:
        found = _search(reads.coalesce(), must, may, full.writes, full.reads)
    uses, unprovided = found
    given = UnionSet(f"{{ {LIVE_IN}[] }}")
    values = must.union(may).subtract_domain(given).reverse()
    values = values.union(uses.domain().unwrap().intersect_range(given))
    return Dataflow(
        array=array, values=values, uses=uses, unprovided=unprovided, written_once=written_once
    )


def _touching(program: Program, array: str) -> Program:
    """The program with the statements alone that access an array: of others no time matters."""
    own = tuple(
        one
        for one in program.statements
        if any(access.array == array for access in (*one.writes, *one.sees))
    )
    return replace(program, statements=own)


def accesses(program: Program, array: str, *, writes: bool, must: bool | None = None) -> Any:
    """Reads or writes of `array` as one UnionMap from instances to elements.

    What filters look at is read, whether the instance then runs or not.
    """
    relations = (
        access.relation.intersect_domain(statement.domain).coalesce()
        for statement in program.statements
        for access in (statement.writes if writes else statement.sees)
        if access.array == array and must in (None, access.must)
    )
    return union_map(relations).intersect_params(program.context)


def _single_source(
    reads: Any, sources: Any, full: Events, only_last: bool
) -> tuple[Any, Any] | None:
    """Dataflow where every element is written once: its only write, no search needed.

    `sources` are A[x] -> W[i]. None where an element is read before it is written.
    """
    kept = reads
    if only_last:
        kept = last_reads(reads, sources.apply_range(full.writes), full.reads)
    kept = kept.coalesce()
    pairs = sources.range_product(kept.reverse())  # A[x] -> [W[i] -> R[j]]
    if not _in_order(pairs.range().unwrap(), full):
        return None
    provided = sources.domain()
    unprovided = UnionMap("{ }")
    if not kept.range().is_subset(provided):
        unprovided = reads.subtract_range(provided)
    return pairs.uncurry(), unprovided


def _in_order(pairs: Any, full: Events) -> bool:
    """True if each writing instance comes before the reading one it is paired with."""
    times = pairs.apply_domain(full.writes).apply_range(full.reads)
    if times.is_empty():
        return True
    pairs = Map.from_union_map(times)
    return bool(pairs.is_disjoint(Map.lex_ge(pairs.domain().get_space())))


@kept(256)
def _search(reads: Any, must: Any, may: Any, write_times: Any, read_times: Any) -> tuple[Any, Any]:
    """Dataflow in general: the last write before each read, by the events of both.

    An instance reads and writes at two event times, so writers get names of their own.
    """
    written, uncertain = primed(must), primed(may)
    origin_name = free_name(reads.union(must).union(may))
    times = read_times.union(primed(write_times))
    touched = [one for part in (reads, written, uncertain) for one in maps_of(part)]
    flow = (
        UnionAccessInfo.from_sink(reads)
        .set_must_source(written)
        .set_may_source(uncertain)
        .set_schedule_map(without_fixed_loops(times, touched, origin_name))
        .compute_flow()
    )
    found = flow.get_full_may_dependence()  # W'[i] -> [R[j] -> A[x]]
    uses = union_map(_renamed(one, lambda name: name.removesuffix("'")) for one in maps_of(found))
    uses = without_parameters(uses.reverse().curry().reverse(), [origin_name])
    unprovided = without_parameters(flow.get_must_no_source(), [origin_name])
    return uses.coalesce(), unprovided


def free_name(relation: Any) -> str:
    name, taken = "origin", parameter_names(relation)
    while name in taken:
        name += "_"
    return name


def without_fixed_loops(times: Any, touched: Sequence[Any], name: str) -> Any:
    """The times with a number nobody knows, the parameter `name`, added to some of the entries.

    isl takes an entry in which two instances have different constants for a textual position,
    and looks for the last write position by position. Where that entry is a loop for others,
    since these two are bound to single iterations of it, it finds writes that are not the last.
    With the number added no entry is a constant; the order of times stays what it was.
    """
    used = [times.intersect_domain(UnionSet.from_set(one.domain())) for one in touched]
    ranges = [one.range() for part in used for one in maps_of(part) if _is_inside(one)]
    if not ranges:
        return times
    size = ranges[0].tuple_dim()
    fixed = [set(fixed_entries(one)) for one in ranges]
    mixed = {k for k in range(size) if 0 < sum(k in own for own in fixed) < len(fixed)}
    if not mixed:
        return times
    entries = dimension_names("t", size)
    moved = [f"{entry} + {name}" if k in mixed else entry for k, entry in enumerate(entries)]
    shift = f"[{name}] -> {{ [{', '.join(entries)}] -> [{', '.join(moved)}] }}"
    return times.apply_range(UnionMap(shift))


def _is_inside(times: Any) -> bool:
    return times.get_tuple_name(DimType.in_).removesuffix("'") + "'" not in (LIVE_IN, LIVE_OUT)


def primed(relation: Any) -> Any:
    """A relation with the names of its domain primed: an instance when it writes."""
    return union_map(_renamed(one, lambda name: f"{name}'") for one in maps_of(relation))


def _renamed(relation: Any, rename: Callable[[str], str]) -> Any:
    """A map with another name for its domain tuple."""
    name = rename(relation.get_tuple_name(DimType.in_))
    return relation.set_tuple_name(DimType.in_, name)


def last_reads(reads: Any, written: Any, times: Any) -> Any:
    """`reads` without those that other reads by the same statement surely follow.

    UnionMaps: `reads` R[j] -> A[x], `written` A[x] -> [event], one for each element, `times`
    R[j] -> [event]. Only reads after the write of their element are left out.
    """
    writes = maps_of(written)
    if len(writes) != 1:
        return reads
    read_at = {one.get_tuple_name(DimType.in_): one for one in maps_of(times)}
    return union_map(
        _unfollowed(one, writes[0], read_at[one.get_tuple_name(DimType.in_)])
        for one in maps_of(reads)
    )


def _unfollowed(reads: Any, write: Any, read_at: Any) -> Any:
    """The pieces of one statement's reads that no other piece surely follows."""
    pieces = [Map.from_basic_map(one) for one in reads.get_basic_maps()]
    if len(pieces) <= _FEW:
        return reads
    kept, known = [], []
    for piece in pieces:
        distance = _distance(piece, write, read_at)
        elements = piece.range().get_basic_sets()
        if distance is None or len(elements) != 1 or elements[0].dim(DimType.div):
            kept.append(piece)
        else:
            known.append((distance, rows(elements[0]), piece))
    later: list[tuple[Point, list[Row]]] = []
    for distance, elements, piece in sorted(known, key=itemgetter(0), reverse=True):
        is_after = distance > (0,) * len(distance)
        if is_after and any(
            distance < other and plainly_within(elements, wider) for other, wider in later
        ):
            continue
        later.append((distance, elements))
        kept.append(piece)
    return reduce(lambda left, right: left.union(right), kept)


def _distance(reads: Any, write: Any, read_at: Any) -> Point | None:
    """From the event of the write to that of the read, if that is a constant."""
    return constant_point(reads.reverse().apply_domain(write).apply_range(read_at).deltas())
