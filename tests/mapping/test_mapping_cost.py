"""Address costs: wrapping components first, then entries."""

from __future__ import annotations

from typing import Any

import pytest

from hlsmem.mapping.conflict_differences import conflicts_of
from hlsmem.mapping.mapping_cost import address_cost
from tests.mapping.problems import piece_of, problem_of

SQUARE = "[N] -> { [y,x] : -N < y,x < N }"


@pytest.mark.parametrize(
    ("matrix", "modulus", "cost"),
    [
        ([[1, 0], [0, 1]], ["N", "N"], (0, 2, 2)),  # stays within its modulus
        ([[1, 0], [0, 1]], ["N - 1", "N"], (1, 2, 2)),
        ([[1, -1]], ["N"], (1, 2, 2)),
        ([[1, -1]], [8], (0, 2, 2)),  # a power of two
        ([["N", 1]], [7], (1, 2, 7)),
        ([], [], (0, 0, 0)),
    ],
)
def test_costs(matrix: Any, modulus: Any, cost: tuple[int, int, int]) -> None:
    problem = problem_of(
        SQUARE, {"N": 6}, context="[N] -> { : N >= 3 }", elements="[N] -> { [y,x] : 0 <= y,x < N }"
    )
    assert address_cost(piece_of(matrix, modulus), conflicts_of(problem)) == cost


@pytest.mark.parametrize("elements", [None, "[N] -> { [y,x] : 0 <= y < N }"])
def test_without_bounded_elements_everything_wraps(elements: str | None) -> None:
    problem = problem_of(SQUARE, {"N": 6}, context="[N] -> { : N >= 3 }", elements=elements)
    assert address_cost(piece_of([[1, 0]], ["N"]), conflicts_of(problem))[0] == (elements is None)
