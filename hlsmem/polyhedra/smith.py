"""Smith's normal form of an integer matrix."""

from __future__ import annotations

from hlsmem.polyhedra.lattices import Matrix, Vector, identity


def smith(matrix: Matrix) -> tuple[Vector, Matrix]:
    """(d, V): U . matrix . V is the diagonal d for some unimodular U; V is unimodular.

    The matrix is square and regular; d[k] > 0 divides d[k + 1]. A row vector x is an integer
    combination of the rows of the matrix iff d[k] divides entry k of x V, for every k.

    >>> smith(((2, 0), (0, 3)))
    ((1, 6), ((-1, 3), (1, -2)))
    """
    rows = [list(row) for row in matrix]
    size = len(rows)
    transform = [list(row) for row in identity(size)]
    for corner in range(size):
        _clear(rows, transform, corner)
    return tuple(abs(rows[k][k]) for k in range(size)), tuple(map(tuple, transform))


def _clear(rows: list[list[int]], transform: list[list[int]], corner: int) -> None:
    """Make the corner divide all that is right of and below it, and its row and column 0."""
    size = len(rows)
    rest = range(corner, size)
    while True:
        _, top, left = min((abs(rows[i][j]), i, j) for i in rest for j in rest if rows[i][j])
        rows[corner], rows[top] = rows[top], rows[corner]
        for row in (*rows, *transform):
            row[corner], row[left] = row[left], row[corner]
        pivot = rows[corner][corner]
        for i in range(corner + 1, size):
            factor = rows[i][corner] // pivot
            rows[i] = [a - factor * b for a, b in zip(rows[i], rows[corner], strict=True)]
        for j in range(corner + 1, size):
            factor = rows[corner][j] // pivot
            for row in (*rows, *transform):
                row[j] -= factor * row[corner]
        if any(rows[i][corner] or rows[corner][i] for i in range(corner + 1, size)):
            continue
        odd = next((i for i in rest if any(entry % pivot for entry in rows[i])), None)
        if odd is None:
            return
        # A remainder of that row becomes the next, smaller corner.
        rows[corner] = [a + b for a, b in zip(rows[corner], rows[odd], strict=True)]
