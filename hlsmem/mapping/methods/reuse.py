"""Reuse vectors in every dimension, at the plan's sizes: heuristic 2 with the basis optimised.

Source: Darte, Isoard, Yuki, "Extended lattice-based memory allocation" (CC 2016),
section 4.2, heuristic 2 and theorem 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from hlsmem.core.wording import counted
from hlsmem.mapping.basis import reuse_found, reuse_vectors
from hlsmem.mapping.conflict_differences import Conflicts
from hlsmem.mapping.decomposition import DECOMPOSITIONS, decomposed, symmetric_union
from hlsmem.mapping.extrusion import exact_reuse_vectors
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
from hlsmem.mapping.methods.lattice import (
    NORMS,
    constant_reuse_vectors,
    mapping_along,
    proposal_along,
)
from hlsmem.mapping.storage_mapping import Finding
from hlsmem.polyhedra.lattices import completion
from hlsmem.polyhedra.shortest import TRIED, Norm

# Beyond these the search takes seconds: vectors looked at for one reuse vector (then the
# conflicts are nearly a box), and differences.
MOST_VECTORS = 1 << 18
MOST_LISTED = 1 << 16


def search(conflicts: Conflicts, budget: int) -> Proposal | NoProposal:
    """The fewest cells over the norms, and over vectors sought everywhere or across.

    One step is one difference listed, or one vector looked at for one reuse vector.
    """
    return _exact(conflicts, budget, tuple(product(TRIED, (False, True))))


def _exact(
    conflicts: Conflicts, budget: int, choices: Sequence[tuple[Norm, bool]]
) -> Proposal | NoProposal:
    points = listed_differences(conflicts, min(budget, MOST_LISTED))
    if isinstance(points, NoProposal):
        return points
    pieces = {
        vectors: piece
        for vectors in exact_reuse_vectors(points, choices, min(budget, MOST_VECTORS))
        if (piece := mapping_along(conflicts, vectors)) is not None
    }
    if not pieces:
        return NoProposal(
            reason="the budget ended before as many vectors as dimensions were found",
            work=len(points),
        )
    best = min(pieces, key=lambda one: pieces[one].cells().evaluate(conflicts.values))
    return proposal_along(best, pieces[best], len(points))


def _exact_in(norm: Norm, *, across: bool) -> Search:
    """Exact multiples in one norm, vectors sought everywhere or across the earlier ones."""
    return lambda conflicts, budget: _exact(conflicts, budget, ((norm, across),))


def _star(norm: Norm, decomposition: str) -> Search:
    """The star closure taken once, as printed, at the plan's sizes."""

    def search(conflicts: Conflicts, budget: int) -> Proposal | NoProposal:
        del budget
        points = conflicts.differences_at
        if decomposition != "given":
            pieces = decomposed(decomposition, conflicts, at_plan=True)
            points = symmetric_union(pieces, points.get_space())
        vectors = reuse_vectors(points, norm, closed_again=False)
        piece = mapping_along(conflicts, vectors)
        if piece is None:
            return NoProposal(reason="no bounded row completes the reuse vectors")
        return proposal_along(vectors, piece, len(vectors))

    return search


def _parametric(conflicts: Conflicts, budget: int) -> Proposal | NoProposal:
    """Constant vectors but for the last, whose count may depend on the parameters.

    Along the last direction the extruded conflicts are an interval, and the count is its end
    plus one: the width of the row that is 0 on the other vectors.
    """
    del budget
    vectors = constant_reuse_vectors(conflicts, Norm.MAX_THEN_SUM)
    needed = conflicts.dimensions - 1
    if len(vectors) < needed:
        found = counted(len(vectors), "constant reuse vector")
        return NoProposal(
            reason=f"{found} found, {needed} needed: only the count of the last one may depend"
            " on the parameters"
        )
    piece = mapping_along(conflicts, vectors)
    if piece is None:
        return NoProposal(reason="no count is enough for the last vector")
    if len(vectors) == conflicts.dimensions:
        return proposal_along(vectors, piece, len(vectors))
    directions = [one.direction for one in vectors]
    (last,) = completion(directions, conflicts.dimensions)
    known = reuse_found(vectors)
    count = Finding(what="reuse vector", vector=last, value=str(piece.modulus[0]))
    return Proposal(piece=piece, work=len(vectors), findings=(*known, count))


_PAPER = "Darte, Isoard, Yuki CC 2016, section 4.2"

VARIANTS = (
    *(
        Variant(
            name=f"exact-{name}",
            description=f"vectors none of whose multiples conflict, {text}",
            source=f"{_PAPER}, heuristic 2, multiples tested (4.2.4)",
            run=published(_exact_in(norm, across=False)),
        )
        for name, (norm, text) in NORMS.items()
    ),
    Variant(
        name="exact-across",
        description="as exact-max-sum, vectors sought across the earlier ones",
        source=f"{_PAPER}.2, heuristic 2, span of the completing vectors",
        run=published(_exact_in(Norm.MAX_THEN_SUM, across=True)),
    ),
    *(
        Variant(
            name=f"star-{name}",
            description=f"shortest vectors outside of the star closure, {text}",
            source=f"{_PAPER}.4, heuristic 2, closure taken once as printed",
            run=published(_star(norm, "given")),
        )
        for name, (norm, text) in NORMS.items()
    ),
    *(
        Variant(
            name=f"star-{name}",
            description=f"as star-max-sum, closure of {pieces}",
            source=f"{_PAPER}.4, heuristic 2, closure taken once as printed",
            run=published(_star(Norm.MAX_THEN_SUM, name)),
        )
        for name, pieces in DECOMPOSITIONS.items()
        if name != "given"
    ),
    Variant(
        name="parametric",
        description="constant vectors, the count of the last one in the parameters",
        source=f"{_PAPER}.3, heuristic 2",
        run=published(_parametric),
    ),
)

METHOD = Method(
    name="reuse",
    description="shortest reuse vectors in every dimension, at the plan's sizes",
    source="Darte, Isoard, Yuki CC 2016, section 4.2, heuristic 2",
    run=certified(search, "reuse"),
    lists_differences=True,
    variants=VARIANTS,
)
