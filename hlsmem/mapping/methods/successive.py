"""Successive modulo in the best order of the axes.

Source: Lefebvre, Feautrier, "Automatic storage management for parallel programs" (1998),
as restated in Darte, Isoard, Yuki (CC 2016), section 3: each index is taken modulo the
width of the differences in which all earlier indices agree, plus one.
"""

from __future__ import annotations

from typing import Any

from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.mapping.conflict_differences import Conflicts, modulus_above, width_at
from hlsmem.mapping.method import Method, NoProposal, Proposal, certified
from hlsmem.mapping.storage_mapping import unfolded
from hlsmem.polyhedra import DimType, Val
from hlsmem.polyhedra.lattices import unit

Order = tuple[int, ...]


def search(conflicts: Conflicts, budget: int) -> Proposal | NoProposal:
    """The order of axes with the fewest cells at the plan's values; one step is one width.

    The width of an axis depends on the set of axes before it, not on their order, so the
    best order is found over subsets. A budget below the number of widths leaves the order
    in which the array is declared.
    """
    size = conflicts.dimensions
    widths = size * 2 ** max(size - 1, 0)
    if widths <= budget:
        _, order = best_order(conflicts.differences_at, frozenset(range(size)), {})
    else:
        order, widths = tuple(range(size)), size
    moduli = [QuasiPolynomial.constant(1)] * size
    for axis, modulus in zip(order, successive_moduli(conflicts, order), strict=True):
        moduli[axis] = modulus
    return Proposal(piece=unfolded(tuple(moduli)), work=widths)


def successive_moduli(conflicts: Conflicts, order: Order) -> list[QuasiPolynomial]:
    """The modulus of each axis, in the order given."""
    points = conflicts.differences
    moduli: list[QuasiPolynomial] = []
    for axis in order:
        moduli.append(modulus_above(points, unit(conflicts.dimensions, axis), conflicts))
        points = points.fix_val(DimType.set, axis, Val(0))
    return moduli


def best_order(
    points: Any, axes: frozenset[int], known: dict[frozenset[int], tuple[int, Order]]
) -> tuple[int, Order]:
    """(cells, order) of the best order of `axes`, the others being fixed at 0 in `points`.

    Of equally good orders the lexicographically first.
    """
    if not axes:
        return 1, ()
    if axes not in known:
        choices: list[tuple[int, Order]] = []
        for axis in axes:
            modulus = width_at(points, unit(points.dim(DimType.set), axis)) + 1
            rest = points.fix_val(DimType.set, axis, Val(0))
            cells, order = best_order(rest, axes - {axis}, known)
            choices.append((modulus * cells, (axis, *order)))
        known[axes] = min(choices)
    return known[axes]


METHOD = Method(
    name="successive",
    description="each index modulo its width, best over all orders of the axes",
    source="Lefebvre and Feautrier 1998; Darte, Isoard, Yuki CC 2016, section 3",
    run=certified(search, "successive"),
)
