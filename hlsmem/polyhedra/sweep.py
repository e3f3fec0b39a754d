"""Sets and quasi-affine functions on whole arrays of integer points at once, in numpy.

isl visits one point at a time; traces and domains with 10^6 points need this instead.
All sets and maps here are free of parameters: `sets.fix_parameters` first. The points of a
set are listed by `enumeration.distinct_points`.
"""

from __future__ import annotations

from math import lcm
from typing import Any

import numpy as np

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import DimType, PwMultiAff, Val


def contains(domain: Any, points: np.ndarray) -> np.ndarray:
    """Mask of points (int64, shape (points, dimensions)) in a set: bool, shape (points,)."""
    return Membership.of(domain).holds(points)


@dataclass(frozen=True, slots=True)
class Membership:
    """A set as numbers, to be asked again and again: for each convex piece its constraints.

    A constraint is (whether an equality, form); the forms are of points and are 0, or at least 0.
    """

    pieces: tuple[tuple[tuple[bool, QuasiAffine], ...], ...]

    @staticmethod
    def of(domain: Any) -> Membership:
        """The membership test of a set free of parameters."""
        return Membership(
            tuple(
                tuple(
                    (constraint.is_equality(), QuasiAffine.of(constraint.get_aff()))
                    for constraint in basic.get_constraints()
                )
                for basic in domain.compute_divs().get_basic_sets()
            )
        )

    def holds(self, points: np.ndarray) -> np.ndarray:
        """Mask of points (int64, shape (points, dimensions)) that lie in the set: bool."""
        inside = np.zeros(len(points), dtype=bool)
        for constraints in self.pieces:
            holds = np.ones(len(points), dtype=bool)
            for is_equality, form in constraints:
                value = form.numerators(points)
                holds &= (value == 0) if is_equality else (value >= 0)
            inside |= holds
        return inside


@dataclass(frozen=True, slots=True)
class QuasiAffine:
    """A quasi-affine form as integers over one positive divisor: a constant, coordinates by
    position with their factors, and floors of forms with theirs."""

    divisor: int
    constant: int
    coordinates: tuple[tuple[int, int], ...]
    floors: tuple[tuple[int, QuasiAffine], ...]

    @staticmethod
    def of(form: Any) -> QuasiAffine:
        """The quasi-affine form of an Aff free of parameters."""
        factors = [
            (position, form.get_coefficient_val(DimType.in_, position))
            for position in range(form.dim(DimType.in_))
        ]
        divisions = [
            (
                QuasiAffine.of(form.get_div(position)),
                form.get_coefficient_val(DimType.div, position),
            )
            for position in range(form.dim(DimType.div))
            if not form.get_coefficient_val(DimType.div, position).is_zero()
        ]
        constant = form.get_constant_val()
        values = [constant, *(value for _, value in (*factors, *divisions))]
        divisor = lcm(*(value.get_den_val().to_python() for value in values))
        return QuasiAffine(
            divisor=divisor,
            constant=_scaled(constant, divisor),
            coordinates=tuple(
                (_scaled(value, divisor), position)
                for position, value in factors
                if not value.is_zero()
            ),
            floors=tuple((_scaled(value, divisor), inner) for inner, value in divisions),
        )

    def numerators(self, points: np.ndarray) -> np.ndarray:
        """The form at each point, times the divisor."""
        total = np.full(len(points), self.constant, dtype=np.int64)
        for factor, position in self.coordinates:
            total += factor * points[:, position]
        for factor, inner in self.floors:
            total += factor * inner.floor(points)
        return total

    def floor(self, points: np.ndarray) -> np.ndarray:
        """The form at each point, rounded towards minus infinity."""
        found: np.ndarray = np.floor_divide(self.numerators(points), self.divisor)
        return found


def evaluate(function: Any, points: np.ndarray) -> np.ndarray:
    """The images (int64, shape (points, outputs)) of points under a single-valued map.

    Raises ValueError that names the first point outside the map's domain.
    """
    result = np.zeros((len(points), function.dim(DimType.out)), dtype=np.int64)
    missing = np.ones(len(points), dtype=bool)
    for domain, form in _pieces(PwMultiAff.from_map(function)):
        here = missing & contains(domain, points)
        for position in range(result.shape[1]):
            result[here, position] = QuasiAffine.of(form.get_aff(position)).floor(points[here])
        missing &= ~here
    if missing.any():
        point = points[int(np.argmax(missing))].tolist()
        raise ValueError(f"{point} is outside {function.domain()}")
    return result


def _pieces(function: Any) -> list[tuple[Any, Any]]:
    found: list[tuple[Any, Any]] = []
    function.foreach_piece(lambda domain, form: found.append((domain, form)))
    return found


def _scaled(value: Any, divisor: int) -> int:
    return int(value.mul(Val(divisor)).to_python())
