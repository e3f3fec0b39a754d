"""The least lattice at the plan's sizes, with a proof that no smaller one exists.

Source: Darte, Schreiber, Villard, "Lattice-based memory allocation" (IEEE TC 2005), optimal
integer lattices; Alias, Baray, Darte, "Bee+Cl@k" (LCTES 2007), column OPT. The search by
levels is in `hlsmem.mapping.search`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

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
from hlsmem.polyhedra.lattices import Matrix

if TYPE_CHECKING:
    import numpy as np

    from hlsmem.mapping.search.least import Found

NAME = "exhaustive"

# Differences that are listed, at most.
MOST_LISTED = 1 << 20

# From this extent in both directions on, convex differences are searched by directions.
THICK = 32


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
    from hlsmem.mapping.search.convex import convex_rows, half_points
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
    ),
)
