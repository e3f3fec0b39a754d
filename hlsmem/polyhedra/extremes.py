"""Lexicographic extremes of unions of pieces with integer divisions, and extremes of linear forms.

isl fails at some unions of pieces that it could write as fewer, and at some sets with conditions
that follow from others; without these it does not. The first point of a set is that of examples in
messages, chosen the same way every time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import Aff, Constraint, DimType, LocalSpace, PolyhedralError
from hlsmem.polyhedra.sets import fix_parameters, parameter_names


def lexmax(value: Any) -> Any:
    """The lexicographic maximum of a set, or of the images of each element of a map."""
    return _extreme(value, lambda given: given.lexmax())


def lexmin(value: Any) -> Any:
    """The lexicographic minimum of a set, or of the images of each element of a map."""
    return _extreme(value, lambda given: given.lexmin())


def least(points: Any) -> Any:
    """The lexicographically least of bounded tuples without parameters, entry by entry."""
    for entry in range(points.dim(DimType.set)):
        points = points.fix_val(DimType.set, entry, points.dim_min_val(entry))
    return points


def greatest(points: Any) -> Any:
    """The lexicographically greatest of bounded tuples without parameters, entry by entry.

    isl takes minutes for all entries at once where the tuples have remainders and lie far apart,
    and gives the minimum as the maximum of { [i, j] : i mod 2 = 1 and 0 < i < 24 and
    i - 2 <= 2 j < i } where that is what is left of more entries.
    """
    for entry in range(points.dim(DimType.set)):
        points = points.fix_val(DimType.set, entry, points.dim_max_val(entry))
    return points


def _extreme(value: Any, found_in: Callable[[Any], Any]) -> Any:
    for simpler in (lambda: value, value.coalesce):
        try:
            return found_in(simpler())
        except PolyhedralError:
            continue
    return found_in(value.coalesce().remove_redundancies())


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


@dataclass(frozen=True, slots=True)
class Sample:
    """A point: values of the parameters and of the flattened coordinates."""

    parameters: Mapping[str, int]
    coordinates: tuple[int, ...]


def first_point(points: Any, values: Mapping[str, int]) -> Sample:
    """The lexicographically least point at the parameters `values`, where there is one.

    Otherwise some point at other parameters. The set must not be empty; sets without a least
    point give any point.
    """
    here = fix_parameters(points, values)
    if not here.is_empty():
        names = [name for name in parameter_names(points) if name in values]
        return Sample({name: values[name] for name in names}, _coordinates(here))
    names = list(parameter_names(points))
    flat = points.flatten().move_dims(DimType.set, 0, DimType.param, 0, len(names))
    found = _coordinates(flat)
    return Sample(dict(zip(names, found, strict=False)), found[len(names) :])


def _coordinates(points: Any) -> tuple[int, ...]:
    try:
        points = points.lexmin()
    except PolyhedralError:  # an unbounded set has no least point
        points = points.coalesce()
    size = points.dim(DimType.set)
    point = points.sample_point().get_multi_val()
    return tuple(point.get_val(position).to_python() for position in range(size))
