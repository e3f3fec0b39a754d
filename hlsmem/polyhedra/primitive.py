"""Small primitive vectors: candidates for the rows of a basis."""

from __future__ import annotations

from functools import cache

from hlsmem.polyhedra.lattices import Vector, identity


@cache
def small_vectors(size: int, reach: int) -> tuple[Vector, ...]:
    """Primitive vectors with entries up to `reach`, one of each pair of signs, shortest first.

    Unit vectors where `reach` is 0.
    """
    import numpy as np

    if reach == 0:
        return identity(size)
    axis = np.arange(reach, -reach - 1, -1)
    box = np.stack(np.meshgrid(*[axis] * size, indexing="ij"), axis=-1).reshape(-1, size)
    half = box[: len(box) // 2]
    primitive = half[np.gcd.reduce(half, axis=1) == 1]
    order = np.lexsort((np.abs(primitive).sum(axis=1), np.abs(primitive).max(axis=1)))
    return tuple(tuple(int(entry) for entry in row) for row in primitive[order])
