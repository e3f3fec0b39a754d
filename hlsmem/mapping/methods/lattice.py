"""Constant reuse vectors first, then narrow rows: heuristic 3.

Source: Darte, Isoard, Yuki, "Extended lattice-based memory allocation" (CC 2016),
section 4.3, heuristic 3 and theorem 3.
"""

from __future__ import annotations

from hlsmem.mapping.basis import ReuseVector, dual_rows, narrow_rows, reuse_vectors
from hlsmem.mapping.conflicts import Conflicts
from hlsmem.mapping.method import Method, NoProposal, Proposal, certified
from hlsmem.mapping.model import Piece
from hlsmem.polyhedra import DimType
from hlsmem.polyhedra.lattices import Vector
from hlsmem.polyhedra.shortest import Norm
from hlsmem.quantity import Quantity

Vectors = tuple[ReuseVector, ...]


def search(conflicts: Conflicts, budget: int) -> Proposal | NoProposal:
    """The mapping with the fewest cells at the plan's values over the norms of reuse vectors.

    One step is one norm. Norms that find the same vectors share one mapping.
    """
    norms = list(Norm)[: max(budget, 0)]
    found = dict.fromkeys(constant_reuse_vectors(conflicts, norm) for norm in norms)
    pieces = [
        piece for vectors in found if (piece := mapping_along(conflicts, vectors)) is not None
    ]
    if not pieces:
        return NoProposal(
            reason="no bounded row completes the reuse vectors"
            if norms
            else "the budget ended before the first norm",
            work=len(norms),
        )
    piece = min(pieces, key=lambda piece: piece.cells().evaluate(conflicts.values))
    return Proposal(piece=piece, work=len(norms))


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
    counts = [Quantity.constant(vector.count) for vector in reversed(vectors)]
    return Piece(
        matrix=tuple(tuple(map(Quantity.constant, row)) for row in rows),
        modulus=(*(entry.modulus for entry in narrow), *counts),
        offset=(Quantity.constant(0),) * len(rows),
    )


METHOD = Method(
    name="lattice",
    description="constant reuse vectors first, then the narrowest rows across them",
    source="Darte, Isoard, Yuki CC 2016, section 4.3, heuristic 3",
    run=certified(search, "lattice"),
)
