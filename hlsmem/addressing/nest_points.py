"""Points of a loop nest, asked by forms: where a condition holds, and the range of a form.

What an address generator leaves out (a bound that never binds, a quotient that never changes)
depends on nothing else. A `Region` answers from an isl set, at a cost that does not grow with the
extents; `Listed` answers from all points in numpy, and is what the other one is compared with.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import reduce
from math import gcd, lcm, prod
from typing import Any, Self

import numpy as np

from hlsmem.addressing.loop_forms import Affine, Condition, Every, Some, Test, holds_at, loop_form
from hlsmem.polyhedra import Aff, DimType, Map, Set, Val
from hlsmem.polyhedra.enumeration import bounding_box, distinct_rows
from hlsmem.polyhedra.extremes import greatest, least
from hlsmem.polyhedra.sets import count
from hlsmem.polyhedra.sets import points as points_of

Point = tuple[int, ...]

# Points of a period that are listed at most.
_MOST_LISTED = 1 << 16


class Points(ABC):
    """A set of points: values of all loops, outermost first, in lexicographic order."""

    __slots__ = ()

    @property
    @abstractmethod
    def loops(self) -> int:
        """The number of loops."""

    @property
    @abstractmethod
    def is_empty(self) -> bool:
        """True if there is no point."""

    @abstractmethod
    def __len__(self) -> int:
        """The number of points."""

    @abstractmethod
    def first(self) -> Point:
        """The first point."""

    @abstractmethod
    def last(self) -> Point:
        """The last point."""

    @abstractmethod
    def least(self, form: Affine) -> int:
        """The least value of a form; there must be a point."""

    @abstractmethod
    def greatest(self, form: Affine) -> int:
        """The greatest value of a form; there must be a point."""

    @abstractmethod
    def pairs(self, first: Affine, second: Affine) -> set[tuple[int, int]]:
        """The values that two forms have together at the points: of few values each."""

    @abstractmethod
    def where(self, condition: Condition) -> Self:
        """The points at which a condition holds."""

    @abstractmethod
    def minus(self, other: Self) -> Self:
        """The points that are not among the others, which are of the same loops."""

    @abstractmethod
    def rows(self) -> Any:
        """All points, shape (points, loops), in order."""

    def without(self, condition: Condition) -> Self:
        """The points at which a condition does not hold."""
        return self.minus(self.where(condition))

    def always(self, condition: Condition) -> bool:
        """True if a condition holds at all points."""
        return self.without(condition).is_empty

    def implies(self, condition: Condition, other: Condition) -> bool:
        """True if another condition holds wherever one does."""
        return self.where(condition).always(other)

    def constant(self, form: Affine) -> int | None:
        """The value of a form, if it has the same at all points."""
        low = self.least(form)
        return low if self.greatest(form) == low else None

    def stride(self, loop: int) -> int:
        """The greatest common divisor of the differences of a loop's values; 0 if there is one."""
        form = loop_form(loop)
        low = self.least(form)
        found, rest = 0, self.where(Test(form.plus(-low - 1)))
        while not rest.is_empty:
            found = gcd(found, rest.least(form) - low)
            rest = rest.without(Test(form.plus(-low).modulo(found), True))
        return found


class Listed(Points):
    """Points listed in an array of shape (points, loops), or those of them in a mask."""

    __slots__ = ("_columns", "_mask", "_points")

    def __init__(self, points: Any, mask: Any = None) -> None:
        self._points, self._mask = points, mask
        self._columns = (points if mask is None else points[mask]).T

    @property
    def loops(self) -> int:
        return int(self._points.shape[1])

    @property
    def is_empty(self) -> bool:
        return not len(self)

    def __len__(self) -> int:
        return int(self._columns.shape[1])

    def first(self) -> Point:
        return tuple(int(value) for value in self._columns[:, 0])

    def last(self) -> Point:
        return tuple(int(value) for value in self._columns[:, -1])

    def least(self, form: Affine) -> int:
        return int(np.min(form.at(self._columns)))

    def greatest(self, form: Affine) -> int:
        return int(np.max(form.at(self._columns)))

    def pairs(self, first: Affine, second: Affine) -> set[tuple[int, int]]:
        columns = [np.broadcast_to(form.at(self._columns), len(self)) for form in (first, second)]
        rows = distinct_rows(np.stack(columns, axis=1))
        return {(int(one), int(other)) for one, other in rows}

    def where(self, condition: Condition) -> Listed:
        return self._part(self._holds(condition))

    def without(self, condition: Condition) -> Listed:
        return self._part(~self._holds(condition))

    def minus(self, other: Listed) -> Listed:
        return Listed(self._points, self._chosen() & ~other._chosen())

    def rows(self) -> Any:
        return self._columns.T

    def always(self, condition: Condition) -> bool:
        return bool(self._holds(condition).all())

    def implies(self, condition: Condition, other: Condition) -> bool:
        return not (self._holds(condition) & ~self._holds(other)).any()

    def stride(self, loop: int) -> int:
        values = self._columns[loop]
        return int(np.gcd.reduce(values - values.min()))

    def _holds(self, condition: Condition) -> Any:
        return np.broadcast_to(np.asarray(holds_at(condition, self._columns)), (len(self),))

    def _chosen(self) -> Any:
        return np.ones(len(self._points), dtype=bool) if self._mask is None else self._mask

    def _part(self, holds: Any) -> Listed:
        mask = self._chosen().copy()
        mask[mask] = holds
        return Listed(self._points, mask)


class Region(Points):
    """The points of a bounded isl set without parameters; one dimension a loop."""

    __slots__ = ("points",)

    def __init__(self, points: Any) -> None:
        self.points = points

    @property
    def loops(self) -> int:
        return int(self.points.dim(DimType.set))

    @property
    def is_empty(self) -> bool:
        return bool(self.points.is_empty())

    def __len__(self) -> int:
        return count(self.points)

    def first(self) -> Point:
        return _only_point(least(self.points))

    def last(self) -> Point:
        return _only_point(greatest(self.points))

    def least(self, form: Affine) -> int:
        return int(self.points.min_val(affine_of(form, self.points)).to_python())

    def greatest(self, form: Affine) -> int:
        return int(self.points.max_val(affine_of(form, self.points)).to_python())

    def pairs(self, first: Affine, second: Affine) -> set[tuple[int, int]]:
        few = self._periods(first, second)
        if few is not None:
            return few.pairs(first, second)
        forms = [Map.from_aff(affine_of(form, self.points)) for form in (first, second)]
        found = points_of(self.points.apply(forms[0].flat_range_product(forms[1])))
        return {(int(one), int(other)) for one, other in found}

    def _periods(self, *forms: Affine) -> Listed | None:
        """Points at which forms have all the pairs of values that they have: of a box a period.

        isl takes seconds for a pair of banks, which are quotients of quotients. None where it is no
        box, or a period of it is long.
        """
        if self.is_empty or not self.points.is_box():
            return None
        ranges = []
        for loop, (low, high) in enumerate(bounding_box(self.points)):
            periods = [form.period(loop) for form in forms]
            known = [period for period in periods if period is not None]
            whole = lcm(*known) if len(known) == len(forms) else high - low + 1
            ranges.append(range(low, min(high + 1, low + whole)))
        if prod(map(len, ranges)) > _MOST_LISTED:
            return None
        return Listed(
            np.stack(np.meshgrid(*ranges, indexing="ij"), axis=-1).reshape(-1, len(ranges))
        )

    def where(self, condition: Condition) -> Region:
        return Region(self.points.intersect(set_where(condition, self.points)))

    def minus(self, other: Region) -> Region:
        return Region(self.points.subtract(other.points))

    def always(self, condition: Condition) -> bool:
        return bool(self.points.is_subset(set_where(condition, self.points)))

    def rows(self) -> Any:
        return points_of(self.points)

    def replaced(self, loops: Mapping[int, Affine]) -> Region:
        """The points with other values for some loops: forms of the rest."""
        points = self.points
        for loop in loops:
            points = points.eliminate(DimType.set, loop, 1)
        tests = (Test(loop_form(loop) - form, True) for loop, form in loops.items())
        return Region(points).where(Every(tuple(tests)))

    def freed(self, loop: int) -> Region:
        """The points with any value of a loop: not bounded, to be cut by `where`."""
        return Region(self.points.eliminate(DimType.set, loop, 1))

    def union(self, other: Region) -> Region:
        return Region(self.points.union(other.points))


def affine_of(form: Affine, points: Any) -> Any:
    """A form as a quasi-affine expression on the space of an isl set."""
    return _affine(form, Aff.zero_on_domain_space(points.get_space()))


def _affine(form: Affine, zero: Any) -> Any:
    value = zero.set_constant_val(Val(form.constant))
    for loop, factor in enumerate(form.factors):
        if factor:
            value = value.set_coefficient_val(DimType.in_, loop, Val(factor))
    for factor, quotient in form.quotients:
        inner = _affine(quotient.inner, zero).scale_down_val(Val(quotient.divisor)).floor()
        value = value.add(inner.scale_val(Val(factor)))
    return value


def set_where(condition: Condition, points: Any) -> Any:
    """The isl set, in the space of another one, of all points at which a condition holds."""
    match condition:
        case Test(form, equal):
            value = affine_of(form, points)
            zero = Aff.zero_on_domain_space(points.get_space())
            found = value.eq_basic_set(zero) if equal else value.ge_basic_set(zero)
            return Set.from_basic_set(found)
        case Every(conditions):
            parts = (set_where(part, points) for part in conditions)
            return reduce(Set.intersect, parts, Set.universe(points.get_space()))
        case Some(conditions):
            parts = (set_where(part, points) for part in conditions)
            return reduce(Set.union, parts, Set.empty(points.get_space()))


def _only_point(points: Any) -> Point:
    found = points.sample_point()
    loops = range(points.dim(DimType.set))
    return tuple(int(found.get_coordinate_val(DimType.set, loop).to_python()) for loop in loops)


def box(low: Sequence[int], high: Sequence[int], but: int | None = None) -> Condition:
    """The points between two corners (inclusive) in all loops, or all but one."""
    tests = []
    for loop, (fewest, most) in enumerate(zip(low, high, strict=True)):
        if loop == but:
            continue
        if fewest == most:
            tests.append(Test(loop_form(loop).plus(-fewest), True))
        else:
            tests += [
                Test(loop_form(loop).plus(-fewest)),
                Test(loop_form(loop).scaled(-1).plus(most)),
            ]
    return Every(tuple(tests))
