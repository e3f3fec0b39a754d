"""Exact successive widths over all small unimodular bases.

Source: heuristic 1 of Darte, Isoard, Yuki, "Extended lattice-based memory allocation"
(CC 2016), section 4.1, with the exact widths of the union in place of Farkas' bounds, and
all bases of small vectors in place of the narrowest.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.mapping.basis import width_mapping
from hlsmem.mapping.conflict_differences import Conflicts
from hlsmem.mapping.listed_conflicts import half_differences
from hlsmem.mapping.method import Method, NoProposal, Proposal, certified
from hlsmem.polyhedra.lattices import Matrix, Vector, combine, completion, identity, small_vectors

if TYPE_CHECKING:
    import numpy as np

# Largest entries of the rows, one after another, by the dimensions of the array; arrays with
# more dimensions take unit vectors. The last row has no choice.
LARGEST_ENTRIES: dict[int, tuple[int, ...]] = {2: (6,), 3: (2, 3), 4: (2, 1, 2)}

# Differences that are listed, at most: beyond, the search takes seconds.
MOST_LISTED = 1 << 17


@dataclass(frozen=True, slots=True)
class _Basis:
    cells: int
    rows: Matrix


def search(conflicts: Conflicts, budget: int) -> Proposal | NoProposal:
    """The basis with the fewest cells at the plan's values; the moduli are exact widths plus one.

    Rows are chosen one after another. Later rows are small in the coordinates of the
    differences that the earlier ones leave, so their entries may be larger than the limit.
    Where the plan's values are too large to list the differences, the rows are chosen at
    smaller ones. One step is one difference listed.
    """
    listed = min(budget, MOST_LISTED)
    points = _listed(conflicts, listed)
    if points is None:
        return NoProposal(reason=f"more than {listed} differences: too many to list")
    reaches = LARGEST_ENTRIES.get(conflicts.dimensions, (0,) * conflicts.dimensions)
    basis = _narrowest(points, reaches, None)
    if basis is None:
        raise AssertionError("without a limit there is always a basis")
    return Proposal(piece=width_mapping(conflicts, basis.rows), work=len(points))


def _listed(conflicts: Conflicts, limit: int) -> np.ndarray | None:
    """Half of the differences at the plan's values, or at values halved until they fit."""
    smaller: Conflicts | None = conflicts
    while smaller is not None:
        points = half_differences(smaller.differences_at, limit)
        if points is not None:
            return points
        smaller = _halved(smaller)
    return None


def _halved(conflicts: Conflicts) -> Conflicts | None:
    """The conflicts at half the value of every parameter that the context lets be halved."""
    found = conflicts
    for name, value in conflicts.values.items():
        found = found.at({**found.values, name: value // 2}) or found
    return None if found.values == conflicts.values else found


def _narrowest(points: np.ndarray, reaches: tuple[int, ...], limit: int | None) -> _Basis | None:
    """The basis with the fewest cells for half of a symmetric set; None if not below `limit`."""
    import numpy as np

    size = points.shape[1]
    if len(points) == 0 or size == 1:
        cells = int(np.abs(points).max(initial=0)) + 1
        found = _Basis(cells, identity(size))
        return found if limit is None or cells < limit else None
    vectors = small_vectors(size, reaches[0])
    widths = np.abs(points @ np.array(vectors, dtype=np.int64).T).max(axis=0) + 1
    best: _Basis | None = None
    for choice in np.argsort(widths, kind="stable"):
        modulus, row = int(widths[choice]), vectors[int(choice)]
        if limit is not None and modulus >= limit:
            break
        others = _others(row)
        left = points[points @ np.array(row, dtype=np.int64) == 0]
        rest = _narrowest(
            left @ np.array(others, dtype=np.int64).T,
            reaches[1:],
            None if limit is None else -(-limit // modulus),
        )
        if rest is not None and (limit is None or modulus * rest.cells < limit):
            rows = (row, *(combine(factors, others) for factors in rest.rows))
            best = _Basis(modulus * rest.cells, rows)
            limit = best.cells
    return best


@cache
def _others(row: Vector) -> Matrix:
    """Vectors that complete `row` to a basis: coordinates on the points that it maps to 0."""
    return completion([row], len(row))


METHOD = Method(
    name="bases",
    description="exact widths over all bases of small vectors",
    source="Darte, Isoard, Yuki CC 2016, section 4.1, with exact widths",
    run=certified(search, "bases"),
    lists_differences=True,
)
