"""Least and greatest values of integer linear forms over a set, parameters among its unknowns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import Aff, Constraint, DimType, LocalSpace


@dataclass(frozen=True, slots=True)
class Points:
    """Integer points over which forms are minimised: the tuple, then the parameters.

    >>> from hlsmem.polyhedra import Map
    >>> Points.of(Map("[N] -> { [y] -> [z] : 0 <= y < N and y - 1 <= z <= y + 2 }")).least(
    ...     [((-1, 1), 0)]
    ... )
    (-1,)
    """

    points: Any = field(compare=False)

    @staticmethod
    def of(relation: Any) -> Points:
        """The pairs of a relation, of all parameters."""
        points = relation.wrap().flatten().coalesce()
        return Points(
            points.move_dims(
                DimType.set, points.dim(DimType.set), DimType.param, 0, points.dim(DimType.param)
            )
        )

    def least(self, forms: Sequence[tuple[Sequence[int], int]]) -> tuple[int, ...] | None:
        """The lexicographically least values of forms (coefficients, constant).

        None where one has no lower bound. The set must not be empty.
        """
        points, found = self.points, []
        space = LocalSpace.from_space(points.get_space())
        for position, (coefficients, constant) in enumerate(forms):
            form = Aff.zero_on_domain(space).set_constant_val(constant)
            for entry, factor in enumerate(coefficients):
                if factor:
                    form = form.set_coefficient_val(DimType.in_, entry, factor)
            value = points.min_val(form)
            if not value.is_int():
                return None
            found.append(value.to_python())
            if position + 1 < len(forms):
                equal = form.set_constant_val(constant - found[-1])
                points = points.add_constraint(Constraint.equality_from_aff(equal))
        return tuple(found)

    def greatest(self, forms: Sequence[tuple[Sequence[int], int]]) -> tuple[int, ...] | None:
        """The lexicographically greatest values; None where one has no upper bound."""
        negated = [([-factor for factor in row], -constant) for row, constant in forms]
        found = self.least(negated)
        return None if found is None else tuple(-value for value in found)
