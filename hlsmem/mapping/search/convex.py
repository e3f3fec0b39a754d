"""A bound for convex differences: the integer points of half the body, at the best shift.

Where the conflicts are the integers z with |a.z| <= c for some rows (a, c), the points of
{x : |a.(2x - 2t)| < c + 1 for all rows} are pairwise in conflict, for any t: the form of a
difference of two is below c + 1, hence at most c. It is the bound of Minkowski's theorem
with points counted instead of the volume; t runs over the quarters of integers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np

from hlsmem.polyhedra import DimType, Set
from hlsmem.polyhedra.lattices import Vector
from hlsmem.polyhedra.star import inequalities

# Points times rows times shifts that are looked at, at most (about a second).
_MOST = 1 << 26

# A hull of many pieces may take long; that of pieces with integer divisions, for ever.
_MOST_PIECES = 16


def half_body(rows: Mapping[Vector, int], widths: Sequence[int]) -> int | None:
    """The bound for the integers z with |a.z| <= c for all a: c in `rows`; see `half_points`."""
    found = half_points(rows, widths)
    return None if found is None else len(found)


def half_points(rows: Mapping[Vector, int], widths: Sequence[int]) -> np.ndarray | None:
    """Points of which any two are a z with |a.z| <= c apart, for all a: c in `rows`.

    `widths` are the greatest values of the coordinates. None where half the body is too
    large to look at all its points.
    """
    forms = np.array(list(rows), dtype=np.int64)
    limits = np.array(list(rows.values()), dtype=np.int64)
    size = forms.shape[1]
    # The box holds every point x with |2 x - 2 t| <= width + 1/2 and 0 <= t < 1.
    axes = [np.arange(-(width // 2) - 1, width // 2 + 3) for width in widths]
    points = int(np.prod([len(axis) for axis in axes]))
    if points * len(rows) * 4**size > _MOST:
        return None
    box = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, size)
    values = 4 * box @ forms.T
    bodies = (
        (np.abs(values - forms @ np.array(shift)) <= 2 * limits + 1).all(axis=1)
        for shift in product(range(4), repeat=size)
    )
    return np.asarray(box[max(bodies, key=np.count_nonzero)])


def convex_rows(differences: Any) -> dict[Vector, int] | None:
    """{a: c} such that the set is that of the integers z with |a.z| <= c for all; else None.

    `differences` are parameter-free, bounded, 0-symmetric, with 0.
    """
    pieces = differences.coalesce().get_basic_sets()
    if len(pieces) > _MOST_PIECES or any(piece.dim(DimType.div) for piece in pieces):
        return None
    (hull,) = pieces if len(pieces) == 1 else (differences.polyhedral_hull(),)
    if hull.dim(DimType.div) or not Set.from_basic_set(hull).is_subset(differences):
        return None
    rows: dict[Vector, int] = {}
    for coefficients, limit in inequalities(hull):
        # isl says coefficients . z + limit >= 0; the set is symmetric.
        row = max(coefficients, tuple(-entry for entry in coefficients))
        rows[row] = min(limit, rows.get(row, limit))
    return rows
