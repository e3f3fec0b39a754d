"""Coordinates for the search: the direction in which the differences are thinnest comes last."""

from __future__ import annotations

from itertools import permutations

import numpy as np

from hlsmem.polyhedra.lattices import Matrix, combine, completion, identity
from hlsmem.polyhedra.primitive import small_vectors

# Largest entries of the vectors tried in one round, by the dimensions that are left.
_REACH = {2: 3, 3: 1, 4: 1}


def thin_last(points: np.ndarray) -> Matrix:
    """A unimodular matrix: the last row is narrow on `points`, the one before on its zeros, etc.

    Rows are those of the identity where nothing is gained. A row is made narrower by small
    combinations with the others until none helps, as in basis reduction.
    """
    rows = identity(points.shape[1])
    chosen: list[tuple[int, ...]] = []
    while len(rows) > 1:
        values = points @ np.array(rows, dtype=np.int64).T
        factors, rest = _narrowest(values)
        chosen.append(combine(factors, rows))
        points = points[values @ np.array(factors, dtype=np.int64) == 0]
        rows = tuple(combine(other, rows) for other in rest)
    return (*rows, *reversed(chosen))


def _narrowest(values: np.ndarray) -> tuple[tuple[int, ...], Matrix]:
    """(factors of a narrow form, vectors that complete them to a basis)."""
    size = values.shape[1]
    # From unit vectors on, small steps may all lead through wider forms.
    found = [_descended(values, start) for start in (identity(size), _short_forms(values))]
    return min(found, key=lambda choice: int(np.abs(values @ np.array(choice[0])).max(initial=0)))


def _descended(values: np.ndarray, basis: Matrix) -> tuple[tuple[int, ...], Matrix]:
    """The narrowest form that small combinations of a basis lead to, and the rest of a basis."""
    size = len(basis)
    while True:
        coordinates = values @ np.array(basis, dtype=np.int64).T
        tried = small_vectors(size, _REACH.get(size, 0))
        widths = np.abs(coordinates @ np.array(tried, dtype=np.int64).T).max(axis=0, initial=0)
        best = int(np.argmin(widths))
        # The last round confirms that one of the basis is as narrow as any.
        own = np.abs(coordinates).max(axis=0, initial=0)
        if widths[best] >= own.min():
            position = int(np.argmin(own[::-1]))
            last = size - 1 - position
            return basis[last], (*basis[:last], *basis[last + 1 :])
        others = completion([tried[best]], size)
        basis = (*(combine(other, basis) for other in others), combine(tried[best], basis))


def _short_forms(values: np.ndarray) -> Matrix:
    """A basis of forms with small sums of squares: each reduced by each other, as by Lagrange."""
    coordinates = values.astype(float)
    products = coordinates.T @ coordinates
    size = len(products)
    basis = np.eye(size, dtype=np.int64)
    changed = True
    while changed:
        changed = False
        for one, other in permutations(range(size), 2):
            square = products[other, other]
            factor = round(products[one, other] / square) if square else 0
            # A gain that may be rounding is none.
            if factor and factor * (2 * products[one, other] - factor * square) > 1e-9 * square:
                basis[one] -= factor * basis[other]
                products[one] -= factor * products[other]
                products[:, one] -= factor * products[:, other]
                changed = True
    return tuple(tuple(int(entry) for entry in row) for row in basis)
