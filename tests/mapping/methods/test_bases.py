"""Exact widths over small bases, against trying all small unimodular matrices."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, settings

from hlsmem.mapping.methods import method_named
from hlsmem.mapping.storage_mapping import NoMapping
from hlsmem.polyhedra import Map
from hlsmem.polyhedra.lattices import small_vectors
from tests.families import by_default
from tests.mapping.problems import BUDGET, as_found, problem_of
from tests.mapping.test_laws import Polyhedron, enumerated, problem_from, unions
from tests.programs import golden_case


def successive_cells(points: np.ndarray, rows: tuple[tuple[int, ...], ...]) -> int:
    cells = 1
    for row in rows:
        values = points @ np.array(row)
        cells *= int(np.abs(values).max(initial=0)) + 1
        points = points[values == 0]
    return cells


@pytest.mark.long
@settings(max_examples=by_default(10, 40), deadline=None, derandomize=True)
@given(unions().filter(lambda union: union[0] == 2))
def test_no_small_basis_of_the_plane_is_better(union: tuple[int, tuple[Polyhedron, ...]]) -> None:
    points = enumerated(*union)
    best = min(
        successive_cells(points, ((a, b), (c, d)))
        for a, b, c, d in product(range(-3, 4), repeat=4)
        if abs(a * d - b * c) == 1
    )
    assert as_found(method_named("bases").run(problem_from(*union), BUDGET)).cells <= best


@pytest.mark.long
@settings(max_examples=by_default(5, 20), deadline=None, derandomize=True)
@given(unions())
def test_no_order_of_the_axes_is_better(union: tuple[int, tuple[Polyhedron, ...]]) -> None:
    points = enumerated(*union)
    axes = np.eye(union[0], dtype=int).tolist()
    best = min(successive_cells(points, order) for order in permutations(map(tuple, axes)))
    assert as_found(method_named("bases").run(problem_from(*union), BUDGET)).cells <= best


@pytest.mark.parametrize(
    ("case", "rows", "moduli"),
    [
        ("stencil-1d-5point", [["2", "-1"]], ["N + 2"]),
        ("lbm-d2q9", [["2", "-1", "0"], ["0", "0", "1"]], ["N + 2", "N"]),
        ("lbm-d3q19", [["2", "-1", "0", "0"], ["0", "0", "1", "0"], ["0", "0", "0", "1"]], None),
    ],
)
def test_formulas_of_storage_hyperplanes_are_found(
    case: str, rows: list[list[str]], moduli: list[str] | None
) -> None:
    golden = golden_case("001", case)
    problem = problem_of(
        Map(golden["pairs"]).deltas(), golden["params"][-1], context=golden["context"]
    )
    mapping = as_found(method_named("bases").run(problem, BUDGET))
    (piece,) = mapping.pieces
    assert mapping.certificate.scope == "all-parameters"
    assert [[str(entry) for entry in row] for row in piece.matrix] == rows
    assert [str(entry) for entry in piece.modulus] == (moduli or ["N + 2", "N", "N"])


def test_small_vectors_are_primitive_and_one_of_each_pair() -> None:
    found = small_vectors(2, 2)
    assert found[:4] == ((1, 0), (0, 1), (1, 1), (1, -1))
    assert set(found) == {(1, 0), (0, 1), (1, 1), (1, -1), (2, 1), (2, -1), (1, 2), (1, -2)}
    assert small_vectors(3, 0) == ((1, 0, 0), (0, 1, 0), (0, 0, 1))


@pytest.mark.long
def test_large_sizes_take_rows_found_at_smaller_ones() -> None:
    golden = golden_case("001", "stencil-1d-5point")
    problem = problem_of(
        Map(golden["pairs"]).deltas(), {"T": 4, "N": 9_000_000}, context=golden["context"]
    )
    mapping = as_found(method_named("bases").run(problem, BUDGET))
    assert str(mapping.pieces[0].modulus[0]) == "N + 2"
    assert mapping.certificate.scope == "all-parameters"


def test_a_small_budget_says_so() -> None:
    square = problem_of("{ [x,y] : -4 <= x,y <= 4 }", {}, context="{ : }")
    assert method_named("bases").run(square, 39) == NoMapping(
        method="bases", reason="more than 39 differences: too many to list"
    )
