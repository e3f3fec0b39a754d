"""The beats every stream must have, listed instance by instance: the oracle of `traffic`.

All instances are listed in schedule order and run over one word per element. Values come from a
recorded run of the original; where it has none (an arrival nobody reads) they are made up.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any

from hlsmem.check.replayed.run_events import Run
from hlsmem.check.rtl.simulated_device import READ, WRITE
from hlsmem.polyhedra.enumeration import distinct_points
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.program.model import Access, Order, Program, Statement, Storage

Element = tuple[int, ...]
Key = tuple[Any, ...]

_BEFORE, _DURING, _AFTER = -1, 0, 1


@dataclass(frozen=True, slots=True)
class Operand:
    """One element in a beat; `version` numbers the write whose value it is (-1: live-in).

    `step` is the step that write is made in (None: before the program).
    """

    element: Element
    bits: int
    version: int
    step: Element | None = None


@dataclass(frozen=True, slots=True)
class Beat:
    """One beat: operands in textual order (None: not there), and its place in the schedule.

    `key` orders the beats of all streams as the program's own order does, reads before writes.
    `step` is its step where steps are atomic: a value made in it may come by a wire.
    """

    instance: Element
    operands: tuple[Operand | None, ...]
    key: Key
    step: Element | None = None

    def may_be_wired(self, operand: Operand) -> bool:
        return self.step is not None and operand.step == self.step


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamBeats:
    """A stream with its beats; `statement` is None for the fill and the drain of a memory."""

    name: str
    array: str
    statement: str | None
    direction: str
    beats: list[Beat] = field(default_factory=list)

    def place_of(self, beat: int) -> str:
        """What a beat is, for people: its number and its statement instance or element."""
        if not 0 <= beat < len(self.beats):
            return f"beat {beat}"
        if self.statement is None:
            return f"beat {beat}"
        instance = ",".join(str(value) for value in self.beats[beat].instance)
        return f"beat {beat} ({self.statement}[{instance}])"


@dataclass(frozen=True, slots=True)
class Traffic:
    """All streams, the instances of each statement in order, and where the run disagrees.

    `instances` are per statement the streams each of its instances has beats on.
    """

    streams: Mapping[str, StreamBeats]
    instances: Mapping[str, list[tuple[str, ...]]]
    disagreement: str | None


def traffic(program: Program, run: Run | None) -> Traffic:
    """The beats of all streams of `program`, with the values of `run`."""
    return _Walk(program, _Recorded(program, run)).traffic()


@dataclass(frozen=True, slots=True)
class _Instance:
    """One instance with the elements it touches: (access number, element)."""

    statement: Statement
    point: Element
    time: Element
    reads: tuple[tuple[int, Element], ...]
    writes: tuple[tuple[int, Element], ...]


class _Recorded:
    """Values of a run: what each instance reads and writes, what elements hold at first."""

    def __init__(self, program: Program, run: Run | None) -> None:
        self.has_run = run is not None
        self.reads: dict[tuple[str, Element, str], list[tuple[Element, int]]] = {}
        self.written: dict[tuple[str, Element, str], int] = {}
        self.initial: dict[tuple[str, Element], int] = {}
        if run is None:
            return
        names = [run.instance_name(number) for number in range(len(run.statement))]
        for array, accesses in run.accesses.items():
            mask = (1 << program.arrays[array].element.bits) - 1
            seen: set[Element] = set()
            columns = zip(
                accesses.instance.tolist(),
                accesses.write.tolist(),
                map(tuple, accesses.element.tolist()),
                accesses.bits.tolist(),
                strict=True,
            )
            for number, write, element, bits in columns:
                key = (*names[number], array)
                if write:
                    self.written[key] = bits & mask
                else:
                    self.reads.setdefault(key, []).append((element, bits & mask))
                    if element not in seen:
                        self.initial[array, element] = bits & mask
                seen.add(element)


class _Walk:
    """Runs all instances over unfolded memory and collects the beats."""

    def __init__(self, program: Program, recorded: _Recorded) -> None:
        self.program = program
        self.recorded = recorded
        self.planned = {array.name for array in program.planned_arrays()}
        self.memory: dict[tuple[str, Element], Operand] = {}
        self.versions = 0
        self.streams: dict[str, StreamBeats] = {}
        self.instances: dict[str, list[tuple[str, ...]]] = {}
        self.filled: dict[str, set[Element]] = {}
        self.disagreement: str | None = None

    def traffic(self) -> Traffic:
        textual = {statement.name: n for n, statement in enumerate(self.program.statements)}
        instances = sorted(
            _instances(self.program, self.planned),
            key=lambda one: (one.time, textual[one.statement.name], one.point),
        )
        for _, together in groupby(instances, key=lambda one: one.time):
            group = list(together)
            beats = [self.read(one) for one in group]
            for one, streams in zip(group, beats, strict=True):
                streams += self.write(one)
                if streams:
                    self.instances.setdefault(one.statement.name, []).append(tuple(streams))
        if self.program.lanes:
            self.put_side_by_side(instances)
        self.drain()
        self.fill()
        return Traffic(self.streams, self.instances, self.disagreement)

    def put_side_by_side(self, instances: list[_Instance]) -> None:
        """Make one beat of the instances of a statement that differ in their lanes alone."""
        first = self.program.step_dimensions
        lanes = range(first, first + len(self.program.lanes))
        present: dict[str, set[Element]] = {}
        for one in instances:
            lane = tuple(one.time[entry] for entry in lanes)
            present.setdefault(one.statement.name, set()).add(lane)
        together: dict[str, dict[Element, list[str]]] = {}
        for name, stream in self.streams.items():
            if stream.statement is None:
                continue
            groups: dict[Element, dict[Element, Beat]] = {}
            for beat in stream.beats:
                time = beat.key[-2]
                lane = tuple(time[entry] for entry in lanes)
                rest = tuple(value for entry, value in enumerate(time) if entry not in lanes)
                groups.setdefault(rest, {})[lane] = beat
            order = sorted(present[stream.statement])
            stream.beats[:] = [_wide(groups[rest], order) for rest in sorted(groups)]
            for rest in groups:
                together.setdefault(stream.statement, {}).setdefault(rest, []).append(name)
        self.instances = {
            statement: [tuple(names) for _, names in sorted(found.items())]
            for statement, found in together.items()
        }

    def key(self, one: _Instance, rank: int) -> Key:
        """Where a read (rank 0) or write (1) stands in the program's own order."""
        if self.program.order is Order.SEQUENTIAL:
            return (_DURING, one.time, rank, one.point)
        step = one.time[: self.program.step_dimensions]
        return (_DURING, step, rank, one.time, one.point)

    def step(self, one: _Instance) -> Element | None:
        if self.program.order is Order.SEQUENTIAL:
            return None
        return one.time[: self.program.step_dimensions]

    def read(self, one: _Instance) -> list[str]:
        """Collect the read beats of an instance; the names of their streams."""
        found = []
        for array in _arrays_of(one.statement.reads, self.planned):
            there = dict(one.reads)
            numbers = [n for n, a in enumerate(one.statement.reads) if a.array == array]
            operands = tuple(
                self.value(array, there[number]) if number in there else None for number in numbers
            )
            if any(operands):
                self.compare(one, array, operands)
                beat = Beat(one.point, operands, self.key(one, 0), self.step(one))
                found.append(self.add(READ, array, one.statement.name, beat))
        return found

    def write(self, one: _Instance) -> list[str]:
        found = []
        for number, element in one.writes:
            array = one.statement.writes[number].array
            bits = self.result(one, array, element)
            operand = Operand(element, bits, self.versions, self.step(one))
            self.versions += 1
            self.memory[array, element] = operand
            beat = Beat(one.point, (operand,), self.key(one, 1))
            found.append(self.add(WRITE, array, one.statement.name, beat))
        return found

    def result(self, one: _Instance, array: str, element: Element) -> int:
        """The value an instance writes."""
        key = (one.statement.name, one.point, array)
        if key in self.recorded.written:
            return self.recorded.written[key]
        if not one.statement.reads and (array, element) in self.recorded.initial:
            return self.recorded.initial[array, element]  # an arrival
        return self.made_up(array, key)

    def value(self, array: str, element: Element) -> Operand:
        """What an element holds; one that nothing wrote is live-in."""
        key = (array, element)
        if key not in self.memory:
            bits = self.recorded.initial.get(key)
            bits = self.made_up(array, key) if bits is None else bits
            self.memory[key] = Operand(element, bits, -1)
            self.filled.setdefault(array, set()).add(element)
        return self.memory[key]

    def made_up(self, array: str, key: object) -> int:
        digest = hashlib.blake2b(repr(key).encode(), digest_size=8).digest()
        return int.from_bytes(digest, "little") & (1 << self.bits(array)) - 1

    def bits(self, array: str) -> int:
        return self.program.arrays[array].element.bits

    def compare(self, one: _Instance, array: str, operands: tuple[Operand | None, ...]) -> None:
        """What the recorded run read must be there; else the schedule is not the program's.

        There may be more: C leaves out what a condition, `&&` or `||` makes needless, a beat
        brings all operands.
        """
        recorded = self.recorded.reads.get((one.statement.name, one.point, array))
        if self.disagreement or recorded is None:
            return
        mine = Counter((o.element, o.bits) for o in operands if o)
        if Counter(recorded) - mine:
            point = ",".join(map(str, one.point))
            self.disagreement = (
                f"{one.statement.name}[{point}] reads {sorted(recorded)} of {array} in the "
                f"original, {sorted(mine.elements())} in schedule order"
            )

    def drain(self) -> None:
        for array in self.memories():
            for element in _elements(self.program.live_out, array, self.program.values):
                beat = Beat(element, (self.value(array, element),), (_AFTER, element))
                self.add(READ, array, None, beat)

    def fill(self) -> None:
        """The first contents of the elements that are read, or leave, as they came."""
        for array in self.memories():
            for element in sorted(self.filled.get(array, ())):
                bits = self.recorded.initial.get((array, element))
                bits = self.made_up(array, (array, element)) if bits is None else bits
                beat = Beat(element, (Operand(element, bits, -1),), (_BEFORE, element))
                self.add(WRITE, array, None, beat)

    def memories(self) -> Iterator[str]:
        for array in self.program.planned_arrays():
            if array.storage is Storage.MEMORY:
                yield array.name

    def add(self, direction: str, array: str, statement: str | None, beat: Beat) -> str:
        side, edge = ("s", "fill") if direction == WRITE else ("m", "drain")
        name = f"{side}_{array}_{edge if statement is None else statement}"
        if name not in self.streams:
            self.streams[name] = StreamBeats(
                name=name, array=array, statement=statement, direction=direction
            )
        self.streams[name].beats.append(beat)
        return name


def _wide(beats: Mapping[Element, Beat], lanes: list[Element]) -> Beat:
    """The beats of some of the lanes as one, with the operands of all lanes in order."""
    first = beats[min(beats)]
    nothing = (None,) * len(first.operands)
    operands = [beats[lane].operands if lane in beats else nothing for lane in lanes]
    return replace(first, operands=tuple(operand for own in operands for operand in own))


def _arrays_of(accesses: tuple[Access, ...], planned: set[str]) -> list[str]:
    return list(dict.fromkeys(a.array for a in accesses if a.array in planned))


def _instances(program: Program, planned: set[str]) -> Iterator[_Instance]:
    for statement in program.statements:
        domain = fix_parameters(statement.domain, program.values)
        schedule = fix_parameters(statement.schedule, program.values).intersect_domain(domain)
        times = _table(schedule)
        reads = _touched(statement.reads, domain, program, planned)
        writes = _touched(statement.writes, domain, program, planned)
        for point, time in times.items():
            yield _Instance(
                statement, point, time, tuple(reads.get(point, ())), tuple(writes.get(point, ()))
            )


def _touched(
    accesses: tuple[Access, ...], domain: Any, program: Program, planned: set[str]
) -> dict[Element, list[tuple[int, Element]]]:
    """Per instance the accesses it makes, in textual order: (number, element)."""
    found: dict[Element, list[tuple[int, Element]]] = {}
    for number, access in enumerate(accesses):
        if access.array not in planned:
            continue
        relation = fix_parameters(access.relation, program.values).intersect_domain(domain)
        for point, element in _table(relation).items():
            found.setdefault(point, []).append((number, element))
    return found


def _table(relation: Any) -> dict[Element, Element]:
    """A single-valued map as a dictionary."""
    size = relation.domain_tuple_dim()
    rows = distinct_points(relation).tolist()
    return {tuple(row[:size]): tuple(row[size:]) for row in rows}


def _elements(union: Any, array: str, values: Mapping[str, int]) -> list[Element]:
    """The elements of `array` in a union of sets, row-major."""
    found: set[Element] = set()
    sets: list[Any] = []
    fix_parameters(union, values).foreach_set(sets.append)
    for one in sets:
        if one.get_tuple_name() == array:
            found |= {tuple(row) for row in distinct_points(one).tolist()}
    return sorted(found)
