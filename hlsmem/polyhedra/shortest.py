"""The shortest integer vector of a set, for norms that differ in what they compare first."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from itertools import combinations, product
from typing import Any

from hlsmem.polyhedra import DimType, Map
from hlsmem.polyhedra.lattices import Vector


class Norm(Enum):
    """What is made small, in order; ties go to the lexicographically greatest vector.

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
    least = points.apply(measure).lexmin().sample_point().get_multi_val()
    return tuple(-least.get_val(len(measures) + k).to_python() for k in range(len(names)))


def norm_conditions(names: Sequence[str], norm: Norm) -> tuple[list[str], list[str]]:
    """(variables, conditions) in isl's notation that bound the vector `names` in `norm`."""
    signed = [[f"{sign}{name}" for sign in ("", "-")] for name in names]
    apart = [[f"({a} - {b})", f"({b} - {a})"] for a, b in combinations(names, 2)]
    bounds = {
        "max": [f"{entry} <= max_" for pair in signed for entry in pair],
        "sum": [f"{' + '.join(choice)} <= sum_" for choice in product(*signed)],
        "spread": [f"{' + '.join(choice) or '0'} <= spread_" for choice in product(*apart)],
    }
    return (
        [f"{measure}_" for measure in norm.value],
        [condition for measure in norm.value for condition in bounds[measure]],
    )
