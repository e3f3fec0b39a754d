"""The least lattice at fixed sizes: equal to recomputed optima, and nothing below is valid."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlsmem.lifetime.storage_problem import Bound, StorageProblem
from hlsmem.mapping.certificate import Counterexample, at_values
from hlsmem.mapping.conflict_differences import conflicts_of
from hlsmem.mapping.methods import exhaustive, method_named
from hlsmem.mapping.methods.exhaustive import convex_rows, half_points
from hlsmem.mapping.search.components import cheapest_components
from hlsmem.mapping.storage_mapping import NoMapping, Piece, StorageMapping
from hlsmem.polyhedra import Set
from hlsmem.polyhedra.lattices import hermite
from hlsmem.polyhedra.sets import points
from hlsmem.polyhedra.star_closure import origin
from tests.families import by_default
from tests.mapping.problems import (
    BUDGET,
    collision,
    difference_points,
    golden_problems,
    piece_of,
    problem_of,
)
from tests.mapping.search.enumeration import lattices, least_determinant
from tests.mapping.test_laws import Polyhedron, problem_from, unions
from tests.plans import plan_storage
from tests.programs import golden_case
from tests.proof.mappings import why_not
from tests.read.loading import load_text


def _cases() -> list[Any]:
    return [
        pytest.param(
            problem, case["optimal_cells"][position]["cells"], id=f"{case['id']}-{position}"
        )
        for case, position, problem in golden_problems("000", "001", "002")
        if (case.get("optimal_cells") or [None] * 9)[position]
    ]


@pytest.mark.few(0.25)
@pytest.mark.parametrize(("problem", "optimum"), _cases())
def test_the_least_lattice_has_the_recomputed_cells(problem: StorageProblem, optimum: int) -> None:
    answer = exhaustive.run(problem, BUDGET)
    assert isinstance(answer, StorageMapping), answer
    assert answer.cells == optimum
    assert answer.unfinished is None
    assert collision(answer.pieces[0], problem.values, difference_points(problem)) is None
    *cliques, least = answer.bounds or (None,)
    assert least is None if optimum == 1 else least.cells == optimum
    assert all(bound.kind == "clique" and bound.cells <= optimum for bound in cliques)


def _pieces_of(size: int, cells: int) -> list[Piece]:
    """Maps with every kernel of `cells` classes."""
    found = []
    for lattice in lattices(size, cells):
        components = cheapest_components(hermite(lattice))
        found.append(piece_of(components.rows, components.moduli))
    return found


# Cells up to which all lattices are looked at one by one, by dimensions.
FEW = {1: 40, 2: 12, 3: 5, 4: 3}


@given(union=unions())
@settings(max_examples=15, deadline=None, derandomize=True)
def test_one_cell_less_is_always_rejected(union: tuple[int, tuple[Polyhedron, ...]]) -> None:
    problem = problem_from(*union)
    points = difference_points(problem)
    answer = exhaustive.run(problem, BUDGET)
    assert isinstance(answer, StorageMapping)
    differences = {tuple(row) for row in points.tolist()}
    size = points.shape[1]
    if answer.cells <= FEW[size]:
        assert answer.cells == least_determinant(differences, size)
    if 1 < answer.cells <= FEW[size]:
        conflicts = conflicts_of(problem)
        others = conflicts.differences.subtract(origin(conflicts.differences.get_space()))
        for piece in _pieces_of(size, answer.cells - 1):
            assert isinstance(at_values(piece, conflicts), Counterexample)
            said = why_not(piece, others, problem.values, problem.context)
            assert said.endswith("apart share a cell")


def test_what_was_excluded_is_said() -> None:
    case = golden_case("000", "own-extrusion-not-star")
    answer = exhaustive.run(problem_of(case["differences"]), BUDGET)
    assert isinstance(answer, StorageMapping)
    status = "fewer than 2 excluded by bounds and 2 by search"
    assert tuple(replace(one, proof=None) for one in answer.bounds) == (
        Bound(kind="clique", cells=2, expr=None, status="counted"),
        Bound(kind="exhaustive", cells=3, expr=None, status=status),
    )


def test_a_clique_that_the_elements_cannot_hold_speaks_of_lattices_only() -> None:
    case = golden_case("000", "own-extrusion-not-star")
    kinds = []
    for elements in ("{ [a,b] : 0 <= a,b <= 9 }", "{ [a,b] : a,b >= 0 and a + b <= 1 }"):
        answer = exhaustive.run(problem_of(case["differences"], {}, elements=elements), BUDGET)
        kinds.append(answer.bounds[0].kind)
    assert kinds == ["clique", "difference-clique"]


OCTAHEDRON = (
    "[r] -> { [a, b, c] : -r <= a + b + c <= r and -r <= a - b + c <= r "
    "and -r <= a + b - c <= r and -r <= a - b - c <= r }"
)


def test_a_budget_that_ends_gives_the_bound_it_reached() -> None:
    problem = problem_of(OCTAHEDRON, {"r": 8})
    answer = exhaustive.run(problem, 4000)
    assert isinstance(answer, NoMapping)
    clique, bound = answer.bounds
    assert clique.cells == 129
    assert 129 < bound.cells < 144
    assert answer.reason == f"the budget ended: no lattice has fewer than {bound.cells} cells"
    assert bound.status == (
        f"fewer than 129 excluded by bounds and 129 to {bound.cells - 1} by search, "
        "then the budget ended, at r=8"
    )


def test_conflicts_without_end_have_no_least_lattice() -> None:
    answer = exhaustive.run(problem_of("{ [x, y] : y = 0 }"), BUDGET)
    assert isinstance(answer, NoMapping)
    assert "never end" in answer.reason
    assert answer.bounds == ()


def test_no_conflict_at_the_plans_sizes_takes_one_cell() -> None:
    problem = problem_of("[N] -> { [x] : 0 <= x < N }", {"N": 1}, context="[N] -> { : N >= 1 }")
    answer = exhaustive.run(problem, BUDGET)
    assert isinstance(answer, StorageMapping)
    assert answer.cells == 1


def test_the_search_needs_no_bound() -> None:
    """Durbin's y: from one cell on, by sections alone."""
    from hlsmem.mapping.listed_conflicts import half_differences
    from hlsmem.mapping.search.least import least_lattice

    size = 200
    text = "{{ [a, b] : (b = 0 and -{0} < a < {0}) or (b = 1 and 2 - {0} <= a <= {0} - 3) }}"
    problem = problem_of(text.format(size))
    points = half_differences(conflicts_of(problem).differences_at, BUDGET)
    assert points is not None
    found = least_lattice(np.asarray(points), budget=BUDGET)
    assert (found.known, found.least) == (size, 2 * size - 3)


def test_the_method_is_listed() -> None:
    assert method_named("exhaustive") is exhaustive.METHOD


def bound_of(body: Any) -> int | None:
    rows = convex_rows(body)
    if rows is None:
        return None
    found = half_points(rows, [int(width) for width in points(body).max(axis=0)])
    return None if found is None else len(found)


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
@settings(max_examples=by_default(15, 60), deadline=None, derandomize=True)
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
