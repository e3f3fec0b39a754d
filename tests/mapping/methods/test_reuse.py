"""Reuse vectors at fixed sizes: exact tests save cells that the star closure gives away."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from hlsmem.lifetime.storage_problem import StorageProblem
from hlsmem.mapping.basis import ReuseVector
from hlsmem.mapping.extrusion import exact_reuse_vectors
from hlsmem.mapping.methods import method_named
from hlsmem.mapping.storage_mapping import NoMapping
from hlsmem.polyhedra.shortest import Norm
from tests.families import by_default
from tests.mapping.problems import BUDGET, as_found, golden_problems, problem_of
from tests.mapping.test_laws import Polyhedron, enumerated, unions

LISTED = [
    (case, problem, cells)
    for case, position, problem in golden_problems("000")
    if case["expected_by_method"]["heuristic2"]["valid"][position]
    if (cells := case["expected_by_method"]["heuristic2"]["cells"][position]) is not None
]


def half(points: np.ndarray) -> np.ndarray:
    return points[[tuple(row) > (0,) * len(row) for row in points.tolist()]]


@pytest.mark.parametrize("norm", Norm)
@pytest.mark.parametrize("across", [False, True])
@settings(max_examples=by_default(4, 15), deadline=None, derandomize=True)
@given(union=unions())
def test_the_lattice_of_reuse_vectors_meets_no_conflict(
    norm: Norm, across: bool, union: tuple[int, tuple[Polyhedron, ...]]
) -> None:
    points = enumerated(*union)
    (vectors,) = exact_reuse_vectors(half(points), [(norm, across)], BUDGET)
    basis = np.array([vector.direction for vector in vectors])
    assert abs(round(np.linalg.det(basis))) == 1
    counts = np.array([vector.count for vector in vectors])
    coordinates = np.rint(points @ np.linalg.inv(basis)).astype(int)
    shared = points[(coordinates % counts == 0).all(axis=1)]
    assert not shared.any()


@pytest.mark.parametrize("entry", LISTED, ids=lambda entry: entry[0]["id"])
def test_no_more_cells_than_with_one_norm(
    entry: tuple[dict[str, object], StorageProblem, int],
) -> None:
    _, problem, cells = entry
    assert as_found(method_named("reuse").run(problem, BUDGET)).cells <= cells


def test_a_vector_whose_multiples_all_miss_the_conflicts_is_taken() -> None:
    points = np.array([[1], [3], [5]])
    variants = [(Norm.MAX_THEN_SUM, False), (Norm.MAX, True)]
    assert exact_reuse_vectors(points, variants, BUDGET) == [
        (ReuseVector(direction=(1,), count=2),)
    ]


def test_a_small_budget_says_so() -> None:
    square = problem_of("{ [x,y] : -4 <= x,y <= 4 }", {}, context="{ : }")
    listed = method_named("reuse").run(square, 39)
    assert listed == NoMapping(method="reuse", reason="more than 39 differences: too many to list")
    sought = method_named("reuse").run(square, 40)
    assert isinstance(sought, NoMapping)
    assert sought.reason == ("the budget ended before as many vectors as dimensions were found")
