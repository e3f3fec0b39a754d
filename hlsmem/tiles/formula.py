"""Waves of pipelined tiles of one loop of data by their rows alone: for nests of any size.

Band a of time holds the tiles b = floor(least/size) .. floor(largest/size) of its skewed data, and
tile (a, b) is in wave a + b: it waits for (a - 1, b) and (a, b - 1). Where tiles are two or more
steps long and full, the longest path is the same; else some may run earlier.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hlsmem.tiles.nest import Nest, box_of, size_of
from hlsmem.tiles.rows import row_text
from hlsmem.tiles.tiling import Row, Tiling


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
    first, last = ((t - origin[0]) // sizes[0] for t in (start, end))
    bands = np.arange(first, last + 1, dtype=np.int64)
    earliest = np.maximum(bands * sizes[0] + origin[0], start)
    latest = np.minimum((bands + 1) * sizes[0] + origin[0] - 1, end)
    left = np.floor_divide(skew * earliest + low - origin[1], sizes[1]) + bands
    right = np.floor_divide(skew * latest + high - origin[1], sizes[1]) + bands
    least = int(left.min())
    change = np.zeros(int(right.max()) - least + 2, dtype=np.int64)
    np.add.at(change, left - least, 1)
    np.add.at(change, right - least + 1, -1)
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
