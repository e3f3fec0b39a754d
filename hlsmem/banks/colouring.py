"""Banks as colours: elements that one cycle accesses get different ones.

For what no lattice does well: patterns that tile, but not as a lattice, and accesses without
any pattern. The answer is a table over a period of the array, or over all of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, product
from math import prod

import networkx as nx
import numpy as np

from hlsmem.banks.bank_layout import TableBanks
from hlsmem.banks.pattern import Pattern
from hlsmem.polyhedra.lattices import Vector, hermite

# Elements of a table at most, choices of colours before backtracking ends, and the elements
# up to which it is tried.
MOST_ELEMENTS = 4096
_NODES = 1500
_EXACT = 512

# Periods tried have at most this many elements, by the number of dimensions.
_LARGEST_PERIOD = {1: 32, 2: 64, 3: 64}


def periodic_table(
    patterns: Sequence[Pattern],
    banks: Iterable[int],
    ports: int,
    lower: Sequence[int],
    upper: Sequence[int],
) -> TableBanks | None:
    """A table over a period of the array lower..upper, with the first of the numbers of banks
    for which one is found; None if there is none, or the search ended before."""
    extents = [high - low + 1 for low, high in zip(lower, upper, strict=True)]
    moved = [_moved(pattern, lower) for pattern in patterns]
    left = _NODES
    for number in banks:
        for period in _periods(number, extents):
            if any(_meets_itself(pattern, period) for pattern in moved):
                continue
            found, nodes = coloured(_torus(moved, period), number * ports, left)
            left -= nodes
            if found is not None:
                return _table(lower, period, found, number, ports)
            if left <= 0:
                return None
    return None


def _periods(banks: int, extents: Sequence[int]) -> list[Vector]:
    """The periods tried, small ones first: every bank can have equally many of their elements."""
    largest = _LARGEST_PERIOD.get(len(extents), 0)
    ranges = [range(1, min(largest, extent) + 1) for extent in extents]
    sizes = range(banks, largest + 1, banks)
    return sorted((p for p in product(*ranges) if prod(p) in sizes), key=lambda p: (prod(p), p))


def whole_table(
    patterns: Sequence[Pattern], ports: int, lower: Sequence[int], upper: Sequence[int]
) -> TableBanks | None:
    """A table over a whole array, with as few banks as were found; None where it is too large."""
    period = tuple(high - low + 1 for low, high in zip(lower, upper, strict=True))
    if prod(period) > MOST_ELEMENTS:
        return None
    graph = nx.Graph()
    graph.add_nodes_from(range(prod(period)))
    low = np.array(lower, dtype=np.int64)
    for elements in together(patterns, lower, upper):
        graph.add_edges_from(combinations(_numbers(elements - low, period), 2))
    colours = nx.greedy_color(graph, strategy="DSATUR")
    found = dict(colours)
    least = max(len(pattern.offsets) for pattern in patterns)
    count = 1 + max(found.values())
    exact = len(graph) <= _EXACT
    while exact and count > least:
        better, _ = coloured(graph, count - 1, _NODES)
        if better is None:
            break
        found, count = better, count - 1
    return _table(lower, period, found, -(-count // ports), ports)


def together(
    patterns: Sequence[Pattern], lower: Sequence[int], upper: Sequence[int]
) -> Iterator[np.ndarray]:
    """The elements of every cycle that are in the array: int64 (accesses, dimensions)."""
    low, high = np.array(lower, dtype=np.int64), np.array(upper, dtype=np.int64)
    for pattern in patterns:
        offsets = np.array(pattern.offsets, dtype=np.int64)
        for base in bases(pattern, lower, upper):
            elements = offsets + base
            inside = ((elements >= low) & (elements <= high)).all(axis=1)
            if inside.any():
                yield elements[inside]


def bases(pattern: Pattern, lower: Sequence[int], upper: Sequence[int]) -> Iterator[np.ndarray]:
    """The bases at which some access of the pattern is in the array lower..upper."""
    size = range(pattern.dimensions)
    origin = np.array(pattern.origin, dtype=np.int64)
    low = [lower[k] - max(o[k] for o in pattern.offsets) for k in size]
    high = [upper[k] - min(o[k] for o in pattern.offsets) for k in size]
    rows = np.array(pattern.steps, dtype=np.int64).reshape(-1, pattern.dimensions)
    yield from _combinations(origin, rows, low, high)


def _combinations(
    point: np.ndarray, rows: np.ndarray, low: Sequence[int], high: Sequence[int]
) -> Iterator[np.ndarray]:
    """point + integer combinations of Hermite rows, inside low..high."""
    if len(rows) == 0:
        if (point >= low).all() and (point <= high).all():
            yield point
        return
    row = rows[0]
    pivot = int(np.flatnonzero(row)[0])
    first = -((point[pivot] - low[pivot]) // row[pivot])
    last = (high[pivot] - point[pivot]) // row[pivot]
    for factor in range(int(first), int(last) + 1):
        yield from _combinations(point + factor * row, rows[1:], low, high)


def _meets_itself(pattern: Pattern, period: Vector) -> bool:
    """True if two accesses of a cycle are whole periods apart."""
    places = {
        tuple(x % side for x, side in zip(offset, period, strict=True))
        for offset in pattern.offsets
    }
    return len(places) < len(pattern.offsets)


def _torus(patterns: Sequence[Pattern], period: Vector) -> nx.Graph:
    """The elements of a period; adjacent where some cycle accesses both, periods apart or not."""
    graph = nx.Graph()
    graph.add_nodes_from(range(prod(period)))
    periods = [[side * (k == j) for j in range(len(period))] for k, side in enumerate(period)]
    for pattern in patterns:
        offsets = np.array(pattern.offsets, dtype=np.int64)
        steps = hermite([*pattern.steps, *periods])
        origin = np.array(pattern.origin, dtype=np.int64)
        upper = [side - 1 for side in period]
        for base in _combinations(origin, np.array(steps), [0] * len(period), upper):
            graph.add_edges_from(combinations(_numbers(offsets + base, period), 2))
    return graph


def _numbers(elements: np.ndarray, period: Sequence[int]) -> list[int]:
    number = np.zeros(len(elements), dtype=np.int64)
    for k, size in enumerate(period):
        number = number * size + elements[:, k] % size
    return [int(n) for n in number]


def coloured(graph: nx.Graph, colours: int, nodes: int) -> tuple[dict[int, int] | None, int]:
    """(a colouring with so many colours, choices made), by DSATUR with backtracking.

    None where there is none, or none was found with `nodes` choices: Brelaz, "New methods to
    color the vertices of a graph" (CACM 1979), as a branch and bound.
    """
    search = _Colouring(graph, colours, nodes)
    return (search.found if search.extend() else None), nodes - search.left


class _Colouring:
    """Colours found so far, and for every vertex how often its neighbours block a colour."""

    def __init__(self, graph: nx.Graph, colours: int, nodes: int) -> None:
        self.graph, self.colours, self.left = graph, colours, nodes
        self.found: dict[int, int] = {}
        self.blocked: dict[int, Counter[int]] = {vertex: Counter() for vertex in graph}

    def extend(self) -> bool:
        """Colour what is left: the vertex with the fewest colours first."""
        free = [vertex for vertex in self.graph if vertex not in self.found]
        if not free:
            return True
        vertex = max(free, key=lambda v: (len(self.blocked[v]), self.graph.degree(v), -v))
        used = 1 + max(self.found.values(), default=-1)
        for colour in range(min(used + 1, self.colours)):
            if colour in self.blocked[vertex]:
                continue
            self.left -= 1
            if self.left < 0:
                return False
            self._set(vertex, colour)
            if self.extend():
                return True
            self._unset(vertex, colour)
        return False

    def _set(self, vertex: int, colour: int) -> None:
        self.found[vertex] = colour
        for other in self.graph[vertex]:
            self.blocked[other][colour] += 1

    def _unset(self, vertex: int, colour: int) -> None:
        del self.found[vertex]
        for other in self.graph[vertex]:
            self.blocked[other][colour] -= 1
            if not self.blocked[other][colour]:
                del self.blocked[other][colour]


def _moved(pattern: Pattern, lower: Sequence[int]) -> Pattern:
    """The pattern in coordinates from `lower` on."""
    origin = tuple(o - low for o, low in zip(pattern.origin, lower, strict=True))
    return replace(pattern, origin=origin)


def _table(
    lower: Sequence[int],
    period: Sequence[int],
    colours: dict[int, int],
    banks: int,
    ports: int,
) -> TableBanks:
    """Colours as banks, `ports` of them in one; elements of a bank ranked in row-major order."""
    ranks = [0] * banks
    entries = []
    for number in range(prod(period)):
        bank = colours[number] // ports
        entries.append((bank, ranks[bank]))
        ranks[bank] += 1
    return TableBanks(lower=tuple(lower), period=tuple(period), table=tuple(entries), banks=banks)
