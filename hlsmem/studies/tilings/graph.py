"""Waves of a tiling: the longest path over the graph of tiles, which is the test of legality.

Tiles are atomic: one depends on another where a point of it depends on a point of the other. A
cycle means that no order of whole tiles keeps the dependences.
"""

from __future__ import annotations

from dataclasses import field

import numpy as np

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.studies.tilings.tiled_nest import Points


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
