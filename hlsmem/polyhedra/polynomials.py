"""Determinants and adjugates of small matrices of quasi-polynomials."""

from __future__ import annotations

from collections.abc import Sequence

from hlsmem.core.quasi_polynomial import QuasiPolynomial

Rows = Sequence[Sequence[QuasiPolynomial]]


def determinant(rows: Rows) -> QuasiPolynomial:
    """The determinant by expansion along the first row; 1 for no rows."""
    if not rows:
        return QuasiPolynomial.constant(1)
    total = QuasiPolynomial.constant(0)
    for column, entry in enumerate(rows[0]):
        if entry.terms:
            total += entry * cofactor(rows, 0, column)
    return total


def cofactor(rows: Rows, row: int, column: int) -> QuasiPolynomial:
    """The signed determinant of what is left without a row and a column."""
    minor = [
        [entry for k, entry in enumerate(other) if k != column]
        for position, other in enumerate(rows)
        if position != row
    ]
    return determinant(minor) * (-1 if (row + column) % 2 else 1)


def adjugate(rows: Rows) -> tuple[tuple[QuasiPolynomial, ...], ...]:
    """The matrix whose product with a square matrix is the determinant times the identity."""
    size = range(len(rows))
    return tuple(tuple(cofactor(rows, column, row) for column in size) for row in size)


def product_of(
    row: Sequence[QuasiPolynomial | int], column: Sequence[QuasiPolynomial]
) -> QuasiPolynomial:
    """The sum of the products of entries."""
    total = QuasiPolynomial.constant(0)
    for left, right in zip(row, column, strict=True):
        total += right * left
    return total
