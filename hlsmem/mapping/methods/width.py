"""Narrow rows alone: heuristic 1 with the basis optimised.

Source: Darte, Isoard, Yuki, "Extended lattice-based memory allocation" (CC 2016),
section 4.1, heuristic 1 with equation (1), theorem 1.
"""

from __future__ import annotations

from hlsmem.mapping.conflicts import Conflicts
from hlsmem.mapping.method import Method, NoProposal, Proposal, certified
from hlsmem.mapping.methods.lattice import mapping_along


def search(conflicts: Conflicts, budget: int) -> Proposal | NoProposal:
    """The unimodular basis of successively narrowest rows; one step is one row."""
    if budget < conflicts.dimensions:
        return NoProposal(reason="the budget ended before the basis was complete")
    piece = mapping_along(conflicts, ())
    if piece is None:
        return NoProposal(reason="no bounded row was found")
    return Proposal(piece=piece, work=conflicts.dimensions)


METHOD = Method(
    name="width",
    description="the basis of successively narrowest rows",
    source="Darte, Isoard, Yuki CC 2016, section 4.1, heuristic 1",
    run=certified(search, "width"),
)
