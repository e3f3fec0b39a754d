"""Models of a prediction: streams, the slots of readers, wires, and the user's datapaths.

Each kind of storage brings streams, readers and writers of its own. Objects change as the
simulation goes on; none of them outlives it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from enum import Enum
from typing import TYPE_CHECKING, Any

import numpy as np

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.dependences.circuit_streams import PlainStream
from hlsmem.dependences.earliest_release import CompareGate

if TYPE_CHECKING:
    from hlsmem.cycle_model.branch_simulation import Branch

# Beats that a wire between a write and a read stream holds.
WIRE_SLOTS = 2


# A column of numbers or truth values, by beat or place: little memory, quick to index.
Column = memoryview


class Hold(Enum):
    """Reason that holds a beat back."""

    GATE = "a beat of another stream that must go before"
    PORT = "another beat at the write port"
    IDLE = "a place of the walk without a beat"
    COPY = "another read of the memory copy"
    ROOM = "slots that are not free, as the datapath takes nothing"
    RESULT = "the datapath, which has no result yet"
    STEP = "beats of its own step"
    CONDITION = "a value that says whether its instance runs"
    CARRIED = "a value that the datapath has not computed yet"


def column(values: Any) -> Column:
    """The values of an array of one dimension as a column."""
    data: Any = np.ascontiguousarray(values)
    return memoryview(data)


class Stream:
    """The state of one stream in the simulation: beats and places of its walk that lie behind.

    `hold` says what keeps its beat back in this cycle, None where it has one, with the other
    stream `by` where one is the reason; `held` is the same of the cycle before. `seen` are readers
    whose beats say whether an instance runs, with whether each beat takes one; `runs` says which
    beats do, None: all.
    """

    __slots__ = (
        "by",
        "circuit",
        "done",
        "first_cycle",
        "gates",
        "gone",
        "held",
        "hold",
        "is_beat",
        "last_cycle",
        "place",
        "predicate_reads",
        "runs",
        "seen",
        "total",
    )

    def __init__(self, circuit: PlainStream) -> None:
        self.circuit = circuit
        self.total = circuit.beats
        self.gone = self.place = 0
        self.done = False
        self.seen = (0, 0, False)  # beats, places, done at the start of the cycle
        self.is_beat = None if circuit.places is None else column(circuit.places)
        self.first_cycle = self.last_cycle = -1
        self.gates: list[tuple[Stream, bool, bool, Column]] = []
        self.hold: Hold | None = None
        self.by: Stream | None = None
        self.held: tuple[Hold | None, Stream | None] = (None, None)
        self.predicate_reads: list[tuple[Reader, Column]] = []
        self.runs: Column | None = None

    def bind(self, streams: Sequence[Stream]) -> None:
        """Gates as (other, by places or by beats, as at the start of the cycle, limits).

        Within a cycle reads go before writes, and at most one write of a memory goes: only a
        write that may not see the reads of its own cycle has to look back.
        """
        for gate in self.circuit.gates:
            other = streams[gate.other]
            looks_back = self.circuit.is_write and not other.circuit.is_write and not gate.bypass
            self.gates.append(
                (other, isinstance(gate, CompareGate), looks_back, column(gate.limit))
            )

    def is_open(self) -> bool:
        """True if it is known that the next beat runs or not, and no gate holds it back."""
        beat = self.gone
        for reader, takes in self.predicate_reads:
            if takes[beat] and not reader.is_valid():
                self.hold, self.by = Hold.CONDITION, reader.stream
                return False
        for other, by_place, looks_back, limit in self.gates:
            if looks_back:
                gone, place, done = other.seen
            else:
                gone, place, done = other.gone, other.place, other.done
            if not done and (place if by_place else gone) < limit[beat]:
                self.hold, self.by = Hold.GATE, other
                return False
        return True

    def passes(self) -> bool:
        """True if the next beat is of an instance that does not run."""
        return self.runs is not None and not self.runs[self.gone]

    def go(self, cycle: int) -> None:
        """One beat goes in this cycle, or an instance is passed over that does not run."""
        self.hold = None
        for reader, takes in self.predicate_reads:
            reader.is_due = bool(takes[self.gone])
        self.gone += 1
        self.place += 1
        if self.first_cycle < 0:
            self.first_cycle = cycle
        if self.gone == self.total:
            self.done, self.last_cycle = True, cycle


class Wire:
    """Two slots between a write stream and a read stream; which beats use it."""

    def __init__(self, pushed: Column, wired: Column) -> None:
        self.pushed, self.wired = pushed, wired
        self.inside = self.visible = 0

    def has_room(self, beat: int) -> bool:
        return not self.pushed[beat] or self.visible < WIRE_SLOTS

    def push(self, beat: int) -> None:
        self.inside += self.pushed[beat]

    def is_there(self, beat: int) -> bool:
        return not self.wired[beat] or self.visible > 0

    def take(self, beat: int) -> None:
        self.inside -= self.wired[beat]

    def end_cycle(self) -> None:
        self.visible = self.inside


class Issue(Enum):
    """Issue of a beat in a cycle, for sure or if the beat at the end is taken."""

    YES = "issued"
    IF_TAKEN = "issued if the beat at the end is taken"
    NO = "not issued"


class Reader:
    """A read stream with the slots its beats wait in.

    Where it `is_turned` it has none: all beats under way stand still with the one that is not
    taken, and no other is issued. `branch` is the branch FIFO behind it, if there is one. Where it
    shows the write beat of the same cycle, it stands `behind` that stream. A beat that an address
    generator looks at `is_due` in the cycle in which that moves on. Where not all instances run,
    `issues` counts the beats of those before each that do.
    """

    __slots__ = (
        "arrived",
        "behind",
        "branch",
        "is_due",
        "is_turned",
        "issues",
        "latency",
        "sharers",
        "stream",
        "taken",
        "under_way",
        "wires",
    )

    def __init__(
        self, stream: Stream, latency: int, wires: Sequence[Wire], *, is_turned: bool = False
    ) -> None:
        self.stream, self.latency, self.wires = stream, latency, wires
        self.is_turned = is_turned
        self.branch: Branch | None = None
        self.behind: Stream | None = None
        self.taken = self.arrived = 0
        self.is_due = False
        self.issues: Column | None = None
        self.under_way = [0] * (latency - 1)  # beats issued before the last cycles, oldest last
        self.sharers: list[Stream] = []  # who goes first at the memory copy of a drain

    @property
    def issued(self) -> int:
        """The beats that have gone, of instances that run."""
        return self.stream.gone if self.issues is None else self.issues[self.stream.gone]

    @property
    def is_over(self) -> bool:
        """True if all its beats have been taken."""
        return self.stream.done and self.taken == self.issued

    def issue(self, issued: Sequence[Stream]) -> Issue:
        """The issue of a beat in this cycle; what holds it back is noted on the stream."""
        stream = self.stream
        if stream.done:
            return Issue.NO
        if not self.is_turned and self.issued - self.taken > self.latency:
            stream.hold = Hold.ROOM
        elif stream.is_beat is not None and not stream.is_beat[stream.place]:
            stream.hold = Hold.IDLE
        elif self.sharers and any(other in issued for other in self.sharers):
            stream.hold = Hold.COPY
        elif stream.is_open():
            if self.is_turned and self.is_there():
                stream.hold = Hold.ROOM
                return Issue.IF_TAKEN
            return Issue.YES
        return Issue.NO

    def move(self, cycle: int) -> bool:  # noqa: ARG002
        """At the end of a cycle: whether a beat went on inside the storage."""
        return False

    def marks(self) -> Iterator[Column]:
        """Truth values by beat that say what taking one changes."""
        return (wire.wired for wire in self.wires)

    def is_there(self) -> bool:
        return self.arrived > self.taken

    def is_offered(self, offered: AbstractSet[Stream]) -> bool:  # noqa: ARG002
        """True if it has a valid beat, given the write streams that have one in this cycle."""
        return self.is_valid()

    def is_valid(self) -> bool:
        if self.arrived <= self.taken:
            return False
        return not self.wires or all(wire.is_there(self.taken) for wire in self.wires)

    def take(self) -> None:
        for wire in self.wires:
            wire.take(self.taken)
        self.taken += 1

    def end_cycle(self) -> None:
        if self.is_turned and self.is_there():
            return
        if self.under_way:
            self.under_way.insert(0, self.issued)
            self.arrived = self.under_way.pop()
        else:
            self.arrived = self.issued


class Writer:
    """A write stream with the wires its beats go into, and whom it goes before.

    `arbiters`: for every beat, the places of the other's walk that are earlier; one of two
    write streams has the entry of the other. `pushes` are the statements of read streams whose
    beats leave with its own: what they write goes before it in a cycle.
    """

    pushes: tuple[str, ...] = ()

    __slots__ = ("arbiters", "stream", "wires")

    def __init__(self, stream: Stream, wires: Sequence[Wire]) -> None:
        self.stream, self.wires = stream, wires
        self.arbiters: dict[Stream, Column] = {}

    def could_go(self) -> bool:
        """True if the next beat would go if no other write stream were there."""
        stream = self.stream
        if stream.is_beat is not None and not stream.is_beat[stream.place]:
            stream.hold = Hold.IDLE
            return False
        if self.wires and not all(wire.has_room(stream.gone) for wire in self.wires):
            stream.hold = Hold.ROOM
            return False
        return stream.is_open()

    def has_room(self, is_taken: Callable[[Reader], bool]) -> bool:  # noqa: ARG002
        """True if no beat that waits behind it stays in the way in this cycle."""
        return True

    def marks(self) -> Iterator[Column]:
        """Truth values by beat that say what else a beat moves."""
        return (wire.pushed for wire in self.wires)

    def is_before(self, other: Writer) -> bool:
        """True if the next beat is earlier in time than that of the other, which has one."""
        if other.stream not in self.arbiters:
            return not other.is_before(self)
        return bool(other.stream.place >= self.arbiters[other.stream][self.stream.gone])

    def go(self, cycle: int) -> None:
        """One beat goes in this cycle, and into its wires."""
        for wire in self.wires:
            wire.push(self.stream.gone)
        self.stream.go(cycle)


@dataclass(frozen=True, slots=True)
class Awaited:
    """A value that an instance takes from another datapath, or from its own, without a stream: of
    `array`, when so many `results` of that one are there, by instance: `cycles` behind its beats,
    None: behind all of its latency."""

    of: Datapath
    results: Column
    array: str
    cycles: int | None = None

    @property
    def there(self) -> int:
        """The results that are there."""
        return self.of.results(self.cycles)


class Datapath:
    """A statement that waits for streams, or for others that do: a pipeline that stalls as a whole.

    `ports` has what instances of a kind read and write, `kinds` the kind of every instance, whose
    times are `rows`. What is `awaited` of other datapaths is there once they have the results;
    `missing` is what keeps the following instance back, `late` the same, or what did so in the
    cycle before.
    """

    __slots__ = (
        "accepted",
        "at_end",
        "awaited",
        "complete",
        "following",
        "kinds",
        "late",
        "latency",
        "missing",
        "name",
        "ports",
        "rows",
        "stages",
    )

    def __init__(
        self,
        ports: Sequence[tuple[list[Reader], list[Stream]]],
        kinds: Column,
        latency: int,
        *,
        name: str = "",
        rows: Sequence[Any] = (),
    ) -> None:
        self.ports, self.kinds, self.latency = ports, kinds, latency
        self.name, self.rows = name, rows
        self.awaited: list[Awaited] = []
        self.missing: Awaited | None = None
        self.late: Awaited | None = None
        self.stages = [-1] * latency  # the oldest last
        self.following = 0
        self.accepted: list[Stream] = []  # results of the instance at the end
        self.at_end = -1
        self.complete = False

    def results(self, cycles: int | None) -> int:
        """The instances whose results are there: those so many cycles in the pipeline, or longer;
        None: those at its end, or behind it."""
        last = self.latency if cycles is None else cycles
        return self.following - sum(stage >= 0 for stage in self.stages[: max(last - 1, 0)])

    def lacks(self) -> Awaited | None:
        """The first value that the following instance still awaits of other datapaths."""
        for one in self.awaited:
            if one.there < one.results[self.following]:
                return one
        return None

    def offer(self, offered: set[Stream]) -> None:
        """Add the write streams that get a beat offered in this cycle."""
        following = self.following
        self.complete = following < len(self.kinds)
        if self.awaited:
            before, self.missing = self.missing, self.lacks() if self.complete else None
            self.late = self.missing or before
            self.complete = self.complete and self.missing is None
        if self.complete:
            for reader in self.ports[self.kinds[following]][0]:
                # Most readers do not look at what is offered: half of a simulation is spent here.
                if not (reader.is_valid() if reader.behind is None else reader.is_offered(offered)):
                    self.complete = False
                    break
        self.at_end = self.stages[-1] if self.latency else (following if self.complete else -1)
        if self.at_end >= 0:
            written = self.ports[self.kinds[self.at_end]][1]
            offered.update(s for s in written if s not in self.accepted)

    def takes(self, reader: Reader, committed: Sequence[Stream]) -> bool:
        """True if a reader's beat is taken in this cycle, given all results that have gone."""
        if not self.complete or reader not in self.ports[self.kinds[self.following]][0]:
            return False
        if self.at_end < 0:
            return True
        wanted = self.ports[self.kinds[self.at_end]][1]
        return all(stream in committed or stream in self.accepted for stream in wanted)

    def move(self, committed: Sequence[Stream]) -> bool:
        """Take the next instance unless a result is left; whether anything changed."""
        changed = False
        if self.at_end >= 0:
            wanted = self.ports[self.kinds[self.at_end]][1]
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
            for reader in self.ports[self.kinds[self.following]][0]:
                reader.take()
            self.following += 1
            changed = True
        return changed


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamModels:
    """The models of one array in a simulation.

    `writers` share a write port: at most one of their beats goes in a cycle.
    """

    streams: tuple[Stream, ...]
    readers: tuple[Reader, ...]
    writers: tuple[Writer, ...]
    wires: tuple[Wire, ...] = ()
