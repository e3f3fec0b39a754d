"""Determinants and adjugates of small matrices of quantities."""

from __future__ import annotations

from collections.abc import Sequence

from hlsmem.core.quasi_polynomial import Quantity

Rows = Sequence[Sequence[Quantity]]


def determinant(rows: Rows) -> Quantity:
    """The determinant by expansion along the first row; 1 for no rows."""
    if not rows:
        return Quantity.constant(1)
    total = Quantity.constant(0)
    for column, entry in enumerate(rows[0]):
        if entry.terms:
            total += entry * cofactor(rows, 0, column)
    return total


def cofactor(rows: Rows, row: int, column: int) -> Quantity:
    """The signed determinant of what is left without a row and a column."""
    minor = [
        [entry for k, entry in enumerate(other) if k != column]
        for position, other in enumerate(rows)
        if position != row
    ]
    return determinant(minor) * (-1 if (row + column) % 2 else 1)


def adjugate(rows: Rows) -> tuple[tuple[Quantity, ...], ...]:
    """The matrix whose product with a square matrix is the determinant times the identity."""
    size = range(len(rows))
    return tuple(tuple(cofactor(rows, column, row) for column in size) for row in size)


def product_of(row: Sequence[Quantity | int], column: Sequence[Quantity]) -> Quantity:
    """The sum of the products of entries."""
    total = Quantity.constant(0)
    for left, right in zip(row, column, strict=True):
        total += right * left
    return total
