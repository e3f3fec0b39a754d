"""Successive minima, and the lattices that Rogers' construction makes of them."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings

from hlsmem.lifetime.storage_problem import StorageProblem
from hlsmem.mapping.conflict_differences import conflicts_of
from hlsmem.mapping.gauge_norm import basis_rows, hull_rows, reduced_rows, successive_minima
from hlsmem.mapping.listed_conflicts import half_differences, is_admissible
from hlsmem.mapping.methods import method_named
from hlsmem.mapping.methods.minima import rogers_lattices
from hlsmem.mapping.storage_mapping import NoMapping, StorageMapping
from tests.families import by_default
from tests.mapping.problems import BUDGET, as_found, golden_problems, problem_of
from tests.mapping.test_laws import Polyhedron, enumerated, unions
from tests.programs import golden_case

LISTED = [
    (problem, case["expected_by_method"][position])
    for case, position, problem in golden_problems("002")
    if "rogers_1a" in case["expected_by_method"][position]
]
Entry = tuple[StorageProblem, dict[str, Any]]


def half(points: np.ndarray) -> np.ndarray:
    return points[[tuple(row) > (0,) * len(row) for row in points.tolist()]]


@pytest.mark.parametrize("entry", LISTED)
def test_no_more_cells_than_listed(entry: Entry) -> None:
    problem, expected = entry
    found = as_found(method_named("minima").run(problem, BUDGET))
    assert found.cells <= expected["rogers_1a"]["cells"]


@pytest.mark.parametrize("entry", [entry for entry in LISTED if "successive_minima" in entry[1]])
def test_the_minima_of_the_hull_are_those_listed(entry: Entry) -> None:
    problem, expected = entry
    conflicts = conflicts_of(problem)
    points = half_differences(conflicts.differences_at, BUDGET)
    assert points is not None
    found = successive_minima(points, hull_rows(conflicts.differences_at))
    listed = [Fraction(str(one["value"])) for one in expected["successive_minima"]]
    assert [1 / one.inverse for one in found] == listed


@settings(max_examples=by_default(10, 40), deadline=None, derandomize=True)
@given(unions())
def test_minima_of_the_star_are_those_of_a_count(
    union: tuple[int, tuple[Polyhedron, ...]],
) -> None:
    """1/lambda_i is the greatest k such that vectors v with k v in the set span i dimensions."""
    points = enumerated(*union)
    inside = set(map(tuple, points.tolist()))
    found = successive_minima(half(points), None)
    longest = int(np.abs(points).max(initial=0))
    ranks = []
    for least in range(1, longest + 1):
        vectors = [
            tuple(entry // k for entry in point)
            for point in inside
            for k in range(least, longest + 1)
            if any(point) and all(entry % k == 0 for entry in point)
        ]
        ranks.append(int(np.linalg.matrix_rank(np.array(vectors))) if vectors else 0)
    assert [sum(one.inverse >= least for one in found) for least in range(1, longest + 1)] == ranks


@settings(max_examples=by_default(10, 40), deadline=None, derandomize=True)
@given(unions())
def test_every_lattice_is_admissible(union: tuple[int, tuple[Polyhedron, ...]]) -> None:
    points = half(enumerated(*union))
    assume(len(points))
    for rows, moduli in rogers_lattices(points, successive_minima(points, None)):
        assert abs(round(np.linalg.det(np.array(rows)))) == 1
        values = points @ np.array(rows).T % np.array(moduli)
        assert values.any(axis=1).all()


def test_a_point_of_the_lattice_is_not_admissible() -> None:
    points = np.array([[2, 0], [0, 3]])
    rows = ((1, 0), (0, 1))
    assert is_admissible(points, rows, (3, 2))
    assert not is_admissible(points, rows, (2, 2))
    assert not is_admissible(points, rows, (3, 3))


@pytest.mark.parametrize(
    "vectors", [((2, 1), (1, 3)), ((0, 2),), ((3, 5, 7), (1, 1, 0), (0, 4, 1)), ((4, 6),)]
)
def test_the_basis_spans_what_the_vectors_span(vectors: tuple[tuple[int, ...], ...]) -> None:
    rows = np.array(basis_rows(vectors, len(vectors[0])))
    assert abs(round(np.linalg.det(rows))) == 1
    coordinates = rows @ np.array(vectors).T
    assert (np.tril(coordinates, -1) == 0).all()


def test_reduction_finds_the_narrow_direction_of_a_skewed_box() -> None:
    """{x : |x0 - 5 x1| <= 1, |x1| <= 20}, of which both unit vectors are wide."""
    points = np.array([(5 * b + a, b) for a, b in product(range(-1, 2), range(-20, 21))])
    rows = reduced_rows(points, ((1, 0), (0, 1)))
    assert abs(round(np.linalg.det(np.array(rows)))) == 1
    assert rows[0] in ((1, -5), (-1, 5))


def test_durbin_keeps_its_formula() -> None:
    case = golden_case("002", "durbin-y")
    problem = problem_of(case["differences"], {"N": 100}, context="[N] -> { : N >= 3 }")
    found = as_found(method_named("minima").run(problem, BUDGET))
    assert [str(modulus) for modulus in found.pieces[0].modulus] == ["N", "2"]
    assert found.certificate.scope == "all-parameters"


def test_a_flat_set_takes_modulus_one_across() -> None:
    problem = problem_of("{ [a,b,c] : a = b and b = c and -9 <= a <= 9 }", {}, context="{ : }")
    answer = method_named("minima").run(problem, BUDGET)
    assert isinstance(answer, StorageMapping)
    assert answer.cells == 10


def test_a_small_budget_says_so() -> None:
    square = problem_of("{ [x,y] : -4 <= x,y <= 4 }", {}, context="{ : }")
    for method in ("minima", "gauge"):
        reason = "more than 39 differences: too many to list"
        assert method_named(method).run(square, 39) == NoMapping(method=method, reason=reason)
        assert isinstance(method_named(method).run(square, 40), StorageMapping)
