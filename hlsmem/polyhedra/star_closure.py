"""The star closure of a union of polyhedra: every integer point on a segment from 0 to a point.

Source: Darte, Isoard, Yuki, "Extended lattice-based memory allocation" (CC 2016), section 4.2.4.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import gcd
from typing import Any

from hlsmem.polyhedra import Aff, BasicSet, Constraint, DimType, Set, Val
from hlsmem.polyhedra.lattices import Vector

# coefficients . x + constant >= 0
Inequality = tuple[Vector, int]


def star_closure(points: Any) -> Any:
    """The star closure of a parameter-free set, with 0; without existential variables.

    For a union with existential variables or thin pieces the closure may hold more points
    than needed: it is taken over the rationals, piece by piece.
    """
    closed = origin(points.get_space())
    for piece in points.remove_divs().get_basic_sets():
        closed = closed.union(_star_of_piece(piece))
    return closed.coalesce()


def origin(space: Any) -> Any:
    """The set that holds 0 alone."""
    zero = Set.universe(space)
    for position in range(zero.dim(DimType.set)):
        zero = zero.fix_val(DimType.set, position, Val(0))
    return zero


def inequalities(piece: Any) -> list[Inequality]:
    """The constraints of a parameter-free basic set without existential variables.

    An equality comes as two inequalities.
    """
    found: list[Inequality] = []
    size = piece.dim(DimType.set)
    for constraint in piece.remove_redundancies().get_constraints():
        coefficients = tuple(
            constraint.get_coefficient_val(DimType.set, k).to_python() for k in range(size)
        )
        constant = constraint.get_constant_val().to_python()
        found.append((coefficients, constant))
        if constraint.is_equality():
            found.append((tuple(-entry for entry in coefficients), -constant))
    return found


def polyhedron(space: Any, constraints: Iterable[Inequality]) -> Any:
    """The Set of the points that satisfy all constraints."""
    zero = Aff.zero_on_domain(space)
    found = BasicSet.universe(space)
    for coefficients, constant in constraints:
        form = zero.set_constant_val(Val(constant))
        for position, factor in enumerate(coefficients):
            form = form.set_coefficient_val(DimType.in_, position, Val(factor))
        found = found.add_constraint(Constraint.inequality_from_aff(form))
    return Set.from_basic_set(found)


def _star_of_piece(piece: Any) -> Any:
    """{x : some 0 < t <= 1 has c.x + t d >= 0 for every constraint c.x + d >= 0 of the piece}."""
    constraints = inequalities(piece)
    if all(constant >= 0 for _, constant in constraints):
        return Set.from_basic_set(piece)
    return polyhedron(piece.get_space(), _without_scale(constraints))


def _without_scale(constraints: Sequence[Inequality]) -> list[Inequality]:
    """The constraints after Fourier-Motzkin elimination of the scale t."""
    kept: list[Inequality] = []
    for coefficients, constant in constraints:
        # A negative constant makes the form positive, hence at least 1 on integers.
        kept.append((coefficients, -1 if constant < 0 else constant))
    for lower, above in constraints:
        for upper, below in constraints:
            if above > 0 > below:
                common = gcd(above, below)
                kept.append(
                    (
                        tuple(
                            (-below * a + above * b) // common
                            for a, b in zip(lower, upper, strict=True)
                        ),
                        0,
                    )
                )
    return kept
