"""Dependences between the streams of a memory, from all their beats listed one by one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hlsmem.addressing.loop_forms import Condition, Value
from hlsmem.addressing.nest_points import Listed
from hlsmem.dependences.earliest_release import Gate, GateMaker, WriteArbiter
from hlsmem.dependences.implied_requirements import closure, without_implied
from hlsmem.dependences.requirements import dependences
from hlsmem.dependences.step_wires import mask_condition, wires_of
from hlsmem.dependences.stream_forms import BeatStream
from hlsmem.dependences.stream_pair import Between, Wire
from hlsmem.program.model import Program


class ListedBetween(Between):
    """The answers from numpy.

    Raises InputError where streams cannot hold together.
    """

    def __init__(
        self,
        program: Program,
        streams: Sequence[BeatStream],
        slack: int,
        *,
        is_window: bool = False,
        limit: str = "",
    ) -> None:
        self.streams, self.limit = streams, limit
        self.found = dependences(program, streams, is_window=is_window)
        self.required = without_implied(self.found.required)
        self.maker = GateMaker(
            program,
            streams,
            self.required,
            closure(self.required),
            self.found.operands,
            slack=slack,
            is_window=is_window,
        )

    def points(self, stream: int) -> Listed:
        return Listed(self.streams[stream].visits.points)

    def is_fetched(self, reader: int, operand: int) -> bool:
        taken = self.streams[reader].operands[operand].taken
        return bool((taken & (self.found.wired[reader][operand] < 0)).any())

    def wires(self) -> tuple[Wire, ...]:
        return wires_of(self.streams, self.found)

    def stored(self, writer: int) -> Condition | None:
        return mask_condition(self.streams[writer].visits.points, self.found.stored[writer])

    def collides(self, writer: int, reader: int, operand: int) -> bool:
        required = self.found.required.get((writer, reader))
        if required is None:
            return False
        waits = required > 0
        last = required[waits] - 1
        written = self.streams[writer].operands[0].cells[waits]
        read = self.streams[reader].operands[operand]
        fetched = read.taken[last] & (self.found.wired[reader][operand][last] < 0)
        return bool((fetched & (read.cells[last] == written)).any())

    def waits(self, waiting: int, other: int) -> bool:
        return (waiting, other) in self.required

    def gates(self, stream: int, outputs: dict[str, Value]) -> tuple[Gate, ...]:
        return self.maker.gates(stream, outputs)

    def arbiters(self, stream: int, outputs: dict[str, Value]) -> tuple[WriteArbiter, ...]:
        return self.maker.arbiters(stream, outputs)

    def sources(self, reader: int) -> tuple[tuple[int, Any], ...]:
        if self.streams[reader].is_write:
            return ()
        return tuple(
            (other, beats)
            for (waiting, other), beats in self.found.required.items()
            if waiting == reader and self.streams[other].is_write
        )
