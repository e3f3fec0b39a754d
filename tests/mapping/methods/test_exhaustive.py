"""The least lattice at fixed sizes: equal to recomputed optima, and nothing below is valid."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from hlsmem.lifetime.storage_problem import Bound, StorageProblem
from hlsmem.mapping.certificate import Counterexample, at_values
from hlsmem.mapping.conflict_differences import conflicts_of
from hlsmem.mapping.methods import exhaustive, method_named
from hlsmem.mapping.search.components import cheapest_components
from hlsmem.mapping.storage_mapping import NoMapping, Piece, StorageMapping
from hlsmem.polyhedra.lattices import hermite
from hlsmem.polyhedra.star import origin
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
from tests.programs import golden_case
from tests.proof.mappings import why_not


def _cases() -> list[Any]:
    return [
        pytest.param(
            problem, case["optimal_cells"][position]["cells"], id=f"{case['id']}-{position}"
        )
        for case, position, problem in golden_problems("000", "001", "002")
        if (case.get("optimal_cells") or [None] * 9)[position]
    ]


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
