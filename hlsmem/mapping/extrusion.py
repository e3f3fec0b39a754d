"""Shortest reuse vectors at fixed sizes, with the exact test that no multiple conflicts.

Source: Darte, Isoard, Yuki, "Extended lattice-based memory allocation" (CC 2016), section
4.2, heuristic 2 and theorem 2. The star closure, which also excludes vectors whose multiples
all miss the conflicts, is replaced by the test itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt
from typing import TYPE_CHECKING

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.mapping.basis import ReuseVector, dual_rows
from hlsmem.polyhedra.codes import Code, code_within
from hlsmem.polyhedra.enumeration import distinct, distinct_rows
from hlsmem.polyhedra.lattices import Matrix, Vector, combine, completion, content, identity
from hlsmem.polyhedra.shortest import Norm

if TYPE_CHECKING:
    import numpy as np


def exact_reuse_vectors(
    points: np.ndarray, variants: Sequence[tuple[Norm, bool]], limit: int
) -> list[tuple[ReuseVector, ...]]:
    """The reuse vectors, as many as dimensions, of each variant: (norm, across), once each.

    `points` are half of a 0-symmetric set, without 0. `across`: vectors are sought, and
    measured, in the span of those that complete the earlier directions to a basis (the
    variant of section 4.2.2); else among all vectors. A variant that would look at more than
    `limit` vectors for one reuse vector is left out, as is one whose differences span more than
    64 bits tell apart.
    """
    known: dict[tuple[ReuseVector, ...], _Taken | None] = {}
    found = [_reuse_vectors(points, norm, across, limit, known) for norm, across in variants]
    return list(dict.fromkeys(vectors for vectors in found if vectors is not None))


def _reuse_vectors(
    points: np.ndarray,
    norm: Norm,
    across: bool,
    limit: int,
    known: dict[tuple[ReuseVector, ...], _Taken | None],
) -> tuple[ReuseVector, ...] | None:
    size = points.shape[1]
    found: tuple[ReuseVector, ...] = ()
    while len(found) < size:
        rows, _ = dual_rows(found, size)
        others = completion([reuse.direction for reuse in reversed(found)], size)
        if found not in known:
            known[found] = _with_divisors(_projected(points, rows))
        taken = known[found]
        if taken is None:
            return None
        measured = identity(len(rows)) if across or len(rows) == 1 else rows
        factors = _first_free(taken, measured, norm, limit)
        if factors is None:
            return None
        count = content(factors)
        direction = combine([factor // count for factor in factors], others)
        found = (*found, ReuseVector(direction=direction, count=count))
    return found


@dataclass(frozen=True, slots=True)
class _Taken:
    """Vectors that may not be chosen, as sorted keys; entries are within -`reach` to `reach`."""

    keys: np.ndarray
    code: Code
    reach: np.ndarray

    def holds(self, vectors: np.ndarray) -> np.ndarray:
        """Mask of the vectors (one a row) that are taken."""
        import numpy as np

        inside = (np.abs(vectors) <= self.reach).all(axis=1)
        if not len(self.keys):
            return np.zeros_like(inside)
        wanted = self.code.of_rows(vectors)
        nearest = np.searchsorted(self.keys, wanted).clip(max=len(self.keys) - 1)
        taken: np.ndarray = inside & (self.keys[nearest] == wanted)
        return taken


def _projected(points: np.ndarray, rows: Matrix) -> np.ndarray:
    """The distinct non-zero images of the points and their negatives."""
    import numpy as np

    images = points @ np.array(rows, dtype=np.int64).T
    images = images[images.any(axis=1)]
    return distinct_rows(np.concatenate([images, -images]))


def _with_divisors(points: np.ndarray) -> _Taken | None:
    """The points and everything that has a point among its multiples; None without a code.

    A point is divided by the factors up to the root of the greatest that there is; what larger
    ones leave is found by what remains of the point, which is below the root.
    """
    import numpy as np

    reach = np.abs(points).max(axis=0, initial=0)
    code = code_within((-reach).tolist(), reach.tolist())
    if code is None:
        return None
    common = np.gcd.reduce(points, axis=1)
    order = np.argsort(-common, kind="stable")
    points, common = points[order], common[order]
    greatest = int(common.max(initial=0))
    root = isqrt(greatest)
    keys = [np.zeros(0, dtype=np.int64)]
    for factor in range(1, root + 1):
        end = int(np.searchsorted(-common, -factor, side="right"))
        divisible = common[:end] % factor == 0
        keys.append(code.of_rows(points[:end][divisible] // factor))
    for remaining in range(1, greatest // (root + 1) + 1):
        end = int(np.searchsorted(-common, -remaining * (root + 1), side="right"))
        divisible = common[:end] % remaining == 0
        factors = common[:end][divisible] // remaining
        keys.append(code.of_rows(points[:end][divisible] // factors[:, None]))
    return _Taken(distinct(np.concatenate(keys)), code, reach)


def _first_free(taken: _Taken, rows: Matrix, norm: Norm, limit: int) -> Vector | None:
    """The image under `rows` of the shortest vector whose image is not 0 and not taken."""
    import numpy as np

    size = len(rows[0])
    radius = 1
    while (2 * radius + 1) ** size <= limit:
        axis = np.arange(radius, -radius - 1, -1, dtype=np.int64)
        box = np.stack(np.meshgrid(*[axis] * size, indexing="ij"), axis=-1).reshape(-1, size)
        images = box @ np.array(rows, dtype=np.int64).T
        free = images.any(axis=1) & ~taken.holds(images)
        if free.any():
            measures = _measures(box[free], norm)
            # The box holds every vector up to this length in the first measure.
            first = int(np.lexsort(measures[::-1])[0])
            if measures[0][first] <= radius:
                return tuple(int(entry) for entry in images[free][first])
        radius *= 2
    return None


def _measures(vectors: np.ndarray, norm: Norm) -> list[np.ndarray]:
    import numpy as np

    sizes = np.abs(vectors)
    values = {"max": sizes.max(axis=1), "sum": sizes.sum(axis=1)}
    if "spread" in norm.value:
        apart = np.abs(vectors[:, :, None] - vectors[:, None, :])
        values["spread"] = apart.sum(axis=(1, 2)) // 2
    return [values[measure] for measure in norm.value]
