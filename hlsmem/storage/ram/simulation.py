"""Memories in a simulation: read streams with their slots, write streams with their write arbiters,
wires."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from hlsmem.addressing.loop_forms import Value, holds_at
from hlsmem.cycle_model.cycle_floor import Flow, Reuse
from hlsmem.cycle_model.stream_models import (
    Column,
    Reader,
    Stream,
    StreamModels,
    Wire,
    Writer,
    column,
)
from hlsmem.dependences.earliest_release import CompareGate
from hlsmem.dependences.release_limits import Asked, CountLimit, KeyLimit, Limit, Never
from hlsmem.dependences.row_period import Cut
from hlsmem.dependences.vector_cover import vector_map
from hlsmem.polyhedra import DimType, Map
from hlsmem.polyhedra.extremes import lexmin
from hlsmem.polyhedra.relations import rearrangement
from hlsmem.storage.banked.routes import is_turned, latency_of

if TYPE_CHECKING:
    from hlsmem.storage.ram.circuit import MemoryCircuit, StreamCircuit


def memory_players(memory: MemoryCircuit) -> StreamModels:
    """The streams of a memory and what moves them."""
    own = [Stream(circuit) for circuit in memory.streams]
    for stream in own:
        stream.bind(own)
    wires = [
        Wire(
            _mask(wire.pushed, memory.streams[wire.writer]),
            _mask(wire.wired, memory.streams[wire.reader]),
        )
        for wire in memory.wires
    ]
    pairs = list(zip(wires, memory.wires, strict=True))
    readers: list[Reader] = []
    writers: dict[int, Writer] = {}
    for position, (stream, circuit) in enumerate(zip(own, memory.streams, strict=True)):
        if circuit.is_write:
            pushed = [w for w, wire in pairs if wire.writer == position]
            writers[position] = Writer(stream, pushed)
            continue
        taken = [w for w, wire in pairs if wire.reader == position]
        turned = is_turned(memory, circuit)
        latency = latency_of(memory, circuit)
        readers.append(Reader(stream, latency, taken, is_turned=turned))
    for reader in readers:
        if reader.stream.circuit.is_drain:
            shared = reader.stream.circuit.operands[0].copy
            reader.sharers = [
                other.stream
                for other in readers
                if other is not reader
                and any(o.copy == shared for o in other.stream.circuit.operands)
            ]
    for arbiter in memory.arbiters:
        writers[arbiter.first].arbiters[writers[arbiter.second].stream] = column(arbiter.limit)
    return StreamModels(
        streams=tuple(own),
        readers=tuple(readers),
        writers=tuple(writers.values()),
        wires=tuple(wires),
    )


def memory_without(memory: MemoryCircuit, cut: Cut) -> MemoryCircuit:
    """The memory in a run with a cut, without its fill, which is over before."""
    kept = [
        replace(
            stream,
            side=cut.side(stream.side),
            instances=stream.instances.none() if stream.is_fill else stream.instances.without(cut),
            gates=() if stream.is_fill else stream.gates,
        )
        for stream in memory.streams
    ]

    def without(limit: Limit, waiting: int, other: int) -> Limit:
        if kept[other].is_fill or isinstance(limit, Never):
            return Never(beats=kept[waiting].beats)
        if isinstance(limit, CountLimit):
            beats, total = kept[waiting].beats, kept[other].beats
            return replace(limit, beats=beats, total=total)
        assert isinstance(limit, KeyLimit)
        return replace(limit, waiting=kept[waiting].side, other=kept[other].side, cut=cut)

    def source(last: Any, waiting: int, other: int) -> Any:
        if isinstance(last, Asked):
            return replace(last, waiting=kept[waiting].side, other=kept[other].side, cut=cut)
        return cut.counts(last, memory.streams[waiting].side, memory.streams[other].side)

    def with_gates(stream: StreamCircuit, position: int) -> StreamCircuit:
        gates = [replace(g, limit=without(g.limit, position, g.other)) for g in stream.gates]
        sources = [
            (writer, source(last, position, writer))
            for writer, last in stream.sources
            if not kept[writer].is_fill
        ]
        return replace(stream, gates=tuple(gates), sources=tuple(sources))

    streams = tuple(with_gates(stream, position) for position, stream in enumerate(kept))
    arbiters = tuple(
        replace(arbiter, limit=without(arbiter.limit, arbiter.first, arbiter.second))
        for arbiter in memory.arbiters
    )
    return replace(memory, streams=streams, arbiters=arbiters)


def limits_of(memory: MemoryCircuit) -> Iterator[Limit]:
    """The limits of all gates and write arbiters."""
    for stream in memory.streams:
        yield from (gate.limit for gate in stream.gates)
    yield from (arbiter.limit for arbiter in memory.arbiters)


def counts_evenly(memory: MemoryCircuit, cut: Cut) -> bool:
    """True if streams with a counter between them have equally many beats in a cut."""
    return all(
        cut.beats(stream.instances.times) == cut.beats(memory.streams[gate.other].instances.times)
        for stream in memory.streams
        for gate in stream.gates
        if isinstance(gate.limit, CountLimit) and not stream.is_fill
        if not memory.streams[gate.other].is_fill
    )


def memory_tables(memory: MemoryCircuit, entry: int) -> list[Any] | None:
    """Sets of times, and of what is looked up at them counted from their own row: a simulation of
    the memory looks at nothing else.

    None where its beats are not in rows of the time entry: places without a beat, a drain.
    """
    streams, tables = memory.streams, []
    if any(stream.is_drain or stream.places is not None for stream in streams):
        return None
    limits = [
        (stream, streams[gate.other], gate.limit) for stream in streams for gate in stream.gates
    ]
    limits += [
        (streams[arbiter.first], streams[arbiter.second], arbiter.limit)
        for arbiter in memory.arbiters
    ]
    for waiting, other, limit in limits:
        if waiting.is_fill or other.is_fill:
            continue
        if isinstance(limit, KeyLimit):
            tables += [_looked_up(waiting, other, vector, entry) for vector in limit.vectors]
    for wire in memory.wires:
        for stream, condition in (
            (streams[wire.writer], wire.pushed),
            (streams[wire.reader], wire.wired),
        ):
            beats = stream.side.stream.visits.region.where(condition).points
            tables.append(beats.apply(_times(stream)))
    return [table for table in tables if not table.is_empty()]


def _times(stream: StreamCircuit) -> Any:
    """The map from beats of a stream to their times."""
    first = stream.instances.first()[: stream.instances.times.dim(DimType.set)]
    row: list[int | str] = [str(value) for value in first]
    for loop, axis in enumerate(stream.side.axes):
        row[axis - 1] = loop
    return rearrangement(len(stream.side.axes), row)


def _looked_up(
    waiting: StreamCircuit, other: StreamCircuit, vector: Sequence[Value], entry: int
) -> Any:
    """The set of times of beats with the vectors that they are compared by, but for those that are
    before all keys."""
    beats = waiting.side.stream.visits.region.points
    keys = other.side.stream.visits.region.points
    first = lexmin(keys)
    up = vector_map(vector, beats).intersect_range(first.apply(Map.lex_le(first.get_space())))
    if 1 + entry in other.side.axes and 1 + entry in waiting.side.axes:
        row, loop = waiting.side.axes.index(1 + entry), other.side.axes.index(1 + entry)
        loops = len(waiting.side.axes)
        relative: list[int | str] = [loops + k for k in range(len(vector))]
        relative[loop] = f"t{loops + loop} - t{row}"
        own = Map.identity(beats.get_space().map_from_set()).flat_range_product(up)
        up = own.apply_range(rearrangement(loops + len(vector), relative))
    return _times(waiting).intersect_domain(up.domain()).flat_range_product(up).range().coalesce()


def flows_of(memory: MemoryCircuit, cycles: int) -> list[Flow]:
    """The values that pass through a memory, each to be taken so many cycles after its beat."""
    return [
        Flow(reader=stream, writer=memory.streams[writer], beats=beats, cycles=cycles)
        for stream in memory.streams
        for writer, beats in stream.sources
    ]


def reuses_of(memory: MemoryCircuit) -> Iterator[Reuse]:
    """The reads that gates of write streams wait for."""
    for stream in memory.streams:
        for gate in stream.gates:
            reader = memory.streams[gate.other]
            if not stream.is_write or stream.is_fill or reader.is_write or reader.is_drain:
                continue
            limit: Any = np.asarray(gate.limit)
            if isinstance(gate, CompareGate) and reader.places is not None:
                passed = np.concatenate([[0], np.cumsum(np.asarray(reader.places))])
                limit = passed[np.minimum(limit, len(passed) - 1)]
            beats = np.minimum(limit, reader.beats)
            yield Reuse(writer=stream, reader=reader, beats=beats, cycles=int(not gate.bypass))


def _mask(condition: Any, stream: StreamCircuit) -> Column:
    points = stream.points
    return column(np.broadcast_to(np.asarray(holds_at(condition, points.T)), (len(points),)))
