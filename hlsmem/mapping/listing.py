"""Symmetric sets of differences as numbers, for searches and proofs at fixed sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hlsmem.polyhedra.enumeration import box_volume, distinct_points
from hlsmem.polyhedra.kept import kept
from hlsmem.polyhedra.lattices import Matrix, Vector

if TYPE_CHECKING:
    import numpy as np

# How much larger than its points the boxes around a set's pieces may be.
LOOSENESS = 8
# Lists that are kept: the methods on an array look at the same differences one after the other.
_KEPT = 2


@kept(_KEPT)
def half_differences(differences: Any, limit: int) -> np.ndarray | None:
    """One of each pair z, -z of non-zero points of a symmetric, parameter-free set with 0.

    The result is int64 of shape (points, dimensions); the first non-zero entry of a row is
    positive. None where there are more than `limit`, or the boxes around the convex pieces
    are far larger.
    """
    if box_volume(differences) > 2 * LOOSENESS * limit:
        return None
    points = distinct_points(differences)
    # In lexicographic order 0 is in the middle of a symmetric set.
    half = points[len(points) // 2 + 1 :]
    half.flags.writeable = False
    return half if len(half) <= limit else None


def is_admissible(points: np.ndarray, rows: Matrix, moduli: Vector) -> bool:
    """Whether no point, of which none is 0, is in the kernel of the mapping."""
    import numpy as np

    values = points @ np.array(rows, dtype=np.int64).T
    return not (values % np.array(moduli, dtype=np.int64) == 0).all(axis=1).any()
