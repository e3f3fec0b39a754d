"""Branch FIFOs: where branches of a stream meet again, the shorter one waits in beats.

At one beat a cycle a statement's operands have to come together. An array's read beat is there
one latency after the write beat that brings its newest element, a result one datapath later. Start
times sigma of all statements with

    sigma(S) >= sigma(W) + latency(W) + read latency      for S reading what W writes

leave sigma(S) - sigma(W) - latency(W) - read latency beats in front of S: as many as the paths
differ. Least are the bits of all these beats: a linear program of differences, whose dual is a
minimum-cost flow (Leiserson, Saxe, "Retiming synchronous circuitry", Algorithmica 1991, section 8).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from hlsmem.plan import Elastic
from hlsmem.storage.banked.routes import latency_of
from hlsmem.storage.chain.circuit import ChainCircuit
from hlsmem.storage.circuits import Circuit
from hlsmem.storage.fifo.circuit import FifoCircuit
from hlsmem.storage.ram.circuit import MemoryCircuit
from hlsmem.verilog.ports import padded_bits


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """What one statement writes and another reads: cycles in between, bits of a read beat.

    `stream` is the read stream. `inside` are beats that take part of the cycles within storage of
    no more words than have to be alive at once: those behind cannot come in for as long.
    """

    source: str
    reader: str
    stream: str
    cycles: int
    bits: int
    inside: int = 0


def branch_fifos(circuits: Sequence[Circuit], latency: Mapping[str, int]) -> tuple[Elastic, ...]:
    """The branch FIFOs of a network, none behind what statements that go round read of each other.

    `latency` has the cycles of every statement's datapath. Depths are exact where all storage is
    chains. A FIFO or RAM has room of its own, and reads that come long after their writes: of
    these they are as much as can be needed.
    """
    edges: list[Edge] = []
    for circuit in circuits:
        match circuit:
            case ChainCircuit():
                cycles = _result(circuit.statement, circuits, latency) + 1
                edges += [
                    Edge(
                        source=circuit.statement,
                        reader=reader.statement,
                        stream=reader.name,
                        cycles=cycles,
                        bits=len(reader.distances) * padded_bits(circuit.bits),
                    )
                    for reader in circuit.readers
                ]
            case FifoCircuit():
                cycles = _result(circuit.writer.statement, circuits, latency)
                reader, inside = circuit.reader, 2 + circuit.output_register
                edges.append(
                    Edge(
                        source=circuit.writer.statement,
                        reader=reader.statement,
                        stream=reader.name,
                        cycles=cycles + inside,
                        bits=padded_bits(circuit.bits),
                        inside=inside,
                    )
                )
            case MemoryCircuit():
                edges += _through(circuit, circuits, latency)
    edges = _without_rounds(edges)
    depths = branch_depths(edges) if edges else {}
    if not depths:
        return ()
    by_stream = {edge.stream: edge for edge in edges}
    arrival = _arrival(edges)
    late = {
        edge.reader: max((e for e in edges if e.reader == edge.reader), key=arrival).stream
        for edge in edges
    }
    return tuple(
        Elastic(
            stream=stream,
            beats=beats,
            bits=by_stream[stream].bits,
            waits_for=late[by_stream[stream].reader],
            latency=_costs_of_latency(edges, by_stream[stream].reader),
        )
        for stream, beats in depths.items()
    )


def _through(
    memory: MemoryCircuit, circuits: Sequence[Circuit], latency: Mapping[str, int]
) -> Iterator[Edge]:
    """From all that write a memory to all that read it: a read is issued after the write."""
    for reader in memory.streams:
        if reader.is_write or reader.statement is None or reader.is_drain:
            continue
        for writer in memory.streams:
            if writer.is_write and not writer.is_fill:
                inside = 1 + latency_of(memory, reader)
                yield Edge(
                    source=writer.statement,
                    reader=reader.statement,
                    stream=reader.name,
                    cycles=_result(writer.statement, circuits, latency) + inside,
                    bits=len(reader.operands) * padded_bits(memory.bits),
                    inside=inside,
                )


def _without_rounds(edges: Sequence[Edge]) -> list[Edge]:
    """The edges between statements that do not need each other's results in turn."""
    import networkx as nx

    graph = nx.DiGraph((edge.source, edge.reader) for edge in edges)
    together = enumerate(nx.strongly_connected_components(graph))
    rounds = {name: number for number, one in together for name in one}
    return [edge for edge in edges if rounds[edge.source] != rounds[edge.reader]]


def _costs_of_latency(edges: Sequence[Edge], reader: str) -> dict[str, int]:
    """The bits in all branch FIFOs that one more cycle takes of each statement ahead of a reader.

    Statements that read nothing have no datapath here.
    """
    before = _waiting_bits(edges, branch_depths(edges))
    ahead, waiting = dict.fromkeys([reader]), [reader]
    while waiting:
        current = waiting.pop()
        new = [e.source for e in edges if e.reader == current and e.source not in ahead]
        ahead |= dict.fromkeys(new)
        waiting += new
    reading = {edge.reader for edge in edges}
    costs = {}
    for name in (one for one in ahead if one in reading):
        slower = [replace(e, cycles=e.cycles + (e.source == name)) for e in edges]
        costs[name] = _waiting_bits(slower, branch_depths(slower)) - before
    return dict(sorted(costs.items()))


def _waiting_bits(edges: Sequence[Edge], depths: Mapping[str, int]) -> int:
    return sum(edge.bits * depths.get(edge.stream, 0) for edge in edges)


def _arrival(edges: Sequence[Edge]) -> Callable[[Edge], int]:
    """When the beats of an edge come at the earliest, in cycles from the first source."""

    def at(statement: str) -> int:
        return max((arrival(edge) for edge in edges if edge.reader == statement), default=0)

    def arrival(edge: Edge) -> int:
        return at(edge.source) + edge.cycles

    return arrival


def _result(statement: str, circuits: Sequence[Circuit], latency: Mapping[str, int]) -> int:
    """Cycles of a statement's datapath; none for beats from outside."""
    reads = {name for circuit in circuits for name in _reading(circuit)}
    return latency.get(statement, 1) if statement in reads else 0


def _reading(circuit: Circuit) -> Iterator[str]:
    match circuit:
        case ChainCircuit():
            yield from (reader.statement for reader in circuit.readers)
        case FifoCircuit():
            yield circuit.reader.statement
        case MemoryCircuit():
            yield from (stream.statement for stream in circuit.streams if not stream.is_write)


def branch_depths(edges: Iterable[Edge]) -> dict[str, int]:
    """Beats that wait in front of each read stream, the least bits in all.

    Streams that need none are left out. Empty where statements wait for each other in turn.

    >>> def edge(source, reader, stream, cycles, bits=8):
    ...     return Edge(source=source, reader=reader, stream=stream, cycles=cycles, bits=bits)
    >>> branch_depths([
    ...     edge("in", "B", "m_in_B", 1, 72),
    ...     edge("in", "S", "m_in_S", 1),
    ...     edge("B", "S", "m_b_S", 6),
    ... ])
    {'m_in_S': 6}
    """
    listed = tuple(edges)
    starts = _starts(listed)
    if starts is None:
        return {}
    depths: dict[str, int] = {}
    for edge in listed:
        depth = starts[edge.reader] - starts[edge.source] - edge.cycles
        if depth:
            depth += edge.inside
            depths[edge.stream] = max(depth, depths.get(edge.stream, 0))
    return depths


def _starts(edges: tuple[Edge, ...]) -> Mapping[str, int] | None:
    """Start times with the least bits waiting; None where the statements form a circle."""
    import networkx as nx

    graph = nx.MultiDiGraph()
    for edge in edges:
        graph.add_edge(edge.source, edge.reader, weight=-edge.cycles, bits=edge.bits)
    if not nx.is_directed_acyclic_graph(graph):
        return None
    for node in graph.nodes:
        into = sum(bits for _, _, bits in graph.in_edges(node, data="bits"))
        out = sum(bits for _, _, bits in graph.out_edges(node, data="bits"))
        graph.nodes[node]["demand"] = into - out
    _, flow = nx.network_simplex(graph)
    # Potentials of the residual network: every edge forwards, and back where it has flow.
    residual = nx.DiGraph()
    for source, reader, key, weight in graph.edges(keys=True, data="weight"):
        _shorter(residual, source, reader, weight)
        if flow[source][reader][key]:
            _shorter(residual, reader, source, -weight)
    residual.add_edges_from(("", node, {"weight": 0}) for node in graph.nodes)
    distance = nx.single_source_bellman_ford_path_length(residual, "")
    return {node: -length for node, length in distance.items() if node}


def _shorter(graph: object, source: str, target: str, weight: int) -> None:
    known = graph.get_edge_data(source, target)  # type: ignore[attr-defined]
    if known is None or known["weight"] > weight:
        graph.add_edge(source, target, weight=weight)  # type: ignore[attr-defined]
