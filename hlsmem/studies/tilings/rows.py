"""Rows of tilings: tile x by floor((h.x - origin) / size), one row h a dimension.

All tiles on the time face start at once where time alone is strictly inside the cone of the rows.
Source: Bondhugula, Bandishti, Pananilath, "Diamond Tiling: Tiling Techniques to Maximize
Parallelism for Stencil Computations", TPDS 2017.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, product
from math import gcd

Row = tuple[int, ...]
Vectors = Sequence[Sequence[int]]

# Entries of rows that are searched for concurrent start.
_MOST = 3


def is_legal(row: Sequence[int], flow: Vectors) -> bool:
    """True if a row goes down along no dependence."""
    return all(dot(row, one) >= 0 for one in flow)


def dot(a: Sequence[int], b: Sequence[int]) -> int:
    return sum(x * y for x, y in zip(a, b, strict=True))


def skewed(axis: int, sign: int, flow: Vectors, *, size: int) -> Row | None:
    """k*t + x, or k*t - x, with the least k >= 0 that is legal; None where there is none.

    It has an entry for each of `size` loops.

    >>> skewed(1, 1, [(1, -1), (1, 1)], size=2), skewed(1, -1, [(1, 2)], size=2)
    ((1, 1), (2, -1))
    """
    least = 0
    for one in flow:
        if sign * one[axis] >= 0:
            continue
        if one[0] <= 0:
            return None
        least = max(least, -(sign * one[axis] // one[0]))
    row = [0] * size
    row[0], row[axis] = least, sign
    return tuple(row)


def faced(size: int, flow: Vectors) -> tuple[Row, ...] | None:
    """Rows whose tiles on the time face all start at once; None where there are none up to 3.

    Of all such rows those of least sum in time, then of largest volume, then with the fewest
    that go down in some loop.

    >>> faced(3, [(1, 0, 0), (1, 1, 0), (1, -1, 0), (1, 0, 1), (1, 0, -1)])
    ((1, 1, 0), (1, 0, 1), (1, -1, -1))
    """
    span = range(-_MOST, _MOST + 1)
    rows = [
        row
        for row in product(range(1, _MOST + 1), *[span] * (size - 1))
        if gcd(*row) == 1 and is_legal(row, flow)
    ]
    rows.sort(key=lambda row: (row[0], sum(map(abs, row)), [-x for x in row]))
    best: tuple[tuple[int, ...], tuple[Row, ...]] | None = None
    for total in range(size, _MOST * size + 1):
        for chosen in _with_sum(rows, size, total):
            volume = abs(determinant(chosen))
            if not volume or not _is_inside(chosen):
                continue
            down = sum(min(row) < 0 for row in chosen)
            order = tuple(sorted(chosen, reverse=True))
            key = (volume, down, *(x for row in order for x in row))
            if best is None or key < best[0]:
                best = key, order
        if best is not None:
            return best[1]
    return None


def _with_sum(rows: Sequence[Row], size: int, total: int) -> list[tuple[Row, ...]]:
    """Sets of as many rows, whose entries in time add up to `total`."""
    if size > 3:  # too many sets to look at: a row for each loop, and one against all of them
        rows = [row for row in rows if sum(map(bool, row[1:])) in (1, size - 1)]
        rows = [row for row in rows if max(map(abs, row[1:])) <= 1]
    return [one for one in combinations(rows, size) if sum(row[0] for row in one) == total]


def _is_inside(rows: Sequence[Row]) -> bool:
    """True if (1, 0, .., 0) is a positive combination of the rows."""
    size = len(rows)
    unit = [Fraction(int(k == 0)) for k in range(size)]
    matrix = [[Fraction(row[k]) for row in rows] for k in range(size)]
    factors = solve(matrix, unit)
    return factors is not None and all(one > 0 for one in factors)


def solve(matrix: list[list[Fraction]], right: list[Fraction]) -> list[Fraction] | None:
    """The x of matrix x = right; None where the matrix is singular."""
    size = len(matrix)
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for k in range(size):
        pivot = next((i for i in range(k, size) if rows[i][k]), None)
        if pivot is None:
            return None
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [value / rows[k][k] for value in rows[k]]
        for i in range(size):
            if i != k and rows[i][k]:
                rows[i] = [a - rows[i][k] * b for a, b in zip(rows[i], rows[k], strict=True)]
    return [row[-1] for row in rows]


def determinant(rows: Sequence[Sequence[int]]) -> int:
    """The determinant of a square integer matrix, by the first row."""
    if len(rows) == 1:
        return rows[0][0]
    return sum(
        (-1) ** k * entry * determinant([[*row[:k], *row[k + 1 :]] for row in rows[1:]])
        for k, entry in enumerate(rows[0])
        if entry
    )


def row_text(row: Sequence[int], loops: Sequence[str]) -> str:
    """A row in the names of the loops: "2*t - i"."""
    text = ""
    for factor, name in zip(row, loops, strict=True):
        if not factor:
            continue
        size = "" if abs(factor) == 1 else f"{abs(factor)}*"
        sign = ("-" if factor < 0 else "") if not text else (" - " if factor < 0 else " + ")
        text += f"{sign}{size}{name}"
    return text or "0"
