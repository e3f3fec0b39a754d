"""Optimal lattices at small sizes: what families are fitted to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.mapping.conflict_differences import Conflicts
from hlsmem.mapping.listed_conflicts import half_differences
from hlsmem.mapping.search.fit import Sample
from hlsmem.mapping.search.least import AllLeast, clique_sizes, least_lattices
from hlsmem.polyhedra import DimType
from hlsmem.polyhedra.lattices import Vector
from hlsmem.polyhedra.sets import involves_parameter, parameter_names

# Sizes of the samples, counted from the first, by the number of sizes that vary.
_STEPS: dict[int, tuple[Vector, ...]] = {
    1: ((0,), (1,), (2,), (3,)),
    2: ((0, 0), (1, 0), (0, 1), (2, 1), (1, 3)),
}

# How far above the least values of the parameters the first sample is: the least sizes are
# often exceptions.
_STARTS = (1, 4)

# The residue classes tried of a single parameter.
_CLASSES = (1, 2, 3, 4)

# The same of one of two parameters.
_MOST_CLASSES_OF_TWO = 2

# Limits for one sample: differences, and lattices; where more are optimal there is no fit.
_MOST_DIFFERENCES = 1 << 12
_MOST_LATTICES = 128

# The parts of the budget that one sample, and all of them, may take.
_SHARE, _SHARE_OF_ALL = 16, 4

# The optimal lattices at values of the parameters, in their order.
_Known = dict[tuple[int, ...], AllLeast]


@dataclass(frozen=True, slots=True)
class Size:
    """A parameter p as period * m + residue, for the m that a family is affine in."""

    parameter: str
    period: int
    residue: int

    def at(self, step: int) -> int:
        return self.period * step + self.residue

    def quantity(self, shift: int) -> QuasiPolynomial:
        """A formula of p that is m where p is in its class; 0 <= shift < period rounds up."""
        parameter = QuasiPolynomial.parameter(self.parameter)
        return (parameter + (shift - self.residue)).floor_divide(self.period)


@dataclass(frozen=True, slots=True, kw_only=True)
class Samples:
    """Samples of one choice of sizes, and the steps of work they took beyond earlier ones.

    No samples where one of them cannot be had: out of the context, or `ended`, beyond the
    budget.
    """

    sizes: tuple[Size, ...]
    samples: tuple[Sample, ...]
    work: int
    ended: bool = False


def sized_samples(conflicts: Conflicts, budget: int) -> Iterator[Samples]:
    """Samples to fit families to: one size after another, its classes, two sizes together.

    One sample, and all together, take no more than fixed shares of the budget; values met
    again are not searched again.
    """
    known: _Known = {}
    for sizes in _sizes(conflicts):
        for start in _STARTS:
            yield _samples(conflicts, sizes, start, budget, known)


def _sizes(conflicts: Conflicts) -> Iterator[tuple[Size, ...]]:
    names = [
        name
        for name in parameter_names(conflicts.differences)
        if involves_parameter(conflicts.differences, name)
    ]
    for period, name in product(_CLASSES, names):
        size = Size(name, period, conflicts.values[name] % period)
        yield (size,)
        if len(names) == 2 and period <= _MOST_CLASSES_OF_TWO and (period, name) != (1, names[0]):
            (other,) = (Size(other, 1, 0) for other in names if other != name)
            yield (size, other) if name == names[0] else (other, size)


def _samples(
    conflicts: Conflicts, sizes: tuple[Size, ...], start: int, budget: int, known: _Known
) -> Samples:
    """The samples from `start` above the least sizes on; what is new is added to `known`."""
    base = {
        name: _least_value(conflicts, name) + start for name in parameter_names(conflicts.context)
    }
    first = [-((size.residue - base[size.parameter]) // size.period) for size in sizes]
    found: list[Sample] = []
    work = 0
    for steps in _STEPS[len(sizes)]:
        counts = tuple(a + b for a, b in zip(first, steps, strict=True))
        values = base | {
            size.parameter: size.at(count) for size, count in zip(sizes, counts, strict=True)
        }
        point = tuple(values.values())
        if point not in known:
            left = budget // _SHARE_OF_ALL - sum(least.work for least in known.values())
            known[point] = _least(conflicts, values, min(left, budget // _SHARE))
            work += known[point].work
        least = known[point]
        if not least.lattices:
            return Samples(sizes=sizes, samples=(), work=work, ended=least.work > 0)
        found.append(Sample(sizes=counts, lattices=least.lattices))
    return Samples(sizes=sizes, samples=tuple(found), work=work)


def _least(conflicts: Conflicts, values: Mapping[str, int], budget: int) -> AllLeast:
    """The optimal lattices at the values; none out of the context, or without conflicts."""
    there = conflicts.at(values)
    points = None
    if there is not None:
        points = half_differences(there.differences_at, _MOST_DIFFERENCES)
    if points is None or not len(points):
        return AllLeast(lattices=(), work=0)
    return least_lattices(points, bounds=clique_sizes(points), budget=budget, most=_MOST_LATTICES)


def _least_value(conflicts: Conflicts, name: str) -> int:
    """The least value the context allows, or the plan's where there is none."""
    values: Any = conflicts.context
    position = values.find_dim_by_name(DimType.param, name)
    values = values.move_dims(DimType.set, 0, DimType.param, position, 1)
    least = values.project_out(DimType.param, 0, values.dim(DimType.param)).dim_min_val(0)
    return int(least.to_python()) if least.is_int() else conflicts.values[name]
