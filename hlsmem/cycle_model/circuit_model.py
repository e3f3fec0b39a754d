"""The parts of all memories put together: streams, ports, wires, datapaths, as before a run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from hlsmem.cycle_model.datapaths import Carried, Datapaths
from hlsmem.cycle_model.stream_models import (
    Awaited,
    Column,
    Datapath,
    Reader,
    Stream,
    StreamModels,
    Wire,
    Writer,
    column,
)
from hlsmem.dependences.circuit_streams import PlainStream
from hlsmem.polyhedra.codes import code_of_rows
from hlsmem.polyhedra.enumeration import distinct


class Machine:
    """All that takes part in a run.

    `watched` is the longest stream: what holds it back is looked at from its beat `half` on, and
    no cycles are skipped over in which it comes to `mark`, where there is one. With an `outcome`
    only some instances run; the beats of others are `passed` over. `predicate_reading` are the read
    streams that end at address generators.
    """

    def __init__(
        self,
        players: Sequence[StreamModels],
        datapaths: Datapaths,
        forks: Sequence[tuple[str, ...]] = (),
        outcome: Outcome | None = None,
    ) -> None:
        self.streams: list[Stream] = [s for own in players for s in own.streams]
        self.readers: list[Reader] = [r for own in players for r in own.readers]
        self.wires: list[Wire] = [w for own in players for w in own.wires]
        self.writers: list[Sequence[Writer]] = _in_order(
            [own.writers for own in players], datapaths
        )
        readers = {r.stream.circuit.name: r for r in self.readers if r.branch is None}
        streams = {stream.circuit.name: stream for stream in self.streams}
        self.is_drawn = outcome is not None
        self.passed = 0
        self.predicate_reading = _predicate_reading(self.streams, readers)
        if outcome is not None:
            _draw(self.streams, self.readers, outcome)
        looked = {reader.stream for reader in self.predicate_reading}
        self.datapaths: list[Datapath] = []
        simulated = [stream for stream in self.streams if stream not in looked]
        groups, carried = _statements(simulated, datapaths)
        driven = {s.name for _, own in groups for s in own if s.is_write}
        # Beats from outside that go to several storages: the next one comes when all have it.
        for fork in forks:
            own = [streams[name].circuit for name in fork if name not in driven]
            groups += [("", own)] if own else []
            driven.update(fork)
        paths: dict[str, Datapath] = {}
        every = {
            name: _running(name, datapaths.instances[name].rows, outcome)
            for name, _ in groups
            if name in datapaths.instances
        }
        for name, own in groups:
            kinds, which, rows = _kinds(
                own, {s.name: streams[s.name].runs for s in own}, every.get(name)
            )
            ports = [
                ([readers[r] for r in reads], [streams[w] for w in writes])
                for reads, writes in kinds
            ]
            cycles = datapaths.cycles(name) if name else 0
            path = Datapath(ports, column(which), cycles, name=name, rows=rows)
            self.datapaths.append(path)
            paths[name] = path
        for one in carried:
            needed = _results_needed(one, every[one.reader], every[one.writer])
            awaited = Awaited(paths[one.writer], column(needed), one.array, one.cycles)
            paths[one.reader].awaited.append(awaited)
        self.datapaths = _by_offers(self.datapaths)
        self.sources: list[Stream] = []
        for stream in self.streams:
            if stream.circuit.is_fill:  # complete before the start
                stream.gone = stream.total
                stream.place = len(stream.is_beat or ()) or stream.total
                stream.done = True
                stream.seen = (stream.gone, stream.place, True)
            elif stream.circuit.is_write and stream.circuit.name not in driven:
                self.sources.append(stream)
        self.path_of = {
            stream: path
            for path in self.datapaths
            for reads, writes in path.ports
            for stream in (*(reader.stream for reader in reads), *writes)
        }
        self.latency_of = {r.stream: r.latency for r in self.readers if r.branch is None}
        circuits = {s.circuit.name: s for s in self.streams if s not in looked}
        last = longest(stream.circuit for stream in circuits.values())
        self.watched = None if last is None else circuits[last.name]
        self.half = max(1, self.watched.total // 2) if self.watched else 0
        self.mark: int | None = None
        self.drains = [reader for reader in self.readers if reader.stream.circuit.is_drain]
        self.readers.sort(key=lambda reader: reader.stream.circuit.is_drain)
        # Those whose beats move inside the storage at the end of a cycle.
        self.movers = [r for r in self.readers if type(r).move is not Reader.move]
        self.idling = [stream for stream in self.streams if stream.is_beat is not None]
        self.left = [stream for stream in self.streams if not stream.done]


def _by_offers(paths: list[Datapath]) -> list[Datapath]:
    """Datapaths as they offer results in a cycle: behind those whose results they see at once."""
    seen = {
        path: {r.behind for reads, _ in path.ports for r in reads if r.behind is not None}
        for path in paths
    }
    found, left = list[Datapath](), paths
    while left:
        offered = {s for path in left for _, writes in path.ports for s in writes}
        ready = [path for path in left if not seen[path] & offered]
        if not ready:
            return [*found, *left]
        found += ready
        left = [path for path in left if path not in ready]
    return found


def _in_order(groups: Sequence[Sequence[Writer]], datapaths: Datapaths) -> list[Sequence[Writer]]:
    """Groups of writers as they go in a cycle: those whose beats push nothing out come first.

    Whether a beat that was pushed out is taken depends on what goes into the storage behind it.
    """
    found = [group for group in groups if not any(writer.pushes for writer in group)]
    left = [group for group in groups if any(writer.pushes for writer in group)]
    while left:
        writing = (writer.stream.circuit.statement for group in left for writer in group)
        behind = {*map(datapaths.process_of, writing)}
        ready = [
            group
            for group in left
            if not any(datapaths.process_of(s) in behind for one in group for s in one.pushes)
        ]
        found += ready
        left = [group for group in left if group not in ready]
    return found


def longest(circuits: Iterable[PlainStream]) -> PlainStream | None:
    """The stream with the most beats that is neither fill nor drain.

    Of several that of the last access of a step, a write before a read: those of the first ones
    may run ahead of the others.
    """
    inner = [one for one in circuits if not (one.is_fill or one.is_drain)]
    most = max((one.beats for one in inner), default=0)
    several = [one for one in inner if one.beats == most]
    if len(several) == 1:
        return several[0]
    return max(several, key=lambda one: (one.instances.first(), one.is_write), default=None)


# The times of the instances that do not run, by statement: an array with a row for each.
Outcome = Mapping[str, Any]
Kinds = list[tuple[list[str], list[str]]]


def _statements(
    simulated: Sequence[Stream], datapaths: Datapaths
) -> tuple[list[tuple[str, list[PlainStream]]], list[Carried]]:
    """The statements that wait for streams, or for others that do, with the streams of each, and
    what these carry."""
    inner = (s.circuit for s in simulated if not (s.circuit.is_fill or s.circuit.is_drain))
    streams = [datapaths.of_process(one) for one in inner]
    reading = dict.fromkeys(stream.statement for stream in streams if not stream.is_write)
    names, carried = datapaths.waiting(tuple(reading))
    return [
        (name, [stream for stream in streams if stream.statement == name]) for name in names
    ], carried


def _running(statement: str, rows: Any, outcome: Outcome | None) -> Any:
    """The rows of a statement's instances that run in an outcome."""
    idle = None if outcome is None else outcome.get(statement)
    if idle is None or not len(idle):
        return rows
    own, others = row_codes([rows, idle[:, : rows.shape[1]]])
    return rows[~np.isin(own, others)]


def _results_needed(one: Carried, own: Any, other: Any) -> Any:
    """Number of instances of the writer, of the rows `other`, that have their results before each
    of the reader, of the rows `own`, takes its beats."""
    needed: Any = np.zeros(len(own), dtype=np.int64)
    reader, writer = one.pairs()
    if not len(reader):
        return needed
    readers, writers, own, other = row_codes([reader, writer, own, other])
    at = np.minimum(np.searchsorted(own, readers), len(own) - 1)
    number = np.searchsorted(other, writers, side="right")
    runs = own[at] == readers
    np.maximum.at(needed, at[runs], number[runs])
    return needed


def _predicate_reading(streams: Sequence[Stream], readers: Mapping[str, Reader]) -> list[Reader]:
    """The read streams that end at address generators, each bound to the stream that takes its
    beats."""
    found = []
    for stream in streams:
        for name, takes in stream.circuit.predicate_reads().items():
            if name in readers:
                stream.predicate_reads.append((readers[name], column(takes)))
                found.append(readers[name])
    return found


def _draw(streams: Sequence[Stream], readers: Sequence[Reader], outcome: Outcome) -> None:
    """Let those instances alone run that do in an outcome."""
    for stream in streams:
        idle = outcome.get(stream.circuit.statement)
        if idle is None or not stream.circuit.predicate_reads():
            continue
        times = stream.circuit.instances.rows[:, : idle.shape[1]]
        own, others = row_codes([times, idle]) if len(idle) else (np.arange(len(times)), ())
        runs = ~np.isin(own, others)
        stream.runs = column(runs)
        for reader in readers:  # two, where a branch FIFO stands behind the stream
            if reader.stream is stream:
                reader.issues = column(np.concatenate([[0], np.cumsum(runs)]))


def _kinds(
    own: Sequence[PlainStream], runs: Mapping[str, Column | None], every: Any = None
) -> tuple[Kinds, Any, list[Any]]:
    """The kinds of instances that some streams have beats of, the kind of each instance, and rows
    that have them all.

    A kind is the streams that an instance reads and those it writes. Of a stream with `runs` some
    beats are of instances that do not run. `every` are the times of all instances, those without a
    beat too, where they count.
    """
    rows = [s.instances.rows for s in own]
    if every is not None:
        rows = [*(one[:, : every.shape[1]] for one in rows), every]
    codes = row_codes(rows)
    codes = [
        code if k == len(own) or runs[own[k].name] is None else code[np.asarray(runs[own[k].name])]
        for k, code in enumerate(codes)
    ]
    instances = distinct(np.concatenate(codes), runs=True)
    bits = np.int64 if len(own) < 63 else object
    present = np.zeros(len(instances), dtype=bits)
    for number, code in enumerate(codes[: len(own)]):
        present[np.searchsorted(instances, code)] |= 1 << number
    masks, which = _numbered(present, 1 << len(own))
    kinds: Kinds = []
    for mask in masks.tolist():
        there = [s for number, s in enumerate(own) if mask >> number & 1]
        reads = [s.name for s in there if not s.is_write]
        kinds.append((reads, [s.name for s in there if s.is_write]))
    return kinds, which, rows


def _numbered(values: Any, end: int) -> tuple[Any, Any]:
    """The values that there are, of those from 0 to `end`, and the place of each among them."""
    if end > len(values):
        masks, which = np.unique(values, return_inverse=True)
        return masks, which
    there = np.zeros(end, dtype=bool)
    there[values] = True
    return np.flatnonzero(there), (np.cumsum(there) - 1)[values]


def row_codes(parts: Sequence[Any]) -> list[Any]:
    """Rows of all parts as numbers that keep their lexicographic order."""
    if not any(map(len, parts)):  # streams without beats at the plan's values
        return [np.zeros(0, dtype=np.int64) for _ in parts]
    code = code_of_rows(parts)
    if code is None:
        ends = np.cumsum([len(part) for part in parts])[:-1]
        rows = np.concatenate(parts)
        return np.split(np.unique(rows, axis=0, return_inverse=True)[1].ravel(), ends)
    return [code.of_rows(part) for part in parts]
