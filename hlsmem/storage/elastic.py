"""Branch FIFOs: where branches of a stream meet again, the shorter one waits in beats.

At one beat a cycle a statement's operands have to come together. An array's read beat is there
one latency after the write beat that brings its newest element, a result one datapath later. Start
times sigma of all statements with

    sigma(S) >= sigma(W) + latency(W) + read latency      for S reading what W writes

leave sigma(S) - sigma(W) - latency(W) - read latency beats in front of S: as many as the paths
differ. Least are the bits of all these beats: a linear program of differences, whose dual is a
minimum-cost flow (Leiserson, Saxe, "Retiming synchronous circuitry", Algorithmica 1991, section 8).

A chain of its own, for some of the operands, may wait as a whole: its write beats, an element each,
stand in front of it. It has a start time too, no earlier than its writer's results; of equally many
bits those behind it are taken.

A stream that passes over instances has one as well, with the beats that it looks at in front: what
it reads or writes comes by other ways. Those values stay in their cells, which holds their writers
up, so that such a way is made longer only where no other can be.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from graphlib import CycleError, TopologicalSorter

from hlsmem.devices import family_of
from hlsmem.devices.inference import implement
from hlsmem.devices.primitives import Cost, Style
from hlsmem.plan import Elastic
from hlsmem.storage.circuit import Edge
from hlsmem.storage.junctions import Junction
from hlsmem.storage.kinds import Circuit

# Bits are counted so much finer than what a FIFO in front of a chain costs above one behind it.
_FINE = 1024
# A bit that waits in its cell is as dear as so many in a FIFO.
_STALL = 1 << 16


def branch_fifos(
    circuits: Sequence[Circuit], latency: Mapping[str, int], joined: Sequence[Junction] = ()
) -> tuple[Elastic, ...]:
    """The branch FIFOs of a network, none behind what statements that go round read of each other.

    `latency` has the cycles of every statement's datapath, `joined` are the junctions of arrays in
    several parts: chains among these may wait in front. Depths are exact where all storage is
    chains. A FIFO or RAM has room of its own, and reads that come long after their writes: of
    these they are as much as can be needed.
    """
    forks = [one for one in joined if one.is_write]
    fronts = {branch.stream for one in forks if one.can_count for branch in one.branches}
    edges = [
        replace(edge, cycles=edge.cycles + _result(edge.source, circuits, latency))
        for circuit in circuits
        for edge in circuit.edges(fronts)
    ]
    edges = _without_rounds(edges)
    depths = branch_depths(edges) if edges else {}
    if not depths:
        return ()
    by_stream = {edge.stream: edge for edge in edges if not edge.is_gate}
    readers = {stream: _reader_behind(edges, by_stream[stream], depths) for stream in depths}
    ahead = {reader: _ahead(edges, reader) for reader in dict.fromkeys(readers.values())}
    costs = _costs_of_latency(edges, depths, frozenset[str]().union(*ahead.values()))
    latency_costs = {reader: {one: costs[one] for one in sorted(ahead[reader])} for reader in ahead}
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
            waits_for=late[readers[stream]],
            latency=latency_costs[readers[stream]],
        )
        for stream, beats in depths.items()
    )


def with_counting_forks(joined: Sequence[Junction], waiting: Collection[str]) -> list[Junction]:
    """The junctions, of which forks into branch FIFOs pass on the beats of their run alone.

    `waiting` are the streams with branch FIFOs.
    """
    return [
        one.counting()
        if one.is_write and any(branch.stream in waiting for branch in one.branches)
        else one
        for one in joined
    ]


def _reader_behind(edges: Sequence[Edge], edge: Edge, depths: Mapping[str, int]) -> str:
    """The statement that an edge leads to: of a chain that waits, the first that it waits for."""
    if not edge.is_front:
        return edge.reader
    behind = [one for one in edges if one.source == edge.reader]
    return min(behind, key=lambda one: depths.get(one.stream, 0)).reader


def branch_cost(device: str, one: Elastic) -> Cost:
    """Cost of the words of a branch FIFO: it shows a beat in the cycle after, so no block RAM holds
    it."""
    has_lut_ram = any(cell.style is Style.DISTRIBUTED for cell in family_of(device).cells)
    if one.beats == 1 or not has_lut_ram:
        bits = one.beats * one.bits
        return Cost(flip_flops=bits, registers=bits)
    return implement(device, one.beats, one.bits, style=Style.DISTRIBUTED, collision=False).cost


def _without_rounds(edges: Sequence[Edge]) -> list[Edge]:
    """The edges between statements that do not need each other's results in turn."""
    # From each statement to those that it leads to, itself among them.
    leads = {edge.source: {edge.source} for edge in edges}
    leads |= {edge.reader: {edge.reader} for edge in edges}
    grows = True
    while grows:
        grows = False
        for edge in edges:
            more = leads[edge.reader] - leads[edge.source]
            leads[edge.source] |= more
            grows = grows or bool(more)
    return [edge for edge in edges if edge.source not in leads[edge.reader]]


def _ahead(edges: Sequence[Edge], reader: str) -> frozenset[str]:
    """The statements with datapaths ahead of a reader, itself among them.

    What reads nothing has no datapath here, nor has a stream that looks.
    """
    ahead, waiting = {reader}, [reader]
    while waiting:
        current = waiting.pop()
        new = {edge.source for edge in edges if edge.reader == current} - ahead
        ahead |= new
        waiting += new
    reading = {edge.reader for edge in edges if not edge.is_front}
    reading -= {edge.reader for edge in edges if edge.is_gate}
    return frozenset(ahead & reading)


def _costs_of_latency(
    edges: Sequence[Edge], depths: Mapping[str, int], statements: Iterable[str]
) -> dict[str, int]:
    """The bits in all branch FIFOs that one more cycle takes of each of these statements."""
    before = _waiting_bits(edges, depths)
    costs = {}
    for name in statements:
        slower = [replace(e, cycles=e.cycles + 1) if e.source == name else e for e in edges]
        costs[name] = _waiting_bits(slower, branch_depths(slower)) - before
    return costs


def _waiting_bits(edges: Sequence[Edge], depths: Mapping[str, int]) -> int:
    return sum(edge.bits * depths.get(edge.stream, 0) for edge in edges)


def _arrival(edges: Sequence[Edge]) -> Callable[[Edge], int]:
    """Earliest cycle at which the beats of an edge come, counted from the first source."""

    def at(statement: str) -> int:
        return max((arrival(edge) for edge in edges if edge.reader == statement), default=0)

    def arrival(edge: Edge) -> int:
        return at(edge.source) + edge.cycles

    return arrival


def _result(statement: str, circuits: Sequence[Circuit], latency: Mapping[str, int]) -> int:
    """Cycles of a statement's datapath; none for beats from outside."""
    reads = {
        stream.statement
        for circuit in circuits
        for stream in circuit.streams
        if not stream.is_write
    }
    return latency.get(statement, 1) if statement in reads else 0


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
        if depth and not edge.is_gate:
            depth += edge.inside
            depths[edge.stream] = max(depth, depths.get(edge.stream, 0))
    return depths


def _starts(edges: tuple[Edge, ...]) -> Mapping[str, int] | None:
    """Start times with the least bits waiting; None where the statements form a circle."""
    order = TopologicalSorter[str]()
    into: dict[str, list[Edge]] = {}
    for edge in edges:
        order.add(edge.reader, edge.source)
        into.setdefault(edge.reader, []).append(edge)
    earliest: dict[str, int] = {}
    try:
        for name in order.static_order():
            ends = (earliest[edge.source] + edge.cycles for edge in into.get(name, ()))
            earliest[name] = max(ends, default=0)
    except CycleError:
        return None
    if all(earliest[e.reader] == earliest[e.source] + e.cycles for e in edges):
        return earliest  # no beat waits

    import networkx as nx

    graph = nx.MultiDiGraph()
    for edge in edges:
        bits = _FINE * edge.bits * (_STALL if edge.is_gate else 1) + edge.is_front
        graph.add_edge(edge.source, edge.reader, weight=-edge.cycles, bits=bits)
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
    return {node: -length for node, length in _distances(residual).items()}


def _distances(graph: object) -> dict[str, int]:
    """The length of the shortest way to each node from any, by Bellman and Ford.

    No circle of a residual network at the least costs is negative.
    """
    found = dict.fromkeys(graph.nodes, 0)  # type: ignore[attr-defined]
    edges = list(graph.edges(data="weight"))  # type: ignore[attr-defined]
    grows = True
    while grows:
        grows = False
        for source, target, weight in edges:
            if found[source] + weight < found[target]:
                found[target] = found[source] + weight
                grows = True
    return found


def _shorter(graph: object, source: str, target: str, weight: int) -> None:
    known = graph.get_edge_data(source, target)  # type: ignore[attr-defined]
    if known is None or known["weight"] > weight:
        graph.add_edge(source, target, weight=weight)  # type: ignore[attr-defined]
