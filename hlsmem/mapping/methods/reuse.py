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

# Vectors looked at for one reuse vector, at most: beyond, conflicts are nearly a box.
MOST_VECTORS = 1 << 18


def search(conflicts: Conflicts, budget: int) -> Proposal | NoProposal:
    """The fewest cells over the norms, and over vectors sought everywhere or across.

    One step is one difference listed, or one vector looked at for one reuse vector.
    """
    points = half_differences(conflicts.differences_at, budget)
    if points is None:
        return NoProposal(reason=f"more than {budget} differences to list: the budget ended")
    limit = min(budget, MOST_VECTORS)
    found = [
        vectors
        for norm, across in product(Norm, (False, True))
        if (vectors := exact_reuse_vectors(points, norm, across=across, limit=limit)) is not None
    ]
    pieces = [
        piece
        for vectors in dict.fromkeys(found)
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
)
