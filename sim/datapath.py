"""The user's datapath, played by recorded values: a pipeline a statement.

A statement takes the read beats of one instance when all are there, and `latency` cycles later
offers its write beats; the pipeline moves unless a beat at its end has not been accepted. Where
the datapath keeps values, an instance is taken when those that it waits for have their results.
A statement that waits for nothing offers its next beats at all times.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

BUBBLE = -1


@dataclass(frozen=True, slots=True)
class Ports:
    """Which streams instance i has a beat of: indices of read streams, of write streams."""

    reads: tuple[int, ...]
    writes: tuple[int, ...]


class Pipeline:
    """One statement that waits for streams or for others; instances are in schedule order.

    In every cycle: `offer` with the read streams that are valid, then `accept` with the write
    streams that were accepted; `accept` tells the read streams whose beat is taken.
    """

    def __init__(self, instances: Sequence[Ports], latency: int) -> None:
        self.instances = instances
        self.latency = latency
        self.stages = [BUBBLE] * latency  # the oldest last
        self.following = 0
        self.accepted: set[int] = set()  # of the instance at the end
        self.at_end = BUBBLE
        # Others, how many results of each are there before an instance is taken, and how many
        # cycles behind its beats these are there (None: behind its latency).
        self.awaited: list[tuple[Pipeline, Sequence[int], int | None]] = []

    def results(self, cycles: int | None) -> int:
        """The instances whose results are there: so many cycles in the pipeline, or behind it."""
        last = max(0, (self.latency if cycles is None else cycles) - 1)
        return self.following - sum(stage != BUBBLE for stage in self.stages[:last])

    def offer(self, valid: set[int]) -> tuple[int, ...]:
        """The write streams that get a beat offered in this cycle."""
        self.complete = (
            self.following < len(self.instances)
            and all(stream in valid for stream in self.instances[self.following].reads)
            and all(
                other.results(cycles) >= needed[self.following]
                for other, needed, cycles in self.awaited
            )
        )
        if self.latency:
            self.at_end = self.stages[-1]
        else:
            self.at_end = self.following if self.complete else BUBBLE
        if self.at_end == BUBBLE:
            return ()
        return tuple(w for w in self.instances[self.at_end].writes if w not in self.accepted)

    def would_take(self, streams: set[int]) -> tuple[int, ...]:
        """The read streams whose beat would be taken now if these write streams are accepted."""
        if self.at_end != BUBBLE:
            left = [w for w in self.instances[self.at_end].writes if w not in self.accepted]
            if any(stream not in streams for stream in left):
                return ()
        return self.instances[self.following].reads if self.complete else ()

    def accept(self, streams: set[int], may_take: bool = True) -> tuple[int, ...]:
        """The read streams whose beat is taken now; `may_take` False makes the input stall."""
        self.accepted |= streams
        if self.at_end != BUBBLE and len(self.accepted) < len(self.instances[self.at_end].writes):
            return ()
        takes = self.complete and may_take
        taken = self.following if takes else BUBBLE
        if self.latency:
            self.accepted = set()
            self.stages = [taken, *self.stages[:-1]]
        elif takes:
            self.accepted = set()
        if not takes:
            return ()
        self.following += 1
        return self.instances[taken].reads

    @property
    def done(self) -> bool:
        empty = all(stage == BUBBLE for stage in self.stages)
        return empty and self.following == len(self.instances)


class Source:
    """A stream whose beats are always there: an arrival, a fill, a statement that reads nothing."""

    def __init__(self, stream: int, beats: int) -> None:
        self.stream = stream
        self.beats = beats
        self.sent = 0

    def offer(self) -> tuple[int, ...]:
        return (self.stream,) if self.sent < self.beats else ()

    def accept(self, streams: set[int]) -> None:
        self.sent += self.stream in streams

    @property
    def done(self) -> bool:
        return self.sent == self.beats


def pipelines_of(statements: Sequence[dict[str, Any]], latency: int | None) -> list[Pipeline]:
    """One pipeline a statement that waits for something; `latency` replaces that of the plan."""
    pipelines = []
    for statement in statements:
        kinds = [Ports(tuple(reads), tuple(writes)) for reads, writes in statement["kinds"]]
        instances = [kinds[kind] for kind in statement["instances"]]
        pipelines.append(Pipeline(instances, statement["latency"] if latency is None else latency))
    for pipeline, statement in zip(pipelines, statements, strict=True):
        pipeline.awaited = [
            (pipelines[at], needed, cycles) for at, needed, cycles in statement["waits"]
        ]
    return pipelines
