"""Reuse vectors in every dimension, at the plan's sizes: heuristic 2 with the basis optimised.

Source: Darte, Isoard, Yuki, "Extended lattice-based memory allocation" (CC 2016),
section 4.2, heuristic 2 and theorem 2.
"""

from __future__ import annotations

from itertools import product

from hlsmem.mapping.conflicts import Conflicts
from hlsmem.mapping.extrusion import exact_reuse_vectors
from hlsmem.mapping.listing import half_differences
from hlsmem.mapping.method import Method, NoProposal, Proposal, certified
from hlsmem.mapping.methods.lattice import mapping_along
from hlsmem.polyhedra.shortest import Norm

# Beyond these the search takes seconds: vectors looked at for one reuse vector (then the
# conflicts are nearly a box), and differences.
MOST_VECTORS = 1 << 18
MOST_LISTED = 1 << 16


def search(conflicts: Conflicts, budget: int) -> Proposal | NoProposal:
    """The fewest cells over the norms, and over vectors sought everywhere or across.

    One step is one difference listed, or one vector looked at for one reuse vector.
    """
    listed = min(budget, MOST_LISTED)
    points = half_differences(conflicts.differences_at, listed)
    if points is None:
        return NoProposal(reason=f"more than {listed} differences: too many to list")
    variants = tuple(product(Norm, (False, True)))
    pieces = [
        piece
        for vectors in exact_reuse_vectors(points, variants, min(budget, MOST_VECTORS))
        if (piece := mapping_along(conflicts, vectors)) is not None
    ]
    if not pieces:
        return NoProposal(
            reason="the budget ended before as many vectors as dimensions were found",
            work=len(points),
        )
    piece = min(pieces, key=lambda piece: piece.cells().evaluate(conflicts.values))
    return Proposal(piece=piece, work=len(points))


METHOD = Method(
    name="reuse",
    description="shortest reuse vectors in every dimension, at the plan's sizes",
    source="Darte, Isoard, Yuki CC 2016, section 4.2, heuristic 2",
    run=certified(search, "reuse"),
    lists_differences=True,
)
