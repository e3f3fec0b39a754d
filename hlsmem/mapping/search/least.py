"""The least determinant of an admissible lattice, with all smaller determinants excluded.

A lattice of Z^n in Hermite form is built level by level: its section with x_(m+1) = .. = 0
is a lattice of Z^m with pivots e_1 .. e_m, admissible for the section of the differences.
So the optima of the sections bound the products of the first pivots from below, and a new
generator is tried only with lattices that are admissible so far.

Source: section "an optimal lattice" of Darte, Schreiber, Villard, "Lattice-based memory
allocation" (IEEE TC 2005) enumerates Hermite forms; levels and runs are our own.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from hlsmem.bounds import largest_clique
from hlsmem.mapping.search.coordinates import thin_last
from hlsmem.mapping.search.extension import (
    Batch,
    admissible_extensions,
    all_extensions,
    cyclic,
)
from hlsmem.mapping.search.runs import Level, Levels, levels_of
from hlsmem.polyhedra.lattices import Matrix, hermite, inverse

# Classes of all lattices of a batch that are looked at together.
_TOGETHER = 1 << 20

# Offsets that count as one step of work.
_A_STEP = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a search established.

    `lattice` (Hermite rows) is admissible; None where the budget ended before. No admissible
    lattice has a determinant below `least`: those from `start` on were excluded by search,
    smaller ones were so before. `nodes` counts pairs of a lattice and a pivot of the next
    dimension, `work` the steps spent: one a node, and one for every 64 offsets tried.
    """

    lattice: Matrix | None
    least: int
    start: int
    nodes: int
    work: int


def least_lattice(points: np.ndarray, *, start: int = 1, budget: int) -> Found:
    """The admissible lattice of least determinant for a symmetric set of differences.

    `points` are one of each pair z, -z without 0: int64 (points, dimensions >= 1). `start`
    is a determinant below which no lattice is known to be admissible.
    """
    basis = thin_last(points)
    flat = points @ np.array(basis, dtype=np.int64).T
    levels = levels_of(flat)
    search = _Search(levels, budget)
    try:
        search.run(_sections(flat), start)
    except _BudgetEnded:
        pass
    lattice = search.lattice
    if lattice is not None:
        back = np.array(inverse(basis), dtype=np.int64)
        lattice = hermite((np.array(lattice, dtype=np.int64) @ back.T).tolist())
    return Found(
        lattice=lattice,
        least=max(search.least, start),
        start=max(search.start, start),
        nodes=search.nodes,
        work=search.work,
    )
