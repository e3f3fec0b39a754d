"""FIFOs in a play: beats go in while a word is free, and on when there is room behind."""

from __future__ import annotations

import numpy as np

from hlsmem.gates.fifo import FifoCircuit
from hlsmem.predict.chain import streams_of
from hlsmem.predict.parts import Hold, Reader, Stream, column


def fifo_streams(fifo: FifoCircuit) -> tuple[Stream, Stream]:
    """The writer and the reader; each looks at where the other was at the start of a cycle."""
    written, read = (Stream(circuit) for circuit in streams_of(fifo))
    beats = np.arange(fifo.beats)
    written.gates.append((read, False, True, column(np.maximum(beats - fifo.words + 1, 0))))
    read.gates.append((written, False, True, column(beats + 1)))
    return written, read


class FifoReader(Reader):
    """A read stream whose beats leave the RAM of a FIFO for its latch, and its output register."""

    __slots__ = ("registered",)

    def __init__(self, stream: Stream, fifo: FifoCircuit) -> None:
        super().__init__(stream, latency=1 + fifo.output_register, wires=())
        self.registered = fifo.output_register
        self.under_way = []

    def move(self, cycle: int) -> bool:
        """At the end of a cycle: beats go on where there is room; whether one left the RAM."""
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
