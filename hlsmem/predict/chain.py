"""Chains in a play: a write goes when every beat it would push out has been or is being taken."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from hlsmem.gates.chain import ChainCircuit
from hlsmem.gates.chain import ChainReader as ChainStream
from hlsmem.gates.circuit import Circuit, MemoryCircuit
from hlsmem.gates.fifo import FifoCircuit
from hlsmem.gates.streams import PlainStream, plain_operands
from hlsmem.predict.parts import Column, Hold, Reader, Stream, Writer, column


def streams_of(circuit: Circuit) -> tuple[PlainStream, ...]:
    """The streams of a circuit; those of a chain have no gates, the writer comes first."""
    match circuit:
        case FifoCircuit():
            return (circuit.writer, circuit.reader)
        case ChainCircuit():
            return (_written(circuit), *(_read(reader) for reader in circuit.readers))
        case MemoryCircuit():
            return circuit.streams


def _written(chain: ChainCircuit) -> PlainStream:
    return PlainStream(
        name=chain.writer,
        statement=chain.statement,
        is_write=True,
        latency=chain.latency,
        operands=plain_operands([chain.place]),
        instances=chain.instances,
    )


def _read(reader: ChainStream) -> PlainStream:
    return PlainStream(
        name=reader.name,
        statement=reader.statement,
        is_write=False,
        latency=reader.latency,
        operands=plain_operands(reader.places),
        instances=reader.instances,
    )


class ChainReader(Reader):
    """A read stream whose beats leave with write beats: one waits at most."""

    __slots__ = ("writer",)

    def __init__(self, stream: Stream, writer: Stream) -> None:
        super().__init__(stream, latency=1, wires=())
        self.writer = writer

    def look(self) -> None:
        """What holds its next beat back: that of before, or the writer it comes with."""
        if self.waits():
            self.stream.hold, self.stream.by = Hold.ROOM, None
        else:
            self.stream.hold, self.stream.by = Hold.GATE, self.writer

    def waits(self) -> bool:
        """Whether a beat is there that has not been taken."""
        return self.stream.gone > self.taken


class ChainWriter(Writer):
    """The write stream of a chain; `emits` tells per reader which write beats push one out."""

    __slots__ = ("emits", "readers")

    def __init__(self, stream: Stream, readers: Sequence[ChainReader], chain: ChainCircuit) -> None:
        super().__init__(stream, wires=())
        self.readers = tuple(readers)
        self.emits: list[Column] = []
        for reader in chain.readers:
            emitted = np.zeros(chain.beats, dtype=bool)
            emitted[reader.emissions] = True
            self.emits.append(column(emitted))

    def has_room(self, is_taken: Callable[[Reader], bool]) -> bool:
        """Whether no beat that waits stays in the way in this cycle."""
        for reader in self.readers:
            if reader.waits() and not is_taken(reader):
                self.stream.hold, self.stream.by = Hold.GATE, reader.stream
                return False
        return True

    def go(self, cycle: int) -> None:
        beat = self.stream.gone
        super().go(cycle)
        for reader, emits in zip(self.readers, self.emits, strict=True):
            if emits[beat]:
                reader.stream.go(cycle)


def in_order(chains: Iterable[tuple[ChainCircuit, ChainWriter]]) -> list[ChainWriter]:
    """Chains, those that the statements behind a chain write into before it.

    Whether a beat of a chain is taken depends on what goes into the chains behind it.
    """
    left = list(chains)
    found: list[ChainWriter] = []
    while left:
        behind = {circuit.statement for circuit, _ in left}
        ready = [
            (circuit, writer)
            for circuit, writer in left
            if not any(reader.statement in behind for reader in circuit.readers)
        ]
        found += [writer for _, writer in ready]
        left = [pair for pair in left if pair not in ready]
    return found
