"""Sets and functions on arrays of points, compared with isl point by point."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlsmem.polyhedra import Map, Set
from hlsmem.polyhedra.sets import points
from hlsmem.polyhedra.sweep import contains, evaluate
from tests.families import by_default

GRID = np.array([(x, y) for x in range(-6, 7) for y in range(-6, 7)], dtype=np.int64)

SETS = [
    "{ [x,y] : 0 <= x < 5 and 0 <= 2y <= x }",
    "{ A[x,y] : exists k : x = 3k + 1 and y <= 2 or x = y }",
    "{ [x,y] : exists k, j : 2x + 3y = 5k and x + 7j = y + 3k }",
    "{ [x,y] : exists a, b : 5a + 3b = x and 3a - 2b <= y and 0 <= a,b < 2 }",
    "{ [x,y] : (x + 2y) mod 4 = 1 and floor(y/3) < x }",
    "{ [x,y] : false }",
]


@pytest.mark.parametrize("text", SETS)
def test_contains_tells_what_isl_lists(text: str) -> None:
    box = Set(text[: text.index("[")].strip() + "[x,y] : -6 <= x,y <= 6 }")
    listed = {tuple(row) for row in points(Set(text).intersect(box)).tolist()}
    found = {tuple(row) for row in GRID[contains(Set(text), GRID)].tolist()}
    assert found == listed


@settings(max_examples=by_default(10, 40), deadline=None, derandomize=True)
@given(
    factors=st.tuples(*[st.integers(-4, 4)] * 3),
    divisor=st.integers(1, 5),
    modulus=st.integers(1, 5),
)
def test_evaluate_is_python_arithmetic(
    factors: tuple[int, int, int], divisor: int, modulus: int
) -> None:
    a, b, c = factors
    form = f"{a}x + {b}y + {c}"
    function = Map(
        f"{{ S[x,y] -> [floor(({form})/{divisor}), ({form}) mod {modulus}] : x >= 0; "
        f"S[x,y] -> [x + 1, {c}] : x < 0 }}"
    )
    expected = [
        ((a * x + b * y + c) // divisor, (a * x + b * y + c) % modulus) if x >= 0 else (x + 1, c)
        for x, y in GRID.tolist()
    ]
    assert [tuple(row) for row in evaluate(function, GRID).tolist()] == expected


def test_a_point_outside_is_named() -> None:
    with pytest.raises(ValueError, match=r"^\[-6, -6\] is outside "):
        evaluate(Map("{ [x,y] -> [x] : x >= 0 }"), GRID)


def test_points_without_coordinates() -> None:
    none = np.zeros((3, 0), dtype=np.int64)
    assert evaluate(Map("{ S[] -> [7, 1] }"), none).tolist() == [[7, 1]] * 3
    assert contains(Set("{ S[] }"), none).all()
