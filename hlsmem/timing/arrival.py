"""Arrival and departure of streams, as statements of their own.

An array that streams in gets a statement `X_in` that writes each element once, in row-major
order. Where elements are needed one by one and in that order, each arrives as it is needed; else
the element indices are aligned with loops of the reading nest and shifted by the
least constant that lets every element arrive before its first read. Then it is an ordinary
writer. Departure `X_out` is the mirror image: read after the last write.

Where no constant shift exists (subsampled reads, fewer loops than indices), elements arrive
as late as row-major order allows: just before the first read of any element from here on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

from hlsmem.core.errors import Problems
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import DimType, Map, Set
from hlsmem.polyhedra.extremes import first_point, lexmax, lexmin
from hlsmem.polyhedra.relations import (
    dimension_names,
    maps_of,
    named,
    rearrangement,
    sets_of,
    union_map,
)
from hlsmem.polyhedra.sets import count, fix_parameters
from hlsmem.program.model import Access, Array, Copy, Program, Statement, Storage
from hlsmem.timing.events import LIVE_IN, LIVE_OUT, instance_times
from hlsmem.timing.value_flow import dataflow


def with_streams(program: Program, *, report: Callable[[str], None] = lambda _: None) -> Program:
    """The program with an arrival and a departure statement for each streamed array.

    Elements that are live-in arrive, but for those that are written without being read before;
    live-out elements depart; afterwards none of the array is live-in or live-out. Schedules get
    further dimensions at their end where a shift needs them. Raises InputError where an arrival
    or departure the user gave does not fit, or a statement has the name of one that is to be
    added. `report` is told each stream before it is looked at.
    """
    problems = Problems()
    for array in program.arrays.values():
        if array.storage is Storage.STREAM:
            report(array.name)
            for side in (_ARRIVAL, _DEPARTURE):
                program = _with_passage(program, array, side, problems)
    problems.raise_if_any()
    return program


@dataclass(frozen=True, slots=True)
class _Side:
    """Arrival or departure: `sign` is -1 where elements pass before the instances they meet."""

    suffix: str
    sign: int
    word: str


_ARRIVAL = _Side("in", -1, "arrival")
_DEPARTURE = _Side("out", 1, "departure")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Passage:
    """Times at which elements pass: X[x] -> [the program's time and `extra` more entries]."""

    times: Any
    extra: int = 0


def _with_passage(program: Program, array: Array, side: _Side, problems: Problems) -> Program:
    elements, meetings = _meetings(program, array, side)
    if elements is None:
        return _without_live(program, array, side)
    name = f"{array.name}_{side.suffix}"
    if any(statement.name == name for statement in program.statements):
        problems.add(
            f"a statement is called {name!r}, like the {side.word} of stream {array.name!r}",
            "rename the statement",
            array.source_location,
        )
        return program
    size = program.time_dimensions
    passage = _given(program, array, meetings, side, problems)
    if passage is None and meetings is not None:
        passage = _at_once(size, elements, meetings, side)
    if passage is None and meetings is not None:
        passage = _shifted(array, size, meetings, side, program.values)
    if passage is None:
        passage = _closest(array, size, elements, meetings, side)
    statement = _statement(array, name, elements, passage.times, side)
    longer = lengthened(program, passage.extra)
    before, after = ((statement,), ()) if side is _ARRIVAL else ((), (statement,))
    longer = replace(longer, statements=(*before, *longer.statements, *after))
    return _without_live(longer, array, side)


def _meetings(program: Program, array: Array, side: _Side) -> tuple[Any, Any]:
    """The elements that pass, and { X[x] -> [time] } of the instances they meet; or None.

    Arriving elements meet all their readers, departing ones the write of their last value.
    """
    uses = dataflow(program, array.name).uses.curry()  # X[x] -> [W[i] -> R[j]]
    if side is _ARRIVAL:
        uses = union_map(one for one in maps_of(uses) if _ends(one)[0] == LIVE_IN)
        met = uses.range_factor_range()
    else:
        uses = union_map(one for one in maps_of(uses) if _ends(one)[1] == LIVE_OUT)
        met = uses.range_factor_domain()
    if uses.is_empty():
        return None, None
    times = met.apply_range(instance_times(program)).coalesce()
    elements = Set.from_union_set(uses.domain())
    if side is _ARRIVAL:
        elements = elements.union(_unread(program, array, elements))
    elements = elements.coalesce()
    return elements, None if times.is_empty() else Map.from_union_map(times)


def _unread(program: Program, array: Array, read: Any) -> Any:
    """Elements that `live_in` names, nobody reads and nobody writes: the stream has them too."""
    others = read.subtract(read)
    for given in sets_of(named(program.live_in, array.name)):
        others = others.union(given.intersect_params(program.context)).subtract(read)
    for statement in program.statements:
        for access in statement.writes:
            if access.array == array.name:
                others = others.subtract(access.relation.range())
    return others


def _ends(relation: Any) -> tuple[str, str]:
    """The names of the writer and the reader in X[x] -> [W[i] -> R[j]]."""
    pair = relation.range().unwrap()
    return pair.get_tuple_name(DimType.in_), pair.get_tuple_name(DimType.out)


def _at_once(size: int, elements: Any, meetings: Any, side: _Side) -> _Passage | None:
    """Passage of each element at the one instance that needs it; None where order forbids it.

    So `read` and `write` of a C++ stream do, whose elements one loop nest counts: no constant
    distance from one of its loops is as close.
    """
    nearest = (lexmin if side is _ARRIVAL else lexmax)(meetings)
    if not (elements.is_subset(nearest.domain()) and nearest.is_injective()):
        return None
    in_order = nearest.lex_lt_map(nearest).is_subset(Map.lex_lt(elements.get_space()))
    if not in_order or not _is_fixed(nearest.range(), size - 1):
        return None
    return _Passage(times=_beside(nearest, size, side))


def _beside(times: Any, size: int, side: _Side) -> Any:
    """Times before or after others whose last entry, a textual slot, is fixed."""
    slot = f"t{size - 1} + {side.sign}"
    return times.apply_range(rearrangement(size, [*range(size - 1), slot]))


def _shifted(
    array: Array, size: int, meetings: Any, side: _Side, values: Mapping[str, int]
) -> _Passage | None:
    """Passage at the least constant distance from aligned loops, or None where there is none.

    Indices are aligned in order with loops, outermost first. A shift of time vectors, slots
    among them, keeps their order: it is legal if it is for the closest distance that occurs.
    Loops at which few elements are met at that distance do not go with the index: those of
    `a[32 * y + x]`, of which one alone moves by less than the element does.
    """
    loops = [entry for entry in range(size) if not _is_fixed(meetings.range(), entry)]
    for positions in combinations(loops, len(array.index)):
        aligned = _aligned(array, size, positions)
        distances = meetings.apply_domain(aligned).deltas()
        closest = (lexmin if side is _ARRIVAL else lexmax)(distances).coalesce()
        shift = _only_point(closest)
        if shift is None or not _is_usual(meetings, positions, shift, values):
            continue
        if positions[-1:] == (size - 1,):
            # The last entry tells elements apart: one more tells before from after.
            return _Passage(times=_aligned(array, size, positions, [*shift, side.sign]), extra=1)
        shift[-1] += side.sign
        return _Passage(times=_aligned(array, size, positions, shift))
    return None


def _is_usual(
    meetings: Any, positions: Sequence[int], shift: Sequence[int], values: Mapping[str, int]
) -> bool:
    """True if half of the elements are accessed at the distance `shift` from loops, at least."""
    names = dimension_names("t", meetings.dim(DimType.out))
    index = dimension_names("x", meetings.dim(DimType.in_))
    same = [f"{names[k]} = {x} + {shift[k]}" for k, x in zip(positions, index, strict=True)]
    text = f"{{ [{', '.join(index)}] -> [{', '.join(names)}] : {' and '.join(same)} }}"
    array = meetings.get_tuple_name(DimType.in_)
    at_it = Map(text).set_tuple_name(DimType.in_, array).align_params(meetings.get_space())
    usual, every = (
        count(fix_parameters(one.domain(), values)) for one in (meetings.intersect(at_it), meetings)
    )
    return 2 * usual >= every


def _is_fixed(times: Any, entry: int) -> bool:
    """True if an entry of times is one number, the same for all parameters."""
    size = times.dim(DimType.set)
    own = times.project_out(DimType.set, entry + 1, size - entry - 1)
    return _only_point(own.project_out(DimType.set, 0, entry)) is not None


def _only_point(points: Any) -> list[int] | None:
    """The one point that a set has for all parameters; None where these have others."""
    found = points.sample_point().get_multi_val()
    point = [found.get_val(k).to_python() for k in range(points.dim(DimType.set))]
    only = Set(f"{{ [{', '.join(map(str, point))}] }}")
    return point if points.is_subset(only.align_params(points.get_space())) else None


def _closest(array: Array, size: int, elements: Any, meetings: Any, side: _Side) -> _Passage:
    """Passage as close to the instances met as row-major order allows.

    An element arrives just before the first instance that meets it or a later element, and
    departs just after the last one that meets it or an earlier element. Elements that pass at
    the same time do so in row-major order, told apart by further entries.
    """
    names = dimension_names("x", len(array.index))
    element = f"{array.name}[{', '.join(names)}]"
    behind = Map(f"{{ {element} -> [{', '.join([str(side.sign), *names])}] }}")
    if meetings is None:
        at_start = Map(f"{{ {element} -> [{', '.join(['0'] * size)}] }}")
        return _Passage(times=at_start.flat_range_product(behind), extra=1 + len(names))
    space = elements.get_space()
    others = Map.lex_le(space) if side is _ARRIVAL else Map.lex_ge(space)
    met = others.intersect_domain(elements).apply_range(meetings)
    last = (lexmax if side is _ARRIVAL else lexmin)(meetings.range())
    alone = Map.from_domain_and_range(elements.subtract(met.domain()), last)
    times = (lexmin if side is _ARRIVAL else lexmax)(met).union(alone).coalesce()
    if times.is_injective() and _is_fixed(times.range(), size - 1):
        # Times differ before the last entry, a textual slot: it tells before from after.
        return _Passage(times=_beside(times, size, side))
    return _Passage(times=times.flat_range_product(behind), extra=1 + len(names))


def _given(
    program: Program, array: Array, meetings: Any, side: _Side, problems: Problems
) -> _Passage | None:
    """The passage the user asked for, or None; reports one that comes too late or too early."""
    given = array.arrival if side is _ARRIVAL else array.departure
    if given is None:
        return None
    size = program.time_dimensions
    if given.dim(DimType.out) != size:
        problems.add(
            f"the {side.word} of {array.name!r} has {given.dim(DimType.out)} time entries, "
            f"the schedule has {size}",
            "give one entry for each time dimension",
            array.source_location,
        )
        return None
    if meetings is not None:
        _check_order(program, array, meetings.range_product(given), side, problems)
    return _Passage(times=given)


def _check_order(
    program: Program, array: Array, pairs: Any, side: _Side, problems: Problems
) -> None:
    """Report an element that passes on the wrong side of an instance it meets.

    `pairs` maps an element to [time of the instance -> time of the passage].
    """
    times = pairs.range().unwrap()
    space = times.range().get_space()
    wrong = Map.lex_le(space) if side is _ARRIVAL else Map.lex_ge(space)
    late = pairs.intersect_range(wrong.wrap())
    if late.is_empty():
        return
    point = first_point(late.wrap(), program.values).coordinates
    size, indices = program.time_dimensions, len(array.index)
    element = array.name + "".join(f"[{entry}]" for entry in point[:indices])
    met, passed = list(point[indices : indices + size]), list(point[indices + size :])
    order, access = ("before", "read") if side is _ARRIVAL else ("after", "written")
    problems.add(
        f"the {side.word} of {element} at {passed} is not {order} {met}, when it is {access}",
        f"shift the {side.word}",
        array.source_location,
    )


def _aligned(
    array: Array, size: int, positions: Sequence[int], shift: Sequence[int] | None = None
) -> Any:
    """{ X[x] -> [time] } with the indices at `positions`, 0 elsewhere, plus `shift`."""
    names = dimension_names("x", len(array.index))
    shift = shift or [0] * size
    entries = [str(distance) for distance in shift]
    for name, position in zip(names, positions, strict=True):
        entries[position] = f"{name} + {shift[position]}"
    return Map(f"{{ {array.name}[{', '.join(names)}] -> [{', '.join(entries)}] }}")


def _statement(array: Array, name: str, elements: Any, times: Any, side: _Side) -> Statement:
    domain = elements.set_tuple_name(name)
    relation = Map.identity(elements.get_space().map_from_set()).intersect_domain(elements)
    access = Access(
        array=array.name,
        relation=relation.set_tuple_name(DimType.in_, name),
        source_location=array.source_location,
    )
    schedule = times.intersect_domain(elements).set_tuple_name(DimType.in_, name)
    return Statement(
        name=name,
        process=name,
        domain=domain,
        schedule=schedule,
        reads=() if side is _ARRIVAL else (access,),
        writes=(access,) if side is _ARRIVAL else (),
        body=Copy(),
        iterators=array.index,
        source_location=array.source_location,
    )


def lengthened(program: Program, extra: int) -> Program:
    """The program with `extra` entries of 0 at the end of all its times."""
    if not extra:
        return program
    size = program.time_dimensions
    longer = rearrangement(size, [*range(size), *["0"] * extra])
    names = program.iterator_names
    return replace(
        program,
        time_dimensions=size + extra,
        iterator_names=(*names, *dimension_names("order", extra)) if names else (),
        statements=tuple(
            replace(statement, schedule=statement.schedule.apply_range(longer))
            for statement in program.statements
        ),
        arrays={
            name: replace(
                array,
                arrival=array.arrival and array.arrival.apply_range(longer),
                departure=array.departure and array.departure.apply_range(longer),
            )
            for name, array in program.arrays.items()
        },
    )


def _without_live(program: Program, array: Array, side: _Side) -> Program:
    if side is _ARRIVAL:
        live_in = program.live_in.subtract(named(program.live_in, array.name))
        return replace(program, live_in=live_in)
    live_out = program.live_out.subtract(named(program.live_out, array.name))
    return replace(program, live_out=live_out)
