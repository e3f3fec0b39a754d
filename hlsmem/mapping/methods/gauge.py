"""Exact widths along useful bases: heuristics 2 and 3.

Source: Alias, Baray, Darte, "Bee+Cl@k" (LCTES 2007), section 4.2, heuristics 2 and 3.
Heuristic 2 for a basis is heuristic 3 for the dual basis in reverse order.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from math import prod
from typing import TYPE_CHECKING

from hlsmem.mapping.basis import width_mapping
from hlsmem.mapping.conflicts import Conflicts
from hlsmem.mapping.gauge import (
    basis_rows,
    hull_rows,
    reduced_rows,
    successive_minima,
    successive_widths,
)
from hlsmem.mapping.listing import half_differences
from hlsmem.mapping.method import Method, NoProposal, Proposal, certified
from hlsmem.polyhedra.lattices import Matrix, identity, inverse, transpose

if TYPE_CHECKING:
    import numpy as np

# Differences that are listed, at most: beyond, the search takes seconds.
MOST_LISTED = 1 << 16

# Rows whose every order is tried; of more rows, only each one first.
MOST_ORDERED = 4


def search(conflicts: Conflicts, budget: int) -> Proposal | NoProposal:
    """The basis with the least product of widths at the plan's values; formulas for its widths.

    Bases are unit vectors, successive minima, reduced bases, and the duals of these, each in
    every order of its vectors. Widths are those of the differences themselves: never above
    those of their hull. One step is one difference listed.
    """
    listed = min(budget, MOST_LISTED)
    points = half_differences(conflicts.differences_at, listed)
    if points is None:
        return NoProposal(reason=f"more than {listed} differences: too many to list")
    choices = dict.fromkeys(rows for basis in _bases(conflicts, points) for rows in _orders(basis))
    rows = min(choices, key=lambda rows: prod(successive_widths(points, rows)))
    return Proposal(piece=width_mapping(conflicts, rows), work=len(points))


def _bases(conflicts: Conflicts, points: np.ndarray) -> Iterator[Matrix]:
    """The rows of unimodular matrices."""
    size = conflicts.dimensions
    minima = successive_minima(points, hull_rows(conflicts.differences_at))
    counting = basis_rows(tuple(one.vector for one in minima), size)
    for rows in (identity(size), counting):
        reduced = reduced_rows(points, rows)
        for basis in (rows, reduced):
            yield basis
            yield transpose(inverse(basis))


def _orders(rows: Matrix) -> Iterator[Matrix]:
    if len(rows) <= MOST_ORDERED:
        yield from permutations(rows)
    else:
        yield from ((rows[k], *rows[:k], *rows[k + 1 :]) for k in range(len(rows)))


METHOD = Method(
    name="gauge",
    description="exact widths along unit vectors, successive minima and reduced bases",
    source="Alias, Baray, Darte LCTES 2007, section 4.2, heuristics 2 and 3",
    run=certified(search, "gauge"),
    lists_differences=True,
)
