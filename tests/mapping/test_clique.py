"""Difference cliques: their differences conflict, and they are as large as the optima."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from hlsmem.mapping.clique import difference_clique, difference_clique_bound
from hlsmem.mapping.conflicts import conflicts_of
from hlsmem.mapping.listing import half_differences
from hlsmem.mapping.model import Mapping
from hlsmem.mapping.portfolio import plan_array
from tests.mapping.problems import BUDGET, golden_problems, problem_of
from tests.mapping.test_laws import Polyhedron, enumerated, problem_from, unions

LOOSE = {
    "s000-star-shape-example",
    "own-extrusion-not-star",
    "octahedron",
    "cross4",
}
OPTIMA = [
    (case["id"], problem, optima[-1]["cells"])
    for case, position, problem in golden_problems("000", "001", "002")
    if position == len(case["params"]) - 1
    if len(optima := case.get("optimal_cells") or []) == len(case["params"])
]


@pytest.mark.parametrize(
    ("name", "problem", "optimum"), OPTIMA, ids=[name for name, _, _ in OPTIMA]
)
def test_cliques_of_programs_are_as_large_as_the_optimum(
    name: str, problem: object, optimum: int
) -> None:
    bound = difference_clique_bound(problem, 10**7, enough=optimum)  # type: ignore[arg-type]
    assert bound is not None
    assert bound.kind == "difference-clique"
    if name in LOOSE:
        assert 2 <= bound.cells < optimum
    else:
        assert bound.cells == optimum


@settings(max_examples=40, deadline=None, derandomize=True)
@given(unions())
def test_all_differences_of_a_clique_conflict_and_no_mapping_has_fewer_cells(
    union: tuple[int, tuple[Polyhedron, ...]],
) -> None:
    size, pieces = union
    conflicting = set(map(tuple, enumerated(size, pieces).tolist()))
    problem = problem_from(size, pieces)
    points = half_differences(conflicts_of(problem).differences_at, BUDGET)
    assert points is not None
    clique = difference_clique(points, BUDGET)
    assert clique is not None
    assert len(set(map(tuple, clique.tolist()))) == len(clique)
    for element in clique:
        assert set(map(tuple, (clique - element).tolist())) <= conflicting
    mapping = plan_array(problem, method="successive", budget=BUDGET).mapping
    assert isinstance(mapping, Mapping)
    assert len(clique) <= mapping.cells


def test_status_names_the_values() -> None:
    line = problem_of("[N] -> { [x] : -N < x < N }", {"N": 7}, context="[N] -> { : N >= 1 }")
    bound = difference_clique_bound(line, BUDGET)
    assert bound is not None
    assert (bound.cells, bound.status) == (7, "counted at N=7")


def test_a_search_ends_when_it_has_enough_or_the_budget_is_gone() -> None:
    square = np.array([(x, y) for x in range(6) for y in range(-5, 6) if (x, y) > (0, 0)])
    full = difference_clique(square, BUDGET)
    assert full is not None
    assert len(full) == 36
    assert difference_clique(square, 35) is None
    once = difference_clique(square, 36 * 36)
    assert once is not None
    assert len(once) == 36


def test_conflicts_without_end_have_no_clique_bound() -> None:
    assert difference_clique_bound(problem_of("{ [x] }", {}, context="{ : }"), BUDGET) is None
