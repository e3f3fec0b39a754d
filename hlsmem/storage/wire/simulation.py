"""Wires in a simulation: a write beat goes in the cycle in which the beat that it brings is
taken."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from hlsmem.cycle_model.closed_form import Link, Passage
from hlsmem.cycle_model.stream_models import (
    Column,
    Hold,
    Issue,
    Reader,
    Stream,
    StreamModels,
    Writer,
    column,
)
from hlsmem.storage.reuse_chain.simulation import ChainReader, ChainWriter

if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet

    from hlsmem.storage.wire.circuit import WireCircuit


def wire_passage(wire: WireCircuit, depths: Mapping[str, int]) -> Passage | None:
    """The passage of a wire in a network without stalls; None where its beats were listed."""
    if wire.reader.newest is None:
        return None
    writer, reader = wire.streams
    depth, source = depths.get(reader.name, 0), wire.reader.newest
    link = Link(reader=reader, source=source, latency=0, held=None)
    if depth:  # a beat is in the branch FIFO for a cycle
        link = Link(reader=reader, source=source, latency=1, held=depth, passes=True)
    return Passage(writer=writer, links=(link,))


def wire_players(wire: WireCircuit, depths: Mapping[str, int]) -> StreamModels:
    """The two streams of a wire and what moves them; with a branch FIFO behind it beats wait there
    as in a chain."""
    written, read = (Stream(circuit) for circuit in wire.streams)
    depth = depths.get(read.circuit.name, 0)
    if depth:
        kept = ChainReader(read, written, depth - 1, latency=1)
        writer: Writer = ChainWriter(written, (kept,), wire.chain)
        return StreamModels(streams=(written, read), readers=(kept,), writers=(writer,))
    emits = column(wire.chain.emits(wire.reader))
    reader = WireReader(read, written, emits)
    writer = WireWriter(written, reader, wire.reader.statement, emits)
    return StreamModels(streams=(written, read), readers=(reader,), writers=(writer,))


class WireReader(Reader):
    """A read stream that shows the write beat of its cycle, where that brings it one."""

    __slots__ = ("emits", "shown")

    def __init__(self, stream: Stream, writer: Stream, emits: Column) -> None:
        super().__init__(stream, latency=1, wires=())
        self.behind, self.emits = writer, emits
        self.shown = False

    def issue(self, issued: Sequence[Stream]) -> Issue:  # noqa: ARG002
        """Never by itself: it waits for its writer."""
        self.shown = False
        self.stream.hold, self.stream.by = Hold.GATE, self.behind
        return Issue.NO

    def is_offered(self, offered: AbstractSet[Stream]) -> bool:
        writer = self.behind
        assert writer is not None
        self.shown = writer in offered and not writer.done and bool(self.emits[writer.gone])
        return self.shown

    def is_valid(self) -> bool:
        return self.shown


class WireWriter(Writer):
    """A write stream whose beats go when the beats that they bring are taken."""

    __slots__ = ("emits", "pushes", "reader")

    def __init__(self, stream: Stream, reader: WireReader, statement: str, emits: Column) -> None:
        super().__init__(stream, wires=())
        self.reader, self.emits = reader, emits
        self.pushes = (statement,)

    def has_room(self, is_taken: Callable[[Reader], bool]) -> bool:
        if not self.emits[self.stream.gone] or is_taken(self.reader):
            return True
        self.stream.hold, self.stream.by = Hold.GATE, self.reader.stream
        return False

    def marks(self) -> Iterator[Column]:
        yield self.emits

    def go(self, cycle: int) -> None:
        brings = self.emits[self.stream.gone]
        super().go(cycle)
        if brings:
            self.reader.stream.go(cycle)
