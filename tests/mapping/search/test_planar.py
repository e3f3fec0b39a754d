"""The search by directions in the plane, against the search by levels."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlsmem.mapping.methods.exhaustive import convex_rows
from hlsmem.mapping.search.least import least_lattice
from hlsmem.mapping.search.planar import area_of, least_planar_lattice
from hlsmem.polyhedra import Set
from hlsmem.polyhedra.sets import points
from tests.families import by_default
from tests.mapping.search.enumeration import contains

BUDGET = 1_000_000

cuts = st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9), st.integers(12, 90)), max_size=6)


def body_of(rows: list[tuple[int, int, int]], box: int) -> Set:
    text = "".join(f" and -{c} <= {a}*x + {b}*y <= {c}" for a, b, c in rows)
    return Set(f"{{ [x, y] : -{box} <= x, y <= {box}{text} }}")


@given(rows=cuts, box=st.integers(2, 14))
@settings(max_examples=by_default(20, 80), deadline=None, derandomize=True)
def test_both_searches_find_the_same_determinant(rows: list, box: int) -> None:
    body = body_of(rows, box)
    found_rows = convex_rows(body)
    assert found_rows is not None
    inside = points(body)
    found = least_planar_lattice(found_rows, budget=BUDGET)
    assert found.least == least_lattice(inside[len(inside) // 2 + 1 :], budget=BUDGET).least
    assert found.lattice is not None
    turned = tuple(row[::-1] for row in found.lattice[::-1])
    nonzero = [tuple(point) for point in inside.tolist() if any(point)]
    assert not any(contains(turned, point[::-1]) for point in nonzero)


def test_a_body_with_many_sides_and_points() -> None:
    angles = np.linspace(0, np.pi, 24, endpoint=False)
    rows = [(round(40 * np.cos(t)), round(40 * np.sin(t)), 40 * 100) for t in angles]
    found_rows = convex_rows(body_of(rows, 200))
    assert found_rows is not None
    found = least_planar_lattice(found_rows, budget=BUDGET)
    area = area_of(found_rows)
    # A disc's best lattice is hexagonal: sqrt(3) / 2 of the radius squared.
    assert found.least / area == pytest.approx(3**0.5 / 2 / np.pi, rel=0.01)
    assert found.nodes < 5000


def test_a_budget_that_ends_leaves_what_was_excluded() -> None:
    rows = convex_rows(body_of([(3, 5, 60), (5, -2, 55)], 14))
    assert rows is not None
    whole = least_planar_lattice(rows, budget=BUDGET)
    part = least_planar_lattice(rows, budget=whole.nodes // 2)
    assert part.lattice is None
    assert area_of(rows) / 4 - 1 <= part.least <= whole.least


def test_the_area_is_that_of_the_open_body() -> None:
    rows = convex_rows(body_of([], 4))
    assert rows is not None
    assert area_of(rows) == pytest.approx(100)
