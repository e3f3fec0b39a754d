"""Cycles of a run without stalls: the generated circuit, played cycle by cycle.

The model is that of `docs/decisions/0003-elastic-buffers.md`; simulation must give the same
number. It knows beats and gates, no data.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hlsmem.errors import LimitError, Problem
from hlsmem.gates.circuit import MemoryCircuit, StreamCircuit, circuits
from hlsmem.plan import Plan
from hlsmem.program import Program

# Registers between the last beat and the fall of busy.
_ENDING_CYCLES = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamPrediction:
    """Beats of a stream, its idle visits, and the cycles of its first and last beat."""

    name: str
    beats: int
    idle: int
    first_cycle: int
    last_cycle: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """`cycles` with busy; `interval` is cycles per beat of the longest stream.

    `reason` says in one line what most often held beats back, None where the longest stream
    has a beat in nearly every cycle.
    """

    cycles: int
    interval: float
    reason: str | None
    streams: tuple[StreamPrediction, ...]


def predict(program: Program, plan: Plan) -> Prediction:
    """The prediction for a plan, with the latencies of the program's statements."""
    return predict_circuits(circuits(program, plan), latencies(program))


def latencies(program: Program) -> dict[str, int]:
    """Cycles of every statement's datapath."""
    return {statement.name: statement.latency for statement in program.statements}


def predict_circuits(memories: Sequence[MemoryCircuit], latency: Mapping[str, int]) -> Prediction:
    """The prediction for circuits that run together, with datapaths of these latencies.

    Raises LimitError if nothing moves: a defect of the plan, the blocked streams are named.
    """
    machine = _Machine(memories, latency)
    cycles = machine.run() + _ENDING_CYCLES
    streams = tuple(stream.prediction() for stream in machine.streams)
    longest = max((s.beats + s.idle for s in streams), default=0)
    interval = round(cycles / max(1, longest), 2)
    reason = machine.reason() if interval > 1.05 else None
    return Prediction(cycles=cycles, interval=interval, reason=reason, streams=streams)


class _Stream:
    """The state of one stream in the play."""

    __slots__ = (
        "beat_places",
        "circuit",
        "done",
        "first_cycle",
        "gates",
        "gone",
        "idle",
        "last_cycle",
        "on_beat",
        "place",
        "places",
        "seen_done",
        "seen_gone",
        "seen_place",
        "total",
    )

    def __init__(self, circuit: StreamCircuit) -> None:
        self.circuit = circuit
        self.total = circuit.beats
        self.gone = self.place = 0
        self.idle = 0
        self.done = False
        self.seen_gone = self.seen_place = 0
        self.seen_done = False
        self.beat_places = None if circuit.places is None else circuit.places.tolist()
        self.places = circuit.beats if circuit.places is None else len(circuit.places)
        self.first_cycle = self.last_cycle = -1
        self.gates: list[tuple[_Stream, bool, bool, list[int]]] = []
        self.on_beat = True

    def bind(self, streams: Sequence[_Stream]) -> None:
        """Gates as (other, by places or by beats, bypass, limits)."""
        self.gates = [
            (streams[g.other], hasattr(g, "vectors"), g.bypass, g.limit.tolist())
            for g in self.circuit.gates
        ]

    def blocking(self) -> _Stream | None:
        """The stream a beat waits for now, None if all gates are open."""
        beat = self.gone
        for other, by_place, bypass, limit in self.gates:
            if bypass:
                if other.done or (other.place if by_place else other.gone) >= limit[beat]:
                    continue
            elif other.seen_done or (
                (other.seen_place if by_place else other.seen_gone) >= limit[beat]
            ):
                continue
            return other
        return None

    def go(self, cycle: int) -> None:
        """One beat goes in this cycle."""
        self.gone += 1
        self.place += 1
        if self.first_cycle < 0:
            self.first_cycle = cycle
        if self.gone == self.total:
            self.done, self.last_cycle = True, cycle

    def begin_cycle(self) -> None:
        self.seen_gone, self.seen_place, self.seen_done = self.gone, self.place, self.done

    def is_on_beat(self) -> bool:
        if self.done:
            return False
        return self.beat_places is None or self.beat_places[self.place]

    def prediction(self) -> StreamPrediction:
        return StreamPrediction(
            name=self.circuit.name,
            beats=self.total,
            idle=self.circuit.walker.idle,
            first_cycle=self.first_cycle,
            last_cycle=self.last_cycle,
        )


class _Reader:
    """A read stream with the slots its beats wait in."""

    def __init__(self, stream: _Stream, latency: int, wires: Sequence[_Wire]) -> None:
        self.stream = stream
        self.latency = latency
        self.issued: list[int] = []  # totals at the ends of the last cycles, newest first
        self.taken = 0
        self.seen_taken = 0
        self.wires = wires
        self.history = [0] * latency

    @property
    def has_room(self) -> bool:
        return self.stream.seen_gone - self.seen_taken <= self.latency

    @property
    def is_valid(self) -> bool:
        if self.history[-1] <= self.taken:
            return False
        return all(wire.is_there(self.taken) for wire in self.wires)

    def take(self) -> None:
        for wire in self.wires:
            wire.take(self.taken)
        self.taken += 1

    def end_cycle(self) -> None:
        self.history = [self.stream.gone, *self.history[:-1]]
        self.seen_taken = self.taken


class _Wire:
    """Two slots between a write stream and a read stream; which beats use it."""

    def __init__(self, pushed: list[bool], wired: list[bool]) -> None:
        self.pushed, self.wired = pushed, wired
        self.inside = self.visible = self.seen_inside = 0

    def has_room(self, beat: int) -> bool:
        return not self.pushed[beat] or self.seen_inside < 2

    def push(self, beat: int) -> None:
        self.inside += self.pushed[beat]

    def is_there(self, beat: int) -> bool:
        return not self.wired[beat] or self.visible > 0

    def take(self, beat: int) -> None:
        if self.wired[beat]:
            self.inside -= 1
            self.visible -= 1

    def end_cycle(self) -> None:
        self.visible = self.seen_inside = self.inside


class _Datapath:
    """A statement with read streams: a pipeline that stalls as a whole."""

    def __init__(
        self, instances: Sequence[tuple[list[_Reader], list[_Stream]]], latency: int
    ) -> None:
        self.instances = instances
        self.latency = latency
        self.stages = [-1] * latency
        self.following = 0
        self.accepted: list[_Stream] = []
        self.at_end = -1
        self.complete = False

    def offer(self) -> list[_Stream]:
        """The write streams that get a beat offered in this cycle."""
        self.complete = self.following < len(self.instances) and all(
            reader.is_valid for reader in self.instances[self.following][0]
        )
        if self.latency:
            self.at_end = self.stages[-1]
        else:
            self.at_end = self.following if self.complete else -1
        if self.at_end < 0:
            return []
        return [s for s in self.instances[self.at_end][1] if s not in self.accepted]

    def move(self) -> None:
        """After this cycle's commits: take the next instance unless a result is left."""
        if self.at_end >= 0 and len(self.accepted) < len(self.instances[self.at_end][1]):
            return
        taken = self.following if self.complete else -1
        if self.latency:
            self.accepted = []
            self.stages = [taken, *self.stages[:-1]]
        elif self.complete:
            self.accepted = []
        if taken >= 0:
            self.following += 1
            for reader in self.instances[taken][0]:
                reader.take()


class _Machine:
    def __init__(self, memories: Sequence[MemoryCircuit], latency: Mapping[str, int]) -> None:
        self.streams: list[_Stream] = []
        self.readers: list[_Reader] = []
        self.drains: list[tuple[_Reader, list[_Reader]]] = []
        self.writers: list[list[_Stream]] = []
        self.wires: list[_Wire] = []
        self.pushes: dict[int, list[_Wire]] = {}
        self.blocked: Counter[tuple[str, str]] = Counter()
        by_name: dict[str, _Reader] = {}
        for memory in memories:
            own = [_Stream(circuit) for circuit in memory.streams]
            for stream in own:
                stream.bind(own)
            self.add(memory, own, by_name)
        statements = _statements(memories)
        found = {stream.circuit.name: stream for stream in self.streams}
        self.datapaths: list[_Datapath] = []
        driven: set[str] = set()
        for name, instances in statements.items():
            self.datapaths.append(
                _Datapath(
                    [
                        ([by_name[r] for r in reads], [found[w] for w in writes])
                        for reads, writes in instances
                    ],
                    latency.get(name, 1),
                )
            )
            driven.update(w for _, writes in instances for w in writes)
        self.sources = [
            s
            for s in self.streams
            if s.circuit.is_write and s.circuit.name not in driven and not s.circuit.is_fill
        ]
        for stream in self.streams:
            if stream.circuit.is_fill:
                stream.gone, stream.place, stream.done = stream.total, stream.places, True
                stream.first_cycle = stream.last_cycle = -1

    def add(self, memory: MemoryCircuit, own: list[_Stream], by_name: dict[str, _Reader]) -> None:
        wires = [
            _Wire(
                _mask(wire.pushed, memory.streams[wire.writer]),
                _mask(wire.wired, memory.streams[wire.reader]),
            )
            for wire in memory.wires
        ]
        self.wires += wires
        mine: list[_Reader] = []
        for position, stream in enumerate(own):
            self.streams.append(stream)
            if stream.circuit.is_write:
                self.pushes[id(stream)] = [
                    w
                    for w, wire in zip(wires, memory.wires, strict=True)
                    if wire.writer == position
                ]
                continue
            reader = _Reader(
                stream,
                memory.read_latency,
                [w for w, wire in zip(wires, memory.wires, strict=True) if wire.reader == position],
            )
            by_name[stream.circuit.name] = reader
            self.readers.append(reader)
            mine.append(reader)
        for reader in mine:
            if reader.stream.circuit.is_drain:
                shared = [
                    other
                    for other in mine
                    if other is not reader
                    and any(o.copy == 0 for o in other.stream.circuit.operands)
                ]
                self.drains.append((reader, shared))
        writers = [stream for stream in own if stream.circuit.is_write]
        self.writers.append(sorted(writers, key=lambda stream: stream.circuit.priority))

    def run(self) -> int:
        """The cycle of the last event."""
        streams, readers = self.streams, self.readers
        drains = {id(reader): shared for reader, shared in self.drains}
        cycle, still, last = 0, 0, -1
        while True:
            for stream in streams:
                stream.begin_cycle()
            moved = self.issue(cycle, drains)
            offered: set[int] = set()
            for datapath in self.datapaths:
                offered.update(id(stream) for stream in datapath.offer())
            offered.update(id(stream) for stream in self.sources if not stream.done)
            committed = self.commit(cycle, offered)
            moved = moved or bool(committed)
            moved = self.consume(committed) or moved
            for stream in streams:
                if (
                    not stream.done
                    and not stream.is_on_beat()
                    and (stream.place == stream.seen_place)
                ):
                    stream.place += 1
                    moved = True
            for reader in readers:
                reader.end_cycle()
            for wire in self.wires:
                wire.end_cycle()
            if moved:
                last, still = cycle, 0
            else:
                still += 1
            if all(s.done for s in streams) and all(r.taken == r.stream.total for r in readers):
                return last
            if still > 4 + max((d.latency for d in self.datapaths), default=0):
                raise self.stuck()
            cycle += 1

    def issue(self, cycle: int, drains: Mapping[int, list[_Reader]]) -> bool:
        issued: set[int] = set()
        for reader in sorted(self.readers, key=lambda reader: id(reader) in drains):
            stream = reader.stream
            if not stream.is_on_beat() or not reader.has_room:
                continue
            if any(id(other) in issued for other in drains.get(id(reader), ())):
                continue
            other = stream.blocking()
            if other is not None:
                self.blocked[stream.circuit.name, other.circuit.name] += 1
                continue
            stream.go(cycle)
            issued.add(id(reader))
        return bool(issued)

    def commit(self, cycle: int, offered: set[int]) -> set[int]:
        committed: set[int] = set()
        for writers in self.writers:
            for stream in writers:
                if id(stream) not in offered or not stream.is_on_beat():
                    continue
                wires = self.pushes[id(stream)]
                if not all(wire.has_room(stream.gone) for wire in wires):
                    continue
                other = stream.blocking()
                if other is not None:
                    self.blocked[stream.circuit.name, other.circuit.name] += 1
                    continue
                for wire in wires:
                    wire.push(stream.gone)
                stream.go(cycle)
                committed.add(id(stream))
                break
        return committed

    def consume(self, committed: set[int]) -> bool:
        before = sum(reader.taken for reader in self.readers)
        for datapath in self.datapaths:
            if datapath.at_end >= 0:
                datapath.accepted += [
                    s
                    for s in datapath.instances[datapath.at_end][1]
                    if id(s) in committed and s not in datapath.accepted
                ]
            datapath.move()
        for reader, _ in self.drains:
            if reader.is_valid:
                reader.take()
        return sum(reader.taken for reader in self.readers) != before

    def reason(self) -> str | None:
        if not self.blocked:
            return None
        (waiting, other), cycles = self.blocked.most_common(1)[0]
        return f"{waiting} waits for {other} in {cycles} cycles"

    def stuck(self) -> LimitError:
        left = [
            f"{s.circuit.name} at beat {s.gone} of {s.total}" for s in self.streams if not s.done
        ]
        return LimitError(Problem(f"the streams wait for each other: {', '.join(left)}", ""))


def _mask(condition: Any, stream: StreamCircuit) -> list[bool]:
    from hlsmem.walk.affine import holds_at

    points = stream.points
    mask = np.broadcast_to(np.asarray(holds_at(condition, points.T)), (len(points),))
    return [bool(one) for one in mask]


def _statements(
    memories: Sequence[MemoryCircuit],
) -> dict[str, list[tuple[list[str], list[str]]]]:
    """For every statement with read streams, its instances: streams read, streams written."""
    streams = [s for memory in memories for s in memory.streams if not (s.is_fill or s.is_drain)]
    result: dict[str, list[tuple[list[str], list[str]]]] = {}
    for name in dict.fromkeys(s.statement for s in streams if not s.is_write):
        own = [s for s in streams if s.statement == name]
        rows, places = np.unique(
            np.concatenate([s.instances for s in own]), axis=0, return_inverse=True
        )
        instances: list[tuple[list[str], list[str]]] = [([], []) for _ in range(len(rows))]
        for s, where in zip(
            own, np.split(places.ravel(), np.cumsum([s.beats for s in own])[:-1]), strict=True
        ):
            for place in where.tolist():
                instances[place][int(s.is_write)].append(s.name)
        result[name] = instances
    return result
