"""Symmetric sets of differences as numbers, for searches and proofs at fixed sizes."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

from hlsmem.polyhedra import DimType
from hlsmem.polyhedra.enumeration import distinct_points
from hlsmem.polyhedra.lattices import unit
from hlsmem.polyhedra.quantities import form_values

if TYPE_CHECKING:
    import numpy as np

# Convex pieces are scanned, so a union may well be sparse in its box.
MOST_IN_BOX = 1 << 26


def half_differences(differences: Any, limit: int) -> np.ndarray | None:
    """One of each pair z, -z of non-zero points of a symmetric, parameter-free set with 0.

    The result is int64 of shape (points, dimensions); the first non-zero entry of a row is
    positive. None where there are more than `limit`.
    """
    size = differences.dim(DimType.set)
    volume = prod(2 * _width(differences, axis) + 1 for axis in range(size))
    if volume > MOST_IN_BOX:
        return None
    points = distinct_points(differences)
    # In lexicographic order 0 is in the middle of a symmetric set.
    half = points[len(points) // 2 + 1 :]
    return half if len(half) <= limit else None


def _width(differences: Any, axis: int) -> int:
    values = form_values(differences, unit(differences.dim(DimType.set), axis))
    return int(values.dim_max_val(0).to_python())
