"""Exact widths along useful bases: heuristics 2 and 3.

Source: Alias, Baray, Darte, "Bee+Cl@k" (LCTES 2007), section 4.2, heuristics 2 and 3.
Heuristic 2 for a basis is heuristic 3 for the dual basis in reverse order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import permutations
from math import floor, prod
from typing import TYPE_CHECKING

from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.mapping.basis import width_mapping, widths_found
from hlsmem.mapping.conflict_differences import Conflicts
from hlsmem.mapping.gauge_norm import (
    NO_HULL,
    basis_rows,
    gauge_reaches,
    hull_rows,
    reduced_rows,
    successive_minima,
    successive_widths,
)
from hlsmem.mapping.method import (
    Method,
    NoProposal,
    Proposal,
    Search,
    Variant,
    certified,
    listed_differences,
    published,
)
from hlsmem.mapping.storage_mapping import Finding, Piece
from hlsmem.polyhedra.lattices import Matrix, identity, inverse, transpose

if TYPE_CHECKING:
    import numpy as np

# The vectors of a basis, for the conflicts and half of their differences.
Choose = Callable[[Conflicts, "np.ndarray"], Matrix]

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
    points = listed_differences(conflicts, min(budget, MOST_LISTED))
    if isinstance(points, NoProposal):
        return points
    choices = dict.fromkeys(rows for basis in _bases(conflicts, points) for rows in _orders(basis))
    rows = min(choices, key=lambda rows: prod(successive_widths(points, rows)))
    return _by_widths(conflicts, rows, len(points))


def _by_widths(conflicts: Conflicts, rows: Matrix, work: int) -> Proposal:
    piece = width_mapping(conflicts, rows)
    return Proposal(piece=piece, work=work, findings=widths_found(rows, piece.modulus))


def _heuristic_3(choose: Choose) -> Search:
    """Heuristic 3 along rows: exact widths on the integer points, the best order."""

    def search(conflicts: Conflicts, budget: int) -> Proposal | NoProposal:
        points = listed_differences(conflicts, min(budget, MOST_LISTED))
        if isinstance(points, NoProposal):
            return points
        orders = _orders(transpose(inverse(choose(conflicts, points))))
        rows = min(orders, key=lambda rows: prod(successive_widths(points, rows)))
        return _by_widths(conflicts, rows, len(points))

    return search


def _heuristic_2(choose: Choose) -> Search:
    """Heuristic 2 along a basis: factors above 1/F_i, in exact rationals, the best order."""

    def search(conflicts: Conflicts, budget: int) -> Proposal | NoProposal:
        points = listed_differences(conflicts, min(budget, MOST_LISTED))
        if isinstance(points, NoProposal):
            return points
        hull = hull_rows(conflicts.differences_at)
        if hull is None:
            return NoProposal(reason=NO_HULL, work=len(points))
        tried: dict[Matrix, tuple[Fraction, ...]] = {}
        for basis in _orders(choose(conflicts, points)):
            reaches = gauge_reaches(basis, hull)
            if reaches is None:
                reason = "the projections of the hull have too many inequalities"
                return NoProposal(reason=reason, work=len(points))
            tried[basis] = reaches
        basis = min(tried, key=lambda basis: prod(floor(reach) + 1 for reach in tried[basis]))
        rows = inverse(transpose(basis))
        piece = Piece(
            matrix=tuple(tuple(map(QuasiPolynomial.constant, row)) for row in rows),
            modulus=tuple(QuasiPolynomial.constant(floor(reach) + 1) for reach in tried[basis]),
            offset=(QuasiPolynomial.constant(0),) * len(rows),
        )
        findings = tuple(
            Finding(what="gauge F", vector=vector, value=str(1 / reach) if reach else "infinite")
            for vector, reach in zip(basis, tried[basis], strict=True)
        )
        return Proposal(piece=piece, work=len(points), findings=findings)

    return search


def _unit_vectors(conflicts: Conflicts, points: np.ndarray) -> Matrix:
    del points
    return identity(conflicts.dimensions)


def _minima_vectors(conflicts: Conflicts, points: np.ndarray) -> Matrix:
    minima = successive_minima(points, hull_rows(conflicts.differences_at))
    rows = basis_rows(tuple(one.vector for one in minima), conflicts.dimensions)
    return transpose(inverse(rows))


def _reduced_vectors(conflicts: Conflicts, points: np.ndarray) -> Matrix:
    rows = inverse(transpose(_minima_vectors(conflicts, points)))
    return transpose(inverse(reduced_rows(points, rows)))


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


_PAPER = "Alias, Baray, Darte LCTES 2007, section 4.2"

_CHOICES: tuple[tuple[str, Choose, str], ...] = (
    ("unit", _unit_vectors, "unit vectors"),
    ("minima", _minima_vectors, "the basis of successive minima"),
    ("reduced", _reduced_vectors, "a basis by generalised basis reduction"),
)

VARIANTS = (
    *(
        Variant(
            name=f"2-{name}",
            description=f"gauge functions F_i on {basis}, best order",
            source=f"{_PAPER}, heuristic 2",
            run=published(_heuristic_2(choose)),
        )
        for name, choose, basis in _CHOICES
    ),
    *(
        Variant(
            name=f"3-{name}",
            description=f"successive widths along the rows dual to {basis}, best order",
            source=f"{_PAPER}, heuristic 3",
            run=published(_heuristic_3(choose)),
        )
        for name, choose, basis in _CHOICES
    ),
)

METHOD = Method(
    name="gauge",
    description="exact widths along unit vectors, successive minima and reduced bases",
    source="Alias, Baray, Darte LCTES 2007, section 4.2, heuristics 2 and 3",
    run=certified(search, "gauge"),
    lists_differences=True,
    variants=VARIANTS,
)
