"""Sets given point by point become few polyhedra with the same points, or stay."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlsmem.polyhedra import Map, Set, UnionSet
from hlsmem.polyhedra.merged_pieces import FEW, merged
from tests.families import by_default

Point = tuple[int, ...]


def as_set(points: list[Point]) -> Any:
    return Set("{ " + "; ".join(str(list(point)) for point in points) + " }")


def test_a_skewed_tile_is_one_polyhedron() -> None:
    points = [(t, i - t, j - t) for t, i, j in product(range(4), repeat=3)]
    found = merged(as_set(points))
    assert found.n_basic_set() == 1
    assert found.is_equal(as_set(points))


def test_an_affine_map_stays_one() -> None:
    pairs = [(t, i, 2 * t - i + 5, 7 - i) for t, i in product(range(5), repeat=2)]
    text = "; ".join(f"S[{t},{i}] -> A[{a},{b}]" for t, i, a, b in pairs)
    given = Map("{ " + text + " }")
    found = merged(given)
    assert found.n_basic_map() == 1
    assert found.is_equal(given)


def test_an_l_is_two_polyhedra() -> None:
    points = [(x, y) for x, y in product(range(6), repeat=2) if x < 2 or y < 2]
    found = merged(as_set(points))
    assert found.n_basic_set() == 2
    assert found.is_equal(as_set(points))


def test_a_map_that_is_not_affine_is_divided_where_it_bends() -> None:
    text = "; ".join(f"S[{i}] -> A[{abs(i)}]" for i in range(-10, 11))
    given = Map("{ " + text + " }")
    found = merged(given)
    assert found.n_basic_map() == 2
    assert found.is_equal(given)


def test_a_union_merges_each_of_its_sets() -> None:
    given = UnionSet("{ " + "; ".join(f"A[{i}]; B[{i}, {2 * i}]" for i in range(20)) + " }")
    found = merged(given)
    assert found.is_equal(given)
    assert str(found).count("exists") <= 1


@pytest.mark.long
def test_scattered_points_stay() -> None:
    scattered = as_set([(5 * k, 7 * k * k % 31) for k in range(40)])
    assert merged(scattered) is scattered


def test_parameters_stay() -> None:
    given = Set("[N] -> { " + "; ".join(f"[{k}] : N > {k * k}" for k in range(FEW + 4)) + " }")
    assert merged(given) is given


@settings(max_examples=by_default(15, 60), deadline=None, derandomize=True)
@given(st.sets(st.tuples(*[st.integers(0, 4)] * 2), min_size=FEW + 1))
def test_the_points_stay_the_same(points: set[Point]) -> None:
    given = as_set(sorted(points))
    assert merged(given).is_equal(given)
