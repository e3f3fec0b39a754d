"""Cycles in closed form: networks of chains and FIFOs in which no beat ever has to wait.

An array in several parts has a passage for each of them; its write beats fork.

The first write streams send a beat a cycle. A read beat is there `latency` cycles after the write
beat it leaves with, a datapath takes an instance when the last of its operands is there and has its
results latency cycles later. So every stream has its cycles as a quasi-affine function of its
times, whatever the extents, if nothing stalls: operands from chains all come in the same cycle,
and a FIFO has a word free for every beat that comes. That is proved here; where it does not hold,
or cannot be said, the run is simulated (`simulation`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.cycle_model.circuit_model import longest
from hlsmem.cycle_model.cycle_prediction import (
    ENDING_CYCLES,
    FULL_INTERVAL,
    Prediction,
    StreamPrediction,
    steps_behind,
)
from hlsmem.cycle_model.datapaths import Datapaths
from hlsmem.dependences.beat_ranks import extremes, rank_of
from hlsmem.dependences.circuit_streams import PlainStream
from hlsmem.polyhedra import DimType, Map, PwMultiAff
from hlsmem.polyhedra.extremes import lexmax

Cycles = Any  # a PwAff from times of beats


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A way from the write stream of an array to a read stream.

    `source` maps times of read beats to those of the write beats they leave with. A beat can be
    taken `latency` cycles after its write beat. `held` beats at most are on the way when the next
    one is written; None where none may wait. With `passes` one may be taken in the cycle in which
    the next one is written. With `level` the beats wait in front of the array: all as long.
    """

    reader: PlainStream
    source: Any = field(compare=False, repr=False)
    latency: int
    held: int | None
    passes: bool = False
    level: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """An array that passes beats on in the order of its one write stream."""

    writer: PlainStream
    links: tuple[Link, ...]


def closed_form(
    passages: Sequence[Passage],
    step_entries: int,
    datapaths: Datapaths,
    forks: Sequence[tuple[str, ...]] = (),
) -> Prediction | None:
    """The prediction for arrays that run together; None where it takes a simulation.

    `step_entries` is the number of time entries that make a step, `datapaths` carry
    nothing. `forks` are write streams that bring the same beats to several storages,
    each those that it takes: the next one comes when all have it.
    """
    network = _Network(passages, datapaths, forks)
    if not network.is_solved():
        return None
    streams = tuple(one for passage in passages for one in network.streams_of(passage))
    interval = _interval(network, step_entries)
    if interval is None or interval > FULL_INTERVAL:
        return None
    ends = [*network.written.values(), *network.taken.values()]
    return Prediction(
        cycles=max(extremes(cycles)[1] for cycles in ends) + ENDING_CYCLES,
        interval=round(interval, 2),
        reason=None,
        wait=None,
        streams=streams,
    )


class _Network:
    """The cycles of beats: `written` by write stream, `taken` by statement that reads."""

    def __init__(
        self,
        passages: Sequence[Passage],
        datapaths: Datapaths,
        forks: Sequence[tuple[str, ...]],
    ) -> None:
        self.passages, self.datapaths = passages, datapaths
        self.forks = {name: fork for fork in forks for name in fork}
        self.written: dict[str, Cycles] = {}
        self.taken: dict[str, Cycles] = {}
        self.inputs: dict[str, list[tuple[Passage, Link]]] = {}
        for passage in passages:
            for link in passage.links:
                self.inputs.setdefault(link.reader.statement, []).append((passage, link))

    def is_solved(self) -> bool:
        """Work out the cycles, sources first; whether all of them are known and nothing waits."""
        left = list(self.passages)
        while left:
            ready = [one for one in left if self.is_ready(one.writer.statement)]
            if not ready or not all(self.write(one.writer) for one in ready):
                return False
            left = [one for one in left if one not in ready]
        return all(self.take(name) for name in self.inputs)

    def is_ready(self, statement: str) -> bool:
        inputs = self.inputs.get(statement, [])
        return all(passage.writer.name in self.written for passage, _ in inputs)

    def write(self, writer: PlainStream) -> bool:
        times, statement = writer.instances.times, writer.statement
        if statement not in self.inputs:
            cycles = self.sent(writer)
        elif not self.take(statement) or not times.is_subset(self.taken[statement].domain()):
            return False
        else:
            taken = self.taken[statement].intersect_domain(times)
            cycles = taken.add_constant_val(self.datapaths.cycles(statement))
        if cycles is not None:
            self.written[writer.name] = cycles.coalesce()
        return cycles is not None

    def sent(self, writer: PlainStream) -> Cycles | None:
        """The cycles of beats from outside, one a cycle, those of all branches of a fork counted;
        None where they have no numbers."""
        fork = self.forks.get(writer.name, ())
        own = writer.instances.times
        beats = own
        for passage in self.passages:
            if passage.writer.name in fork:
                beats = beats.union(passage.writer.instances.times)
        rank = rank_of(beats.coalesce())
        return None if rank is None else rank.intersect_domain(own)

    def take(self, statement: str) -> bool:
        """Work out when a statement takes its instances; whether none of them waits."""
        if statement in self.taken:
            return True
        inputs = self.inputs[statement]
        arrivals = [self.arrival(passage, link) for passage, link in inputs]
        taken = arrivals[0]
        for arrival in arrivals[1:]:
            taken = taken.union_max(arrival)
        taken = taken.coalesce()
        for (passage, link), arrival in zip(inputs, arrivals, strict=True):
            if link.held is None and not arrival.ne_set(taken).is_empty():
                return False
            if link.level and not self.waits_evenly(arrival, taken):
                return False
            if link.held is not None and not self.has_room(passage, link, taken):
                return False
        whole = taken.domain()
        if not all(whole.is_subset(arrival.domain()) for arrival in arrivals) and not _grows(taken):
            return False
        self.taken[statement] = taken
        return True

    def arrival(self, passage: Passage, link: Link) -> Cycles:
        written = self.written[passage.writer.name]
        there = written.pullback_pw_multi_aff(PwMultiAff.from_map(link.source))
        return there.add_constant_val(link.latency).coalesce()

    def has_room(self, passage: Passage, link: Link, taken: Cycles) -> bool:
        """True if each beat is taken before the write beat comes that needs its word."""
        assert link.held is not None
        if link.held >= passage.writer.beats:
            return True
        rank = rank_of(passage.writer.instances.times)
        if rank is None:
            return False
        number = Map.from_pw_aff(rank)
        ahead = Map(f"{{ [n] -> [n + {link.held}] }}")
        waiting = link.source.apply_range(number).apply_range(ahead).apply_range(number.reverse())
        written = Map.from_pw_aff(self.written[passage.writer.name])
        late = Map("{ [a] -> [b] : a > b }" if link.passes else "{ [a] -> [b] : a >= b }")
        not_before = Map.from_pw_aff(taken).apply_range(late)
        return bool(waiting.is_disjoint(not_before.apply_range(written.reverse())))

    def waits_evenly(self, arrival: Cycles, taken: Cycles) -> bool:
        """True if all beats of a link are taken as long after they could be."""
        own = taken.intersect_domain(arrival.domain())
        least, most = extremes(own.sub(arrival))
        return least == most

    def streams_of(self, passage: Passage) -> list[StreamPrediction]:
        streams = (passage.writer, *(link.reader for link in passage.links))
        return [_prediction(one, *self.ends(one, one.instances.times)) for one in streams]

    def ends(self, stream: PlainStream, times: Any) -> tuple[int, int]:
        """The cycles of the first and the last of some beats of a stream, from its first one on."""
        if stream.name in self.written:
            return extremes(self.written[stream.name].intersect_domain(times))
        passage, link = next(
            own for own in self.inputs[stream.statement] if own[1].reader.name == stream.name
        )
        first, last = extremes(self.arrival(passage, link).intersect_domain(times))
        is_fifo = link.held is not None and not link.passes
        sent = 1 - link.latency if is_fifo else -link.latency
        last += sent
        if is_fifo:  # a beat leaves the RAM when the ones before it have gone
            before = _without_last(times, link.latency - 1)
            if not before.is_empty():
                taken = self.taken[stream.statement].intersect_domain(before)
                last = max(last, extremes(taken)[1])
        return first + sent, last


def _grows(cycles: Cycles) -> bool:
    """True if the cycles of later beats are later."""
    graph = Map.from_pw_aff(cycles)
    not_later = graph.apply_range(Map("{ [a] -> [b] : a >= b }")).apply_range(graph.reverse())
    return bool(not_later.is_disjoint(Map.lex_lt(cycles.domain().get_space())))


def _without_last(times: Any, beats: int) -> Any:
    for _ in range(beats):
        times = times.subtract(lexmax(times))
    return times


def _prediction(stream: PlainStream, first: int, last: int) -> StreamPrediction:
    return StreamPrediction(
        name=stream.name, beats=stream.beats, idle=0, first_cycle=first, last_cycle=last
    )


def _interval(network: _Network, entries: int) -> float | None:
    """Cycles a step in the second half of the beats of the longest stream."""
    streams = [
        stream
        for passage in network.passages
        for stream in (passage.writer, *(link.reader for link in passage.links))
    ]
    watched = longest(streams)
    assert watched is not None
    times = watched.instances.times
    rank = rank_of(times)
    if rank is None:
        return None
    half = max(1, watched.beats // 2) - 1
    middle = Map.from_pw_aff(rank).fix_val(DimType.out, 0, half).domain()
    until = times.intersect(middle.apply(Map.lex_ge(times.get_space())))
    start, end = network.ends(watched, until)[1], network.ends(watched, times)[1]
    number = steps_behind(times, [one.instances.times for one in streams], middle, entries)
    return (end - start) / number if number else 1.0
