"""Rows of tilings: tile x by floor((h.x - origin) / size), one row h a dimension.

All tiles on the time face start at once where time alone is strictly inside the cone of the rows.
Source: Bondhugula, Bandishti, Pananilath, "Diamond Tiling: Tiling Techniques to Maximize
Parallelism for Stencil Computations", TPDS 2017.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import gcd

Row = tuple[int, ...]
Vectors = Sequence[Sequence[int]]

# Factors of data that are searched for concurrent start.
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
    """Rows whose tiles on the time face all start at once; None where there are none.

    A loop along which nothing moves has its unit row; of the others the first is time. Factors of
    data are up to 3. Of all such rows those of least sum in time, then of least determinant, then
    with the fewest that go down in some loop.

    >>> faced(3, [(1, 0, 0), (1, 1, 0), (1, -1, 0), (1, 0, 1), (1, 0, -1)])
    ((1, 1, 0), (1, 0, 1), (1, -1, -1))
    >>> faced(3, [(1, 0, 1), (1, 0, -1)]), faced(2, [])
    (((1, 0, 1), (0, 1, 0), (1, 0, -1)), ((1, 0), (0, 1)))
    """
    moved = [k for k in range(size) if any(one[k] for one in flow)]
    inner = _over_moved([[one[k] for k in moved] for one in flow], len(moved)) if moved else ()
    if inner is None:
        return None
    rows = [[int(j == k) for j in range(size)] for k in range(size)]
    for k, row in zip(moved, inner, strict=True):
        rows[k] = [dict(zip(moved, row, strict=True)).get(j, 0) for j in range(size)]
    return tuple(map(tuple, rows))


def _over_moved(flow: Vectors, size: int) -> tuple[Row, ...] | None:
    """The rows of `faced` where something moves along every loop."""
    found = (_least(one, flow) for one in _directions(size - 1))
    rows = [row for row in found if row is not None and gcd(*row) == 1]
    best: tuple[tuple[int, ...], tuple[Row, ...]] | None = None
    for chosen in combinations(rows, size):
        total = sum(row[0] for row in chosen)
        if best is not None and total > best[0][0]:
            continue
        order = tuple(sorted(chosen, reverse=True))
        down = sum(min(row) < 0 for row in order)
        key = (total, abs(determinant(order)), down, *(x for row in order for x in row))
        if key[1] and (best is None or key < best[0]) and _is_inside(order):
            best = key, order
    return None if best is None else best[1]


def _directions(size: int) -> Iterator[Row]:
    """Factors of as many loops of data; of three and more one of them, or one against all."""
    most = _MOST if size < 3 else 1
    for row in product(range(-most, most + 1), repeat=size):
        if size < 3 or sum(map(bool, row)) in (1, size):
            yield row


def _least(data: Row, flow: Vectors) -> Row | None:
    """The legal row of these factors of data with the least factor of time above 0."""
    least = 1
    for time, *rest in flow:
        along = dot(data, rest)
        if along < 0 and time <= 0:
            return None
        if time > 0:
            least = max(least, -(along // time))
    row = (least, *data)
    return row if is_legal(row, flow) else None


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
