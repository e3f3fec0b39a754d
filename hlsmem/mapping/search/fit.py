"""Families of lattices through optima at several sizes: generators affine in the sizes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, islice
from math import prod

import numpy as np

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra.lattices import Matrix, Vector, hermite

# Largest absolute (constant, slope) entries of generators tried, by (dimensions, sizes), and
# those of generators with one or two entries that are not 0.
_REACH = {
    (1, 1): (24, 12),
    (1, 2): (12, 6),
    (2, 1): (12, 4),
    (2, 2): (2, 2),
    (3, 1): (2, 2),
    (3, 2): (1, 1),
    (4, 1): (1, 1),
}
_SPARSE_REACH = {1: {1: (24, 12), 2: (6, 3)}, 2: {1: (6, 3), 2: (2, 2)}}

# Of the generators that fit all samples: those that bases are made of (the simplest, and the
# simplest that are no combinations of others), and the bases.
_MOST_KEPT = 10
_MOST_BASES = 4

# Choices of lattices for some or all samples that are looked at, at most.
_MOST_CHOICES = 2048


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """The admissible lattices of least determinant (Hermite rows) at some sizes."""

    sizes: Vector
    lattices: tuple[Matrix, ...]

    @property
    def determinant(self) -> int:
        return prod(row[k] for k, row in enumerate(self.lattices[0]))


# A generator: its constant, then its slope for each size.
Generator = tuple[Vector, ...]
Family = tuple[Generator, ...]


def fitted_families(samples: Sequence[Sample], dimensions: int) -> Iterator[Family]:
    """Families that are an optimal lattice at every sample, those of simple generators first.

    Nothing without samples, and for dimensions and numbers of sizes beyond those tried.
    """
    vectors = _vectors(dimensions, len(samples[0].sizes)) if samples else None
    if vectors is None:
        return
    at = [_evaluated(vectors, sample.sizes) for sample in samples]
    choices = _matching(samples, at, np.arange(len(vectors)), 0)
    for matching in islice(choices, _MOST_CHOICES):
        if matching is None:
            continue
        for basis in _bases(matching[_kept(vectors[matching])], samples, at):
            yield tuple(
                tuple(tuple(int(entry) for entry in part) for part in vectors[k]) for k in basis
            )


@cache
def _vectors(dimensions: int, sizes: int) -> np.ndarray | None:
    """Half of all small generators, simplest first: shape (vectors, 1 + sizes, dimensions)."""
    if (dimensions, sizes) not in _REACH:
        return None
    found = [_box(dimensions, sizes, *_REACH[dimensions, sizes])]
    for support in (1, 2) if dimensions > 2 else ():
        part = _box(support, sizes, *_SPARSE_REACH[sizes][support])
        for axes in combinations(range(dimensions), support):
            wider = np.zeros((len(part), 1 + sizes, dimensions), dtype=np.int64)
            wider[:, :, axes] = part
            found.append(wider)
    flat = np.unique(np.concatenate(found).reshape(-1, (1 + sizes) * dimensions), axis=0)
    vectors = flat.reshape(-1, 1 + sizes, dimensions)
    slopes = np.abs(vectors[:, 1:]).sum(axis=(1, 2))
    constants = np.abs(vectors[:, 0]).sum(axis=1)
    simplest: np.ndarray = vectors[np.lexsort((constants, slopes))]
    return simplest


def _box(dimensions: int, sizes: int, constant: int, slope: int) -> np.ndarray:
    """One of each pair of opposite generators with entries up to these, without 0."""
    reach = np.repeat([constant, *[slope] * sizes], dimensions)
    box = np.indices([2 * int(most) + 1 for most in reach]).reshape(len(reach), -1).T - reach
    # In lexicographic order 0 is in the middle.
    half: np.ndarray = box[len(box) // 2 + 1 :].reshape(-1, 1 + sizes, dimensions)
    return half


def _evaluated(vectors: np.ndarray, sizes: Vector) -> np.ndarray:
    values: np.ndarray = np.tensordot(vectors, np.array([1, *sizes]), axes=([1], [0]))
    return values


def _matching(
    samples: Sequence[Sample], at: Sequence[np.ndarray], alive: np.ndarray, position: int
) -> Iterator[np.ndarray | None]:
    """For choices of one lattice a sample: the vectors that are in the lattice at each.

    None for choices, of lattices for the first samples, that these vectors do not generate.
    """
    if position == len(samples):
        yield alive
        return
    for lattice in samples[position].lattices:
        left = alive[_inside(at[position][alive], lattice)]
        if len(left) and _generate(at[position][left], lattice):
            yield from _matching(samples, at, left, position + 1)
        else:
            yield None


def _generate(points: np.ndarray, lattice: Matrix) -> bool:
    """True if points of a lattice generate it; each step takes in the simplest one left."""
    found: Matrix = ()
    while found != lattice and len(points := points[~_inside(points, found)]):
        found = hermite([*found, points[0].tolist()])
    return found == lattice


def _kept(vectors: np.ndarray) -> np.ndarray:
    """The positions of the first vectors, and of the first that are no combination of others."""
    flat = vectors.reshape(len(vectors), -1)
    outside = np.arange(len(flat))
    module: Matrix = ()
    fresh: list[int] = []
    while len(outside := outside[~_inside(flat[outside], module)]) and len(fresh) < _MOST_KEPT:
        fresh.append(int(outside[0]))
        module = hermite([*module, flat[outside[0]].tolist()])
    return np.array(sorted({*range(min(len(flat), _MOST_KEPT)), *fresh}))


def _inside(points: np.ndarray, lattice: Matrix) -> np.ndarray:
    """Mask of points that are in the lattice, given by Hermite rows."""
    rest = points.copy()
    for row in lattice:
        pivot = next(position for position, entry in enumerate(row) if entry)
        rest -= (rest[:, pivot] // row[pivot])[:, None] * np.array(row)
    inside: np.ndarray = (rest == 0).all(axis=1)
    return inside


def _bases(
    chosen: np.ndarray, samples: Sequence[Sample], at: Sequence[np.ndarray]
) -> list[tuple[int, ...]]:
    """Choices of vectors that are a basis at every sample, simplest first."""
    size = at[0].shape[1]
    subsets = np.array(list(combinations(range(len(chosen)), size)), dtype=np.int64)
    if not len(subsets):
        return []
    subsets = subsets[np.argsort(subsets.sum(axis=1), kind="stable")]
    good = np.ones(len(subsets), dtype=bool)
    for sample, values in zip(samples, at, strict=True):
        determinants = np.abs(np.linalg.det(values[chosen][subsets]))
        good &= np.rint(determinants) == sample.determinant
    return [tuple(int(chosen[k]) for k in subset) for subset in subsets[good][:_MOST_BASES]]
