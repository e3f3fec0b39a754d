"""The parts of all memories put together: streams, ports, wires, datapaths, as before a run."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hlsmem.gates.chain import ChainCircuit
from hlsmem.gates.circuit import Circuit, MemoryCircuit
from hlsmem.gates.fifo import FifoCircuit
from hlsmem.gates.routes import is_turned, latency_of
from hlsmem.gates.streams import PlainStream
from hlsmem.predict.chain import ChainReader, ChainWriter, in_order, streams_of
from hlsmem.predict.fifo import FifoReader, fifo_streams
from hlsmem.predict.parts import Column, Datapath, Reader, Stream, Wire, Writer, column
from hlsmem.walk.affine import holds_at


class Machine:
    """All that takes part in a run.

    `watched` is the longest stream: what holds it back is looked at from its beat `half` on.
    """

    def __init__(self, memories: Sequence[Circuit], latency: Mapping[str, int]) -> None:
        self.streams: list[Stream] = []
        self.readers: list[Reader] = []
        self.writers: list[list[Writer]] = []
        self.wires: list[Wire] = []
        self.fifos: list[FifoReader] = []
        chains: list[tuple[ChainCircuit, ChainWriter]] = []
        for memory in memories:
            if isinstance(memory, ChainCircuit):
                chains.append((memory, self.add_chain(memory)))
            elif isinstance(memory, FifoCircuit):
                self.add_fifo(memory)
            else:
                self.add(memory)
        self.writers += [[writer] for writer in in_order(chains)]
        readers = {reader.stream.circuit.name: reader for reader in self.readers}
        streams = {stream.circuit.name: stream for stream in self.streams}
        self.datapaths: list[Datapath] = []
        driven: set[str] = set()
        for name, (kinds, which) in _statements(memories).items():
            ports = [
                ([readers[r] for r in reads], [streams[w] for w in writes])
                for reads, writes in kinds
            ]
            self.datapaths.append(Datapath(ports, column(which), latency.get(name, 1)))
            driven.update(w for _, writes in kinds for w in writes)
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
        self.latency_of = {reader.stream: reader.latency for reader in self.readers}
        self.watched = _longest(self.streams)
        self.half = max(1, self.watched.total // 2) if self.watched else 0
        self.drains = [reader for reader in self.readers if reader.stream.circuit.is_drain]
        self.readers.sort(key=lambda reader: reader.stream.circuit.is_drain)
        self.idling = [stream for stream in self.streams if stream.is_beat is not None]
        self.left = [stream for stream in self.streams if not stream.done]

    def add(self, memory: MemoryCircuit) -> None:
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
        mine: list[Reader] = []
        writers: dict[int, Writer] = {}
        for position, (stream, circuit) in enumerate(zip(own, memory.streams, strict=True)):
            if circuit.is_write:
                pushed = [w for w, wire in pairs if wire.writer == position]
                writers[position] = Writer(stream, pushed)
                continue
            taken = [w for w, wire in pairs if wire.reader == position]
            turned = is_turned(memory, circuit)
            latency = latency_of(memory, circuit)
            mine.append(Reader(stream, latency, taken, is_turned=turned))
        for reader in mine:
            if reader.stream.circuit.is_drain:
                shared = reader.stream.circuit.operands[0].copy
                reader.sharers = [
                    other.stream
                    for other in mine
                    if other is not reader
                    and any(o.copy == shared for o in other.stream.circuit.operands)
                ]
        for turn in memory.turns:
            writers[turn.first].turns[writers[turn.second].stream] = column(turn.limit)
        self.streams += own
        self.wires += wires
        self.readers += mine
        self.writers.append(list(writers.values()))

    def add_chain(self, chain: ChainCircuit) -> ChainWriter:
        written, *read = (Stream(circuit) for circuit in streams_of(chain))
        readers = [ChainReader(stream, written) for stream in read]
        self.streams += [written, *read]
        self.readers += readers
        return ChainWriter(written, readers, chain)

    def add_fifo(self, fifo: FifoCircuit) -> None:
        written, read = fifo_streams(fifo)
        reader = FifoReader(read, fifo)
        self.streams += [written, read]
        self.readers.append(reader)
        self.fifos.append(reader)
        self.writers.append([Writer(written, wires=())])


def _mask(condition: Any, stream: PlainStream) -> Column:
    points = stream.points
    return column(np.broadcast_to(np.asarray(holds_at(condition, points.T)), (len(points),)))


def _longest(streams: Sequence[Stream]) -> Stream | None:
    """The first of the streams with the most beats that are neither fill nor drain."""
    inner = [s for s in streams if not (s.circuit.is_fill or s.circuit.is_drain)]
    return max(inner, key=lambda stream: stream.total, default=None)


Kinds = list[tuple[list[str], list[str]]]


def _statements(memories: Sequence[Circuit]) -> dict[str, tuple[Kinds, Any]]:
    """For every statement with read streams the kinds of its instances, and that of each.

    A kind is the streams that an instance reads and those it writes.
    """
    streams = [
        s for memory in memories for s in streams_of(memory) if not (s.is_fill or s.is_drain)
    ]
    result: dict[str, tuple[Kinds, Any]] = {}
    for name in dict.fromkeys(s.statement for s in streams if not s.is_write):
        own = [s for s in streams if s.statement == name]
        codes = row_codes([s.instances for s in own])
        instances = distinct(codes)
        bits = np.int64 if len(own) < 63 else object
        present = np.zeros(len(instances), dtype=bits)
        for number, code in enumerate(codes):
            present[np.searchsorted(instances, code)] |= 1 << number
        masks, which = _numbered(present, 1 << len(own))
        kinds: Kinds = []
        for mask in masks.tolist():
            there = [s for number, s in enumerate(own) if mask >> number & 1]
            reads = [s.name for s in there if not s.is_write]
            kinds.append((reads, [s.name for s in there if s.is_write]))
        result[name] = kinds, which
    return result


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
    low = np.min([part.min(axis=0) for part in parts], axis=0)
    radix = np.max([part.max(axis=0) for part in parts], axis=0) - low + 1
    if math.prod(radix.tolist()) >= 1 << 62:
        ends = np.cumsum([len(part) for part in parts])[:-1]
        rows = np.concatenate(parts)
        return np.split(np.unique(rows, axis=0, return_inverse=True)[1].ravel(), ends)
    return [_codes(part, low.tolist(), radix.tolist()) for part in parts]


def _codes(rows: Any, low: Sequence[int], radix: Sequence[int]) -> Any:
    code = np.zeros(len(rows), dtype=np.int64)
    for entry, (least, size) in enumerate(zip(low, radix, strict=True)):
        if size > 1:
            code *= size
            code += rows[:, entry]
            code -= least
    return code


def distinct(parts: Sequence[Any]) -> Any:
    """The numbers in any of the parts, each once, in order: parts in order take less time."""
    found = np.sort(np.concatenate(parts), kind="stable")
    return found[np.append(True, found[1:] != found[:-1])] if len(found) else found
