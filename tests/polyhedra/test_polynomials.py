"""Determinants and adjugates of formulas, against numbers."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hlsmem.core.quasi_polynomial import QuasiPolynomial, parse_quasi_polynomial
from hlsmem.polyhedra.polynomials import adjugate, determinant, product_of

entries = st.tuples(st.integers(-3, 3), st.integers(-2, 2)).map(
    lambda pair: parse_quasi_polynomial(f"{pair[0]} + {pair[1]}*N")
)
matrices = st.integers(1, 4).flatmap(
    lambda size: st.lists(
        st.lists(entries, min_size=size, max_size=size), min_size=size, max_size=size
    )
)


@given(matrix=matrices)
@settings(max_examples=40, deadline=None, derandomize=True)
def test_determinants_agree_with_numbers(matrix: list[list[QuasiPolynomial]]) -> None:
    for size in range(4):
        numbers = np.array([[entry.evaluate({"N": size}) for entry in row] for row in matrix])
        assert determinant(matrix).evaluate({"N": size}) == round(np.linalg.det(numbers))


@given(matrix=matrices)
@settings(max_examples=40, deadline=None, derandomize=True)
def test_a_matrix_times_its_adjugate_is_the_determinant(
    matrix: list[list[QuasiPolynomial]],
) -> None:
    total, zero = determinant(matrix), QuasiPolynomial.constant(0)
    columns = list(zip(*adjugate(matrix), strict=True))
    for i, row in enumerate(matrix):
        for j, column in enumerate(columns):
            assert product_of(row, column) == (total if i == j else zero)
