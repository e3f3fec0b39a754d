"""The least modulus of given rows, by trying all of them."""

from __future__ import annotations

from itertools import product
from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlsmem.mapping.conflict_differences import conflicts_of
from hlsmem.mapping.finish import MOST_APART, finished, least_moduli
from hlsmem.mapping.methods import method_named
from hlsmem.mapping.storage_mapping import StorageMapping
from tests.families import by_default
from tests.mapping.problems import BUDGET, collision, piece_of, problem_of
from tests.mapping.test_laws import Polyhedron, enumerated, problem_from, unions
from tests.programs import golden_case


@settings(max_examples=by_default(10, 40), deadline=None, derandomize=True)
@given(unions(), st.data())
def test_no_modulus_can_be_lowered_alone(
    union: tuple[int, tuple[Polyhedron, ...]], data: st.DataObject
) -> None:
    size, pieces = union
    points = enumerated(size, pieces)
    conflicts = conflicts_of(problem_from(size, pieces))
    row = data.draw(st.tuples(*[st.integers(-3, 3)] * size))
    rows = [row, *np.eye(size, dtype=int).tolist()]
    widths = [int(np.abs(points @ np.array(entry)).max()) + 1 for entry in rows]
    piece = finished(piece_of(rows, widths), conflicts, BUDGET)
    moduli = piece.modulus_at({})
    assert collision(piece, {}, points) is None
    assert prod(moduli) <= prod(widths)
    for component, modulus in enumerate(moduli):
        for less in range(1, modulus):
            lower = [*moduli[:component], less, *moduli[component + 1 :]]
            assert collision(piece_of(rows, lower), {}, points) is not None


@pytest.mark.parametrize(
    ("case", "rows", "before", "after"),
    [
        ("harris-3x3-own", [[2, -3]], ["5*B - 4"], "5*B - 6"),
        ("stencil-1d-hex-tile", [[-1, 3]], ["9*B - 8"], "9*B - 10"),
        ("diamond-tile", [[1, -3]], ["6*B - 5"], "6*B - 7"),
    ],
)
def test_a_lowered_modulus_keeps_its_formula_where_that_is_proved(
    case: str, rows: list[list[int]], before: list[str], after: str
) -> None:
    from hlsmem.polyhedra import Map

    golden = golden_case("001", case)
    problem = problem_of(
        Map(golden["pairs"]).deltas(), golden["params"][-1], context=golden["context"]
    )
    piece = finished(piece_of(rows, before), conflicts_of(problem), BUDGET)
    assert str(piece.modulus[0]) == after


def test_a_lowered_modulus_is_a_number_where_its_formula_is_not_proved() -> None:
    durbin = golden_case("002", "durbin-y")["differences"]
    problem = problem_of(durbin, {"N": 100}, context="[N] -> { : N >= 2 }")
    piece = finished(piece_of([[2, 1]], ["2*N - 1"]), conflicts_of(problem), BUDGET)
    assert str(piece.modulus[0]) == "197"
    from_three = problem_of(durbin, {"N": 100}, context="[N] -> { : N >= 3 }")
    piece = finished(piece_of([[2, 1]], ["2*N - 1"]), conflicts_of(from_three), BUDGET)
    assert str(piece.modulus[0]) == "2*N - 3"


def test_methods_keep_the_mapping_they_found() -> None:
    gap = problem_of("{ [x] : x = 1 or x = 3 or x = 5 }", {}, context="{ : }")
    mapping = method_named("successive").run(gap, BUDGET)
    assert isinstance(mapping, StorageMapping)
    assert mapping.cells == 2
    assert mapping.unfinished is not None
    assert mapping.unfinished.cells == 6
    assert mapping.unfinished.unfinished is None


def test_too_many_differences_are_left_alone() -> None:
    gap = problem_of("{ [x] : x = 1 or x = 3 or x = 5 }", {}, context="{ : }")
    piece = piece_of([[1]], [6])
    assert finished(piece, conflicts_of(gap), 2) is piece
    assert finished(piece, conflicts_of(gap), 3) is not piece


def test_two_components_are_lowered_in_the_better_order() -> None:
    """Hexagon of side 24: (a + b mod 36, b mod 12), three quarters of the square."""
    hexagon = golden_case("002", "hexagon")["differences"]
    problem = problem_of(hexagon, {"N": 24}, context="[N] -> { : N >= 2 }")
    piece = piece_of([[1, 1], [0, 1]], ["2*N - 1", "floor(N/2)"])
    lower = finished(piece, conflicts_of(problem), BUDGET)
    assert lower.modulus_at(problem.values) == (36, 12)
    points = np.array([z for z in product(range(-23, 24), repeat=2) if abs(z[0] - z[1]) < 24])
    assert collision(lower, problem.values, points) is None


def test_values_too_far_apart_keep_their_modulus() -> None:
    points = np.array([[0, 1], [3, 0], [MOST_APART, 0]])
    rows, moduli = [(1, 0), (0, 1)], (2 * MOST_APART, 5)
    assert least_moduli(points, rows, moduli) == (2 * MOST_APART, 2)
