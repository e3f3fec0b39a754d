"""Integer vectors and matrices: primitive vectors, completion to a basis, inverse, Smith's form."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache, lru_cache
from math import gcd

Vector = tuple[int, ...]
Matrix = tuple[Vector, ...]


def identity(size: int) -> Matrix:
    return tuple(unit(size, position) for position in range(size))


def unit(size: int, position: int) -> Vector:
    """The unit vector with 1 at `position`."""
    return tuple(int(k == position) for k in range(size))


def dot(left: Sequence[int], right: Sequence[int]) -> int:
    return sum(a * b for a, b in zip(left, right, strict=True))


def combine(factors: Sequence[int], rows: Sequence[Sequence[int]]) -> Vector:
    """The sum of factor * row: a row vector times a matrix.

    >>> combine((1, 2), ((1, 0), (0, 3)))
    (1, 6)
    """
    columns = zip(*rows, strict=True)
    return tuple(dot(factors, column) for column in columns)


def content(vector: Sequence[int]) -> int:
    """The greatest common divisor of the entries; 0 for the zero vector."""
    return gcd(*vector)


def inverse(matrix: Matrix) -> Matrix:
    """The inverse of a unimodular matrix; ValueError where it is not unimodular.

    >>> inverse(((1, 1), (0, 1)))
    ((1, -1), (0, 1))
    """
    size = len(matrix)
    rows = [
        [Fraction(entry) for entry in (*row, *unit(size, position))]
        for position, row in enumerate(matrix)
    ]
    for column in range(size):
        pivot = next((k for k in range(column, size) if rows[k][column]), None)
        if pivot is None:
            raise ValueError(f"the matrix {matrix} is singular")
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [entry / rows[column][column] for entry in rows[column]]
        for k in range(size):
            if k != column and rows[k][column]:
                factor = rows[k][column]
                rows[k] = [a - factor * b for a, b in zip(rows[k], rows[column], strict=True)]
    result = [row[size:] for row in rows]
    if any(entry.denominator != 1 for row in result for entry in row):
        raise ValueError(f"the matrix {matrix} is not unimodular")
    return tuple(tuple(int(entry) for entry in row) for row in result)


def transpose(matrix: Sequence[Sequence[int]]) -> Matrix:
    return tuple(zip(*matrix, strict=True))


def completion(vectors: Sequence[Vector], size: int) -> Matrix:
    """Vectors that complete `vectors` to a basis of the integer lattice Z^size.

    Unit vectors where they do, since they give the simplest maps. ValueError where no
    completion exists (the vectors span a lattice with holes).

    >>> completion([(1, 1)], 2), completion([(2, 3)], 2)
    (((1, 0),), ((1, 1),))
    """
    echelon, transform = _row_reduced(transpose(vectors) if vectors else ((),) * size)
    count = len(vectors)
    if any(echelon[k][k] != 1 for k in range(count)):
        raise ValueError(f"the vectors {tuple(vectors)} are no part of a basis")
    chosen: list[Vector] = []
    # In coordinates `transform`, the given vectors fill the first `count` places: the others
    # complete them exactly when their remaining coordinates are unimodular.
    for position in range(size):
        candidate = unit(size, position)
        trial = [*chosen, candidate]
        if len(trial) <= size - count and _is_primitive(
            [tuple(dot(row, vector) for row in transform[count:]) for vector in trial]
        ):
            chosen = trial
    if len(chosen) < size - count:
        return transpose(inverse(transform))[count:]
    return tuple(chosen)


def hermite(rows: Sequence[Sequence[int]]) -> Matrix:
    """The row Hermite form of a lattice given by generators: non-zero rows, entries reduced.

    >>> hermite([(2, 4), (0, 3), (4, 8)])
    ((2, 1), (0, 3))
    """
    echelon, _ = _row_reduced(rows)
    kept = [list(row) for row in echelon if any(row)]
    for k, row in enumerate(kept):
        pivot = next(position for position, entry in enumerate(row) if entry)
        for above in kept[:k]:
            factor = above[pivot] // row[pivot]
            above[:] = [a - factor * b for a, b in zip(above, row, strict=True)]
    return tuple(tuple(row) for row in kept)


def annihilators(vectors: Sequence[Vector], size: int) -> Matrix:
    """A basis of the integer forms that are 0 on all vectors, which are independent.

    >>> annihilators([(2, 2)], 2)
    ((1, -1),)
    """
    if not vectors:
        return identity(size)
    echelon, transform = _row_reduced(transpose(vectors))
    if not any(echelon[len(vectors) - 1]):
        raise ValueError(f"the vectors {tuple(vectors)} are not independent")
    return transform[len(vectors) :]


def _is_primitive(vectors: Sequence[Vector]) -> bool:
    """True if the vectors are part of a basis of the integer lattice."""
    echelon, _ = _row_reduced(transpose(vectors))
    return all(echelon[k][k] == 1 for k in range(len(vectors)))


def _row_reduced(matrix: Sequence[Sequence[int]]) -> tuple[Matrix, Matrix]:
    """(echelon, transform) of a matrix; methods ask for the same few lattices over and over."""
    return _reduced(tuple(map(tuple, matrix)))


@lru_cache(4096)
def _reduced(matrix: Matrix) -> tuple[Matrix, Matrix]:
    """(echelon, transform): echelon = transform . matrix, transform unimodular, pivots > 0."""
    rows = [list(row) for row in matrix]
    transform = [list(row) for row in identity(len(rows))]
    top = 0
    for column in range(len(rows[0]) if rows else 0):
        for k in range(top + 1, len(rows)):
            while rows[k][column]:
                factor = rows[top][column] // rows[k][column]
                for table in (rows, transform):
                    table[top] = [a - factor * b for a, b in zip(table[top], table[k], strict=True)]
                    table[top], table[k] = table[k], table[top]
        if top < len(rows) and rows[top][column]:
            if rows[top][column] < 0:
                for table in (rows, transform):
                    table[top] = [-entry for entry in table[top]]
            top += 1
    return tuple(map(tuple, rows)), tuple(map(tuple, transform))


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


@cache
def small_vectors(size: int, reach: int) -> tuple[Vector, ...]:
    """Primitive vectors with entries up to `reach`, one of each pair of signs, shortest first.

    Unit vectors where `reach` is 0.
    """
    import numpy as np

    if reach == 0:
        return identity(size)
    axis = np.arange(reach, -reach - 1, -1)
    box = np.stack(np.meshgrid(*[axis] * size, indexing="ij"), axis=-1).reshape(-1, size)
    half = box[: len(box) // 2]
    primitive = half[np.gcd.reduce(half, axis=1) == 1]
    order = np.lexsort((np.abs(primitive).sum(axis=1), np.abs(primitive).max(axis=1)))
    return tuple(tuple(int(entry) for entry in row) for row in primitive[order])
