"""Coordinates for the search: unimodular, the thin direction last."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hlsmem.mapping.search.coordinates import thin_last
from hlsmem.polyhedra.lattices import inverse


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
@settings(max_examples=60, deadline=None, derandomize=True)
def test_the_coordinates_are_unimodular(points: list[tuple[int, int, int]]) -> None:
    rows = thin_last(np.array(points, dtype=np.int64).reshape(-1, 3))
    assert inverse(inverse(rows)) == rows
