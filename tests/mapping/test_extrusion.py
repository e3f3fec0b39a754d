"""What may not be a reuse vector: the points and what has one of them among its multiples."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hlsmem.mapping.extrusion import _with_divisors, exact_reuse_vectors
from hlsmem.polyhedra.shortest import Norm

POINTS = st.integers(1, 3).flatmap(
    lambda size: st.lists(
        st.lists(st.integers(-40, 40), min_size=size, max_size=size).filter(any),
        min_size=1,
        max_size=20,
    )
)


@given(POINTS)
def test_what_has_a_point_among_its_multiples_is_taken(listed: list[list[int]]) -> None:
    points = np.array([*listed, *([-v for v in row] for row in listed)], dtype=np.int64)
    taken = {
        tuple(v // factor for v in row)
        for row in points.tolist()
        for factor in range(1, 41)
        if not any(v % factor for v in row)
    }
    asked = [*sorted(taken), *([v + 1 for v in row] for row in listed)]
    asked = [row for row in asked if any(row)]
    divided = _with_divisors(points)
    assert divided is not None
    found = divided.holds(np.array(asked, dtype=np.int64))
    assert found.tolist() == [tuple(row) in taken for row in asked]


def test_differences_that_64_bits_do_not_tell_apart_are_left_out() -> None:
    far = 1 << 21
    points = np.array([[far, 0, 1], [0, far, 0], [1, 0, far]], dtype=np.int64)
    assert exact_reuse_vectors(points, [(Norm.MAX_THEN_SUM, False)], 10**6) == []
    assert exact_reuse_vectors(points // 8, [(Norm.MAX_THEN_SUM, False)], 10**6)
