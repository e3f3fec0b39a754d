"""Requirements of beats: the number of beats of another stream that must go before each beat.

Sources of reads by value-based dataflow, overwrites by cells, all on the beats themselves at
the plan's parameters. `docs/verilog.md` has the rules. In a window
(0025) an overwrite waits for all reads of earlier values, also for those that the program has
behind it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from itertools import combinations
from typing import Any, Protocol

import numpy as np

from hlsmem.core.errors import InputError, Note, Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.dependences.stream_forms import BeatStream
from hlsmem.program.model import Order, Program

# A stream, and the element that a beat of it touches as text.
Touched = tuple[BeatStream, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """Times as single integers that keep their order, and steps of one iteration as well."""

    low: Any = field(compare=False, repr=False)
    radix: Any = field(compare=False, repr=False)
    step_entries: int
    entries: int

    def code(self, times: Any) -> Any:
        """int64 codes of time vectors, shape (beats,); without coordinates of equal times."""
        return self._code(times, self.entries)

    def lane(self, lane: Sequence[tuple[int, int]]) -> int:
        """Offset of a lane in the codes of its beats' times."""
        added = 0
        for entry in range(self.entries):
            added = added * int(self.radix[entry]) + dict(lane).get(entry, 0)
        return added

    def step(self, times: Any) -> Any:
        """Codes of the step a time belongs to, on the scale of the program's order."""
        return self._code(times, self.step_entries)

    def _code(self, times: Any, entries: int) -> Any:
        code = np.zeros(len(times), dtype=np.int64)
        for entry in range(entries):
            code = code * int(self.radix[entry]) + (times[:, entry] - self.low[entry])
        return code


def clock_of(program: Program, streams: Sequence[BeatStream]) -> Clock:
    """The clock of an array's streams."""
    times = np.concatenate([stream.times for stream in streams])
    low, high = times.min(axis=0), times.max(axis=0)
    for operand in (operand for stream in streams for operand in stream.operands):
        for entry, value in operand.lane:
            high[entry] = max(high[entry], value)
    entries = 1 + program.time_dimensions
    stepwise = program.order is Order.ITERATION
    # Fill and drain are row-major in entries of their own; elsewhere the rest is coordinates.
    return Clock(
        low=low,
        radix=high - low + 1,
        step_entries=1 + program.step_dimensions if stepwise else entries,
        entries=entries,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Dependences:
    """Dependences of listed beats. `required[a, b]`: for every beat of a, beats of b that go
    before.

    `wired[m]`, per operand, shape (beats,): the index of the write stream whose value comes by
    wire in the same step, or -1. `wire_beat` is the beat of that stream, `wire_operand` which
    of its operands. `stored[s]` says which written values go to their cell. `operands[a, b]`:
    of the read stream among the two, the operand that most often asks for most.
    """

    required: Mapping[tuple[int, int], Any]
    operands: Mapping[tuple[int, int], int]
    wired: Mapping[int, tuple[Any, ...]]
    wire_beat: Mapping[int, tuple[Any, ...]]
    wire_operand: Mapping[int, tuple[Any, ...]]
    stored: Mapping[int, Any]


class PairFinder(Protocol):
    """Finds what beats of one stream wait for of another; numbers are of streams."""

    readers: list[int]
    writers: list[int]

    def find_sources(self, reader: int) -> None: ...

    def find_last_reads(self, writer: int, reader: int) -> None: ...

    def find_last_writes(self, writer: int, other: int) -> None: ...


def find_in_pairs(finder: PairFinder) -> None:
    """Have all found: reads wait for their sources, writes for what they overwrite."""
    for reader in finder.readers:
        finder.find_sources(reader)
    for writer in finder.writers:
        for reader in finder.readers:
            finder.find_last_reads(writer, reader)
        for other in finder.writers:
            if other != writer:
                finder.find_last_writes(writer, other)


def dependences(
    program: Program, streams: Sequence[BeatStream], *, is_window: bool = False
) -> Dependences:
    """All dependences between the streams of one array.

    Raises InputError where two writes share a step (one write port), with both named.
    """
    finder = _Finder(program, streams, is_window)
    find_in_pairs(finder)
    finder.refuse_shared_steps(program)
    return Dependences(
        required={pair: count for pair, count in finder.required.items() if count.any()},
        operands=finder.operands,
        wired=finder.wired,
        wire_beat=finder.wire_beat,
        wire_operand=finder.wire_operand,
        stored=finder.stored,
    )


class _Finder:
    """Collects what beats wait for, pair of streams by pair of streams."""

    def __init__(self, program: Program, streams: Sequence[BeatStream], is_window: bool) -> None:
        clock = self.clock = clock_of(program, streams)
        self.program, self.streams, self.is_window = program, streams, is_window
        self.stepwise = program.order is Order.ITERATION
        self.codes = [clock.code(stream.times) for stream in streams]
        self.steps = [clock.step(stream.times) for stream in streams]
        self.writers = [k for k, stream in enumerate(streams) if stream.is_write]
        self.readers = [k for k, stream in enumerate(streams) if not stream.is_write]
        self.elements = _ElementCodes(streams)
        self.history = _WriteHistory(streams, self.writers, self.code, self.elements)
        self.required: dict[tuple[int, int], Any] = {}
        self.operands: dict[tuple[int, int], int] = {}
        self.wired: dict[int, tuple[Any, ...]] = {}
        self.wire_beat: dict[int, tuple[Any, ...]] = {}
        self.wire_operand: dict[int, tuple[Any, ...]] = {}
        self.stored = {w: np.full(streams[w].beats, not self.stepwise) for w in self.writers}
        self.sources: dict[int, list[Any]] = {}  # by reader and operand: when it was written

    def code(self, stream: int, operand: int) -> Any:
        """The codes of the instances that make an operand, one a beat."""
        return self.codes[stream] + self.clock.lane(self.streams[stream].operands[operand].lane)

    def find_sources(self, reader: int) -> None:
        """The write every operand sees: it goes before, or comes by wire in the same step."""
        wired, beats, operands = [], [], []
        self.sources[reader] = []
        for k, operand in enumerate(self.streams[reader].operands):
            element = self.elements.of(reader, k)
            writer, beat, place = self.history.source(element, self.code(reader, k))
            _refuse_unwritten(self.streams[reader], k, operand.taken & (writer < 0))
            self.sources[reader].append(self.written_at(writer, beat))
            by_wire = np.full(len(writer), -1)
            for w in self.writers:
                mine = operand.taken & (writer == w)
                step = self.steps[w][np.where(mine, beat, 0)]
                same = mine & (step == self.steps[reader]) & self.stepwise
                self.refuse_recurrence(reader, k, w, same)
                by_wire[same] = w
                self.stored[w][beat[mine & ~same]] = True
                self.require(reader, w, np.where(mine & ~same, beat + 1, 0), k)
            wired.append(by_wire)
            beats.append(beat)
            operands.append(place)
        self.wire_operand[reader] = tuple(operands)
        self.wired[reader], self.wire_beat[reader] = tuple(wired), tuple(beats)

    def written_at(self, writer: Any, beat: Any) -> Any:
        """The codes of the steps of some writes."""
        code = np.zeros(len(beat), dtype=np.int64)
        for w in self.writers:
            code[writer == w] = self.steps[w][beat[writer == w]]
        return code

    def refuse_recurrence(self, reader: int, operand: int, writer: int, same: Any) -> None:
        """Raise InputError where an iteration needs what another one of its step makes."""
        read, written = self.streams[reader], self.streams[writer]
        if same.any() and written.index >= read.index:
            element = read.element_text(operand, int(same.argmax()))
            raise InputError(recurrence(self.program, (read, element), operand, written))

    def find_last_reads(self, writer: int, reader: int) -> None:
        """Reads of a cell go before it is overwritten: all up to the write's own time, in a window
        all of what was written before it."""
        cells = self.streams[writer].operands[0].cells
        pairs = zip(self.streams[reader].operands, self.wired[reader], strict=True)
        for k, (operand, by_wire) in enumerate(pairs):
            kept = operand.taken & (by_wire < 0)
            moments = self.sources[reader][k] if self.is_window else self.steps[reader]
            seen = _last_before(
                operand.cells[kept],
                moments[kept],
                np.flatnonzero(kept) + 1,
                cells,
                self.steps[writer],
                at_same_time=not self.is_window,
            )
            self.require(writer, reader, np.where(self.stored[writer], seen, 0), k)

    def find_last_writes(self, writer: int, other: int) -> None:
        """Earlier writes of a cell go before later ones, whoever makes them."""
        kept = self.stored[other]
        seen = _last_before(
            self.streams[other].operands[0].cells[kept],
            self.codes[other][kept],
            np.flatnonzero(kept) + 1,
            self.streams[writer].operands[0].cells,
            self.codes[writer],
            at_same_time=self.streams[other].index < self.streams[writer].index,
        )
        self.require(writer, other, np.where(self.stored[writer], seen, 0))

    def refuse_shared_steps(self, program: Program) -> None:
        """Raise InputError where two write streams store values in one step: one write port."""
        problems = []
        for one, other in combinations(self.writers, 2):
            mine = np.where(self.stored[one], self.steps[one], -1)
            theirs = np.where(self.stored[other], self.steps[other], -2)
            shared, beats, others = np.intersect1d(mine, theirs, return_indices=True)
            if shared.size:
                first, second = (one, int(beats[0])), (other, int(others[0]))
                problems.append(self.shared_step(program, first, second))
        if problems:
            raise InputError(*problems)

    def shared_step(
        self, program: Program, one: tuple[int, int], other: tuple[int, int]
    ) -> Problem:
        """The problem of two beats (stream, beat) that are stored in one step."""
        first, second = (self.streams[stream] for stream, _ in (one, other))
        entries = program.step_dimensions if self.stepwise else program.time_dimensions
        return shared_step(
            program,
            (first, first.element_text(0, one[1])),
            (second, second.element_text(0, other[1])),
            first.times[one[1], 1 : 1 + entries].tolist(),
            same_time=bool(self.codes[one[0]][one[1]] == self.codes[other[0]][other[1]]),
        )

    def require(self, waits: int, on: int, count: Any, operand: int = 0) -> None:
        """Add what one operand requires; the one with more in most beats is kept by name."""
        present = self.required.get((waits, on))
        if present is None:
            self.required[waits, on], self.operands[waits, on] = count, operand
            return
        if (count > present).sum() > (present > count).sum():
            self.operands[waits, on] = operand
        self.required[waits, on] = np.maximum(present, count)


def _refuse_unwritten(stream: BeatStream, operand: int, unwritten: Any) -> None:
    if unwritten.any():
        element = stream.element_text(operand, int(unwritten.argmax()))
        raise InputError(nothing_written((stream, element), operand))


class _ElementCodes:
    """Elements of all operands of an array as single integers."""

    def __init__(self, streams: Sequence[BeatStream]) -> None:
        self.streams = streams
        rows = np.concatenate(
            [operand.elements[operand.taken] for s in streams for operand in s.operands]
        )
        self.low = rows.min(axis=0) if rows.size else np.zeros(rows.shape[1], np.int64)
        self.radix = (rows.max(axis=0) - self.low + 1) if rows.size else self.low + 1

    def of(self, stream: int, operand: int) -> Any:
        """Codes, shape (beats,); -1 where the operand is not taken."""
        found = self.streams[stream].operands[operand]
        code = np.zeros(len(found.elements), dtype=np.int64)
        for column, (low, radix) in enumerate(zip(self.low, self.radix, strict=True)):
            code = code * int(radix) + (found.elements[:, column] - int(low))
        return np.where(found.taken, code, -1)


class _WriteHistory:
    """The last write before a time, and its stream, by element."""

    def __init__(
        self,
        streams: Sequence[BeatStream],
        writers: Sequence[int],
        code: Callable[[int, int], Any],
        elements: _ElementCodes,
    ) -> None:
        made = [(w, k) for w in writers for k in range(len(streams[w].operands))]
        self.element = _joined([elements.of(w, k) for w, k in made])
        self.code = _joined([code(w, k) for w, k in made])
        self.writer = _joined([np.full(streams[w].beats, w) for w, _ in made])
        self.beat = _joined([np.arange(streams[w].beats) for w, _ in made])
        self.operand = _joined([np.full(streams[w].beats, k) for w, k in made])
        order = np.lexsort((self.writer, self.code, self.element))
        for name in ("element", "code", "writer", "beat", "operand"):
            setattr(self, name, getattr(self, name)[order])

    def source(self, element: Any, code: Any) -> tuple[Any, Any, Any]:
        """(stream, beat, operand) of the last write of `element` strictly before `code`.

        The stream is -1 where there is none.
        """
        if not len(self.element):
            nothing = np.zeros(len(element), np.int64)
            return nothing - 1, nothing, nothing
        position = _positions_before(self.element, self.code, element, code)
        found = (position >= 0) & (self.element[position] == element)
        return (
            np.where(found, self.writer[position], -1),
            np.where(found, self.beat[position], 0),
            np.where(found, self.operand[position], 0),
        )


def _positions_before(groups: Any, codes: Any, group: Any, code: Any) -> Any:
    """For each query the last position with (groups, codes) < (group, code); sorted input."""
    scale = int(max(codes.max(), code.max() if len(code) else 0)) + 2
    low = int(min(codes.min(), code.min() if len(code) else 0, 0))
    return np.searchsorted(groups * scale + codes - low, group * scale + code - low, "left") - 1


def _joined(parts: Sequence[Any]) -> Any:
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)


def _last_before(
    cells: Any, codes: Any, counts: Any, cell: Any, code: Any, *, at_same_time: bool
) -> Any:
    """For each query (cell, code) the greatest count among events of the cell before it.

    Events are (cells, codes, counts); 0 where there is none.
    """
    if not len(cells):
        return np.zeros(len(cell), dtype=np.int64)
    order = np.lexsort((codes, cells))
    cells, codes = cells[order], codes[order]
    # The greatest up to each event: within a cell counts need not grow with codes.
    counts = np.maximum.accumulate(counts[order] + cells * (counts.max() + 1)) % (counts.max() + 1)
    bound = code + 1 if at_same_time else code
    position = _positions_before(cells, codes, cell, bound)
    found = (position >= 0) & (cells[position] == cell)
    return np.where(found, counts[position], 0)


def nothing_written(read: Touched, operand: int) -> Problem:
    """An operand reads what has no value yet."""
    stream, element = read
    return Problem(
        f"{stream.statement} reads {element}, which nothing wrote before",
        "add it to live_in or write it first",
        stream.operands[operand].source_location,
    )


def recurrence(program: Program, read: Touched, operand: int, written: BeatStream) -> Problem:
    """An iteration needs what an iteration before it makes, which is in the same step."""
    stream, element = read
    steps, remedy = (
        "several iterations in a step",
        "set pipeline.level to one that tells them apart",
    )
    if program.unroll:
        steps, remedy = "unrolled", "unroll another loop or none"
    what = (
        f"{steps}, {stream.statement} reads {element} in the step in which"
        f" {written.statement} makes it, in an iteration before"
    )
    return Problem(what, remedy, stream.operands[operand].source_location)


def shared_step(
    program: Program, one: Touched, other: Touched, time: Sequence[int], *, same_time: bool
) -> Problem:
    """Two write streams store values in one step, at `time`."""
    (first, element), (second, beside) = one, other
    when = "in one step" if program.order is Order.ITERATION else "at one time"
    what = (
        f"{first.statement} writes {element} and {second.statement} writes {beside} {when},"
        f" {list(time)}, but the memory of {first.array!r} has one write port"
    )
    remedy = "give the writes times of their own" if same_time else "use order: sequential"
    note = Note("the other write", second.operands[0].source_location)
    return Problem(what, remedy, first.operands[0].source_location, (note,))
