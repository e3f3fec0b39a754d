"""Difference cliques: sets of elements whose pairwise differences are all in conflict.

No lattice is admissible with fewer cells than such a set has elements, since two of them in
one cell would be a conflict. Other mappings may do with fewer: it is no bound for them.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from hlsmem.lifetime.problem import Bound, StorageProblem
from hlsmem.mapping.conflicts import conflicts_of
from hlsmem.mapping.listing import half_differences

if TYPE_CHECKING:
    import numpy as np

CENTRES = 8


def difference_clique_bound(
    problem: StorageProblem, budget: int, enough: int | None = None
) -> Bound | None:
    """The size of a large difference clique at the plan's values as a bound.

    One step of the budget is one candidate compared with one element. A clique of `enough`
    elements ends the search: give the cells of a known mapping, which no clique exceeds.
    None where the conflicts have no end or the budget does not suffice for one clique.
    """
    conflicts = conflicts_of(problem)
    if not conflicts.differences_at.is_bounded():
        return None
    points = half_differences(conflicts.differences_at, budget)
    if points is None:
        return None
    clique = difference_clique(points, budget, enough)
    if clique is None:
        return None
    at = ", ".join(f"{name}={value}" for name, value in conflicts.values.items())
    status = f"counted at {at}" if at else "counted"
    return Bound(kind="difference-clique", cells=len(clique), expr=None, status=status)


def difference_clique(
    points: np.ndarray, budget: int, enough: int | None = None
) -> np.ndarray | None:
    """A large set whose differences all are points or their negatives: int64, one a row.

    `points` are half of a symmetric set, without 0. Greedy from several centres: elements
    are added by their distance from the centre while all differences stay in the set.
    """
    import numpy as np

    widths = np.abs(points).max(axis=0, initial=0)
    candidates = prod(int(width) + 1 for width in widths)
    # Every element that is kept is compared with all candidates.
    if candidates > budget:
        return None
    inside = _table(points, widths)
    box = np.indices(widths + 1).reshape(len(widths), -1).T
    best = box[:1]
    for number in range(CENTRES):
        centre = _centre(number, len(widths)) * widths
        for scale in (1.0, np.maximum(widths, 1)):
            distance = (((box - centre) / scale) ** 2).sum(axis=1)
            order = np.argsort(distance, kind="stable")
            found = _greedy(box[order], inside, widths)
            if len(found) > len(best):
                best = found
            budget -= candidates * len(found)
            if budget < candidates * len(found) or (enough and len(best) >= enough):
                return best
    return best


def _table(points: np.ndarray, widths: np.ndarray) -> np.ndarray:
    """table[z + widths] says whether the difference z is in the set or 0."""
    import numpy as np

    table = np.zeros(2 * widths + 1, dtype=bool)
    for entries in (points, -points, np.zeros((1, len(widths)), dtype=np.int64)):
        table[tuple((entries + widths).T)] = True
    return table


def _greedy(candidates: np.ndarray, inside: np.ndarray, widths: np.ndarray) -> np.ndarray:
    """The elements kept when the candidates are tried in their order."""
    import numpy as np

    kept = []
    while len(candidates):
        element = candidates[0]
        kept.append(element)
        rest = candidates[1:]
        candidates = rest[inside[tuple((rest - element + widths).T)]]
    return np.array(kept, dtype=np.int64)


def _centre(number: int, dimensions: int) -> np.ndarray:
    """Points of the unit box: its middle, then Halton's sequence, the same every time."""
    import numpy as np

    if number == 0:
        return np.full(dimensions, 0.5)
    return np.array([_radical_inverse(number, base) for base in _primes(dimensions)])


def _radical_inverse(number: int, base: int) -> float:
    value, step = 0.0, 1.0
    while number:
        step /= base
        value += step * (number % base)
        number //= base
    return value


def _primes(count: int) -> list[int]:
    found: list[int] = []
    candidate = 2
    while len(found) < count:
        if all(candidate % prime for prime in found):
            found.append(candidate)
        candidate += 1
    return found
