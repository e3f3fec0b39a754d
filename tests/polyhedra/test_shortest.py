"""Shortest vectors of the complement of a set, in three norms."""

from __future__ import annotations

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
