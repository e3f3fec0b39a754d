"""Simplified pieces have the same cells and kernel, or fewer cells."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.mapping.simplify import simplified
from hlsmem.mapping.storage_mapping import Piece
from tests.families import by_default
from tests.mapping.problems import piece_of

VALUES = {"N": 5}


@pytest.mark.parametrize(
    ("matrix", "modulus", "simple_matrix", "simple_modulus"),
    [
        ([[-2, 1]], ["2*N + 1"], [["2", "-1"]], ["2*N + 1"]),
        ([[1, 0], [0, 1]], [1, "N"], [["0", "1"]], ["N"]),
        ([[3, -1]], [2], [["1", "1"]], ["2"]),
        ([[2, 4]], [8], [["1", "2"]], ["4"]),
        ([[2, 4]], [7], [["1", "2"]], ["7"]),
        ([["-N", 1]], ["N^2"], [["N", "-1"]], ["N^2"]),
        ([[0, 1], [1, 0]], ["N", 3], [["1", "0"], ["0", "1"]], ["3", "N"]),
        ([[0, 0]], [1], [], []),
    ],
)
def test_simple_forms(
    matrix: Any, modulus: Any, simple_matrix: list[list[str]], simple_modulus: list[str]
) -> None:
    found = simplified(piece_of(matrix, modulus), VALUES)
    assert [[str(entry) for entry in row] for row in found.matrix] == simple_matrix
    assert [str(entry) for entry in found.modulus] == simple_modulus


def test_a_component_with_an_offset_stays() -> None:
    minus, five = QuasiPolynomial.constant(-1), QuasiPolynomial.constant(5)
    piece = Piece(matrix=((minus,),), modulus=(five,), offset=(five,))
    assert simplified(piece, {}) == piece


@settings(max_examples=by_default(20, 80), deadline=None, derandomize=True)
@given(
    st.lists(st.tuples(st.integers(-7, 7), st.integers(-7, 7)), min_size=1, max_size=2),
    st.lists(st.integers(1, 9), min_size=2, max_size=2),
)
def test_the_kernel_stays(rows: list[tuple[int, int]], moduli: list[int]) -> None:
    before = piece_of(rows, moduli[: len(rows)])
    after = simplified(before, {})
    assert after.cells().evaluate({}) <= before.cells().evaluate({})
    for vector in product(range(-6, 7), repeat=2):
        assert _is_in_kernel(before, vector) == _is_in_kernel(after, vector)


def _is_in_kernel(piece: Piece, vector: tuple[int, ...]) -> bool:
    if not piece.matrix:
        return True
    remainders = np.array(piece.matrix_at({})) @ np.array(vector) % np.array(piece.modulus_at({}))
    return not remainders.any()
