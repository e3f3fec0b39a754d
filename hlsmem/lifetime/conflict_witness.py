"""Why an array needs the cells it needs: a time of most life, and a conflict to point at."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from collections.abc import Mapping as Values
from typing import Any

from hlsmem.core.errors import LimitError, Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.source_location import SourceLocation
from hlsmem.lifetime.live_interval import live_intervals, stored_uses, written_during
from hlsmem.lifetime.max_live import LIMIT, Peak, max_live
from hlsmem.lifetime.occupancy import Occupancies, occupancies
from hlsmem.polyhedra import DimType, UnionSet, Val
from hlsmem.polyhedra.enumeration import distinct_points
from hlsmem.polyhedra.extremes import lexmax, lexmin
from hlsmem.polyhedra.relations import maps_of
from hlsmem.polyhedra.sets import count, fix_parameters, without_name
from hlsmem.program.model import Access, Program
from hlsmem.timing.events import LIVE_IN, LIVE_OUT, Events, events
from hlsmem.timing.instance_text import element_text, instance_text
from hlsmem.timing.value_flow import Dataflow, dataflow

Point = tuple[int, ...]
Instance = tuple[str, Point]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramPoint:
    """An instance that reads or writes the array; `statement` is None outside the program.

    `place` is the access in the source; `text` names the instance: "C at y=2, x=63".
    """

    statement: str | None
    coordinates: Point
    text: str
    source_location: SourceLocation | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Witness:
    """Two elements that need two cells: `kept` still lives when `other` is written."""

    kept: str
    other: str
    difference: Point
    kept_written: ProgramPoint
    kept_last_read: ProgramPoint | None
    other_written: ProgramPoint


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Why the array `array` is not smaller, at the plan's parameters.

    `elements` hold a value at some time, `max_live` of them at once, first just after `peak`
    (None where nothing is ever written). `farthest` is a conflict with the greatest
    difference of elements in lexicographic order, None where nothing conflicts.
    """

    array: str
    elements: int
    max_live: int
    peak: ProgramPoint | None
    farthest: Witness | None


def explain(program: Program, array: str, *, strict: bool = False) -> Explanation:
    """The explanation for one planned array of a program whose streams are statements.

    Raises LimitError where the array has too many live intervals to look at.
    """
    study = _study(program, array, strict)
    return Explanation(
        array=array,
        elements=count(fix_parameters(study.occupied.begins.domain(), program.values)),
        max_live=study.peak.cells,
        peak=_peak(study),
        farthest=_farthest(study.history, written_during(study.lives)),
    )


def most_alive(
    program: Program, array: str, *, strict: bool = False
) -> tuple[int, ProgramPoint | None]:
    """The most elements of a planned array that live at once, and the write after which they do.

    Part of the explanation, at a cost that does not grow with how often an element is written.
    Raises LimitError as `explain`.
    """
    study = _study(program, array, strict)
    return study.peak.cells, _peak(study)


@dataclass(frozen=True, slots=True)
class _Study:
    """Data of an explanation: the lives of an array, and the most of them at once."""

    history: _History
    lives: Any
    occupied: Occupancies
    peak: Peak


def _study(program: Program, array: str, strict: bool) -> _Study:
    flow = dataflow(program, array)
    times = events(program, strict=strict)
    lives = live_intervals(program, program.arrays[array], flow, times)
    occupied = occupancies(lives)
    peak = max_live(occupied, program.values)
    if peak is None:
        raise LimitError(
            Problem(
                f"{array!r} lives and dies more than {LIMIT} times, too often to be counted",
                "explain it at smaller parameters (--param)",
                program.arrays[array].source_location,
            )
        )
    return _Study(_History(program, flow, times), lives, occupied, peak)


def _farthest(history: _History, oriented: Any) -> Witness | None:
    conflicting = fix_parameters(oriented, history.program.values)
    if conflicting.is_empty():
        return None
    deltas = without_name(conflicting.deltas())
    greatest = distinct_points(lexmax(deltas.union(deltas.neg())))[0].tolist()
    for sign in (1, -1):
        difference = tuple(sign * entry for entry in greatest)
        kept_set = _with_difference(conflicting, difference)
        if not kept_set.is_empty():
            kept = tuple(distinct_points(lexmin(kept_set))[0].tolist())
            other = tuple(a + b for a, b in zip(kept, difference, strict=True))
            return _witness(history, kept, other)
    raise AssertionError("no pair has the greatest difference")


def _with_difference(relation: Any, difference: Point) -> Any:
    """The elements a of the pairs a -> a + difference."""
    names = [f"x{k}" for k in range(len(difference))]
    moved = [f"{name} + {entry}" for name, entry in zip(names, difference, strict=True)]
    tuple_name = relation.get_tuple_name(DimType.in_)
    shift = f"{tuple_name}[{', '.join(names)}] -> {tuple_name}[{', '.join(moved)}]"
    return relation.intersect(type(relation)(f"{{ {shift} }}")).domain()


def _peak(study: _Study) -> ProgramPoint | None:
    """The first write after which most live, and the first element it writes."""
    history, peak = study.history, study.peak
    if not peak.cells:
        return None
    begun = fix_parameters(study.occupied.begins, history.program.values)
    for position, entry in enumerate(peak.event):
        begun = begun.fix_val(DimType.out, position, Val(entry))
    element = tuple(distinct_points(lexmin(begun.domain()))[0].tolist())
    start = study.occupied.full_event(peak.event)
    return history.program_point(history.writer(element, start), element, writes=True)


def _witness(history: _History, kept: Point, other: Point) -> Witness:
    others = history.values(other)
    starts = [later.start for later in others]
    for value in history.values(kept):
        following = bisect_left(starts, value.start)
        if following < len(others) and value.lasts(starts[following]):
            reader = value.reader
            return Witness(
                kept=element_text(history.flow.array, kept),
                other=element_text(history.flow.array, other),
                difference=tuple(b - a for a, b in zip(kept, other, strict=True)),
                kept_written=history.program_point(value.writer, kept, writes=True),
                kept_last_read=reader and history.program_point(reader, kept, writes=False),
                other_written=history.program_point(others[following].writer, other, writes=True),
            )
    raise AssertionError(f"{kept} and {other} do not conflict")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Value:
    """One value of an element: its write, and its last read that keeps it in its cell."""

    writer: Instance
    start: Point
    reader: Instance | None
    end: Point

    def lasts(self, event: Point) -> bool:
        return event == self.start or self.start <= event < self.end


@dataclass(frozen=True, slots=True)
class _History:
    """History of single elements of an array, at the plan's parameters."""

    program: Program
    flow: Dataflow
    times: Events

    def values(self, element: Point) -> list[_Value]:
        """All values of one element, in order of their writes."""
        here, parameters = self._only(element), self.program.values
        writers = fix_parameters(self.flow.values.intersect_domain(here), parameters).range()
        uses = stored_uses(self.program, self.flow).curry().intersect_domain(here)
        pairs = fix_parameters(uses, parameters).range().unwrap()
        starts = fix_parameters(self.times.writes, parameters)
        ends = fix_parameters(self.times.ends, parameters)
        last: dict[Instance, tuple[Point, Instance]] = {}
        for writer, reader, end in _timed_pairs(pairs, ends):
            last[writer] = max(last.get(writer, ((), reader)), (end, reader))
        found = [
            _Value(
                writer=writer,
                start=start,
                reader=last[writer][1] if writer in last else None,
                end=last[writer][0] if writer in last else start,
            )
            for writer, start in _timed(writers, starts)
        ]
        return sorted(found, key=lambda value: value.start)

    def writer(self, element: Point, start: Point) -> Instance:
        """The instance that gives an element its value at an event."""
        written = self.flow.values.intersect_domain(self._only(element))
        writers = fix_parameters(written, self.program.values).range()
        times = fix_parameters(self.times.writes, self.program.values)
        (found,) = _timed(writers, times.intersect_range(_event(start)))
        return found[0]

    def _only(self, element: Point) -> UnionSet:
        text = f"{{ {self.flow.array}[{', '.join(map(str, element))}] }}"
        return fix_parameters(UnionSet(text), self.program.values)

    def program_point(self, instance: Instance, element: Point, *, writes: bool) -> ProgramPoint:
        """An instance that touches `element`, with the place of the access."""
        name, coordinates = instance
        if name in (LIVE_IN, LIVE_OUT):
            text = "before the start" if name == LIVE_IN else "after the end"
            return ProgramPoint(statement=None, coordinates=(), text=text)
        statement = next(s for s in self.program.statements if s.name == name)
        accesses = statement.writes if writes else statement.sees
        places = [
            access.source_location
            for access in accesses
            if access.array == self.flow.array
            and _touches(access, coordinates, element, self.program.values)
        ]
        return ProgramPoint(
            statement=name,
            coordinates=coordinates,
            text=instance_text(statement, coordinates),
            source_location=next((place for place in places if place), statement.source_location),
        )


def _event(time: Point) -> UnionSet:
    return UnionSet(f"{{ [{', '.join(map(str, time))}] }}")


def _timed(instances: Any, times: Any) -> Iterator[tuple[Instance, Point]]:
    """Instances (UnionSet) with their event times."""
    for piece in maps_of(times.intersect_domain(instances)):
        name, depth = piece.get_tuple_name(DimType.in_), piece.dim(DimType.in_)
        for row in distinct_points(piece).tolist():
            yield (name, tuple(row[:depth])), tuple(row[depth:])


def _timed_pairs(pairs: Any, ends: Any) -> Iterator[tuple[Instance, Instance, Point]]:
    """Pairs of writers and readers (UnionMap) with the event times of the ends."""
    times = dict(_timed(pairs.range(), ends))
    for piece in maps_of(pairs):
        names = piece.get_tuple_name(DimType.in_), piece.get_tuple_name(DimType.out)
        depth = piece.dim(DimType.in_)
        for row in distinct_points(piece).tolist():
            reader = (names[1], tuple(row[depth:]))
            yield (names[0], tuple(row[:depth])), reader, times[reader]


def _touches(access: Access, coordinates: Point, element: Point, values: Values[str, int]) -> bool:
    """True if an instance touches an element through this access."""
    relation = fix_parameters(access.relation, values)
    for position, value in enumerate((*coordinates, *element)):
        inside = position < len(coordinates)
        kind = DimType.in_ if inside else DimType.out
        place = position if inside else position - len(coordinates)
        relation = relation.fix_val(kind, place, Val(value))
    return not relation.is_empty()
