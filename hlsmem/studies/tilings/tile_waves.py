"""Waves of a tiling: the longest path over the graph of tiles, which is the test of legality.

Tiles are atomic: one depends on another where a point of it depends on a point of the other. A
cycle means that no order of whole tiles keeps the dependences.

Pipelined tiles of one loop of data have waves by their rows alone, for nests of any size. Band a
of time holds the tiles b = floor(least/size) .. floor(largest/size) of its skewed data, and
tile (a, b) is in wave a + b: it waits for (a - 1, b) and (a, b - 1). Where tiles are two or more
steps long and full, the longest path is the same; else some may run earlier. Where no dependence
goes forward in time, or none in data, it waits for one of the two, or for none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

import numpy as np

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.studies.tilings.rows import dot, row_text
from hlsmem.studies.tilings.tiled_nest import Nest, Points, box_of, size_of
from hlsmem.studies.tilings.tiling import Row, Tiling

_MOST_WAVES = 10_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class TileGraph:
    """Tiles by number: `names` are their rows, `of` the tile of each point, `edges` pairs."""

    names: np.ndarray = field(compare=False)
    of: np.ndarray = field(compare=False)
    edges: np.ndarray = field(compare=False)

    def __len__(self) -> int:
        return len(self.names)

    def points(self) -> np.ndarray:
        """Number of points of each tile."""
        return np.bincount(self.of, minlength=len(self))


def tile_graph(points: Points, labels: np.ndarray) -> TileGraph:
    """The graph where points of equal `labels`, rows of integers, make a tile."""
    names, of = np.unique(labels, axis=0, return_inverse=True)
    of = of.reshape(-1)
    edges = np.stack([of[points.sources], of[points.sinks]], axis=1)
    edges = edges[edges[:, 0] != edges[:, 1]]
    return TileGraph(names=names, of=of, edges=np.unique(edges, axis=0))


def waves_of(graph: TileGraph) -> np.ndarray | tuple[int, int]:
    """The wave of each tile, from 0; or two tiles on a cycle, which each need the other."""
    waves = np.zeros(len(graph), dtype=np.int64)
    missing = np.bincount(graph.edges[:, 1], minlength=len(graph))
    first = np.searchsorted(graph.edges[:, 0], np.arange(len(graph) + 1))
    ready = np.flatnonzero(missing == 0)
    done, wave = 0, 0
    while len(ready):
        waves[ready] = wave
        done += len(ready)
        lengths = first[ready + 1] - first[ready]
        starts = np.repeat(first[ready] - np.cumsum(lengths) + lengths, lengths)
        freed = graph.edges[starts + np.arange(len(starts)), 1]
        touched, times = np.unique(freed, return_counts=True)
        missing[touched] -= times
        ready = touched[missing[touched] == 0]
        wave += 1
    return waves if done == len(graph) else _on_a_cycle(graph, missing)


def _on_a_cycle(graph: TileGraph, missing: np.ndarray) -> tuple[int, int]:
    """Two neighbouring tiles of a cycle: walked backwards over tiles that never got ready."""
    stuck = missing > 0
    inner = graph.edges[stuck[graph.edges[:, 0]] & stuck[graph.edges[:, 1]]]
    before = dict[int, int]()
    for source, sink in inner.tolist():
        before.setdefault(sink, source)
    tile, seen = next(iter(before)), set[int]()
    while tile not in seen:
        seen.add(tile)
        tile = before[tile]
    return before[tile], tile


def has_formula(nest: Nest, kind: str) -> bool:
    return kind == "pipelined" and len(nest.loops) == 2 and box_of(nest) is not None


def by_formula(
    nest: Nest, rows: Sequence[Row], sizes: Sequence[int], origin: Sequence[int]
) -> Tiling:
    """The pipelined tiling of a box in time and one loop of data; `rows` are t and k*t + i."""
    box = box_of(nest)
    assert box is not None
    (start, end), (low, high) = box
    skew = rows[1][0]
    in_time, in_data = (any(dot(row, one) > 0 for one in nest.flow) for row in rows)
    first, last = ((t - origin[0]) // sizes[0] for t in (start, end))
    across = (skew * (end - start) + high - low) // sizes[1] + 2
    if last - first + across > _MOST_WAVES:
        reason = f"more than {_MOST_WAVES} waves: use larger tiles, or smaller --param"
        return Tiling(
            kind="pipelined", rows=(), sizes=tuple(sizes), origin=tuple(origin), reason=reason
        )
    bands = np.arange(first, last + 1, dtype=np.int64)
    earliest = np.maximum(bands * sizes[0] + origin[0], start)
    latest = np.minimum((bands + 1) * sizes[0] + origin[0] - 1, end)
    left = np.floor_divide(skew * earliest + low - origin[1], sizes[1])
    right = np.floor_divide(skew * latest + high - origin[1], sizes[1])
    wave = left + bands - int((left + bands).min()) if in_time and in_data else bands - first
    wave = wave if in_time else np.zeros_like(bands)
    # As many waves as tiles of a band, or all of these in one.
    longest = right - left + 1 if in_data else np.ones_like(bands)
    width = np.ones_like(bands) if in_data else right - left + 1
    change = np.zeros(int((wave + longest).max()) + 1, dtype=np.int64)
    np.add.at(change, wave, width)
    np.add.at(change, wave + longest, -width)
    return Tiling(
        kind="pipelined",
        rows=tuple(row_text(row, nest.loops) for row in rows),
        sizes=tuple(sizes),
        origin=tuple(origin),
        waves=tuple(np.cumsum(change)[:-1].tolist()),
        useful=size_of(nest),
        computed=size_of(nest),
        points_most=min(sizes[0] * sizes[1], size_of(nest)),
        by="formula",
    )
