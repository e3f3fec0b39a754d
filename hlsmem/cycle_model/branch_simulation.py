"""Branch FIFOs in a simulation: a second place where the beats of a read stream wait."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from hlsmem.cycle_model.stream_models import Issue, Reader, Stream, StreamModels


class Branch(Reader):
    """A branch FIFO of `depth` beats behind a read stream, as a reader of what comes out of it.

    A beat goes in where there is room, or where one leaves in the same cycle, and can be taken in
    the next.
    """

    __slots__ = ("depth", "inner")

    def __init__(self, inner: Reader, depth: int) -> None:
        super().__init__(inner.stream, latency=inner.latency + 1, wires=())
        self.inner, self.depth = inner, depth
        self.under_way = []  # those that are to arrive are in the inner reader

    def issue(self, issued: Sequence[Stream]) -> Issue:  # noqa: ARG002
        return Issue.NO

    def has_room(self, *, is_taken: bool) -> bool:
        """True if a beat goes in, given whether one that waits is taken in this cycle."""
        return self.inner.taken - self.taken - is_taken < self.depth

    def move(self, cycle: int) -> bool:  # noqa: ARG002
        """Take in the next beat; beats taken in this cycle have left by now."""
        if self.inner.is_valid() and self.has_room(is_taken=False):
            self.inner.take()
        return False

    def end_cycle(self) -> None:
        self.arrived = self.inner.taken


def with_branches(players: StreamModels, depths: Mapping[str, int]) -> StreamModels:
    """The models of an array in a simulation, with branch FIFOs of these beats behind its read
    streams.

    They come before the readers that they stand behind: these see what went in.
    """
    readers: list[Reader] = []
    for reader in players.readers:
        depth = depths.get(reader.stream.circuit.name, 0)
        if depth:
            reader.branch = Branch(reader, depth)
            readers.append(reader.branch)
        readers.append(reader)
    return replace(players, readers=tuple(readers))
