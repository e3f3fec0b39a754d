"""Gates and write arbiters between the streams of a memory, as address generators and comparators
can make them.

A gate holds a beat back until enough beats of another stream have gone. A write arbiter says which
of two write streams goes first when both could: the one whose beat is earlier in time.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

import numpy as np

from hlsmem.addressing.address_generator import bits_for
from hlsmem.addressing.loop_forms import Value
from hlsmem.core.errors import LimitError, Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.dependences.comparator_fit import (
    Comparison,
    Counter,
    Earlier,
    Side,
    earlier_of,
    fit_gate,
    own_time,
)
from hlsmem.dependences.release_limits import CountLimit, KeyLimit, Limit, Never
from hlsmem.dependences.stream_forms import BeatStream
from hlsmem.program.model import Program

Required = Mapping[tuple[int, int], Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class CountGate:
    """open = start + beats of `other` - beats of this stream > 0, or the other is done.

    `bypass`: a beat of the other in this very cycle counts. `operand`: of the read stream
    among the two, the operand that asks for most.
    """

    other: int
    operand: int
    start: int
    bits: int
    bypass: bool
    limit: Limit = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareGate:
    """open = every vector < key of the other's next beat, or the other is done.

    `vectors` are names of address generator outputs, one for each loop of the other. `limit` is the
    number of places of the other's walk that lie behind when a beat may go. `bypass` and
    `operand` as in `CountGate`.
    """

    other: int
    operand: int
    vectors: tuple[tuple[str, ...], ...]
    bypass: bool
    exact: bool
    limit: Limit = field(compare=False, repr=False)


Gate = CountGate | CompareGate


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteArbiter:
    """Priority between two write streams when both could go in one cycle.

    `first` does if its vector < key of the next beat of `second`, or that one is done; where
    `vector` is empty, always. `limit`: for every beat of `first`, the places of the walk of
    `second` that are earlier.
    """

    first: int
    second: int
    vector: tuple[str, ...]
    limit: Limit = field(compare=False, repr=False)


class StreamGates(ABC):
    """What has the gates of one array's streams: `required` are the pairs that have one."""

    streams: Sequence[BeatStream]
    required: Mapping[tuple[int, int], Any]
    slack: int

    def gates(self, stream: int, outputs: dict[str, Value]) -> tuple[Gate, ...]:
        """Gates of a stream; vectors to compare become `outputs` of its address generator."""
        others = range(len(self.streams))
        return tuple(
            self.gate(stream, other, outputs)
            for other in others
            if (stream, other) in self.required
        )

    @abstractmethod
    def gate(self, waiting: int, other: int, outputs: dict[str, Value]) -> Gate:
        """The gate from one stream to another."""

    def arbiters(self, stream: int, outputs: dict[str, Value]) -> tuple[WriteArbiter, ...]:
        """Arbiters between a write stream and each later one; of equal times the statement that is
        first in the text goes first."""
        if not self.streams[stream].is_write:
            return ()
        rivals = range(stream + 1, len(self.streams))
        return tuple(
            self.arbiter(stream, rival, outputs) for rival in rivals if self.streams[rival].is_write
        )

    @abstractmethod
    def arbiter(self, one: int, other: int, outputs: dict[str, Value]) -> WriteArbiter:
        """The arbiter between a write stream and a later one."""

    def bypasses(self, waiting: int, other: int) -> bool:
        """True if a beat of the other counts in its very cycle: a write waits for a read."""
        return (
            self.slack == 0 and self.streams[waiting].is_write and not self.streams[other].is_write
        )


class GateMaker(StreamGates):
    """Makes the gates and write arbiters of one array's streams."""

    def __init__(
        self,
        program: Program,
        streams: Sequence[BeatStream],
        required: Required,
        implied: Required,
        operands: Mapping[tuple[int, int], int],
        *,
        slack: int,
        is_window: bool = False,
    ) -> None:
        self.is_window = is_window
        self.program, self.streams, self.slack = program, streams, slack
        self.required, self.implied, self.operands = required, implied, operands
        self.sides = [Side(stream) for stream in streams]

    def gate(self, waiting: int, other: int, outputs: dict[str, Value]) -> Gate:
        need, operand = self.required[waiting, other], self.operands[waiting, other]
        most = self.earlier(waiting, other)
        bypass = self.bypasses(waiting, other)
        fitted = fit_gate(
            need, self.implied[waiting, other], self.sides[waiting], self.sides[other], most
        )
        match fitted:
            case None:
                one, two = self.streams[waiting].name, self.streams[other].name
                what = f"what {one} waits for of {two} takes more than few comparisons"
                raise LimitError(Problem(what, "leave out plan.capacity: selftimed"))
            case Counter(distance=distance):
                total = self.streams[other].beats
                lead = self.lead(waiting, other)
                return CountGate(
                    other=other,
                    operand=operand,
                    start=distance + 1,
                    bits=max(2, bits_for(min(distance, -1), max(0, distance + lead))),
                    bypass=bypass,
                    limit=CountLimit(beats=len(need), total=total, distance=distance),
                )
            case Comparison(vectors=vectors, exact=exact):
                return CompareGate(
                    other=other,
                    operand=operand,
                    vectors=tuple(
                        named(f"after_{number}", self.streams[other], vector, outputs)
                        for number, vector in enumerate(vectors)
                    ),
                    bypass=bypass,
                    exact=exact,
                    limit=self.limit(waiting, other, vectors),
                )

    def limit(self, waiting: int, other: int, vectors: Sequence[Sequence[Value]]) -> Limit:
        """The places of the other that are not after any of the vectors."""
        return KeyLimit(waiting=self.sides[waiting], other=self.sides[other], vectors=vectors)

    def earlier(self, waiting: int, other: int) -> Any:
        """The most that a gate may wait for: in a window, the beats that go without its own."""
        if self.is_window:
            return self.room(waiting, other)
        return earlier_of(self.program, self.streams[waiting], self.streams[other])

    def room(self, waiting: int, other: int) -> Any:
        """The beats of the other that go without each beat of the waiting stream."""
        back = self.required.get((other, waiting))
        beats = self.streams[waiting].beats
        if back is None:
            return np.full(beats, self.streams[other].beats)
        return np.searchsorted(np.maximum.accumulate(back), np.arange(beats), "right")

    def lead(self, waiting: int, other: int) -> int:
        """Bound on the beats by which the other can be ahead of the waiting stream."""
        back = self.required.get((other, waiting))
        if back is None:
            return self.streams[other].beats
        own = np.arange(self.streams[waiting].beats + 1)
        gone = np.searchsorted(np.maximum.accumulate(back), own, "right")
        return int((gone - own).max()) + 1

    def arbiter(self, one: int, other: int, outputs: dict[str, Value]) -> WriteArbiter:
        is_later = self.streams[other].index < self.streams[one].index
        earlier = Earlier(entries=1 + self.program.time_dimensions, at_same_time=is_later)
        vector = own_time(self.sides[one], self.sides[other], earlier)
        limit = self.limit(one, other, (vector,))
        if (limit.listed == len(self.sides[other].walk.codes)).all():
            always = Never(beats=self.streams[other].beats)
            return WriteArbiter(first=other, second=one, vector=(), limit=always)
        if not limit.listed.any():
            limit = Never(beats=self.streams[one].beats)
            return WriteArbiter(first=one, second=other, vector=(), limit=limit)
        names = named("before", self.streams[other], vector, outputs)
        return WriteArbiter(first=one, second=other, vector=names, limit=limit)


def named(
    prefix: str, other: BeatStream, vector: Sequence[Value], outputs: dict[str, Value]
) -> tuple[str, ...]:
    """Names for the entries, which end in the user's own: no two streams can share one."""
    names = tuple(f"{prefix}_{entry}_{other.name}" for entry in range(len(vector)))
    outputs.update(zip(names, vector, strict=True))
    return names
