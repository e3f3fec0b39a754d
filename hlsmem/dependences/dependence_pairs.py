"""Requirements of beats, as isl relations: the last beat of another stream before each.

All relations are between the loops' values of streams, which are in the order of their beats; the
cost grows with the number of pieces, not with the extents. `requirements` has the same from beats
that are listed; `docs/verilog.md` has the rules, 0025 that of windows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import combinations
from typing import Any

from hlsmem.addressing.loop_forms import Affine, Value
from hlsmem.addressing.nest_points import Region, affine_of, set_where
from hlsmem.core.errors import InputError, Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.dependences.requirements import (
    find_in_pairs,
    nothing_written,
    recurrence,
    shared_step,
)
from hlsmem.dependences.stream_forms import BeatStream
from hlsmem.polyhedra import DimType, Map, PwMultiAff, Set
from hlsmem.polyhedra.extremes import greatest, lexmax, lexmin
from hlsmem.polyhedra.relations import rearrangement
from hlsmem.polyhedra.sets import count
from hlsmem.program.model import Order, Program


@dataclass(frozen=True, slots=True, kw_only=True)
class Needs:
    """Dependences between streams: `required[a, b]` maps beats of a to the last of b that goes
    before.

    `operands[a, b]`: of the read stream among the two, the operand that most often asks for most.
    `wired[m]`, per operand, maps beats of m to those of the write streams, by their positions,
    whose value comes by wire in the same step. `stored[s]` are the beats whose values go to their
    cell, `fetched[m]`, per operand, those that read a cell.
    """

    required: Mapping[tuple[int, int], Any]
    operands: Mapping[tuple[int, int], int]
    wired: Mapping[int, tuple[Mapping[int, Any], ...]]
    stored: Mapping[int, Any]
    fetched: Mapping[int, tuple[Any, ...]]


def needs(program: Program, streams: Sequence[BeatStream], *, is_window: bool = False) -> Needs:
    """All that beats of one array's streams wait for.

    Raises InputError where a read has no source, and where two writes share a step (one write
    port), with both named.
    """
    finder = _Finder(program, streams, is_window)
    find_in_pairs(finder)
    finder.refuse_shared_steps()
    return Needs(
        required={pair: one for pair, one in finder.required.items() if not one.is_empty()},
        operands=finder.operands,
        wired=finder.wired,
        stored=finder.stored,
        fetched=finder.fetched,
    )


class Timed:
    """A stream with its beats as a set, and their times as maps."""

    def __init__(self, program: Program, stream: BeatStream) -> None:
        self.stream = stream
        self.beats = stream.visits.region.points
        self.entries = 1 + program.time_dimensions
        stepwise = program.order is Order.ITERATION
        self.step_entries = 1 + program.step_dimensions if stepwise else self.entries

    def time(self, operand: int | None = None) -> Any:
        """The map from beats to times, or to those of the instances that make an operand."""
        lane = self.stream.operands[operand].lane if operand is not None else ()
        return self._times(self.entries, lane)

    @cached_property
    def step(self) -> Any:
        """The map from beats to steps of the program's order."""
        return self._times(self.step_entries, ())

    def _times(self, entries: int, lane: Sequence[tuple[int, int]]) -> Any:
        row: list[int | str] = [str(value) for value in self.stream.first[:entries]]
        for loop, axis in enumerate(self.stream.axes):
            if axis < entries:
                row[axis] = loop
        for entry, value in lane:
            if entry < entries:
                row[entry] = str(value)
        return rearrangement(len(self.stream.axes), row).intersect_domain(self.beats)

    def cell(self, operand: int, beats: Any) -> Any:
        """The map from some beats to the cells of an operand."""
        return value_map(self.stream.operands[operand].cell, beats)


def value_map(value: Value, points: Any) -> Any:
    """The map from the points of a set to a form's values."""
    if isinstance(value, Affine):
        return Map.from_aff(affine_of(value, points)).intersect_domain(points)
    holds = set_where(value.condition, points)
    then = value_map(value.then, points.intersect(holds))
    return then.union(value_map(value.otherwise, minus(points, holds)))


def minus(points: Any, others: Any) -> Any:
    """The points that are not among the others.

    isl rewrites what it subtracts, and has been seen to find another lexmax from then on.
    """
    if others.is_empty():
        return points
    if points.is_subset(others):
        return type(points).empty(points.get_space())
    return type(points)(str(points)).subtract(type(others)(str(others))).coalesce()


def before(waiting: Any, other: Any, *, strict: bool) -> Any:
    """The beats of another stream that are before each of a stream, both given as maps to times."""
    space = waiting.range().get_space()
    earlier = Map.lex_gt(space) if strict else Map.lex_ge(space)
    return waiting.apply_range(earlier).apply_range(other.reverse())


def latest(pairs: Any) -> Any:
    """The last of the beats that each beat is paired with."""
    pairs = pairs.coalesce()
    return pairs if pairs.is_single_valued() else lexmax(pairs).coalesce()


def later_of(one: Any, other: Any) -> Any:
    """Of two single-valued maps the later value, where there is any."""
    if one.is_empty() or other.is_empty():
        return other if one.is_empty() else one
    functions = (PwMultiAff.from_map(part) for part in (one, other))
    return Map.from_pw_multi_aff(next(functions).union_lexmax(next(functions))).coalesce()


def where_after(one: Any, other: Any) -> Any:
    """The beats at which a single-valued map has a later value than another, or one alone."""
    space = one.range().get_space()
    later = other.apply_range(Map.lex_lt(space)).intersect(one).domain()
    return later.union(minus(one.domain(), other.domain())).coalesce()


class _Finder:
    """Collects what beats wait for, pair of streams by pair of streams."""

    def __init__(self, program: Program, streams: Sequence[BeatStream], is_window: bool) -> None:
        self.program, self.streams, self.is_window = program, streams, is_window
        self.timed = [Timed(program, stream) for stream in streams]
        self.stepwise = program.order is Order.ITERATION
        self.writers = [k for k, stream in enumerate(streams) if stream.is_write]
        self.readers = [k for k, stream in enumerate(streams) if not stream.is_write]
        self.required: dict[tuple[int, int], Any] = {}
        self.operands: dict[tuple[int, int], int] = {}
        self.wired: dict[int, tuple[dict[int, Any], ...]] = {}
        self.fetched: dict[int, tuple[Any, ...]] = {}
        self.seen: dict[tuple[int, int], dict[int, Any]] = {}  # by reader and operand: the sources
        none = {w: Set.empty(self.timed[w].beats.get_space()) for w in self.writers}
        self.stored = none if self.stepwise else {w: self.timed[w].beats for w in self.writers}

    def find_sources(self, reader: int) -> None:
        """The write every operand sees: it goes before, or comes by wire in the same step."""
        wired, fetched = [], []
        for k, operand in enumerate(self.streams[reader].operands):
            found = self.seen[reader, k] = self.sources(reader, k)
            read = operand.access.domain()
            unwritten = read
            for source in found.values():
                unwritten = minus(unwritten, source.domain())
            _refuse_unwritten(self.streams[reader], k, unwritten)
            by_wire: dict[int, Any] = {}
            for w, source in found.items():
                kept = source
                if self.stepwise:
                    steps = self.timed[reader].step, self.timed[w].step
                    same = source.intersect(steps[0].apply_range(steps[1].reverse())).coalesce()
                    self.refuse_recurrence(reader, k, w, same)
                    if not same.is_empty():
                        by_wire[w] = same
                        read = minus(read, same.domain())
                        kept = source.intersect(before(*steps, strict=True)).coalesce()
                    self.stored[w] = self.stored[w].union(kept.range()).coalesce()
                self.require(reader, w, kept, k)
            wired.append(by_wire)
            fetched.append(read)
        self.wired[reader], self.fetched[reader] = tuple(wired), tuple(fetched)

    def sources(self, reader: int, operand: int) -> dict[int, Any]:
        """The last write of an operand's element before it, by write stream."""
        own = self.timed[reader].time(operand)
        access = self.streams[reader].operands[operand].access
        found: dict[int, Any] = {}
        for w in self.writers:
            for j, written in enumerate(self.streams[w].operands):
                pairs = access.apply_range(written.access.reverse())
                pairs = pairs.intersect(before(own, self.timed[w].time(j), strict=True))
                if not pairs.is_empty():
                    pairs = pairs.union(found[w]) if w in found else pairs
                    found[w] = latest(pairs)
        if all(a.domain().is_disjoint(b.domain()) for a, b in combinations(found.values(), 2)):
            return found
        return self.last_of(found)

    def last_of(self, found: Mapping[int, Any]) -> dict[int, Any]:
        """Of the writes of several streams the last one, of equal times that of the later."""
        stamps = {w: self.stamp(w) for w in found}
        pairs: Any = None
        for w, source in found.items():
            stamped = source.apply_range(stamps[w])
            pairs = stamped if pairs is None else pairs.union(stamped)
        last = latest(pairs)
        result = {w: last.apply_range(stamp.reverse()).coalesce() for w, stamp in stamps.items()}
        return {w: source for w, source in result.items() if not source.is_empty()}

    def stamp(self, writer: int) -> Any:
        """The map from beats of a write stream to (time, position of the stream, loops..)."""
        timed = self.timed[writer]
        loops = timed.beats.dim(DimType.set)
        longest = max(self.timed[w].beats.dim(DimType.set) for w in self.writers)
        tail = [str(writer), *range(loops), *["0"] * (longest - loops)]
        more = rearrangement(loops, tail).intersect_domain(timed.beats)
        return timed.time().flat_range_product(more)

    def refuse_recurrence(self, reader: int, operand: int, writer: int, same: Any) -> None:
        """Raise InputError where an iteration needs what another one of its step makes."""
        read, written = self.streams[reader], self.streams[writer]
        if written.index >= read.index and not same.is_empty():
            element = read.element_at(operand, Region(same.domain()).first())
            raise InputError(recurrence(self.program, (read, element), operand, written))

    def find_last_reads(self, writer: int, reader: int) -> None:
        """Reads of a cell go before it is overwritten: all up to the write's own time, in a window
        all of what was written before it."""
        written = self.timed[writer].cell(0, self.stored[writer])
        for k, fetched in enumerate(self.fetched[reader]):
            read = self.timed[reader].cell(k, fetched)
            pairs = written.apply_range(read.reverse())
            pairs = pairs.intersect(self.earlier_reads(writer, reader, k))
            self.require(writer, reader, latest(pairs), k)

    def earlier_reads(self, writer: int, reader: int, operand: int) -> Any:
        """The map from writes to the reads that are before them, or whose value is, in a window."""
        mine, theirs = self.timed[writer], self.timed[reader]
        if not self.is_window:
            return before(mine.step, theirs.step, strict=False)
        found = Map.empty(before(mine.step, theirs.step, strict=True).get_space())
        for w, source in self.seen[reader, operand].items():
            at = source.apply_range(self.timed[w].step)  # { read -> step of its write }
            found = found.union(before(mine.step, at, strict=True))
        return found.coalesce()

    def find_last_writes(self, writer: int, other: int) -> None:
        """Earlier writes of a cell go before later ones, whoever makes them."""
        is_later = self.streams[other].index < self.streams[writer].index
        mine, theirs = self.timed[writer], self.timed[other]
        cells = mine.cell(0, self.stored[writer])
        pairs = cells.apply_range(theirs.cell(0, self.stored[other]).reverse())
        pairs = pairs.intersect(before(mine.time(), theirs.time(), strict=not is_later))
        self.require(writer, other, latest(pairs))

    def require(self, waits: int, on: int, last: Any, operand: int = 0) -> None:
        """Add what one operand requires; the one with more in most beats is kept by name."""
        present = self.required.get((waits, on))
        if present is None:
            self.required[waits, on], self.operands[waits, on] = last, operand
            return
        if last.is_empty():
            return
        more, less = where_after(last, present), where_after(present, last)
        if more.is_empty():
            return
        if less.is_empty() or count(more) > count(less):
            self.operands[waits, on] = operand
        self.required[waits, on] = later_of(last, present)

    def refuse_shared_steps(self) -> None:
        """Raise InputError where two write streams store values in one step: one write port."""
        problems = []
        for one, other in combinations(self.writers, 2):
            mine = self.timed[one].step.intersect_domain(self.stored[one])
            theirs = self.timed[other].step.intersect_domain(self.stored[other])
            shared = mine.range().intersect(theirs.range())
            if not shared.is_empty():
                first = lexmin(shared)
                beats = (Region(m.intersect_range(first).domain()).first() for m in (mine, theirs))
                problems.append(self.shared_step((one, next(beats)), (other, next(beats))))
        if problems:
            raise InputError(*problems)

    def shared_step(
        self, one: tuple[int, Sequence[int]], other: tuple[int, Sequence[int]]
    ) -> Problem:
        """The problem of two beats (stream, loops) that are stored in one step."""
        program = self.program
        first, second = (self.streams[stream] for stream, _ in (one, other))
        entries = program.step_dimensions if self.stepwise else program.time_dimensions
        times = [_time_at(self.streams[stream], point) for stream, point in (one, other)]
        length = 1 + program.time_dimensions
        return shared_step(
            program,
            (first, first.element_at(0, one[1])),
            (second, second.element_at(0, other[1])),
            times[0][1 : 1 + entries],
            same_time=times[0][:length] == times[1][:length],
        )


def _time_at(stream: BeatStream, point: Sequence[int]) -> list[int]:
    """The time of a beat."""
    time = list(stream.first)
    for axis, value in zip(stream.axes, point, strict=True):
        time[axis] = value
    return time


def _refuse_unwritten(stream: BeatStream, operand: int, unwritten: Any) -> None:
    if not unwritten.is_empty():
        element = stream.element_at(operand, Region(unwritten).first())
        raise InputError(nothing_written((stream, element), operand))


Pairs = Mapping[tuple[int, int], Any]


def rising(last: Any, beats: Any) -> Any:
    """The latest of what each of all beats and those before it wait for, where there is any."""
    waiting = last.domain()
    space = last.range().get_space()
    first = lexmin(waiting)
    behind = beats.intersect(first.apply(Map.lex_le(first.get_space())))
    # A beat that waits for more than a later one.
    falls = last.apply_range(Map.lex_gt(space)).apply_range(last.reverse())
    is_rising = falls.intersect(Map.lex_lt(waiting.get_space())).is_empty()
    if is_rising and behind.is_subset(waiting):
        return last
    up_to = Map.lex_ge(beats.get_space()).intersect_domain(behind).intersect_range(waiting)
    if is_rising:
        return lexmax(up_to.coalesce()).apply_range(last).coalesce()
    return latest(up_to.apply_range(last))


def first_to_ask(asked: Any) -> Any:
    """The beats of a rising requirement that wait for more than all before them."""
    return lexmin(asked.reverse()).range().coalesce()


def closure(required: Pairs, beats: Sequence[Any]) -> dict[tuple[int, int], Any]:
    """For every pair what beats wait for directly, or because of whom they wait for.

    `beats` are those of all streams. Results never fall from one beat to the next. Waiting longer
    for a stream up to the closure changes no behaviour.
    """
    waiting = _by_waiting(required, beats)
    return {
        (waits, on): last
        for waits in waiting
        for on, last in _implied(waiting, waits).items()
        if not last.is_empty()
    }


def without_implied(required: Pairs, beats: Sequence[Any]) -> dict[tuple[int, int], Any]:
    """The requirements without those that the kept ones imply."""
    kept = dict(required)
    waiting = _by_waiting(required, beats)
    for pair in sorted(required, key=lambda pair: (-_most(required[pair], beats[pair[1]]), pair)):
        waits, on = pair
        direct = waiting[waits].pop(on)
        implied = _implied(waiting, waits).get(on)
        if implied is not None and where_after(required[pair], implied).is_empty():
            del kept[pair]
        else:
            waiting[waits][on] = direct
    return kept


def _most(last: Any, beats: Any) -> int:
    """The most beats that are waited for."""
    up_to = greatest(last.range()).apply(Map.lex_ge(beats.get_space()))
    return count(beats.intersect(up_to))


def _by_waiting(required: Pairs, beats: Sequence[Any]) -> dict[int, dict[int, Any]]:
    found: dict[int, dict[int, Any]] = {}
    for (waits, on), last in required.items():
        found.setdefault(waits, {})[on] = rising(last, beats[waits])
    return found


def _implied(waiting: Mapping[int, Mapping[int, Any]], waits: int) -> dict[int, Any]:
    """For whom the beats of `waits` wait in the end: what grows is passed on until nothing does."""
    found = dict(waiting[waits])
    pending = list(found)
    while pending:
        through = pending.pop()
        last = found[through]
        for on, further in waiting.get(through, {}).items():
            if on == waits:
                continue
            implied = last.apply_range(further).coalesce()
            known = found.get(on)
            if known is None or not where_after(implied, known).is_empty():
                found[on] = implied if known is None else later_of(known, implied)
                if not implied.is_empty() and on not in pending:
                    pending.append(on)
    return found
