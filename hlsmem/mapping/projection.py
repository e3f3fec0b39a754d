"""The mapping of an occupancy vector v: elements whose difference is a multiple of v share a cell.

With g = gcd(v) and W unimodular, W (v / g) = e1, the cell of x is the rest of W x, and W's first
row modulo g. Source: Thies, Vivien, Amarasinghe (TOPLAS 2007), section 3.2; of all completions
the one with the least box is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from math import prod

from hlsmem.polyhedra.lattices import (
    Matrix,
    Vector,
    annihilators,
    completion,
    content,
    dot,
    inverse,
    small_vectors,
    unit,
)

# Largest entries of rows that are tried, by the dimensions of the array.
_REACH = {2: 0, 3: 3, 4: 2}


def projection(vector: Vector, width: Callable[[Vector], int]) -> tuple[Matrix, Vector | None]:
    """The rows orthogonal to `vector`, and the row that is taken modulo its gcd, None for 1.

    `width` gives the number of values that a row takes on the elements.

    >>> projection((2, 1), lambda row: 1)
    (((1, -2),), None)
    """
    factor = content(vector)
    direction = tuple(entry // factor for entry in vector)
    rows = min(_bases(direction), key=lambda rows: (prod(map(width, rows)), _entries(rows), rows))
    if factor == 1:
        return rows, None
    return rows, _crossing(direction)


def _bases(direction: Vector) -> Iterator[Matrix]:
    """Bases of the integer vectors orthogonal to a primitive one."""
    size = len(direction)
    if size == 1:
        yield ()
        return
    if size == 2:
        a, b = direction
        row = (b, -a)
        yield (row if row > (0, 0) else (-b, a),)
        return
    yield annihilators((direction,), size)
    flat = [row for row in small_vectors(size, _REACH.get(size, 1)) if not dot(row, direction)]
    for rows in combinations(flat, size - 1):
        if _is_basis(rows, direction):
            yield tuple(_positive(row) for row in rows)


def _is_basis(rows: Matrix, direction: Vector) -> bool:
    """True if the rows span all integer vectors orthogonal to the direction."""
    try:
        completion(rows, len(direction))
    except ValueError:
        return False
    return True


def _positive(row: Vector) -> Vector:
    return row if row > (0,) * len(row) else tuple(-entry for entry in row)


def _entries(rows: Matrix) -> int:
    return sum(abs(entry) for row in rows for entry in row)


def _crossing(direction: Vector) -> Vector:
    """A row that is 1 on the direction: an axis where there is one."""
    size = len(direction)
    for axis, entry in enumerate(direction):
        if abs(entry) == 1:
            return tuple(entry * e for e in unit(size, axis))
    back = inverse((direction, *completion((direction,), size)))
    return tuple(back[k][0] for k in range(size))
