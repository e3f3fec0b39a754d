"""The search by levels against plain enumeration, and its work."""

from __future__ import annotations

from itertools import product
from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlsmem.mapping.search.least import (
    clique_sizes,
    divisors,
    least_lattice,
    least_lattices,
    thin_last,
)
from hlsmem.polyhedra.lattices import inverse
from tests.families import by_default
from tests.mapping.search.enumeration import contains, is_admissible, lattices, least_determinant

BUDGET = 1_000_000
REACH = {1: 12, 2: 4, 3: 2, 4: 1}


@st.composite
def half_sets(draw: st.DrawFn) -> np.ndarray:
    """Half of a symmetric set with holes, in one to four dimensions."""
    size = draw(st.integers(1, 4))
    reach = REACH[size]
    box = list(product(range(-reach, reach + 1), repeat=size))
    half = box[len(box) // 2 + 1 :]
    chosen = draw(st.lists(st.sampled_from(half), min_size=1, max_size=24, unique=True))
    return np.array(sorted(chosen), dtype=np.int64)


def closed(points: np.ndarray) -> set[tuple[int, ...]]:
    return {tuple(row) for row in np.concatenate([points, -points]).tolist()}


@given(points=half_sets())
@settings(max_examples=by_default(30, 120), deadline=None, derandomize=True)
def test_the_least_determinant_is_that_of_plain_enumeration(points: np.ndarray) -> None:
    size = points.shape[1]
    found = least_lattice(points, budget=BUDGET)
    assert found.least == least_determinant(closed(points), size)
    assert found.lattice is not None
    assert prod(found.lattice[k][k] for k in range(size)) == found.least
    turned = tuple(row[::-1] for row in found.lattice[::-1])
    assert not any(contains(turned, point[::-1]) for point in closed(points))


@given(points=half_sets())
@settings(max_examples=by_default(10, 40), deadline=None, derandomize=True)
def test_cliques_change_the_work_and_never_the_answer(points: np.ndarray) -> None:
    helped = least_lattice(points, bounds=clique_sizes(points), budget=BUDGET)
    alone = least_lattice(points, budget=BUDGET)
    assert helped.least == alone.least
    assert helped.known <= helped.least


@given(points=half_sets())
@settings(max_examples=by_default(10, 40), deadline=None, derandomize=True)
def test_all_least_lattices_are_those_of_plain_enumeration(points: np.ndarray) -> None:
    size = points.shape[1]
    determinant = least_lattice(points, budget=BUDGET).least
    # Hermite rows are upper triangular there and lower triangular here.
    turned = {point[::-1] for point in closed(points)}
    expected = {
        tuple(row[::-1] for row in lattice[::-1])
        for lattice in lattices(size, determinant)
        if is_admissible(lattice, turned)
    }
    found = least_lattices(points, budget=BUDGET, most=10_000).lattices
    assert len(found) == len(expected)
    assert set(found) == expected
    assert least_lattices(points, budget=BUDGET, most=1).lattices == found[:1]
    assert least_lattices(points, budget=0, most=1).lattices == ()


def hexagon(size: int) -> np.ndarray:
    axis = np.arange(-size + 1, size)
    box = np.stack(np.meshgrid(axis, axis, indexing="ij"), axis=-1).reshape(-1, 2)
    inside = box[np.abs(box[:, 0] - box[:, 1]) < size]
    return inside[len(inside) // 2 + 1 :]


def test_a_budget_that_ends_leaves_the_determinants_excluded_so_far() -> None:
    points = hexagon(16)
    whole = least_lattice(points, budget=BUDGET)
    assert whole.least == 192
    part = least_lattice(points, budget=whole.work // 2)
    assert part.lattice is None
    assert 16 < part.least < 192
    assert part.work <= whole.work


def test_a_start_above_all_smaller_lattices_is_the_first_determinant_tried() -> None:
    found = least_lattice(hexagon(16), start=190, budget=BUDGET)
    assert (found.known, found.least) == (190, 192)
    assert found.work < least_lattice(hexagon(16), budget=BUDGET).work


def test_no_difference_leaves_one_cell() -> None:
    found = least_lattice(np.zeros((0, 2), dtype=np.int64), budget=BUDGET)
    assert (found.least, found.lattice) == (1, ((1, 0), (0, 1)))


@pytest.mark.parametrize(
    ("number", "expected"), [(1, [1]), (12, [1, 2, 3, 4, 6, 12]), (9, [1, 3, 9])]
)
def test_divisors_come_in_ascending_order(number: int, expected: list[int]) -> None:
    assert divisors(number) == expected


def front(width: int) -> np.ndarray:
    """Differences of a front of three diagonals, as pairs (x, t)."""
    box = np.array([(x, t) for t in range(width) for x in range(-3 * width, 3 * width)])
    inside = box[np.abs(box[:, 0] + 2 * box[:, 1]) <= 3]
    return inside[(inside != 0).any(axis=1)]


def test_a_skewed_front_is_thin_across_it() -> None:
    rows = thin_last(front(20))
    assert np.abs(front(20) @ np.array(rows[-1])).max() == 3


def test_a_thin_direction_behind_wider_ones_is_found() -> None:
    """2x + y + z is at most 3; every form on the way there is wide."""
    box = np.indices((23, 23, 23)).reshape(3, -1).T - 11
    body = box[np.abs(box @ (2, 1, 1)) <= 3]
    last = thin_last(body[body.any(axis=1)])[-1]
    assert last in ((2, 1, 1), (-2, -1, -1))


def test_axes_are_kept_where_nothing_is_gained() -> None:
    assert thin_last(np.array([[0, 1], [9, 0]])) == ((1, 0), (0, 1))
    assert thin_last(np.array([[9, 1], [0, 9]])) == ((1, 0), (0, 1))


@given(
    points=st.lists(
        st.tuples(st.integers(-9, 9), st.integers(-9, 9), st.integers(-9, 9)), max_size=9
    )
)
@settings(max_examples=by_default(15, 60), deadline=None, derandomize=True)
def test_the_coordinates_are_unimodular(points: list[tuple[int, int, int]]) -> None:
    rows = thin_last(np.array(points, dtype=np.int64).reshape(-1, 3))
    assert inverse(inverse(rows)) == rows
