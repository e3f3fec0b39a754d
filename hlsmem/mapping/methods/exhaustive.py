"""The least lattice at the plan's sizes, with a proof that no smaller one exists.

Source: Darte, Schreiber, Villard, "Lattice-based memory allocation" (IEEE TC 2005), optimal
integer lattices; Alias, Baray, Darte, "Bee+Cl@k" (LCTES 2007), column OPT. The search by
levels is in `hlsmem.mapping.search`.

A bound for convex differences is the number of integer points of half the body, at the best shift.
Where the conflicts are the integers z with |a.z| <= c for some rows (a, c), the points of
{x : |a.(2x - 2t)| < c + 1 for all rows} are pairwise in conflict, for any t: the form of a
difference of two is below c + 1, hence at most c. It is the bound of Minkowski's theorem
with points counted instead of the volume; t runs over the quarters of integers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.lifetime.bounds import clique_bound
from hlsmem.lifetime.storage_problem import Bound, StorageProblem
from hlsmem.mapping.conflict_differences import conflicts_of
from hlsmem.mapping.listed_conflicts import half_differences
from hlsmem.mapping.method import (
    Method,
    NoProposal,
    Proposal,
    Run,
    Variant,
    certified,
    lower_bound,
)
from hlsmem.mapping.storage_mapping import NoMapping, Piece, StorageMapping
from hlsmem.polyhedra import DimType, Set
from hlsmem.polyhedra.lattices import Matrix, Vector
from hlsmem.polyhedra.star_closure import inequalities

if TYPE_CHECKING:
    from hlsmem.mapping.search.least import Found

NAME = "exhaustive"

# Differences that are listed, at most.
MOST_LISTED = 1 << 20

# From this extent in both directions on, convex differences are searched by directions.
THICK = 32

# Points times rows times shifts that are looked at, at most (about a second).
_MOST_LOOKED_AT = 1 << 26

# A hull of many pieces may take long; that of pieces with integer divisions, for ever.
_MOST_PIECES = 16


@dataclass(frozen=True, slots=True)
class Outcome:
    """Result of the search, and the largest clique it started from, None without."""

    found: Found
    clique: np.ndarray | None


def run(problem: StorageProblem, budget: int) -> StorageMapping | NoMapping:
    """The least lattice as a mapping, and the bounds that prove it.

    One step of the budget is a lattice of a section tried with one pivot of the next
    dimension, or 64 of its offsets; for large convex differences in the plane, a direction
    and a height. Where the budget ends first, the answer is no mapping,
    and the bound says how far the search came.
    """
    outcome = searched(problem, budget)
    found = None if outcome is None else outcome.found
    answer = certified(lambda _conflicts, _budget: _proposal(found), NAME)(problem, budget)
    if outcome is None:
        return answer
    cliques = () if outcome.clique is None else (clique_bound(problem, outcome.clique),)
    return replace(answer, bounds=(*cliques, _bound(outcome.found, problem)))


def searched(problem: StorageProblem, budget: int) -> Outcome | None:
    """Outcome of the search; None where there is nothing to search, or too much."""
    from hlsmem.mapping.search.least import cliques_of_half, least_lattice
    from hlsmem.mapping.search.planar import least_planar_lattice

    conflicts, start = conflicts_of(problem), lower_bound(problem)
    if conflicts.is_conflict_free() or not conflicts.differences_at.is_bounded():
        return None
    points = half_differences(conflicts.differences_at, MOST_LISTED)
    if points is None:
        return None
    seen: list[np.ndarray] = []
    rows = convex_rows(conflicts.differences_at)
    if rows is not None:
        widths = [int(width) for width in abs(points).max(axis=0, initial=0)]
        half = half_points(rows, widths)
        seen += [] if half is None or not len(half) else [half]
        start = max([start, *map(len, seen)])
        if len(widths) == 2 and min(widths) >= THICK:
            return Outcome(least_planar_lattice(rows, start=start, budget=budget), _largest(seen))
    cliques = _recorded(cliques_of_half(points), seen)
    found = least_lattice(points, start=start, bounds=cliques, budget=budget)
    return Outcome(found, _largest(seen))


def _largest(cliques: Sequence[np.ndarray]) -> np.ndarray | None:
    return max(cliques, key=len, default=None)


def _recorded(cliques: Iterator[np.ndarray], seen: list[np.ndarray]) -> Iterator[int]:
    for clique in cliques:
        seen.append(clique)
        yield len(clique)


def _proposal(found: Found | None) -> Proposal | NoProposal:
    if found is None:
        return NoProposal(reason=f"more than {MOST_LISTED} differences to list")
    if found.lattice is None:
        return NoProposal(
            reason=f"the budget ended: no lattice has fewer than {found.least} cells",
            work=found.work,
        )
    return Proposal(piece=_piece(found.lattice), work=found.work)


def _piece(lattice: Matrix) -> Piece:
    from hlsmem.mapping.search.components import cheapest_components

    components = cheapest_components(lattice)
    return Piece(
        matrix=tuple(tuple(map(QuasiPolynomial.constant, row)) for row in components.rows),
        modulus=tuple(map(QuasiPolynomial.constant, components.moduli)),
        offset=(QuasiPolynomial.constant(0),) * len(components.moduli),
    )


def _bound(found: Found, problem: StorageProblem) -> Bound:
    at = ", ".join(f"{name}={value}" for name, value in problem.values.items())
    excluded = []
    if found.known > 1:
        excluded.append(f"fewer than {found.known} excluded by bounds")
    if found.least > found.known:
        excluded.append(f"{_range(found.known, found.least - 1)} by search")
    status = " and ".join(excluded) or "a cell is needed"
    if found.lattice is None:
        status += ", then the budget ended"
    return Bound(
        kind=NAME,
        cells=found.least,
        expr=None,
        status=f"{status}, at {at}" if at else status,
    )


def _range(first: int, last: int) -> str:
    return str(first) if first == last else f"{first} to {last}"


def _optimum(name: str) -> Run:
    return lambda problem, budget: replace(run(problem, budget), method=name)


def half_points(rows: Mapping[Vector, int], widths: Sequence[int]) -> np.ndarray | None:
    """Points of which any two are a z with |a.z| <= c apart, for all a: c in `rows`.

    `widths` are the greatest values of the coordinates. None where half the body is too
    large to look at all its points.
    """
    forms = np.array(list(rows), dtype=np.int64)
    limits = np.array(list(rows.values()), dtype=np.int64)
    size = forms.shape[1]
    # The box holds every point x with |2 x - 2 t| <= width + 1/2 and 0 <= t < 1.
    axes = [np.arange(-(width // 2) - 1, width // 2 + 3) for width in widths]
    points = int(np.prod([len(axis) for axis in axes]))
    if points * len(rows) * 4**size > _MOST_LOOKED_AT:
        return None
    box = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, size)
    values = 4 * box @ forms.T
    bodies = (
        (np.abs(values - forms @ np.array(shift)) <= 2 * limits + 1).all(axis=1)
        for shift in product(range(4), repeat=size)
    )
    return np.asarray(box[max(bodies, key=np.count_nonzero)])


def convex_rows(differences: Any) -> dict[Vector, int] | None:
    """{a: c} such that the set is that of the integers z with |a.z| <= c for all; else None.

    `differences` are parameter-free, bounded, 0-symmetric, with 0.
    """
    pieces = differences.coalesce().get_basic_sets()
    if len(pieces) > _MOST_PIECES or any(piece.dim(DimType.div) for piece in pieces):
        return None
    (hull,) = pieces if len(pieces) == 1 else (differences.polyhedral_hull(),)
    if hull.dim(DimType.div) or not Set.from_basic_set(hull).is_subset(differences):
        return None
    rows: dict[Vector, int] = {}
    for coefficients, limit in inequalities(hull):
        # isl says coefficients . z + limit >= 0; the set is symmetric.
        row = max(coefficients, tuple(-entry for entry in coefficients))
        rows[row] = min(limit, rows.get(row, limit))
    return rows


METHOD = Method(
    name=NAME,
    description="the least lattice at the plan's sizes, all smaller ones excluded",
    source="Darte, Schreiber, Villard IEEE TC 2005, optimal lattices, searched by levels",
    run=run,
    lists_differences=True,
    has_formulas=False,
    variants=(
        Variant(
            name="opt",
            description="the least lattice, with the proof that none is smaller",
            source="Alias, Baray, Darte LCTES 2007, figure 3, column OPT",
            run=_optimum,
        ),
        Variant(
            name="re-optimised",
            description="the least lattice among constant vectors, which at the plan are all",
            source="Darte, Isoard, Yuki CC 2016, section 4.2.5, by Hermite normal forms",
            run=_optimum,
            like="opt",
        ),
    ),
)
