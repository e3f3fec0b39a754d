"""Bounds below a size, beside max-live: cliques of differences, found greedily.

A set S with all its differences in DS needs one cell an element in every lattice mapping.
Such a clique is tight on nearly every program; it says nothing of mappings of other kinds,
except where the differences are all there is: a bare conflict set.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from math import prod
from typing import TYPE_CHECKING

from hlsmem.lifetime.problem import Bound, StorageProblem
from hlsmem.polyhedra.sets import fix_parameters, points

if TYPE_CHECKING:
    import numpy as np

# Work limits: entries of the table of differences, differences looked up (about a second).
_TABLE = 1 << 24
_LOOKUPS = 1 << 24
# Centres of the balls the greedy search grows, in parts of the box: fixed, so that equal
# input gives an equal bound.
_CENTRES = (0.5, 0.45, 0.55, 0.4)


def with_bounds(problem: StorageProblem, cells: int) -> tuple[Bound, ...]:
    """The bounds of a problem that has a mapping of `cells`: a clique added where it helps.

    Nothing is added where a bound already reaches `cells`.
    """
    best = max((bound.cells for bound in problem.bounds), default=0)
    if best >= cells:
        return problem.bounds
    clique = difference_clique(problem, enough=cells)
    if clique is None or clique.cells <= best:
        return problem.bounds
    return (*problem.bounds, clique)


def difference_clique(problem: StorageProblem, *, enough: int | None = None) -> Bound | None:
    """The largest clique of differences found, at the plan's parameters.

    Kind "clique" for conflicts that are given as differences (then no mapping of any kind
    has fewer cells), "difference-clique" otherwise. The search stops at `enough` cells.
    None where the differences are too many to tabulate.
    """
    differences = points(fix_parameters(problem.differences, problem.values))
    bare = not problem.bounds and problem.conflicts is None
    held = None
    if bare and problem.elements is not None:
        held = points(fix_parameters(problem.elements, problem.values))
    size = largest_clique(differences, candidates=held, enough=enough)
    if size is None:
        return None
    at = ", ".join(f"{name}={value}" for name, value in problem.values.items())
    return Bound(
        kind="clique" if bare else "difference-clique",
        cells=size,
        expr=None,
        status=f"counted at {at}" if at else "counted",
    )


def largest_clique(
    differences: np.ndarray, *, candidates: np.ndarray | None = None, enough: int | None = None
) -> int | None:
    """The size of the largest set found whose differences all lie among `differences`.

    `differences` int64 (points, dimensions), symmetric, with 0. The set is taken from
    `candidates`, by default a box as wide as the differences. None beyond the work limit.
    """
    largest = None
    for size in growing_cliques(differences, candidates=candidates):
        largest = size
        if enough is not None and largest >= enough:
            break
    return largest


def growing_cliques(
    differences: np.ndarray, *, candidates: np.ndarray | None = None
) -> Iterator[int]:
    """The largest size found so far, after each order in which candidates are tried.

    Arguments as in `largest_clique`. The first sizes are often the last. Nothing comes
    beyond the work limit.
    """
    import numpy as np

    widths = differences.max(axis=0, initial=0)
    if prod(int(2 * width + 1) for width in widths) > _TABLE:
        return
    table = np.zeros(tuple(2 * widths + 1), dtype=bool)
    table[tuple((differences + widths).T)] = True
    if candidates is None:
        candidates = _box(widths)
    if not len(candidates):
        yield 0
        return
    largest, lookups = 0, 0
    for ordered in _orders(candidates):
        size, made = _greedy(table, widths, ordered, _LOOKUPS - lookups)
        largest, lookups = max(largest, size), lookups + made
        yield largest
        if lookups >= _LOOKUPS:
            return


def _box(widths: np.ndarray) -> np.ndarray:
    """All points x with 0 <= x <= widths."""
    import numpy as np

    return np.indices(tuple(widths + 1)).reshape(len(widths), -1).T


def _orders(candidates: np.ndarray) -> Iterator[np.ndarray]:
    """The candidates from the middle outwards, then in lexicographic order of any axes."""
    import numpy as np

    size = candidates.shape[1]
    low, extent = candidates.min(axis=0), np.ptp(candidates, axis=0)
    for scaled in (True, False):
        for part in _CENTRES:
            distance = candidates - low - part * extent
            if scaled:
                distance = distance / np.maximum(extent, 1)
            yield candidates[np.argsort((distance**2).sum(axis=1), kind="stable")]
    for axes in permutations(range(size)) if size <= 3 else ():
        yield candidates[np.lexsort(candidates.T[list(axes)])]


def _greedy(
    table: np.ndarray, widths: np.ndarray, candidates: np.ndarray, most: int
) -> tuple[int, int]:
    """How many candidates are kept if each is kept that fits all before it, and the lookups.

    Stops after `most` lookups: those kept by then are a clique too.
    """
    lookups = kept = 0
    while len(candidates) and lookups < most:
        kept += 1
        lookups += len(candidates)
        steps = candidates[1:] - candidates[0]
        near = (abs(steps) <= widths).all(axis=1)
        candidates, steps = candidates[1:][near], steps[near]
        candidates = candidates[table[tuple((steps + widths).T)]]
    return kept, lookups
