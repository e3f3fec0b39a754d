"""Memories in a play: read streams with their slots, write streams with their turns, wires."""

from __future__ import annotations

from typing import Any

import numpy as np

from hlsmem.gates.streams import PlainStream
from hlsmem.predict.flow import Flow
from hlsmem.predict.parts import Column, Players, Reader, Stream, Wire, Writer, column
from hlsmem.storage.banked.routes import is_turned, latency_of
from hlsmem.storage.ram.circuit import MemoryCircuit
from hlsmem.walk.affine import holds_at


def memory_players(memory: MemoryCircuit) -> Players:
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
    for turn in memory.turns:
        writers[turn.first].turns[writers[turn.second].stream] = column(turn.limit)
    return Players(
        streams=tuple(own),
        readers=tuple(readers),
        writers=tuple(writers.values()),
        wires=tuple(wires),
    )


def flows_of(memory: MemoryCircuit, cycles: int) -> list[Flow]:
    """The values that pass through a memory, each to be taken so many cycles after its beat."""
    return [
        Flow(reader=stream, writer=memory.streams[writer], beats=beats, cycles=cycles)
        for stream in memory.streams
        for writer, beats in stream.sources
    ]


def _mask(condition: Any, stream: PlainStream) -> Column:
    points = stream.points
    return column(np.broadcast_to(np.asarray(holds_at(condition, points.T)), (len(points),)))
