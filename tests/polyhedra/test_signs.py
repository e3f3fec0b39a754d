"""Quasi-polynomials that are never negative, affine and not."""

from __future__ import annotations

import pytest

from hlsmem.core.quasi_polynomial import parse_quasi_polynomial
from hlsmem.polyhedra import Set
from hlsmem.polyhedra.signs import is_never_negative


@pytest.mark.parametrize(
    ("quantity", "context", "expected"),
    [
        ("N - 3", "[N] -> { : N >= 3 }", True),
        ("N - 4", "[N] -> { : N >= 3 }", False),
        ("M - N", "[N,M] -> { : M >= N }", True),
        ("N - 2*floor(N/2)", "[N] -> { : N >= 0 }", True),
        ("2*floor(N/2) - N", "[N] -> { : N >= 0 }", False),
        ("N^2 - 3*N + 2", "[N] -> { : N >= 2 }", True),
        ("N^2 - 3*N + 1", "[N] -> { : N >= 2 }", False),
        ("N*M - N - M + 1", "[N,M] -> { : N >= 1 and M >= 1 }", True),
        ("N*M - N - M", "[N,M] -> { : N >= 1 and M >= 1 }", False),
        ("N^2", "[N] -> { : N <= 4 }", False),  # true, but parameters have no lower bound
        ("floor(N/2)*N", "[N] -> { : N >= 0 }", False),  # true, but beyond the test
    ],
)
def test_signs(quantity: str, context: str, expected: bool) -> None:
    assert is_never_negative(parse_quasi_polynomial(quantity), Set(context)) is expected
