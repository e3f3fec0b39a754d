"""Dependences between the streams of a memory: gates, wires, stored values."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from hlsmem.addressing.loop_forms import Condition, Value
from hlsmem.addressing.nest_points import Points
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.dependences.earliest_release import Gate, WriteArbiter
from hlsmem.dependences.stream_forms import BeatStream


@dataclass(frozen=True, slots=True, kw_only=True)
class Wire:
    """From a write stream to an operand of a read stream (positions among the streams).

    `pushed` tells which written beats go into the wire, `wired` which read beats take one.
    """

    writer: int
    reader: int
    operand: int
    pushed: Condition
    wired: Condition


class Between(ABC):
    """The answers about the streams of one array, named by their positions.

    `limit` says what took more work than it may, so that beats were listed; else it is "".
    """

    streams: Sequence[BeatStream]
    limit: str = ""

    @abstractmethod
    def points(self, stream: int) -> Points:
        """The loops' values at the beats of a stream."""

    @abstractmethod
    def is_fetched(self, reader: int, operand: int) -> bool:
        """True if an operand ever comes from a cell."""

    @abstractmethod
    def wires(self) -> tuple[Wire, ...]:
        """The wires of the array.

        Raises LimitError where one value goes to several beats of a step, or where which beats
        take part is no box of the loops.
        """

    @abstractmethod
    def stored(self, writer: int) -> Condition | None:
        """Condition of the written values that go to their cell; None where it is no box of
        loops."""

    @abstractmethod
    def collides(self, writer: int, reader: int, operand: int) -> bool:
        """True if a cell is overwritten right after an operand of the last beat that is waited for
        was read from it."""

    @abstractmethod
    def waits(self, waiting: int, other: int) -> bool:
        """True if there is a gate from one stream to another."""

    @abstractmethod
    def gates(self, stream: int, outputs: dict[str, Value]) -> tuple[Gate, ...]:
        """Gates of a stream; vectors to compare become `outputs` of its address generator."""

    @abstractmethod
    def arbiters(self, stream: int, outputs: dict[str, Value]) -> tuple[WriteArbiter, ...]:
        """Arbiters between a write stream and each later one; of equal times the statement that is
        first in the text goes first."""

    @abstractmethod
    def sources(self, reader: int) -> tuple[tuple[int, Any], ...]:
        """The write streams that a read stream waits for, with their beats that go before each."""
