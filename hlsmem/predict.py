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
from hlsmem.gates.circuit import CompareGate, MemoryCircuit, StreamCircuit, circuits
from hlsmem.plan import Plan
from hlsmem.program import Program

# Registers between the last beat and the fall of busy.
_ENDING_CYCLES = 2
# Beats that a wire between a write and a read stream holds.
_WIRE_SLOTS = 2
# Above this many cycles a beat the prediction says why.
_FULL_INTERVAL = 1.05


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
    reason = machine.reason() if interval > _FULL_INTERVAL else None
    return Prediction(cycles=cycles, interval=interval, reason=reason, streams=streams)


class _Stream:
    """The state of one stream in the play: beats and places of its walk that lie behind."""

    __slots__ = (
        "blocked",
        "circuit",
        "done",
        "first_cycle",
        "gates",
        "gone",
        "is_beat",
        "last_cycle",
        "place",
        "seen",
        "total",
    )

    def __init__(self, circuit: StreamCircuit) -> None:
        self.circuit = circuit
        self.total = circuit.beats
        self.gone = self.place = 0
        self.done = False
        self.seen = (0, 0, False)  # beats, places, done at the start of the cycle
        self.is_beat = None if circuit.places is None else circuit.places.tolist()
        self.first_cycle = self.last_cycle = -1
        self.gates: list[tuple[_Stream, bool, bool, list[int]]] = []
        self.blocked: Counter[str] = Counter()

    def bind(self, streams: Sequence[_Stream]) -> None:
        """Gates as (other, by places or by beats, as at the start of the cycle, limits).

        Within a cycle reads go before writes, and at most one write of a memory goes: only a
        write that may not see the reads of its own cycle has to look back.
        """
        for gate in self.circuit.gates:
            other = streams[gate.other]
            looks_back = self.circuit.is_write and not other.circuit.is_write and not gate.bypass
            self.gates.append(
                (other, isinstance(gate, CompareGate), looks_back, gate.limit.tolist())
            )

    def is_open(self) -> bool:
        """Whether nothing holds the next beat back; counts whom it waits for."""
        beat = self.gone
        for other, by_place, looks_back, limit in self.gates:
            if looks_back:
                gone, place, done = other.seen
            else:
                gone, place, done = other.gone, other.place, other.done
            if not done and (place if by_place else gone) < limit[beat]:
                self.blocked[other.circuit.name] += 1
                return False
        return True

    def go(self, cycle: int) -> None:
        """One beat goes in this cycle."""
        self.gone += 1
        self.place += 1
        if self.first_cycle < 0:
            self.first_cycle = cycle
        if self.gone == self.total:
            self.done, self.last_cycle = True, cycle

    def prediction(self) -> StreamPrediction:
        return StreamPrediction(
            name=self.circuit.name,
            beats=self.total,
            idle=self.circuit.walker.idle,
            first_cycle=self.first_cycle,
            last_cycle=self.last_cycle,
        )


class _Wire:
    """Two slots between a write stream and a read stream; which beats use it."""

    def __init__(self, pushed: list[bool], wired: list[bool]) -> None:
        self.pushed, self.wired = pushed, wired
        self.inside = self.visible = 0

    def has_room(self, beat: int) -> bool:
        return not self.pushed[beat] or self.visible < _WIRE_SLOTS

    def push(self, beat: int) -> None:
        self.inside += self.pushed[beat]

    def is_there(self, beat: int) -> bool:
        return not self.wired[beat] or self.visible > 0

    def take(self, beat: int) -> None:
        self.inside -= self.wired[beat]

    def end_cycle(self) -> None:
        self.visible = self.inside


class _Reader:
    """A read stream with the slots its beats wait in."""

    __slots__ = ("arrived", "latency", "sharers", "stream", "taken", "under_way", "wires")

    def __init__(self, stream: _Stream, latency: int, wires: Sequence[_Wire]) -> None:
        self.stream, self.latency, self.wires = stream, latency, wires
        self.taken = self.arrived = 0
        self.under_way = [0] * (latency - 1)  # beats issued before the last cycles, oldest last
        self.sharers: list[_Reader] = []  # who goes first at the memory copy of a drain

    def is_valid(self) -> bool:
        return self.arrived > self.taken and all(w.is_there(self.taken) for w in self.wires)

    def take(self) -> None:
        for wire in self.wires:
            wire.take(self.taken)
        self.taken += 1

    def end_cycle(self) -> None:
        if self.under_way:
            self.under_way.insert(0, self.stream.gone)
            self.arrived = self.under_way.pop()
        else:
            self.arrived = self.stream.gone


class _Datapath:
    """A statement with read streams: a pipeline that stalls as a whole."""

    __slots__ = ("accepted", "at_end", "complete", "following", "instances", "latency", "stages")

    def __init__(
        self, instances: Sequence[tuple[list[_Reader], list[_Stream]]], latency: int
    ) -> None:
        self.instances, self.latency = instances, latency
        self.stages = [-1] * latency  # the oldest last
        self.following = 0
        self.accepted: list[_Stream] = []  # results of the instance at the end
        self.at_end = -1
        self.complete = False

    def offer(self, offered: set[_Stream]) -> None:
        """Add the write streams that get a beat offered in this cycle."""
        following = self.following
        self.complete = following < len(self.instances)
        if self.complete:
            for reader in self.instances[following][0]:
                if not reader.is_valid():
                    self.complete = False
                    break
        self.at_end = self.stages[-1] if self.latency else (following if self.complete else -1)
        if self.at_end >= 0:
            offered.update(s for s in self.instances[self.at_end][1] if s not in self.accepted)

    def move(self, committed: set[_Stream]) -> bool:
        """Take the next instance unless a result is left; whether anything changed."""
        changed = False
        if self.at_end >= 0:
            wanted = self.instances[self.at_end][1]
            new = [s for s in wanted if s in committed and s not in self.accepted]
            self.accepted += new
            if len(self.accepted) < len(wanted):
                return bool(new)
            changed = True
        if self.latency:
            self.accepted = []
            self.stages.insert(0, self.following if self.complete else -1)
            self.stages.pop()
        elif self.complete:
            self.accepted = []
        if self.complete:
            for reader in self.instances[self.following][0]:
                reader.take()
            self.following += 1
            changed = True
        return changed


class _Machine:
    def __init__(self, memories: Sequence[MemoryCircuit], latency: Mapping[str, int]) -> None:
        self.streams: list[_Stream] = []
        self.readers: list[_Reader] = []
        self.writers: list[list[tuple[_Stream, list[_Wire]]]] = []
        self.wires: list[_Wire] = []
        for memory in memories:
            self.add(memory)
        readers = {reader.stream.circuit.name: reader for reader in self.readers}
        streams = {stream.circuit.name: stream for stream in self.streams}
        self.datapaths: list[_Datapath] = []
        driven: set[str] = set()
        for name, instances in _statements(memories).items():
            ports = [
                ([readers[r] for r in reads], [streams[w] for w in writes])
                for reads, writes in instances
            ]
            self.datapaths.append(_Datapath(ports, latency.get(name, 1)))
            driven.update(w for _, writes in instances for w in writes)
        self.sources: list[_Stream] = []
        for stream in self.streams:
            if stream.circuit.is_fill:  # complete before the start
                stream.gone = stream.total
                stream.place = len(stream.is_beat or ()) or stream.total
                stream.done = True
                stream.seen = (stream.gone, stream.place, True)
            elif stream.circuit.is_write and stream.circuit.name not in driven:
                self.sources.append(stream)
        self.drains = [reader for reader in self.readers if reader.stream.circuit.is_drain]
        self.readers.sort(key=lambda reader: reader.stream.circuit.is_drain)
        self.idling = [stream for stream in self.streams if stream.is_beat is not None]

    def add(self, memory: MemoryCircuit) -> None:
        own = [_Stream(circuit) for circuit in memory.streams]
        for stream in own:
            stream.bind(own)
        wires = [
            _Wire(
                _mask(wire.pushed, memory.streams[wire.writer]),
                _mask(wire.wired, memory.streams[wire.reader]),
            )
            for wire in memory.wires
        ]
        pairs = list(zip(wires, memory.wires, strict=True))
        mine: list[_Reader] = []
        writers: list[tuple[_Stream, list[_Wire]]] = []
        for position, stream in enumerate(own):
            if stream.circuit.is_write:
                writers.append((stream, [w for w, wire in pairs if wire.writer == position]))
                continue
            taken = [w for w, wire in pairs if wire.reader == position]
            mine.append(_Reader(stream, memory.read_latency, taken))
        for reader in mine:
            if reader.stream.circuit.is_drain:
                reader.sharers = [
                    other
                    for other in mine
                    if other is not reader
                    and any(o.copy == 0 for o in other.stream.circuit.operands)
                ]
        writers.sort(key=lambda pair: pair[0].circuit.priority)
        self.streams += own
        self.wires += wires
        self.readers += mine
        self.writers.append(writers)

    def run(self) -> int:
        """Play until everything has gone; the cycle of the last event."""
        patience = 4 + max((datapath.latency for datapath in self.datapaths), default=0)
        cycle = still = 0
        left = [s for s in self.streams if not s.done]
        while True:
            before = [stream.place for stream in self.idling]
            issued = self.issue(cycle)
            offered = {stream for stream in self.sources if not stream.done}
            for datapath in self.datapaths:
                datapath.offer(offered)
            committed = self.commit(cycle, offered)
            moved = bool(issued or committed)
            for datapath in self.datapaths:
                moved = datapath.move(committed) or moved
            for reader in self.drains:
                if reader.is_valid():
                    reader.take()
                    moved = True
            for stream, place in zip(self.idling, before, strict=True):
                if stream.place == place and not stream.done and not stream.is_beat[place]:  # type: ignore[index]
                    stream.place += 1
                    moved = True
            for reader in self.readers:
                reader.end_cycle()
            for wire in self.wires:
                wire.end_cycle()
            for stream in left:
                stream.seen = (stream.gone, stream.place, stream.done)
            if moved:
                still = 0
                if any(stream.done for stream in left):
                    left = [stream for stream in left if not stream.done]
                if not left and all(r.taken == r.stream.total for r in self.readers):
                    return cycle
            else:
                still += 1
                if still > patience:
                    raise self.stuck()
            cycle += 1

    def issue(self, cycle: int) -> set[_Reader]:
        """Reads that go in this cycle; drains come last."""
        issued: set[_Reader] = set()
        for reader in self.readers:
            stream = reader.stream
            if stream.done or stream.gone - reader.taken > reader.latency:
                continue
            if stream.is_beat is not None and not stream.is_beat[stream.place]:
                continue
            if reader.sharers and any(other in issued for other in reader.sharers):
                continue
            if stream.is_open():
                stream.go(cycle)
                issued.add(reader)
        return issued

    def commit(self, cycle: int, offered: set[_Stream]) -> set[_Stream]:
        """Writes that go in this cycle: one a memory."""
        committed: set[_Stream] = set()
        for writers in self.writers:
            for stream, wires in writers:
                if stream not in offered or stream.done:
                    continue
                if stream.is_beat is not None and not stream.is_beat[stream.place]:
                    continue
                if wires and not all(wire.has_room(stream.gone) for wire in wires):
                    continue
                if stream.is_open():
                    for wire in wires:
                        wire.push(stream.gone)
                    stream.go(cycle)
                    committed.add(stream)
                    break
        return committed

    def reason(self) -> str | None:
        """Whom the longest stream that waits waits for most; reads say more than writes."""
        waiting = [stream for stream in self.streams if stream.blocked]
        if not waiting:
            return None
        stream = max(waiting, key=lambda s: (s.total, not s.circuit.is_write))
        other, cycles = stream.blocked.most_common(1)[0]
        return f"{stream.circuit.name} waits for {other} in {cycles} cycles"

    def stuck(self) -> LimitError:
        left = [
            f"{s.circuit.name} at beat {s.gone} of {s.total}" for s in self.streams if not s.done
        ]
        what = f"the streams wait for each other: {', '.join(left)}"
        return LimitError(Problem(what, "report this plan: it is not your design's fault"))


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
