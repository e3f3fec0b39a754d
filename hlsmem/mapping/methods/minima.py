"""Lattices from successive minima: Rogers' construction, heuristics 1 and 1.a.

Source: Alias, Baray, Darte, "Bee+Cl@k" (LCTES 2007), section 4.1, heuristics 1 and 1.a;
Darte, Schreiber, Villard, "Lattice-based memory allocation" (IEEE TC 2005).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import floor, prod
from typing import TYPE_CHECKING

from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.mapping.conflict_differences import Conflicts, modulus_above
from hlsmem.mapping.gauge_norm import (
    NO_HULL,
    Minimum,
    basis_rows,
    hull_rows,
    reduced_rows,
    successive_minima,
)
from hlsmem.mapping.listed_conflicts import is_admissible
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
from hlsmem.polyhedra import Aff, DimType, Set, Val
from hlsmem.polyhedra.lattices import Matrix, Vector, inverse, transpose

if TYPE_CHECKING:
    import numpy as np

# The lattices (rows, moduli) that a construction makes of points and their minima.
Construction = Callable[
    ["np.ndarray", tuple[Minimum, ...]], Iterator[tuple[Matrix, tuple[int, ...]]]
]

# Differences that are listed, at most: beyond, the search takes seconds.
MOST_LISTED = 1 << 17

# Lattices that are tried for one basis, at most.
MOST_INCREMENTS = 1 << 10


def search(conflicts: Conflicts, budget: int) -> Proposal | NoProposal:
    """The least lattice of the constructions, at the plan's values.

    Minima are taken of the convex hull and of the star of the differences; heuristic 1.a also
    starts from a basis by generalised basis reduction. A modulus keeps its formula where it
    is the reach of the conflicts along its vector. One step is one difference listed.
    """
    points = listed_differences(conflicts, min(budget, MOST_LISTED))
    if isinstance(points, NoProposal):
        return points
    bodies = list(_all_minima(conflicts, points))
    found = [choice for minima in bodies for choice in rogers_lattices(points, minima)]
    rows, moduli = min(found, key=lambda choice: prod(choice[1]))
    return Proposal(
        piece=_piece(conflicts, rows, moduli), work=len(points), findings=minima_found(bodies[0])
    )


def minima_found(minima: tuple[Minimum, ...]) -> tuple[Finding, ...]:
    """The successive minima as what they are along their vectors."""
    return tuple(
        Finding(what="successive minimum", vector=one.vector, value=str(1 / one.inverse))
        for one in minima
    )


def _variant(construction: Construction, *, star: bool) -> Search:
    """The search of one construction from the minima of the hull, or of the star."""

    def search(conflicts: Conflicts, budget: int) -> Proposal | NoProposal:
        points = listed_differences(conflicts, min(budget, MOST_LISTED))
        if isinstance(points, NoProposal):
            return points
        hull = None if star else hull_rows(conflicts.differences_at)
        if hull is None and not star:
            return NoProposal(reason=NO_HULL, work=len(points))
        minima = successive_minima(points, hull)
        found = next(construction(points, minima), None)
        if found is None:
            return NoProposal(
                reason=f"no lattice is admissible within {MOST_INCREMENTS} increments",
                work=len(points),
            )
        rows, moduli = found
        return Proposal(
            piece=_piece(conflicts, rows, moduli), work=len(points), findings=minima_found(minima)
        )

    return search


def _all_minima(conflicts: Conflicts, points: np.ndarray) -> Iterator[tuple[Minimum, ...]]:
    """Minima of the hull, where it is at hand, and of the star."""
    hull = hull_rows(conflicts.differences_at)
    if hull is not None:
        yield successive_minima(points, hull)
    yield successive_minima(points, None)


def rogers_lattices(
    points: np.ndarray, minima: tuple[Minimum, ...]
) -> Iterator[tuple[Matrix, tuple[int, ...]]]:
    """(rows, moduli) by each construction; directions without a minimum take modulus 1."""
    for construction in (powers_of_two, least_factors, reduced_basis):
        yield from construction(points, minima)


def powers_of_two(
    points: np.ndarray, minima: tuple[Minimum, ...]
) -> Iterator[tuple[Matrix, tuple[int, ...]]]:
    """Heuristic 1: the powers of two above 1/lambda.

    They divide one another, hence are admissible (Rogers).
    """
    size = points.shape[1]
    rows = basis_rows(tuple(one.vector for one in minima), size)
    rest = (1,) * (size - len(minima))
    yield rows, (*(1 << floor(one.inverse).bit_length() for one in minima), *rest)


def least_factors(
    points: np.ndarray, minima: tuple[Minimum, ...]
) -> Iterator[tuple[Matrix, tuple[int, ...]]]:
    """Heuristic 1.a: the integers above 1/lambda, increased until they are admissible."""
    size = points.shape[1]
    rows = basis_rows(tuple(one.vector for one in minima), size)
    rest = (1,) * (size - len(minima))
    least = (*(floor(one.inverse) + 1 for one in minima), *rest)
    yield from _incremented(points, rows, least)


def reduced_basis(
    points: np.ndarray, minima: tuple[Minimum, ...]
) -> Iterator[tuple[Matrix, tuple[int, ...]]]:
    """Heuristic 1.a along a basis by generalised basis reduction."""
    rows = basis_rows(tuple(one.vector for one in minima), points.shape[1])
    reduced = reduced_rows(points, rows)
    vectors = transpose(inverse(reduced))
    yield from _incremented(points, reduced, tuple(_reach(points, v) + 1 for v in vectors))


def _incremented(
    points: np.ndarray, rows: Matrix, moduli: tuple[int, ...]
) -> Iterator[tuple[Matrix, tuple[int, ...]]]:
    """The first admissible moduli when one after another is made larger by one (1.a)."""
    for step in range(MOST_INCREMENTS):
        if is_admissible(points, rows, moduli):
            yield rows, moduli
            return
        turn = step % len(moduli)
        moduli = (*moduli[:turn], moduli[turn] + 1, *moduli[turn + 1 :])


def _reach(points: np.ndarray, vector: Vector) -> int:
    """The greatest k with k times the vector, which is primitive, among the points, or 0."""
    import numpy as np

    along = np.array(vector, dtype=np.int64)
    lead = int(np.flatnonzero(along)[0])
    multiples = points[:, lead] // along[lead]
    parallel = (points == multiples[:, None] * along).all(axis=1)
    return int(np.abs(multiples[parallel]).max(initial=0))


def _piece(conflicts: Conflicts, rows: Matrix, moduli: tuple[int, ...]) -> Piece:
    vectors = transpose(inverse(rows))
    formulas = [
        _modulus(conflicts, row, vector, modulus)
        for row, vector, modulus in zip(rows, vectors, moduli, strict=True)
    ]
    return Piece(
        matrix=tuple(tuple(map(QuasiPolynomial.constant, row)) for row in rows),
        modulus=tuple(formulas),
        offset=(QuasiPolynomial.constant(0),) * len(rows),
    )


def _modulus(conflicts: Conflicts, row: Vector, vector: Vector, modulus: int) -> QuasiPolynomial:
    """The reach of the conflicts along the vector plus one, where that is the modulus."""
    formula = modulus_above(_multiples(conflicts, vector), row, conflicts)
    known = formula.evaluate(conflicts.values) == modulus
    return formula if known else QuasiPolynomial.constant(modulus)


def _multiples(conflicts: Conflicts, vector: Vector) -> object:
    """The differences that are multiples of the vector."""
    points = conflicts.differences
    lead = next(k for k, entry in enumerate(vector) if entry)
    for position, entry in enumerate(vector):
        # vector[lead] * x[position] = entry * x[lead]
        form = Aff.zero_on_domain(points.get_space())
        form = form.set_coefficient_val(DimType.in_, lead, Val(-entry))
        form = form.add_coefficient_val(DimType.in_, position, Val(vector[lead]))
        points = points.intersect(Set.from_basic_set(form.zero_basic_set()))
    return points


_PAPER = "Alias, Baray, Darte LCTES 2007, section 4.1"

_CONSTRUCTIONS: tuple[tuple[str, Construction, str, str], ...] = (
    ("rogers", powers_of_two, "powers of two above 1/lambda", "heuristic 1 (Rogers)"),
    ("1.a", least_factors, "least admissible integers above 1/lambda", "heuristic 1.a"),
    (
        "reduced",
        reduced_basis,
        "heuristic 1.a along a basis by generalised basis reduction",
        "4.1.3 (Lovász and Scarf)",
    ),
)

VARIANTS = tuple(
    Variant(
        name=f"{name}-star" if star else name,
        description=f"{description}, minima of the {'star' if star else 'hull'}",
        source=f"{_PAPER}, {source}" + (", of the star instead of the hull" if star else ""),
        run=published(_variant(construction, star=star)),
    )
    for star in (False, True)
    for name, construction, description, source in _CONSTRUCTIONS
)

METHOD = Method(
    name="minima",
    description="lattices from successive minima, each factor the least that is admissible",
    source="Alias, Baray, Darte LCTES 2007, section 4.1, heuristics 1 and 1.a",
    run=certified(search, "minima"),
    lists_differences=True,
    variants=VARIANTS,
)
