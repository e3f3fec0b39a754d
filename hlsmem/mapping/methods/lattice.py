"""Constant reuse vectors first, then narrow rows: heuristic 3.

Source: Darte, Isoard, Yuki, "Extended lattice-based memory allocation" (CC 2016),
section 4.3, heuristic 3 and theorem 3.
"""

from __future__ import annotations

from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.mapping.basis import (
    MOST_COMBINED,
    ReuseVector,
    dual_rows,
    narrow_rows,
    reuse_found,
    reuse_vectors,
    widths_found,
)
from hlsmem.mapping.conflict_differences import Conflicts
from hlsmem.mapping.decomposition import DECOMPOSITIONS, decomposed, symmetric_union
from hlsmem.mapping.method import (
    Method,
    NoProposal,
    Proposal,
    Search,
    Variant,
    certified,
    published,
)
from hlsmem.mapping.storage_mapping import Piece
from hlsmem.polyhedra import DimType
from hlsmem.polyhedra.lattices import Vector
from hlsmem.polyhedra.shortest import TRIED, Norm

Vectors = tuple[ReuseVector, ...]


def search(conflicts: Conflicts, budget: int) -> Proposal | NoProposal:
    """The mapping with the fewest cells at the plan's values over the norms of reuse vectors.

    One step is one norm. Norms that find the same vectors share one mapping. In more than six
    dimensions no vectors are sought: isl takes 45 s for those of eight, within its operations.
    """
    if conflicts.dimensions > MOST_COMBINED:
        return NoProposal(reason=f"vectors are not sought in more than {MOST_COMBINED} dimensions")
    norms = TRIED[: max(budget, 0)]
    found = dict.fromkeys(constant_reuse_vectors(conflicts, norm) for norm in norms)
    pieces = {
        vectors: piece
        for vectors in found
        if (piece := mapping_along(conflicts, vectors)) is not None
    }
    if not pieces:
        return NoProposal(
            reason="no bounded row completes the reuse vectors"
            if norms
            else "the budget ended before the first norm",
            work=len(norms),
        )
    best = min(pieces, key=lambda one: pieces[one].cells().evaluate(conflicts.values))
    return proposal_along(best, pieces[best], len(norms))


def proposal_along(vectors: Vectors, piece: Piece, work: int) -> Proposal:
    """A mapping along reuse vectors, with these and the widths of the rows across."""
    across = len(piece.matrix) - len(vectors)
    rows = tuple(tuple(entry.evaluate({}) for entry in row) for row in piece.matrix)
    widths = widths_found(rows[:across], piece.modulus[:across])
    return Proposal(piece=piece, work=work, findings=(*reuse_found(vectors), *widths))


def _published(norm: Norm, decomposition: str) -> Search:
    """Heuristic 3 with one norm, the star closure taken of one decomposition."""

    def search(conflicts: Conflicts, budget: int) -> Proposal | NoProposal:
        del budget
        vectors = vectors_of_pieces(conflicts, norm, decomposition)
        piece = mapping_along(conflicts, vectors)
        if piece is None:
            return NoProposal(reason="no bounded row completes the reuse vectors", work=1)
        return proposal_along(vectors, piece, 1)

    return search


def vectors_of_pieces(conflicts: Conflicts, norm: Norm, decomposition: str) -> Vectors:
    """The reuse vectors for all parameters, of the union of the pieces of a decomposition."""
    if decomposition == "given":
        return constant_reuse_vectors(conflicts, norm)
    pieces = decomposed(decomposition, conflicts, at_plan=False)
    points = symmetric_union(pieces, conflicts.differences.get_space())
    return reuse_vectors(points.project_out(DimType.param, 0, points.dim(DimType.param)), norm)


def constant_reuse_vectors(conflicts: Conflicts, norm: Norm) -> Vectors:
    """The reuse vectors that hold for all parameters: those of the union over them."""
    points = conflicts.differences
    everywhere = points.project_out(DimType.param, 0, points.dim(DimType.param))
    return reuse_vectors(everywhere.coalesce(), norm)


def mapping_along(conflicts: Conflicts, vectors: Vectors) -> Piece | None:
    """The mapping with the given reuse vectors and narrow rows across them.

    The rows across come first, each modulo its width plus one; then, for each vector, the
    row that counts it, modulo its count. None where a row across has no bound.
    """
    across, along = dual_rows(vectors, conflicts.dimensions)
    narrow = narrow_rows(conflicts, across)
    if narrow is None:
        return None
    rows: list[Vector] = [*(entry.row for entry in narrow), *along]
    counts = [QuasiPolynomial.constant(vector.count) for vector in reversed(vectors)]
    return Piece(
        matrix=tuple(tuple(map(QuasiPolynomial.constant, row)) for row in rows),
        modulus=(*(entry.modulus for entry in narrow), *counts),
        offset=(QuasiPolynomial.constant(0),) * len(rows),
    )


NORMS = {
    "max-sum": (Norm.MAX_THEN_SUM, "max norm, ties by the sum norm"),
    "max": (Norm.MAX, "max norm"),
    "sum-max": (Norm.SUM_THEN_MAX, "sum norm, ties by the max norm"),
    "auov": (Norm.AUOV, "norm of affine occupancy vectors"),
}

_PAPER = "Darte, Isoard, Yuki CC 2016, section 4.3, heuristic 3"

VARIANTS = (
    *(
        Variant(
            name=name,
            description=f"constant reuse vectors in the {text}, then narrow rows",
            source=f"{_PAPER}, norms of section 4.2.1",
            run=published(_published(norm, "given")),
        )
        for name, (norm, text) in NORMS.items()
    ),
    *(
        Variant(
            name=name,
            description=f"as max-sum, star closure of {pieces}",
            source=f"{_PAPER}, section 4.2.4",
            run=published(_published(Norm.MAX_THEN_SUM, name)),
        )
        for name, pieces in DECOMPOSITIONS.items()
        if name != "given"
    ),
)

METHOD = Method(
    name="lattice",
    description="constant reuse vectors first, then the narrowest rows across them",
    source="Darte, Isoard, Yuki CC 2016, section 4.3, heuristic 3",
    run=certified(search, "lattice"),
    variants=VARIANTS,
)
