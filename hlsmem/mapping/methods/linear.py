"""Linearisation of the declared array modulo the longest distance plus one.

Source: De Greef, Catthoor, De Man, "Memory size reduction through storage order optimization
for embedded parallel multimedia applications" (1997): all orders of the axes, and all signs.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, permutations, product
from math import factorial

from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.mapping.conflict_differences import Conflicts, width_at
from hlsmem.mapping.method import Method, NoProposal, Proposal, certified
from hlsmem.mapping.row_major import Axis, Box, declared_box, longest_distances, strides
from hlsmem.mapping.storage_mapping import Piece

Axes = tuple[Axis, ...]
# Steps of the budget that a linearisation takes: its longest distance is a linear program.
_STEPS = 40


def search(conflicts: Conflicts, budget: int) -> Proposal | NoProposal:
    """The linearisation with the least longest distance at the plan's values.

    A linearisation takes 40 steps; ties go to the first, which is row-major as declared. The
    strides are products of the extents, and so is the modulus where the longest distance
    has an expression; else it is a number, right at the plan's values.
    """
    box = declared_box(conflicts)
    if box is None:
        return NoProposal(reason="nothing declares the size that a linearisation needs")
    size = conflicts.dimensions
    work = min(-(-budget // _STEPS), factorial(size) * 2 ** max(size - 1, 0))
    if work < 1:
        return NoProposal(reason="the budget ended before the first linearisation")
    tried = {axes: _distance_at(conflicts, box, axes) for axes in islice(_choices(size), work)}
    axes = min(tried, key=lambda choice: tried[choice])
    return Proposal(piece=_piece(conflicts, box, axes, tried[axes]), work=work)


def _choices(size: int) -> Iterator[Axes]:
    """Every order and every sign of the axes, the slowest axis always counted up."""
    for order in permutations(range(size)):
        for signs in product((1, -1), repeat=max(size - 1, 0)):
            yield tuple(
                Axis(position, sign) for position, sign in zip(order, (1, *signs), strict=True)
            )


def _distance_at(conflicts: Conflicts, box: Box, axes: Axes) -> int:
    row = [factor.evaluate(conflicts.values) for factor in strides(box.extents, axes)]
    return width_at(conflicts.differences_at, row)


def _piece(conflicts: Conflicts, box: Box, axes: Axes, distance: int) -> Piece:
    found = [one.value for one in longest_distances(conflicts, box, axes)]
    symbolic = [value for value in found if value.evaluate(conflicts.values) == distance]
    longest = symbolic[0] if symbolic else QuasiPolynomial.constant(distance)
    return Piece(
        matrix=(strides(box.extents, axes),),
        modulus=(longest + 1,),
        offset=(QuasiPolynomial.constant(0),),
    )


METHOD = Method(
    name="linear",
    description="row-major in the best order and signs of the axes, modulo the longest distance",
    source="De Greef, Catthoor, De Man 1997",
    run=certified(search, "linear"),
)
