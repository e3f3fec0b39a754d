"""Widths along useful bases."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings

from hlsmem.lifetime.storage_problem import StorageProblem
from hlsmem.mapping.gauge_norm import successive_widths
from hlsmem.mapping.methods import method_named
from tests.families import by_default
from tests.mapping.problems import BUDGET, as_found, golden_problems, problem_of
from tests.mapping.test_laws import Polyhedron, enumerated, problem_from, unions

LISTED = [
    (problem, case["expected_by_method"][position])
    for case, position, problem in golden_problems("002")
    if "gauge_h3_hull" in case["expected_by_method"][position]
]


@pytest.mark.parametrize("entry", LISTED)
def test_no_more_cells_than_listed(entry: tuple[StorageProblem, dict[str, Any]]) -> None:
    """Listed are both heuristics along unit vectors, in both orders, on the hull."""
    problem, expected = entry
    listed = [
        prod(moduli)
        for heuristic in ("gauge_h2_hull", "gauge_h3_hull")
        for moduli in expected[heuristic].values()
    ]
    assert as_found(method_named("gauge").run(problem, BUDGET)).cells <= min(listed)


@pytest.mark.long
@settings(max_examples=by_default(7, 30), deadline=None, derandomize=True)
@given(unions())
def test_never_above_successive_modulo(union: tuple[int, tuple[Polyhedron, ...]]) -> None:
    problem = problem_from(*union)
    gauge, successive = (
        as_found(method_named(name).run(problem, BUDGET)).cells for name in ("gauge", "successive")
    )
    assert gauge <= successive


@settings(max_examples=by_default(7, 30), deadline=None, derandomize=True)
@given(unions())
def test_widths_are_those_of_what_earlier_rows_leave(
    union: tuple[int, tuple[Polyhedron, ...]],
) -> None:
    points = enumerated(*union)
    assume(points.shape[1] > 1)
    rows = ((1,) * points.shape[1], (0,) * (points.shape[1] - 1) + (1,))
    first, second = successive_widths(points, rows)
    sums = points.sum(axis=1)
    assert first == sums.max() + 1
    assert second == points[sums == 0][:, -1].max() + 1


def test_a_parallelogram_is_narrow_along_its_sides() -> None:
    """{|t| < B, |t + 5 i| <= B}: unit vectors are wide, the reduced basis is not."""
    problem = problem_of(
        "[B] -> { [t,i] : -B < t < B and -1 <= i - 5t <= 1 }",
        {"B": 40},
        context="[B] -> { : B >= 2 }",
    )
    found = as_found(method_named("gauge").run(problem, BUDGET))
    assert found.cells == 80
    assert found.certificate.scope == "all-parameters"
    assert np.prod([modulus.evaluate({"B": 9}) for modulus in found.pieces[0].modulus]) == 18
