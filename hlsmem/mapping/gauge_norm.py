"""The gauge of a set of differences, its successive minima, and bases reduced by widths.

Source: Alias, Baray, Darte, "Bee+Cl@k" (LCTES 2007), sections 4.1 and 4.2; Lovász, Scarf,
"The generalized basis reduction algorithm" (1992).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra.lattices import Matrix, Vector, content, dot, hermite, unit
from hlsmem.polyhedra.star_closure import inequalities

if TYPE_CHECKING:
    import numpy as np

# A hull of more pieces may take long.
MOST_PIECES = 16
NO_HULL = f"the conflicts have more than {MOST_PIECES} pieces, of which no hull is made"

# Inequalities of a projection: more take long.
_MOST_INEQUALITIES = 1 << 14


@dataclass(frozen=True, slots=True)
class Minimum:
    """A vector and 1/lambda, lambda being the least factor by which the body has it."""

    vector: Vector
    inverse: Fraction


def successive_minima(points: np.ndarray, hull: Matrix | None) -> tuple[Minimum, ...]:
    """The successive minima of a 0-symmetric set, as many as its points have dimensions.

    `points` is one of each pair z, -z. `hull` has the rows (*a, c) of its convex hull
    {x : a.x <= c}; where it is None, the body is the star of the points: every segment from
    0 to one. Of vectors with equal gauge, the one with the least sum of entries is taken,
    then the lexicographically greatest.
    """
    import numpy as np

    if len(points) == 0:
        return ()
    directions, counts = _directions(points)
    inverses = counts if hull is None else _reaches(directions, hull)
    order = np.lexsort((*-directions.T[::-1], np.abs(directions).sum(axis=1), -inverses))
    found: list[Minimum] = []
    for position in order:
        vector = tuple(int(entry) for entry in directions[position])
        if len(hermite([*(one.vector for one in found), vector])) > len(found):
            exact = Fraction(int(counts[position])) if hull is None else _reach(vector, hull)
            found.append(Minimum(vector, exact))
        if len(found) == len(vector):
            break
    return tuple(found)


def hull_rows(differences: Any) -> Matrix | None:
    """Rows (*a, c) of the convex hull {x : a.x <= c} of a parameter-free set.

    None where the set has many pieces, of which the hull may take long.
    """
    if len(differences.get_basic_sets()) > MOST_PIECES:
        return None
    hull = differences.remove_divs().convex_hull()
    return tuple((*(-entry for entry in row), limit) for row, limit in inequalities(hull))


def gauge_reaches(basis: Sequence[Vector], hull: Matrix) -> tuple[Fraction, ...] | None:
    """1/F_i for each vector a_i of a basis: the greatest r with r a_i in the hull.

    Modulo the span of the vectors before it: 1/F_i = max r with r a_i + z_1 a_1 + .. +
    z_{i-1} a_{i-1} in the hull for some rational z (section 4.2, heuristic 2), by
    Fourier-Motzkin elimination of the z. None where that makes too many inequalities.
    """
    found = []
    for position, vector in enumerate(basis):
        rows = {
            _scaled((*(dot(row[:-1], other) for other in (*basis[:position], vector)), row[-1]))
            for row in hull
        }
        for _ in range(position):
            rows = _without_first(rows)
            if len(rows) > _MOST_INEQUALITIES:
                return None
        found.append(min(Fraction(limit, value) for value, limit in rows if value > 0))
    return tuple(found)


def _without_first(rows: set[Vector]) -> set[Vector]:
    """The inequalities a.x <= c, as (*a, c), without their first unknown."""
    found = {_scaled(row[1:]) for row in rows if row[0] == 0}
    for above in rows:
        for below in rows:
            if above[0] > 0 > below[0]:
                joined = (
                    above[0] * b - below[0] * a for a, b in zip(above[1:], below[1:], strict=True)
                )
                found.add(_scaled(tuple(joined)))
    return found


def _scaled(row: Vector) -> Vector:
    common = content(row)
    return tuple(entry // common for entry in row) if common > 1 else row


def basis_rows(vectors: tuple[Vector, ...], size: int) -> Matrix:
    """The inverse of a basis whose first i vectors span what the first i `vectors` span.

    With X = QH, Q unimodular and H upper triangular and reduced (section 4.1.3), it is the
    inverse of Q: a matrix M whose row i counts the i-th basis vector. Unit vectors complete
    `vectors`, which are independent.
    """
    chosen = list(vectors)
    for position in range(size):
        candidate = unit(size, position)
        if len(hermite([*chosen, candidate])) > len(chosen):
            chosen.append(candidate)
    columns = zip(*chosen, strict=True)
    joined = [(*row, *unit(size, k)) for k, row in enumerate(columns)]
    return tuple(row[size:] for row in hermite(joined))


def reduced_rows(points: np.ndarray, rows: Matrix) -> Matrix:
    """A unimodular change of `rows` with small widths of the points, one after another.

    The generalised basis reduction for the polar body: the length of a row is its greatest
    value on the points that all earlier rows map to 0.
    """
    import numpy as np

    basis = [np.array(row, dtype=np.int64) for row in rows]
    first = 0
    while first + 1 < len(basis):
        left = points
        for row in basis[:first]:
            left = left[left @ row == 0]
        values, others = left @ basis[first], left @ basis[first + 1]
        multiple = _best_multiple(others, values)
        basis[first + 1] = basis[first + 1] + multiple * basis[first]
        if _width(others + multiple * values) < _width(values):
            basis[first], basis[first + 1] = basis[first + 1], basis[first]
            first = max(first - 1, 0)
        else:
            first += 1
    return tuple(tuple(int(entry) for entry in row) for row in basis)


def successive_widths(points: np.ndarray, rows: Matrix) -> Vector:
    """Per row, its greatest value on the points that all earlier rows map to 0, plus one."""
    import numpy as np

    left, found = points, []
    for row in rows:
        values = left @ np.array(row, dtype=np.int64)
        found.append(_width(values) + 1)
        left = left[values == 0]
    return tuple(found)


def _width(values: np.ndarray) -> int:
    import numpy as np

    return int(np.abs(values).max(initial=0))


def _best_multiple(values: np.ndarray, step: np.ndarray) -> int:
    """The integer m that makes the width of values + m * step least; 0 where it is one."""
    size = _width(step)
    if size == 0:
        return 0
    # The width is convex in m, and beyond these limits above that of m = 0.
    low, high = -2 * _width(values) // size - 1, 2 * _width(values) // size + 1
    while high - low > 2:
        third = (high - low) // 3
        if _width(values + (low + third) * step) <= _width(values + (high - third) * step):
            high -= third
        else:
            low += third
    return min(range(low, high + 1), key=lambda m: (_width(values + m * step), abs(m)))


def _directions(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The primitive vectors of which points are multiples, and the greatest such multiple."""
    import numpy as np

    multiples = np.gcd.reduce(points, axis=1)
    directions, group = np.unique(points // multiples[:, None], axis=0, return_inverse=True)
    counts = np.zeros(len(directions), dtype=np.int64)
    np.maximum.at(counts, group.reshape(-1), multiples)
    return directions, counts


def _reaches(directions: np.ndarray, hull: Matrix) -> np.ndarray:
    """1/F of every direction. Equal fractions give equal floats: division rounds correctly."""
    import numpy as np

    rows = np.array(hull, dtype=np.int64)
    values = directions @ rows[:, :-1].T
    positive = np.maximum(values, 1)
    reaches: np.ndarray = np.where(values > 0, rows[:, -1] / positive, np.inf).min(axis=1)
    return reaches


def _reach(vector: Vector, hull: Matrix) -> Fraction:
    values = [(sum(a * x for a, x in zip(row, vector, strict=False)), row[-1]) for row in hull]
    return min(Fraction(limit, value) for value, limit in values if value > 0)
