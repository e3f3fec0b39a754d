"""The shortest integer vector of a set, for norms that differ in what they compare first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from itertools import permutations
from typing import Any

from hlsmem.polyhedra import DimType, Map
from hlsmem.polyhedra.extremes import lexmin
from hlsmem.polyhedra.lattices import Vector


class Norm(Enum):
    """Objectives to minimise, in order; ties go to the lexicographically greatest vector.

    The spread is the sum of the differences between any two entries: AUOV is the norm of
    affine occupancy vectors (Thies, Vivien, Sheldon, Amarasinghe, "A unified framework for
    schedule and storage optimization", PLDI 2001).
    """

    MAX_THEN_SUM = ("max", "sum")
    MAX = ("max",)
    SUM_THEN_MAX = ("sum", "max")
    AUOV = ("sum", "spread")


# The norms that a search which takes the best of several looks at.
TRIED = (Norm.MAX_THEN_SUM, Norm.MAX, Norm.SUM_THEN_MAX)


def shortest_vector(points: Any, norm: Norm) -> Vector | None:
    """The least vector of a parameter-free set in `norm`; None where the set is empty.

    The set may be unbounded: only finitely many vectors are below a given length.
    """
    if points.is_empty():
        return None
    names = [f"x{k}" for k in range(points.dim(DimType.set))]
    measures, conditions = norm_conditions(names, norm)
    target = ", ".join([*measures, *(f"-{name}" for name in names)])
    measure = Map(f"{{ [{', '.join(names)}] -> [{target}] : {' and '.join(conditions)} }}")
    least = lexmin(points.apply(measure)).sample_point().get_multi_val()
    return tuple(-least.get_val(len(measures) + k).to_python() for k in range(len(names)))


def norm_conditions(names: Sequence[str], norm: Norm) -> tuple[list[str], list[str]]:
    """(variables, conditions) in isl's notation that bound the vector `names` in `norm`."""
    bounds = {"max": _greatest, "sum": _sum, "spread": _spread}
    return (
        [f"{measure}_" for measure in norm.value],
        [condition for measure in norm.value for condition in bounds[measure](names)],
    )


def _greatest(names: Sequence[str]) -> Iterator[str]:
    for name in names:
        yield from (f"{name} <= max_", f"-{name} <= max_")


def _sum(names: Sequence[str]) -> Iterator[str]:
    """With a size of its own for every entry: to bound all sums of signed entries takes isl
    twice as long for seven of them, and minutes to read for eight."""
    sizes = [f"size{k}" for k in range(len(names))]
    conditions = [
        f"{sign}{name} <= {size}"
        for name, size in zip(names, sizes, strict=True)
        for sign in ("", "-")
    ]
    conditions.append(f"{' + '.join(sizes) or '0'} <= sum_")
    inside = " and ".join(conditions)
    yield f"(exists {', '.join(sizes)}: {inside})" if sizes else inside


def _spread(names: Sequence[str]) -> Iterator[str]:
    """In ascending order an entry is above as many as stand before it, and below the others."""
    for order in permutations(names):
        entries = (f"{2 * k - len(order) + 1}{name}" for k, name in enumerate(order))
        yield f"{' + '.join(entries) or '0'} <= spread_"
