"""Symmetric sets of differences as numbers, for searches and proofs at fixed sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hlsmem.polyhedra import DimType
from hlsmem.polyhedra.codes import code_within
from hlsmem.polyhedra.enumeration import (
    bounding_box,
    box_volume,
    distinct,
    distinct_points,
    point_chunks,
)
from hlsmem.polyhedra.lattices import Matrix, Vector
from hlsmem.polyhedra.memoized import kept

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
    points = _positive(differences, limit)
    if points is not None:
        points.flags.writeable = False
    return points


def _positive(differences: Any, limit: int) -> np.ndarray | None:
    """The distinct points of a symmetric set after 0 in lexicographic order, at most `limit`.

    None where there are more: that shows before all are listed.
    """
    import numpy as np

    size = differences.dim(DimType.set)
    if not size or differences.is_empty():
        return np.empty((0, size), dtype=np.int64)
    code = code_within(*zip(*bounding_box(differences), strict=True))
    if code is None:
        points = distinct_points(differences)
        half = points[len(points) // 2 + 1 :]  # in this order 0 is in the middle
        return half if len(half) <= limit else None
    (zero,) = code.of_rows(np.zeros((1, size), dtype=np.int64))
    found, new, waiting = np.empty(0, dtype=np.int64), list[np.ndarray](), 0
    for chunk in point_chunks(differences):
        keys = code.of_rows(chunk)
        new.append(keys[keys > zero])
        waiting += len(new[-1])
        if waiting > limit:
            found, new, waiting = distinct(np.concatenate([found, *new])), [], 0
            if len(found) > limit:
                return None
    found = distinct(np.concatenate([found, *new]))
    return code.decode(found) if len(found) <= limit else None


def is_admissible(points: np.ndarray, rows: Matrix, moduli: Vector) -> bool:
    """True if no point, of which none is 0, is in the kernel of the mapping."""
    import numpy as np

    values = points @ np.array(rows, dtype=np.int64).T
    return not (values % np.array(moduli, dtype=np.int64) == 0).all(axis=1).any()
