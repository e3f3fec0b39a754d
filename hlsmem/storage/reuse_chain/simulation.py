"""Chains in a simulation: a write goes when every beat it would push out has been or is being
taken."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
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
from hlsmem.dependences.circuit_streams import PlainStream, plain_operands
from hlsmem.dependences.row_period import Cut

if TYPE_CHECKING:
    from hlsmem.storage.reuse_chain.circuit import ChainCircuit
    from hlsmem.storage.reuse_chain.circuit import ChainReader as ChainStream


def chain_streams(chain: ChainCircuit) -> tuple[PlainStream, ...]:
    """The streams of a chain, which have no gates; the writer comes first."""
    return (_written(chain), *(_read(reader) for reader in chain.readers))


def chain_passage(chain: ChainCircuit, depths: Mapping[str, int]) -> Passage | None:
    """The passage of a chain in a network without stalls; None where its beats were listed.

    `depths` are beats of branch FIFOs behind its read streams, and in front of it.
    """
    if any(reader.newest is None for reader in chain.readers):
        return None
    links = tuple(_link(reader, depths.get(reader.name, 0)) for reader in chain.readers)
    front = depths.get(chain.writer, 0)
    if front:
        # The chain stands still for the slowest of its readers: closed for one alone.
        if len(links) > 1 or links[0].held is not None:
            return None
        links = (replace(links[0], latency=2, held=front + 1, passes=True, level=True),)
    return Passage(writer=_written(chain), links=links)


def _link(reader: ChainStream, depth: int) -> Link:
    """The way of a reader: beats wait in a branch FIFO, and one in front of it."""
    if not depth:
        return Link(reader=_read(reader), source=reader.newest, latency=1, held=None)
    return Link(reader=_read(reader), source=reader.newest, latency=2, held=depth + 1, passes=True)


def _written(chain: ChainCircuit) -> PlainStream:
    return PlainStream(
        name=chain.writer,
        statement=chain.statement,
        is_write=True,
        latency=chain.latency,
        operands=plain_operands([chain.source_location]),
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


def chain_players(chain: ChainCircuit, depths: Mapping[str, int]) -> StreamModels:
    """The streams of a chain and what moves them.

    `depths` are beats of branch FIFOs behind its read streams, and in front of it.
    """
    written, *read = (Stream(circuit) for circuit in chain_streams(chain))
    readers = tuple(
        ChainReader(stream, written, depths.get(stream.circuit.name, 0)) for stream in read
    )
    streams = (written, *read)
    front = depths.get(chain.writer, 0)
    if front:
        fifo = ChainFront(written, readers, chain)
        writers = (FrontWriter(written, fifo, chain, front),)
        return StreamModels(streams=streams, readers=(fifo, *readers), writers=writers)
    if not chain.has_skid:
        writer = ChainWriter(written, readers, chain)
        return StreamModels(streams=streams, readers=readers, writers=(writer,))
    skid = ChainSkid(written, readers, chain)
    return StreamModels(
        streams=streams, readers=(skid, *readers), writers=(SkidWriter(written, skid),)
    )


def chain_without(chain: ChainCircuit, cut: Cut) -> ChainCircuit:
    """The chain in a run with a cut."""
    visits = chain.visits
    if cut.entry in chain.instances.varying():
        visits = cut.visits(visits)
    return replace(
        chain,
        visits=visits,
        instances=chain.instances.without(cut),
        readers=tuple(
            replace(reader, instances=reader.instances.without(cut)) for reader in chain.readers
        ),
    )


class ChainReader(Reader):
    """A read stream whose beats leave with write beats: one waits, and those in a branch FIFO.

    They are a cycle longer under way through that.
    """

    __slots__ = ("depth", "pushed", "writer")

    def __init__(
        self, stream: Stream, writer: Stream, depth: int = 0, latency: int | None = None
    ) -> None:
        super().__init__(stream, latency=latency or (2 if depth else 1), wires=())
        self.writer, self.depth = writer, depth
        self.pushed = False  # by a chain behind a skid, in this cycle

    def issue(self, issued: Sequence[Stream]) -> Issue:  # noqa: ARG002
        """Never by itself; what holds its next beat back: that of before, or its writer's."""
        if self.waits():
            self.stream.hold, self.stream.by = Hold.ROOM, None
        else:
            self.stream.hold, self.stream.by = Hold.GATE, self.writer
        return Issue.NO

    def waits(self) -> bool:
        """True if no beat has room that is not taken in this cycle."""
        return self.stream.gone - self.taken > self.depth

    def move(self, cycle: int) -> bool:  # noqa: ARG002
        pushed, self.pushed = self.pushed, False
        return pushed


class ChainSkid(Reader):
    """A chain behind its skid: it moves on at the end of a cycle, when all else is known.

    Its beats are those of the write stream: one is taken when the chain moves on with it.
    """

    __slots__ = ("emits", "readers")

    def __init__(self, stream: Stream, readers: Sequence[ChainReader], chain: ChainCircuit) -> None:
        super().__init__(stream, latency=1, wires=())
        self.readers = tuple(readers)
        self.emits = [column(chain.emits(reader)) for reader in chain.readers]

    def issue(self, issued: Sequence[Stream]) -> Issue:  # noqa: ARG002
        return Issue.NO

    def marks(self) -> Iterator[Column]:
        return iter(self.emits)

    def move(self, cycle: int) -> bool:
        if self.stream.gone == self.taken or any(reader.waits() for reader in self.readers):
            return False
        for reader, emits in zip(self.readers, self.emits, strict=True):
            if emits[self.taken]:
                reader.stream.go(cycle)
                reader.pushed = True
        self.take()
        return True


class ChainFront(ChainSkid):
    """A chain behind a branch FIFO: it moves on with a beat that came in a cycle before."""

    __slots__ = ()

    def move(self, cycle: int) -> bool:
        return self.arrived > self.taken and super().move(cycle)


class FrontWriter(Writer):
    """The write stream of a chain behind a branch FIFO of `depth` beats.

    A beat goes in where there is room, or where the chain moves on in the same cycle.
    """

    __slots__ = ("depth", "front", "pushes")

    def __init__(self, stream: Stream, front: ChainFront, chain: ChainCircuit, depth: int) -> None:
        super().__init__(stream, wires=())
        self.front, self.depth = front, depth
        self.pushes = tuple(reader.statement for reader in chain.readers)

    def has_room(self, is_taken: Callable[[Reader], bool]) -> bool:
        if self.stream.gone - self.front.taken < self.depth:
            return True
        for reader in self.front.readers:
            if reader.waits() and not is_taken(reader):
                self.stream.hold, self.stream.by = Hold.GATE, reader.stream
                return False
        return True


class SkidWriter(Writer):
    """The write stream of a chain behind a skid: a beat comes in while the skid is empty."""

    __slots__ = ("skid",)

    def __init__(self, stream: Stream, skid: ChainSkid) -> None:
        super().__init__(stream, wires=())
        self.skid = skid

    def has_room(self, is_taken: Callable[[Reader], bool]) -> bool:  # noqa: ARG002
        if self.stream.gone == self.skid.taken:
            return True
        waiting = [reader.stream for reader in self.skid.readers if reader.waits()]
        self.stream.hold, self.stream.by = Hold.GATE, next(iter(waiting), None)
        return False


class ChainWriter(Writer):
    """The write stream of a chain; `emits` tells per reader which write beats push one out."""

    __slots__ = ("emits", "pushes", "readers")

    def __init__(self, stream: Stream, readers: Sequence[ChainReader], chain: ChainCircuit) -> None:
        super().__init__(stream, wires=())
        self.readers = tuple(readers)
        self.pushes = tuple(reader.statement for reader in chain.readers)
        self.emits = [column(chain.emits(reader)) for reader in chain.readers]

    def has_room(self, is_taken: Callable[[Reader], bool]) -> bool:
        for reader in self.readers:
            if reader.waits() and not is_taken(reader):
                self.stream.hold, self.stream.by = Hold.GATE, reader.stream
                return False
        return True

    def marks(self) -> Iterator[Column]:
        return iter(self.emits)

    def go(self, cycle: int) -> None:
        beat = self.stream.gone
        super().go(cycle)
        for reader, emits in zip(self.readers, self.emits, strict=True):
            if emits[beat]:
                reader.stream.go(cycle)
