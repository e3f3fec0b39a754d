"""Half bodies are cliques: never above the least lattice, and tight on boxes and hexagons."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from hlsmem.mapping.search.convex import convex_rows, half_body
from hlsmem.polyhedra import Set
from hlsmem.polyhedra.sets import points
from tests.mapping.search.enumeration import least_determinant
from tests.plans import plan_storage
from tests.read.loading import load_text


def bound_of(body: Any) -> int | None:
    rows = convex_rows(body)
    if rows is None:
        return None
    return half_body(rows, [int(width) for width in points(body).max(axis=0)])


def test_half_a_box_is_as_large_as_the_least_lattice() -> None:
    assert bound_of(Set("{ [x, y] : -4 <= x <= 4 and -2 <= y <= 2 }")) == 15


def test_half_a_hexagon_is_three_quarters_of_a_square() -> None:
    assert bound_of(Set("{ [x, y] : -8 < x, y < 8 and -8 < x - y < 8 }")) == 48


def test_a_set_in_a_plane_counts_there() -> None:
    assert bound_of(Set("{ [x, y] : x = 2y and -6 <= x <= 6 }")) == 4


def test_sets_with_holes_or_dents_have_no_half_body() -> None:
    assert bound_of(Set("{ [x] : -4 <= x <= 4 and x mod 2 = 0 }")) is None
    assert bound_of(Set("{ [x, 0] : -4 <= x <= 4; [0, y] : -4 <= y <= 4 }")) is None


def test_a_union_that_is_convex_counts() -> None:
    assert bound_of(Set("{ [x] : -5 <= x <= 0; [x] : 0 <= x <= 5 }")) == 6


@given(
    cuts=st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3), st.integers(0, 9)), max_size=4)
)
@settings(max_examples=60, deadline=None, derandomize=True)
def test_half_a_body_is_never_above_the_least_lattice(cuts: list[tuple[int, int, int]]) -> None:
    text = "".join(f" and -{c} <= {a}*x + {b}*y <= {c}" for a, b, c in cuts)
    body = Set(f"{{ [x, y] : -4 <= x, y <= 4{text} }}")
    found = bound_of(body)
    assert found is not None
    assert found <= least_determinant({tuple(row) for row in points(body).tolist()}, 2)


KERNEL = """\
#define N 4
void f(int A[5][6])
{
#pragma scop
    for (int i = 0; i < N; ++i) {
        int v = A[i + 1][i + 2];
        A[i + 1][i] -= 1 + ((i + 2) % 3 != 0 ? A[i][2] : A[i + 1][i + 1]);
    }
#pragma endscop
}
"""
DESIGN = """\
hlsmem: 1
name: f
params: {N: 4}
context: "[N] -> { : 4 <= N <= 4 }"
kernel: {file: f.c}
arrays: {A: {storage: memory}}
schedule: "[N] -> { S0[i] -> [i, 0]; S1[i] -> [i, 1] }"
"""


def test_pieces_with_integer_divisions_are_not_put_into_a_hull(tmp_path: Path) -> None:
    """isl takes minutes for the hull of these pieces, all of them of a few points."""
    (tmp_path / "f.c").write_text(KERNEL)
    plan = plan_storage(load_text(tmp_path, DESIGN)).plan
    assert plan.arrays["A"].hardware.parts[0].mapping.cells == 12
