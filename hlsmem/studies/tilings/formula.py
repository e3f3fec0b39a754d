"""Waves of pipelined tiles of one loop of data by their rows alone: for nests of any size.

Band a of time holds the tiles b = floor(least/size) .. floor(largest/size) of its skewed data, and
tile (a, b) is in wave a + b: it waits for (a - 1, b) and (a, b - 1). Where tiles are two or more
steps long and full, the longest path is the same; else some may run earlier. Where no dependence
goes forward in time, or none in data, it waits for one of the two, or for none.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hlsmem.studies.tilings.rows import dot, row_text
from hlsmem.studies.tilings.tiled_nest import Nest, box_of, size_of
from hlsmem.studies.tilings.tiling import Row, Tiling

_MOST_WAVES = 10_000_000


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
