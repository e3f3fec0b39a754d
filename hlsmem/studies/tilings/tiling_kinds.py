"""The kinds of tilings: which tile a point is in, by rows or by shapes within bands of time.

Rows are those of `tiles.rows`. Legality is that of the graph of tiles, whatever the kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from hlsmem.studies.tilings.rows import Row, faced, row_text, skewed
from hlsmem.studies.tilings.tile_waves import TileGraph, tile_graph, waves_of
from hlsmem.studies.tilings.tiled_nest import Nest, Points
from hlsmem.studies.tilings.tiling import Tiling

# Those whose rows go over time and data: their sides are twice the band of the others.
SIDED = ("diamond", "faced")


def tiling_of(
    nest: Nest,
    points: Points,
    kind: str,
    rows: Sequence[Row],
    sizes: Sequence[int],
    origin: Sequence[int],
) -> Tiling:
    """A tiling of one of the `KINDS` by its rows, or by those of somebody; each row has a size."""
    match kind:
        case "overlapped":
            return _overlapped(nest, points, rows, sizes, origin)
        case "split":
            return _split(nest, points, rows, sizes, origin)
        case "molecular":
            return _molecular(nest, points, rows, sizes, origin)
    graph = tile_graph(points, _labels(points.loops, rows, sizes, origin))
    found = _of_graph(nest, graph, kind, rows, sizes, origin)
    fullest = tuple(graph.names[int(graph.points().argmax())].tolist())
    return replace(found, fullest=fullest, forms=tuple(rows))


def rows_of(nest: Nest, kind: str) -> tuple[Row, ...] | None:
    """The rows of a kind, for blocks the loops as they stand; None where none are legal."""
    size = len(nest.loops)
    units = tuple(tuple(int(j == k) for j in range(size)) for k in range(size))
    if kind in ("overlapped", "split"):
        return units if all(one[0] > 0 for one in nest.flow) else None
    if kind == "faced":
        return faced(size, nest.flow)
    forward = [skewed(k, 1, nest.flow, size=size) for k in range(1, size)]
    found: list[Row | None] = [units[0], *forward]
    if kind == "diamond":
        plane = faced(2, [one[:2] for one in nest.flow]) or (None, None)
        found = [row and (*row, *[0] * (size - 2)) for row in plane] + forward[1:]
    legal = tuple(row for row in found if row is not None)
    if len(legal) < size or any(one[0] < 0 for one in nest.flow):
        return None
    return legal


def refusal(nest: Nest, kind: str) -> str:
    """Why a kind has no rows."""
    against = next((one for one in nest.flow if one[0] <= 0), None)
    vector = "" if against is None else f" ({', '.join(map(str, against))})"
    what = f"the dependence{vector} does not go forward in time {nest.loops[0]!r}"
    return f"no rows have time inside of their cone: {what}" if kind == "faced" else what


def _labels(
    loops: np.ndarray, rows: Sequence[Row], sizes: Sequence[int], origin: Sequence[int]
) -> np.ndarray:
    values = loops @ np.array(rows, dtype=np.int64).T - np.array(origin, dtype=np.int64)
    return np.floor_divide(values, np.array(sizes, dtype=np.int64))


def _of_graph(
    nest: Nest,
    graph: TileGraph,
    kind: str,
    rows: Sequence[Row],
    sizes: Sequence[int],
    origin: Sequence[int],
) -> Tiling:
    """The tiling whose tiles are those of the graph."""
    waves = waves_of(graph)
    inside = graph.points()
    found = Tiling(
        kind=kind,
        rows=tuple(row_text(row, nest.loops) for row in rows),
        sizes=tuple(sizes),
        origin=tuple(origin),
        useful=len(graph.of),
        computed=len(graph.of),
        points_most=int(inside.max()),
    )
    if isinstance(waves, tuple):
        first, second = (tuple(graph.names[tile].tolist()) for tile in waves)
        return replace(found, cycle=(first, second))
    return replace(found, waves=tuple(np.bincount(waves).tolist()))


# Shapes within a band of time.


def _overlapped(
    nest: Nest, points: Points, rows: Sequence[Row], sizes: Sequence[int], origin: Sequence[int]
) -> Tiling:
    """Every tile makes its block and, within the band, all that the block depends on."""
    labels = _labels(points.loops, rows, sizes, origin)
    band = labels[:, 0]
    names, of = np.unique(labels, axis=0, return_inverse=True)
    of = of.reshape(-1)
    within = band[points.sources] == band[points.sinks]
    sources, sinks = points.sources[within], points.sinks[within]
    order = np.argsort(sinks, kind="stable")
    sources, sinks = sources[order], sinks[order]
    first = np.searchsorted(sinks, np.arange(len(points) + 1))
    size = len(points)
    made = of * size + np.arange(size)  # (tile, point) that are computed
    fresh = made
    while len(fresh):
        tiles, at = np.divmod(fresh, size)
        lengths = first[at + 1] - first[at]
        starts = np.repeat(first[at] - np.cumsum(lengths) + lengths, lengths)
        needed = np.repeat(tiles, lengths) * size + sources[starts + np.arange(len(starts))]
        fresh = np.setdiff1d(needed, made)
        made = np.union1d(made, fresh)
    per_tile = np.bincount(made // size)
    waves = waves_of(tile_graph(points, band[:, None]))
    assert not isinstance(waves, tuple)  # all dependences go forward in time
    _, widths = np.unique(names[:, 0], return_counts=True)
    widths = np.bincount(waves, weights=widths).astype(np.int64)
    return Tiling(
        kind="overlapped",
        rows=tuple(row_text(row, nest.loops) for row in rows),
        sizes=tuple(sizes),
        origin=tuple(origin),
        waves=tuple(widths.tolist()),
        computed=len(made),
        useful=size,
        points_most=int(per_tile.max()),
    )


def _split(
    nest: Nest, points: Points, rows: Sequence[Row], sizes: Sequence[int], origin: Sequence[int]
) -> Tiling:
    """Blocks that shrink by the reach of the dependences in each step, and what is between them."""
    offset = points.loops - np.array(origin, dtype=np.int64)
    band, step = np.divmod(offset[:, 0], sizes[0])
    columns = [band]
    for k in range(1, len(nest.loops)):
        block, inside = np.divmod(offset[:, k], sizes[k])
        reach = (
            [0, *(-(-one[k] // one[0]) for one in nest.flow)],
            [0, *(-(one[k] // one[0]) for one in nest.flow)],
        )
        left, right = (max(found) for found in reach)
        low = inside < step * left
        high = sizes[k] - 1 - inside < step * right
        # An even number is the shrinking block, an odd one stands around the border behind it.
        columns.append(2 * block + np.where(low, -1, np.where(high, 1, 0)))
    graph = tile_graph(points, np.stack(columns, axis=1))
    return _of_graph(nest, graph, "split", rows, sizes, origin)


def _molecular(
    nest: Nest, points: Points, rows: Sequence[Row], sizes: Sequence[int], origin: Sequence[int]
) -> Tiling:
    """Skewed tiles in three slices: sent to neighbours of the band, computed, received."""
    labels = _labels(points.loops, rows, sizes, origin)
    _, of = np.unique(labels, axis=0, return_inverse=True)
    of = of.reshape(-1)
    band = labels[:, 0]
    within = band[points.sources] == band[points.sinks]
    sources, sinks = points.sources[within], points.sinks[within]
    across = of[sources] != of[sinks]
    received = np.zeros(len(points), dtype=bool)
    received[sinks[across]] = True
    sent = np.zeros(len(points), dtype=bool)
    sent[sources[across]] = True
    while True:
        more = sinks[received[sources] & ~received[sinks]]
        earlier = sources[sent[sinks] & ~sent[sources]]
        received[more], sent[earlier] = True, True
        if not len(more) and not len(earlier):
            break
    if (received & sent).any():
        return Tiling(
            kind="molecular",
            rows=tuple(row_text(row, nest.loops) for row in rows),
            sizes=tuple(sizes),
            origin=tuple(origin),
            reason="what a tile sends depends on what it receives; larger tiles in data may help",
        )
    part = np.where(sent, 0, np.where(received, 2, 1))
    graph = tile_graph(points, np.concatenate([labels, part[:, None]], axis=1))
    fullest = int(np.bincount(of).argmax())
    slices = tuple(int(((part == k) & (of == fullest)).sum()) for k in range(3))
    whole = int((of == fullest).sum())
    found = _of_graph(nest, graph, "molecular", rows, sizes, origin)
    return replace(found, slices=slices, points_most=whole)
