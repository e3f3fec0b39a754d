"""Double description against enumeration, and intervals of points against points."""

from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hlsmem.polyhedra import Set
from hlsmem.polyhedra.enumeration import distinct_points, last_intervals
from hlsmem.polyhedra.generators import cone_facets, cone_of
from hlsmem.polyhedra.lattices import dot
from tests.families import by_default

ROWS = st.lists(st.tuples(*[st.integers(-3, 3)] * 3), min_size=1, max_size=6)


@settings(max_examples=by_default(15, 60), deadline=None)
@given(ROWS, st.lists(st.tuples(*[st.integers(-2, 2)] * 3), max_size=1))
def test_generators_are_in_the_cone_and_reach_all_of_it(
    inequalities: list[tuple[int, int, int]], equalities: list[tuple[int, int, int]]
) -> None:
    cone = cone_of(inequalities, equalities, 3)
    for vector in [*cone.rays, *cone.lines, *(tuple(-e for e in line) for line in cone.lines)]:
        assert all(dot(row, vector) >= 0 for row in inequalities)
        assert all(dot(row, vector) == 0 for row in equalities)
    # A point is in the cone of the generators iff every facet of that cone says so.
    both = [*cone.rays, *cone.lines, *(tuple(-e for e in line) for line in cone.lines)]
    facets = cone_facets(both) if both else ()
    for point in product(range(-2, 3), repeat=3):
        inside = all(dot(row, point) >= 0 for row in inequalities)
        inside &= all(dot(row, point) == 0 for row in equalities)
        reached = all(dot(row, point) >= 0 for row in facets) if both else not any(point)
        assert reached == inside


def test_facets_of_the_golden_cones() -> None:
    assert cone_facets([(1, 2), (1, 0), (1, -1)]) == ((1, 1), (2, -1))
    heat = [(1, 0, 0), (1, 1, 0), (1, -1, 0), (1, 0, 1), (1, 0, -1)]
    assert set(cone_facets(heat)) == {(1, a, b) for a in (1, -1) for b in (1, -1)}


def test_intervals_hold_exactly_the_points() -> None:
    for text in (
        "{ [x, y, z] : 0 <= x < 4 and x <= y < 5 and y - x <= z <= y + 1 }",
        "{ [x, y] : 0 <= x < 9 and 0 <= y < 7 and (x + y) mod 3 = 0 }",
        "{ [x] : 2 <= x <= 5 or 7 <= x <= 8 }",
        "{ [x, y] : 0 <= x < 3 and 5 <= y < x }",
    ):
        value = Set(text)
        found = set()
        for columns, low, high in last_intervals(value):
            for *first, start, end in zip(*columns, low, high, strict=True):
                found |= {(*map(int, first), z) for z in range(start, end + 1)}
        assert found == {tuple(row) for row in distinct_points(value).tolist()}
        assert all(isinstance(low, np.ndarray) for _, low, _ in last_intervals(value))
