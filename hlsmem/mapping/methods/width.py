"""Narrow rows alone: heuristic 1 with the basis optimised.

Source: Darte, Isoard, Yuki, "Extended lattice-based memory allocation" (CC 2016),
section 4.1, heuristic 1 with equation (1), theorem 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.mapping.basis import widths_found
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
from hlsmem.mapping.methods.lattice import mapping_along
from hlsmem.mapping.methods.successive import Order, best_order, successive_moduli
from hlsmem.mapping.storage_mapping import unfolded
from hlsmem.polyhedra.lattices import identity
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.polyhedra.signs import is_never_negative


def search(conflicts: Conflicts, budget: int) -> Proposal | NoProposal:
    """The unimodular basis of successively narrowest rows; one step is one row."""
    if budget < conflicts.dimensions:
        return NoProposal(reason="the budget ended before the basis was complete")
    piece = mapping_along(conflicts, ())
    if piece is None:
        return NoProposal(reason="no bounded row was found")
    rows = tuple(tuple(entry.evaluate({}) for entry in row) for row in piece.matrix)
    return Proposal(
        piece=piece, work=conflicts.dimensions, findings=widths_found(rows, piece.modulus)
    )


def _as_declared(conflicts: Conflicts, budget: int) -> Proposal | NoProposal:
    del budget
    return _of_unit_vectors(conflicts, tuple(range(conflicts.dimensions)))


def _best_of_all_orders(conflicts: Conflicts, budget: int) -> Proposal | NoProposal:
    del budget
    return _of_unit_vectors(conflicts, _narrowest_order(conflicts))


def _narrowest_order(conflicts: Conflicts) -> Order:
    _, order = best_order(conflicts.differences_at, frozenset(range(conflicts.dimensions)), {})
    return order


def _of_unit_vectors(conflicts: Conflicts, order: Order) -> Proposal:
    """Unit vectors in an order; the widths are listed in that order."""
    moduli = successive_moduli(conflicts, order)
    rows = identity(conflicts.dimensions)
    by_axis = [moduli[order.index(axis)] for axis in range(len(order))]
    return Proposal(
        piece=unfolded(tuple(by_axis)),
        work=len(order),
        findings=widths_found(tuple(rows[axis] for axis in order), moduli),
    )


def _by_pieces(decomposition: str) -> Search:
    """Each symmetric piece in its own best order, then the greatest modulus of each axis."""

    def search(conflicts: Conflicts, budget: int) -> Proposal | NoProposal:
        del budget
        parts = symmetric_parts(conflicts, decomposition)
        orders = [_narrowest_order(part) for part in parts]
        moduli = componentwise_maximum(conflicts, parts, orders)
        return Proposal(
            piece=unfolded(moduli),
            work=len(parts),
            findings=widths_found(identity(conflicts.dimensions), moduli),
        )

    return search


def componentwise_maximum(
    conflicts: Conflicts, parts: Sequence[Conflicts], orders: Sequence[Order]
) -> tuple[QuasiPolynomial, ...]:
    """For each axis the greatest modulus of the parts, each taken in its own order.

    Valid for the union of the parts (section 4.1, L337-343 of the text): a larger modulus
    than a width needs stays valid.
    """
    found = [
        dict(zip(order, successive_moduli(part, order), strict=True))
        for part, order in zip(parts, orders, strict=True)
    ]
    one = QuasiPolynomial.constant(1)
    return tuple(
        _greatest([one, *(moduli[axis] for moduli in found)], conflicts)
        for axis in range(conflicts.dimensions)
    )


def symmetric_parts(conflicts: Conflicts, decomposition: str) -> list[Conflicts]:
    """The conflicts of each piece with its opposite."""
    pieces = decomposed(decomposition, conflicts, at_plan=False)
    return [_restricted(conflicts, piece) for piece in pieces]


def _restricted(conflicts: Conflicts, piece: object) -> Conflicts:
    part = symmetric_union((piece,), conflicts.differences.get_space())
    part = part.intersect_params(conflicts.context)
    return replace(
        conflicts, differences=part, differences_at=fix_parameters(part, conflicts.values)
    )


def _greatest(quantities: Sequence[QuasiPolynomial], conflicts: Conflicts) -> QuasiPolynomial:
    """The greatest at the plan's values; a number where it is not the greatest everywhere."""
    greatest = max(quantities, key=lambda one: one.evaluate(conflicts.values))
    if all(is_never_negative(greatest - one, conflicts.context) for one in quantities):
        return greatest
    return QuasiPolynomial.constant(greatest.evaluate(conflicts.values))


_PAPER = "Darte, Isoard, Yuki CC 2016, section 4.1"

VARIANTS = (
    Variant(
        name="narrowest",
        description="the basis of successively narrowest rows",
        source=f"{_PAPER}.1, heuristic 1 with equation (1)",
        run=published(search),
    ),
    Variant(
        name="lefebvre-feautrier",
        description="the indices in the order of their declaration, widths one after another",
        source="Lefebvre and Feautrier 1998; column LeFe of table 1 in CC 2016",
        run=published(_as_declared),
    ),
    Variant(
        name="every-order",
        description="unit vectors in the best of all orders",
        source=f"{_PAPER}, heuristic 1",
        run=published(_best_of_all_orders),
    ),
    *(
        Variant(
            name=f"pieces-{name}",
            description=f"an order for each of {pieces}, greatest modulus of each index",
            source=f"{_PAPER}, symmetric pieces, maximum component by component",
            run=published(_by_pieces(name)),
        )
        for name, pieces in DECOMPOSITIONS.items()
    ),
)

METHOD = Method(
    name="width",
    description="the basis of successively narrowest rows",
    source="Darte, Isoard, Yuki CC 2016, section 4.1, heuristic 1",
    run=certified(search, "width"),
    variants=VARIANTS,
)
