"""Families of lattices through optima at several sizes: generators affine in the sizes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from math import prod

import numpy as np

from hlsmem.polyhedra.lattices import Matrix, Vector, hermite

# Largest absolute (constant, slope) entries of generators tried, by (dimensions, sizes).
_REACH = {
    (1, 1): (24, 12),
    (1, 2): (12, 6),
    (2, 1): (12, 4),
    (2, 2): (2, 2),
    (3, 1): (2, 2),
    (3, 2): (1, 1),
    (4, 1): (1, 1),
}

# Of the generators that fit all samples: those looked at, those that bases are made of (the
# simplest, and the simplest that are no combinations of others), and the bases.
_MOST_LOOKED_AT = 200
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


def _vectors(dimensions: int, sizes: int) -> np.ndarray | None:
    """Half of all small generators, simplest first: shape (vectors, 1 + sizes, dimensions)."""
    if (dimensions, sizes) not in _REACH:
        return None
    constant, slope = _REACH[dimensions, sizes]
    reach = np.repeat([constant, *[slope] * sizes], dimensions)
    box = np.indices([2 * int(most) + 1 for most in reach]).reshape(len(reach), -1).T - reach
    # In lexicographic order 0 is in the middle.
    half = box[len(box) // 2 + 1 :].reshape(-1, 1 + sizes, dimensions)
    slopes = np.abs(half[:, 1:]).sum(axis=(1, 2))
    constants = np.abs(half[:, 0]).sum(axis=1)
    found: np.ndarray = half[np.lexsort((constants, slopes))]
    return found


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
    """Whether points of a lattice generate it; the simplest are looked at first."""
    found: Matrix = ()
    for begin in range(0, len(points), _MOST_LOOKED_AT):
        found = hermite([*found, *points[begin : begin + _MOST_LOOKED_AT].tolist()])
        if found == lattice:
            return True
    return False


def _kept(vectors: np.ndarray) -> np.ndarray:
    """The positions of the first vectors, and of the first that are no combination of others."""
    found = list(range(min(len(vectors), _MOST_KEPT)))
    module: Matrix = ()
    fresh: list[int] = []
    for position, vector in enumerate(vectors[:_MOST_LOOKED_AT].reshape(-1, vectors[0].size)):
        larger = hermite([*module, tuple(int(entry) for entry in vector)])
        if larger != module:
            module = larger
            fresh.append(position)
    return np.array(sorted({*found, *fresh[:_MOST_KEPT]}))


def _inside(points: np.ndarray, lattice: Matrix) -> np.ndarray:
    """Which points are in the lattice, given by upper triangular rows."""
    rest = points.copy()
    inside = np.ones(len(points), dtype=bool)
    for position, row in enumerate(lattice):
        factors = rest[:, position] // row[position]
        rest -= factors[:, None] * np.array(row)
        inside &= rest[:, position] == 0
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
