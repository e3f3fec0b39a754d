"""Bounds below a size, beside max-live: cliques of differences, found greedily.

A set S with all its differences in DS needs one cell an element in every lattice mapping.
Such a clique is tight on nearly every program; it says nothing of mappings of other kinds,
except where the differences are all there is: a bare conflict set.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, permutations
from math import prod
from typing import TYPE_CHECKING

from hlsmem.lifetime.storage_problem import Apart, Bound, StorageProblem
from hlsmem.polyhedra.enumeration import bounding_box, box, box_volume, distinct_points, set_of
from hlsmem.polyhedra.sets import fix_parameters

if TYPE_CHECKING:
    import numpy as np

# Work limits: points in the boxes around the pieces of the differences, entries of the table
# of differences, differences looked up (about a second).
_LISTED = 1 << 23
_TABLE = 1 << 24
_LOOKUPS = 1 << 29
# What it costs to keep a point, whatever its neighbours, in lookups.
_EACH = 1 << 12
# Centres of the balls the greedy search grows, in parts of the box: fixed, so that equal
# input gives an equal bound.
_CENTRES = (0.5, 0.45, 0.55, 0.4)


def with_bounds(
    problem: StorageProblem, cells: int, proved: Sequence[Bound] = ()
) -> tuple[Bound, ...]:
    """The bounds of an array that takes `cells`: its own, those `proved`, a clique if that helps.

    It helps where neither a clique is known nor any bound reaches `cells`. For bare
    differences it has to be one of elements, which speaks of all mappings.
    """
    known = (*problem.bounds, *proved)
    kinds = {bound.kind for bound in known}
    best = max([1, *(bound.cells for bound in known)])
    if any(bound.kind == "clique" and not bound.witness for bound in known):
        return known
    if not is_bare(problem) and (best >= cells or "difference-clique" in kinds):
        return known
    clique = difference_clique(problem, enough=cells)
    if clique is None or (clique.kind != "clique" and clique.cells <= best):
        return known
    return (*problem.bounds, clique, *proved)


def difference_clique(problem: StorageProblem, *, enough: int | None = None) -> Bound | None:
    """The size of the largest clique of differences found, at the plan's parameters, as a bound.

    The search stops at `enough` cells. None where the differences are too many to tabulate.
    """
    found = clique_of(problem, enough=enough)
    return None if found is None else clique_bound(problem, found, of_elements=True)


def clique_of(problem: StorageProblem, *, enough: int | None = None) -> np.ndarray | None:
    """Points of which any two are a difference apart, one a row; as `difference_clique`.

    Where nothing but differences and elements is known, these are elements.
    """
    differences = fix_parameters(problem.differences, problem.values)
    candidates = None
    if is_bare(problem) and problem.elements is not None:
        elements = fix_parameters(problem.elements, problem.values)
        if box_volume(elements) > _LISTED:
            return None
        candidates = distinct_points(elements)
    if box_volume(differences) > _LISTED:
        return None
    return largest_clique(distinct_points(differences), candidates=candidates, enough=enough)


def clique_bound(
    problem: StorageProblem, clique: np.ndarray, *, of_elements: bool = False
) -> Bound:
    """The bound that a clique is, one of elements or within a box as wide as the differences.

    Kind "clique" for conflicts that are given as differences (then no mapping of any kind
    has fewer cells), "difference-clique" otherwise.
    """
    at = ", ".join(f"{name}={value}" for name, value in problem.values.items())
    if not of_elements and is_bare(problem) and _holds_all_differences(problem):
        of_elements, clique = True, _among_the_elements(problem, clique)
    return Bound(
        kind="clique" if is_bare(problem) and of_elements else "difference-clique",
        cells=len(clique),
        expr=None,
        status=f"counted at {at}" if at else "counted",
        proof=Apart(elements=str(set_of(clique))),
    )


def _among_the_elements(problem: StorageProblem, clique: np.ndarray) -> np.ndarray:
    """The clique moved into a box as wide as the differences that the elements hold."""
    if problem.elements is None:
        return clique
    corner = [low for low, _ in bounding_box(fix_parameters(problem.elements, problem.values))]
    moved: np.ndarray = clique - clique.min(axis=0) + corner
    return moved


def is_bare(problem: StorageProblem) -> bool:
    """True if conflicts are nothing but differences, so that any two such elements conflict."""
    return problem.pairs is None and not problem.bounds


def _holds_all_differences(problem: StorageProblem) -> bool:
    """True if the elements surely hold a box as wide as the differences."""
    if problem.elements is None:
        return True
    elements = fix_parameters(problem.elements, problem.values)
    differences = fix_parameters(problem.differences, problem.values)
    if elements.is_empty() or not (elements.is_bounded() and differences.is_bounded()):
        return False
    corner = [low for low, _ in bounding_box(elements)]
    sides = [high for _, high in bounding_box(differences)]
    return bool(box(elements.get_space(), corner, sides).is_subset(elements))


def largest_clique(
    differences: np.ndarray, *, candidates: np.ndarray | None = None, enough: int | None = None
) -> np.ndarray | None:
    """The largest set found whose differences all lie among `differences`, one point a row.

    `differences` int64 (points, dimensions), symmetric, with 0. The set is taken from
    `candidates`, by default a box as wide as the differences. None beyond the work limit.
    """
    largest = None
    for clique in growing_cliques(differences, candidates=candidates):
        largest = clique
        if enough is not None and len(largest) >= enough:
            break
    return largest


def growing_cliques(
    differences: np.ndarray, *, candidates: np.ndarray | None = None
) -> Iterator[np.ndarray]:
    """The largest set found so far, after each order in which candidates are tried.

    Arguments as in `largest_clique`. The first sets are often the largest. Nothing comes
    beyond the work limit.
    """
    import numpy as np

    widths = differences.max(axis=0, initial=0)
    if not len(widths):
        yield np.zeros((1, 0), dtype=np.int64)  # a scalar has one element
        return
    if prod(int(2 * width + 1) for width in widths) > _TABLE:
        return
    table = np.zeros(tuple(2 * widths + 1), dtype=bool)
    table[tuple((differences + widths).T)] = True
    orders = _orders(_box(widths) if candidates is None else candidates)
    if candidates is None:
        orders = chain(orders, _orders_from_first(differences))
    largest, lookups = differences[:0], 0
    for ordered in orders:
        found, made = _greedy(table, widths, ordered, _LOOKUPS - lookups)
        largest, lookups = max(largest, found, key=len), lookups + made
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

    if not len(candidates):
        return
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


def _orders_from_first(differences: np.ndarray) -> Iterator[np.ndarray]:
    """0 and the differences behind it, those first that are in the middle of them, or near 0.

    Every clique can be moved so that 0 is its lexicographically first point.
    """
    import numpy as np

    points = differences[np.lexsort(differences.T[::-1])]
    # 0 is in the middle of a symmetric set.
    behind = points[len(points) // 2 :]
    for centre in (behind.mean(axis=0), behind.mean(axis=0) / 2, 0 * behind[0]):
        distance = ((behind - centre) ** 2).sum(axis=1)
        distance[0] = -1
        yield behind[np.argsort(distance, kind="stable")]


def _greedy(
    table: np.ndarray, widths: np.ndarray, candidates: np.ndarray, most: int
) -> tuple[np.ndarray, int]:
    """The candidates kept if each is kept that fits all before it, and the lookups.

    Stops after `most` lookups: those kept by then are a clique too.
    """
    import numpy as np

    low = candidates.min(axis=0)
    places = candidates - low
    free = np.zeros(np.ptp(candidates, axis=0) + 1, dtype=bool)
    free[tuple(places.T)] = True
    corner, reach = [0] * len(low), widths.tolist()  # of the box `free`, counted from `low`
    kept, position, lookups = [], 0, 0
    while (position := _next_free(free, corner, places, position)) < len(places):
        if lookups >= most:
            break
        kept.append(candidates[position])
        box, near = [], []
        for axis, at in enumerate(places[position].tolist()):
            start = max(at - reach[axis], corner[axis])
            end = min(at + reach[axis] + 1, corner[axis] + free.shape[axis])
            box.append(slice(start - corner[axis], end - corner[axis]))
            near.append(slice(start - at + reach[axis], end - at + reach[axis]))
            corner[axis] = start
        free = free[tuple(box)] & table[tuple(near)]
        lookups += free.size + _EACH
        position += 1
    return np.array(kept), lookups


def _next_free(free: np.ndarray, corner: list[int], places: np.ndarray, position: int) -> int:
    """The first of the places from `position` on that is free; their number if none is."""
    import numpy as np

    ahead = 4
    while position < len(places):
        seen = places[position : position + ahead] - corner
        inside = np.asarray(((seen >= 0) & (seen < free.shape)).all(axis=1))
        inside[inside] = free[tuple(seen[inside].T)]
        if inside.any():
            return position + int(np.argmax(inside))
        position += len(seen)
        ahead *= 4
    return position
