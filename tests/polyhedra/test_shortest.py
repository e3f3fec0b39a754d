"""Shortest vectors of the complement of a set, in three norms."""

from __future__ import annotations

from itertools import product

import pytest

from hlsmem.polyhedra import Set
from hlsmem.polyhedra.shortest import Norm, shortest_vector

BLUR_FREE = "{ [x,y] : (y = 2 and x >= 1) or (y = -2 and x <= -1) or y >= 3 or y <= -3 }"


@pytest.mark.parametrize(
    ("norm", "vector"),
    [(Norm.MAX_THEN_SUM, (1, 2)), (Norm.MAX, (2, 2)), (Norm.SUM_THEN_MAX, (1, 2))],
)
def test_norms_differ_on_ties(norm: Norm, vector: tuple[int, int]) -> None:
    assert shortest_vector(Set(BLUR_FREE), norm) == vector


def test_norms_differ_in_order() -> None:
    free = Set("{ [1,1,1]; [2,0,0]; [-1,-1,-1] }")
    assert shortest_vector(free, Norm.MAX_THEN_SUM) == (1, 1, 1)
    assert shortest_vector(free, Norm.SUM_THEN_MAX) == (2, 0, 0)


@pytest.mark.parametrize("norm", Norm)
def test_an_empty_set_has_none(norm: Norm) -> None:
    assert shortest_vector(Set("{ [x,y] : 1 = 0 }"), norm) is None


@pytest.mark.parametrize("norm", Norm)
def test_a_norm_is_what_it_says_of_every_vector(norm: Norm) -> None:
    """The forms of the sum and of the spread against sums of sizes, over a box of vectors."""
    others = {(0, 0, 0), (1, 0, -1), (2, 2, 1)}
    for taken in (set(), others, others | {(1, 1, 1), (0, 1, 0), (0, 0, 1), (1, 0, 0)}):
        points = [one for one in product(range(-1, 3), repeat=3) if one not in taken]
        listed = "; ".join(f"[{a}, {b}, {c}]" for a, b, c in points)
        least = min(points, key=lambda one: (measured(norm, one), [-entry for entry in one]))
        assert shortest_vector(Set(f"{{ {listed} }}"), norm) == least


def measured(norm: Norm, vector: tuple[int, ...]) -> list[int]:
    apart = [abs(a - b) for i, a in enumerate(vector) for b in vector[:i]]
    sizes = {
        "max": max(map(abs, vector)),
        "sum": sum(map(abs, vector)),
        "spread": sum(apart),
    }
    return [sizes[measure] for measure in norm.value]
