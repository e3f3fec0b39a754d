"""Occupancy vectors as mappings: elements that are multiples of one vector apart share a cell.

`vector` is the shortest that no conflict forbids, for the conflicts of whatever class. `ov`, `aov`,
`uov` and `quov` are those of the papers: each is right for a class of its own, which is wider or
narrower than that of the plan, so that it is proved on the plan's conflicts like any other mapping.
Source: Strout et al. (ASPLOS 1998); Thies, Vivien, Amarasinghe (TOPLAS 2007), section 3.2.
"""

from __future__ import annotations

from dataclasses import replace

from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.lifetime.storage_problem import GivenVector, StorageProblem
from hlsmem.mapping.conflict_differences import Conflicts, conflicts_of, covering, width_at
from hlsmem.mapping.method import (
    Method,
    NoProposal,
    Proposal,
    Run,
    certified,
    listed_differences,
    proved,
)
from hlsmem.mapping.projection import projection
from hlsmem.mapping.shortest_differences import order, vectors_of_length
from hlsmem.mapping.storage_mapping import NoMapping, Piece, StorageMapping
from hlsmem.polyhedra.lattices import Vector, content
from hlsmem.polyhedra.quantities import maximum
from hlsmem.polyhedra.sets import fix_parameters

# The kinds of vectors that a problem may be given, and the class of orders of each.
GUARANTEES = {
    "ov": "the design's own schedule",
    "aov": "all one-dimensional affine schedules",
    "uov": "every order that keeps the dependences",
    "quov": "all tilings of the band",
}
_SOURCES = {
    "ov": "Thies, Vivien, Amarasinghe TOPLAS 2007, section 4.2",
    "aov": "Thies, Vivien, Amarasinghe TOPLAS 2007, section 4.4",
    "uov": "Strout, Carter, Ferrante, Simon ASPLOS 1998",
    "quov": "quasi-universal vectors: every row of the band at least its largest flow",
}


def search(conflicts: Conflicts, budget: int) -> Proposal | NoProposal:
    """The shortest vector of which no multiple is a difference; one step is one vector.

    Of equally short ones that of fewest cells.
    """
    if conflicts.elements is None or not conflicts.elements.is_bounded():
        return NoProposal(reason="no elements are known that the vector could lead from and to")
    points = listed_differences(conflicts, budget)
    if isinstance(points, NoProposal):
        return points
    taken = {tuple(point) for point in points.tolist()}
    longest = max((sum(map(abs, point)) for point in taken), default=0)
    work = 0
    for total in range(1, longest + 2):
        valid = []
        for vector in vectors_of_length(conflicts.dimensions, total):
            if vector < (0,) * len(vector):
                continue  # a vector and its opposite give the same cells
            work += 1
            if not _meets(vector, taken, longest):
                valid.append(vector)
        if work > budget:
            return NoProposal(reason="the budget ended before a vector was found", work=work)
        if valid:
            pieces = [piece_of(one, conflicts) for one in sorted(valid, key=order)]
            best = min(pieces, key=lambda piece: piece.cells().evaluate(conflicts.values))
            return Proposal(piece=best, work=work)
    raise AssertionError("a vector beyond all differences is valid")


def _meets(vector: Vector, taken: set[Vector], longest: int) -> bool:
    """True if a multiple of the vector is one of the differences."""
    most = longest // sum(map(abs, vector))
    return any(tuple(k * entry for entry in vector) in taken for k in range(1, most + 1))


def piece_of(vector: Vector, conflicts: Conflicts) -> Piece:
    """The mapping of a vector: rows orthogonal to it, and one modulo the gcd of its entries."""
    at_plan = fix_parameters(conflicts.elements, conflicts.values)

    def width(row: Vector) -> int:
        return width_at(at_plan, row) + width_at(at_plan, _opposite(row)) + 1

    rows, crossing = projection(vector, width)
    moduli, offsets = [], []
    for row in rows:
        low = covering(maximum(conflicts.elements, _opposite(row)), conflicts)
        high = covering(maximum(conflicts.elements, row), conflicts)
        moduli.append(low + high + 1)
        offsets.append(low)
    if crossing is not None:
        rows = (*rows, crossing)
        moduli.append(QuasiPolynomial.constant(content(vector)))
        offsets.append(QuasiPolynomial.constant(0))
    return Piece(
        matrix=tuple(tuple(map(QuasiPolynomial.constant, row)) for row in rows),
        modulus=tuple(moduli),
        offset=tuple(offsets),
    )


def _opposite(row: Vector) -> Vector:
    return tuple(-entry for entry in row)


def _given(kind: str) -> Run:
    """The run of a method whose vector comes with the problem."""

    def run(problem: StorageProblem, budget: int) -> StorageMapping | NoMapping:
        del budget
        given = problem.vectors.get(kind)
        if given is None or given.vector is None:
            reason = given.reason if given is not None else "a conflict set has no orders"
            return NoMapping(method=kind, reason=f"not applicable: {reason}")
        conflicts = conflicts_of(problem)
        found = proved(Proposal(piece=piece_of(given.vector, conflicts), work=1), conflicts, kind)
        if isinstance(found, NoMapping):
            reason = f"not applicable: {_text(given)} is right for {GUARANTEES[kind]}, not here"
            return replace(found, reason=f"{reason}: {found.reason}")
        by = f"{found.certificate.by}; vector {_text(given)}, right for {GUARANTEES[kind]}"
        return replace(found, certificate=replace(found.certificate, by=by))

    return run


def _text(given: GivenVector) -> str:
    return f"({', '.join(map(str, given.vector or ()))})"


METHODS = (
    Method(
        name="vector",
        description="the shortest vector whose multiples no two conflicting elements are apart",
        source="Thies, Vivien, Amarasinghe TOPLAS 2007, section 3.2",
        run=certified(search, "vector", finish=False),
        lists_differences=True,
        is_compared=True,
    ),
    *(
        Method(
            name=kind,
            description=f"the shortest occupancy vector for {guarantee}",
            source=_SOURCES[kind],
            run=_given(kind),
            is_compared=True,
        )
        for kind, guarantee in GUARANTEES.items()
    ),
)
