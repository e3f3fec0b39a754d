"""Shifts of statements whose rows are given: the least legal ones, and those of fewest bits.

A constraint (s, t, v) says that the shift of t is at least that of s plus v, lexicographically.
Vectors in that order are an ordered group, so longest paths give the least shifts. Those of
fewest bits are minimum-area retiming: the dual is a minimum-cost flow, and its potentials are
the shifts.

Source: C. E. Leiserson, J. B. Saxe, "Retiming synchronous circuitry", Algorithmica 6 (1991),
section 8, with vectors for numbers of registers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hlsmem.core.lazy_dataclass import dataclass

Vector = tuple[int, ...]
Constraint = tuple[int, int, Vector]


def least_shifts(count: int, constraints: Sequence[Constraint], size: int) -> list[Vector] | None:
    """The least shift of each of `count` statements, vectors of `size` entries, 0 the least.

    None where the constraints go round in a circle: no shift is legal.

    >>> least_shifts(3, [(0, 1, (1, 0)), (1, 2, (1, 1))], 2)
    [(0, 0), (1, 0), (2, 1)]
    >>> least_shifts(2, [(0, 1, (1, 0)), (1, 0, (0, -5))], 2) is None
    True
    """
    found = [(0,) * size] * count
    for _ in range(count + 1):
        changed = False
        for source, target, distance in constraints:
            wanted = _sum(found[source], distance)
            if wanted > found[target]:
                found[target], changed = wanted, True
        if not changed:
            return found
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Wait:
    """Values of one writer that are held to their last read.

    `reads` lists (reader, distance): a value is read as much later, before shifts. `weight` is
    what it costs to hold them for a step.
    """

    writer: int
    reads: tuple[tuple[int, Vector], ...]
    weight: int


def area_shifts(
    count: int, constraints: Sequence[Constraint], waits: Sequence[Wait], size: int
) -> list[Vector]:
    """The shifts for which values wait least, where some shifts satisfy the constraints.

    >>> waits = [Wait(writer=0, reads=((1, (0,)),), weight=8),
    ...          Wait(writer=1, reads=((2, (0,)),), weight=32)]
    >>> area_shifts(3, [(0, 1, (0,)), (0, 2, (2,)), (1, 2, (0,))], waits, 1)
    [(0,), (2,), (2,)]
    """
    import networkx

    arcs: dict[tuple[int, int], Vector] = {}
    for source, target, distance in [*constraints, *_held(count, waits)]:
        if source != target:
            arcs[source, target] = max(arcs.get((source, target), distance), distance)
    base = 2 * sum(abs(entry) for vector in arcs.values() for entry in vector) + 3
    nodes = count + len(waits)
    demand = [0] * nodes
    for position, wait in enumerate(waits):
        demand[count + position] += wait.weight
        demand[wait.writer] -= wait.weight
    graph = networkx.DiGraph()
    graph.add_nodes_from((node, {"demand": demand[node]}) for node in range(nodes))
    for (source, target), vector in arcs.items():
        graph.add_edge(source, target, weight=-_number(vector, base))
    _, flow = networkx.network_simplex(graph)
    # Of optimal duals, the least: longest paths, back along what flows.
    tight = [
        (target, source, _negated(arcs[source, target]))
        for source, target in arcs
        if flow[source][target]
    ]
    rows = [(source, target, vector) for (source, target), vector in arcs.items()]
    found = least_shifts(nodes, [*rows, *tight], size)
    assert found is not None  # the constraints hold for some shifts
    low = [min(vector[entry] for vector in found[:count]) for entry in range(size)]
    return [tuple(a - b for a, b in zip(vector, low, strict=True)) for vector in found[:count]]


def _held(count: int, waits: Sequence[Wait]) -> Iterator[Constraint]:
    """The end of each wait, a node of its own, comes after all its reads."""
    for position, wait in enumerate(waits):
        for reader, distance in wait.reads:
            yield reader, count + position, distance


def _number(vector: Vector, base: int) -> int:
    """A vector as one number: sums of as many as occur keep their lexicographic order."""
    value = 0
    for entry in vector:
        value = value * base + entry
    return value


def _sum(one: Vector, other: Vector) -> Vector:
    return tuple(a + b for a, b in zip(one, other, strict=True))


def _negated(vector: Vector) -> Vector:
    return tuple(-entry for entry in vector)
