"""Chains in a play: a write goes when every beat it would push out has been or is being taken."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from hlsmem.gates.chain import ChainCircuit
from hlsmem.gates.circuit import Circuit, OperandCircuit, StreamCircuit
from hlsmem.places import Place
from hlsmem.predict.parts import Column, Hold, Reader, Stream, Writer, column


def streams_of(circuit: Circuit) -> tuple[StreamCircuit, ...]:
    """The streams of a circuit; those of a chain have no gates, the writer comes first."""
    if not isinstance(circuit, ChainCircuit):
        return circuit.streams
    writer = _stream(
        circuit,
        circuit.writer,
        circuit.statement,
        True,
        circuit.latency,
        circuit.instances,
        (circuit.place,),
    )
    readers = (
        _stream(
            circuit,
            reader.name,
            reader.statement,
            False,
            reader.latency,
            reader.instances,
            reader.places,
        )
        for reader in circuit.readers
    )
    return (writer, *readers)


def _stream(
    chain: ChainCircuit,
    name: str,
    statement: str,
    is_write: bool,
    latency: int,
    instances: Any,
    places: Sequence[Place | None],
) -> StreamCircuit:
    return StreamCircuit(
        name=name,
        statement=statement,
        is_write=is_write,
        is_fill=False,
        is_drain=False,
        latency=latency,
        walker=chain.walker,
        operands=tuple(
            OperandCircuit(copy=None, cell=None, taken=None, place=place) for place in places
        ),
        gates=(),
        stored=None,
        instances=instances,
        points=None,
        places=None,
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
