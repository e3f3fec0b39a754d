"""FIFOs in a simulation: beats go in while a word is free, and on when there is room behind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from hlsmem.cycle_model.closed_form import Link, Passage
from hlsmem.cycle_model.stream_models import (
    Hold,
    Issue,
    Reader,
    Stream,
    StreamModels,
    Writer,
    column,
)

if TYPE_CHECKING:
    from hlsmem.storage.fifo.circuit import FifoCircuit


def fifo_players(fifo: FifoCircuit) -> StreamModels:
    """The writer and the reader; each looks at where the other was at the start of a cycle."""
    written, read = Stream(fifo.writer), Stream(fifo.reader)
    beats = np.arange(fifo.beats)
    written.gates.append((read, False, True, column(np.maximum(beats - fifo.ram_words + 1, 0))))
    read.gates.append((written, False, True, column(beats + 1)))
    return StreamModels(
        streams=(written, read),
        readers=(FifoReader(read, registered=fifo.output_register),),
        writers=(Writer(written, wires=()),),
    )


def fifo_passage(fifo: FifoCircuit) -> Passage:
    """The passage of a FIFO in a network without stalls.

    A beat is in its RAM for a cycle, in the latch behind it, and in the output register: each of
    these has room for one more.
    """
    registers = 1 + fifo.output_register
    link = Link(
        reader=fifo.reader,
        source=fifo.source,
        latency=1 + registers,
        held=fifo.ram_words + registers,
    )
    return Passage(writer=fifo.writer, links=(link,))


class FifoReader(Reader):
    """A read stream whose beats leave the RAM of a FIFO for its latch, and its output register."""

    __slots__ = ("registered",)

    def __init__(self, stream: Stream, *, registered: bool) -> None:
        super().__init__(stream, latency=1 + registered, wires=())
        self.registered = registered
        self.under_way = []

    def issue(self, issued: Sequence[Stream]) -> Issue:  # noqa: ARG002
        """Never at the start of a cycle: its beats move at the end of one."""
        return Issue.NO

    def move(self, cycle: int) -> bool:
        """Beats go on where there is room; whether one left the RAM."""
        stream = self.stream
        if self.registered and self.arrived == self.taken < stream.gone:
            self.arrived += 1
        is_free = stream.gone == (self.arrived if self.registered else self.taken)
        if stream.done or not is_free or not stream.is_open():
            if not is_free:
                stream.hold, stream.by = Hold.ROOM, None
            return False
        stream.go(cycle)
        return True

    def end_cycle(self) -> None:
        if not self.registered:
            self.arrived = self.stream.gone
