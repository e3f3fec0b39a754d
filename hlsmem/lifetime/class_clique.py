"""A bound below all mappings for a class where its values are too many for the width.

Values of which no two are in the order "dead before the other is written in every order" need a
cell each, any number of them found. Those that nothing comes before are such, those that come
before nothing too, and those that a greedy walk from the middle outwards keeps.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from hlsmem.lifetime.class_conflicts import ClassConflicts
from hlsmem.lifetime.class_width import dead_before
from hlsmem.lifetime.storage_problem import Bound
from hlsmem.polyhedra import DimType
from hlsmem.polyhedra.enumeration import distinct_points
from hlsmem.polyhedra.relations import maps_of, sets_of
from hlsmem.polyhedra.sets import count, fix_parameters
from hlsmem.polyhedra.sweep import Membership

if TYPE_CHECKING:
    import numpy as np

# Values that are listed, and pairs of values that a greedy walk looks at.
_MOST_VALUES = 1 << 21
_MOST_PAIRS = 1 << 20
# A witness of more elements would fill plan.json.
_MOST_WITNESSES = 20_000


def class_clique(found: ClassConflicts, values: Mapping[str, int]) -> Bound | None:
    """The largest set of values found of which any two may be alive together, as a bound.

    Kind "clique", with its elements. None where there are too many values to list.
    """
    every = fix_parameters(found.values, values)
    if sum(count(one) for one in sets_of(every)) > _MOST_VALUES:
        return None
    dead = dead_before(found, values)
    chosen = max(_candidates(every, dead), key=len, default=[])
    if not 0 < len(chosen) <= _MOST_WITNESSES:
        return None
    at = ", ".join(f"{name}={value}" for name, value in values.items())
    return Bound(
        kind="clique",
        cells=len(chosen),
        expr=None,
        status=f"counted at {at}" if at else "counted",
        witness=tuple(sorted(chosen)),
    )


def _candidates(every: Any, dead: Any) -> Iterator[list[tuple[int, ...]]]:
    """Sets of elements whose values are in no order: the ends of the order, and greedy ones."""
    for ends in (every.subtract(dead.range()), every.subtract(dead.domain())):
        if sum(count(one) for one in sets_of(ends)) <= _MOST_WITNESSES:
            yield _elements(ends)
    spaces = sets_of(every)
    if len(spaces) == 1:  # of values of one statement there is a middle
        yield from _greedy(spaces[0], dead)


def _elements(values: Any) -> list[tuple[int, ...]]:
    """The elements of values [A[x] -> W[i]]; no two of them have one element in common."""
    found: list[tuple[int, ...]] = []
    for one in sets_of(values):
        index = one.unwrap().dim(DimType.in_)
        found += map(tuple, distinct_points(one)[:, :index].tolist())
    return list(dict.fromkeys(found))


def _greedy(values: Any, dead: Any) -> Iterator[list[tuple[int, ...]]]:
    """The values kept if each is kept that is in no order with those before it."""
    import numpy as np

    index = values.unwrap().dim(DimType.in_)
    flat = [one.wrap().flatten() for one in maps_of(dead)]
    before = [Membership.of(one) for one in flat]
    points = distinct_points(values)
    for ordered in _from_the_middle(points):
        kept: list[tuple[int, ...]] = []
        left = _MOST_PAIRS
        while len(ordered) and left > 0:
            first, ordered = ordered[0], ordered[1:]
            kept.append(tuple(first[:index].tolist()))
            left -= len(ordered)
            for one in before:
                for is_first in (True, False):
                    same = np.broadcast_to(first, (len(ordered), len(first)))
                    pair = (same, ordered) if is_first else (ordered, same)
                    ordered = ordered[~one.holds(np.hstack(pair))]
        yield list(dict.fromkeys(kept))


def _from_the_middle(points: np.ndarray) -> Iterator[np.ndarray]:
    """The points by their distance from the middle of their box, as it is and as a cube."""
    import numpy as np

    low, extent = points.min(axis=0), np.ptp(points, axis=0)
    away = points - low - 0.5 * extent
    for distance in (away, away / np.maximum(extent, 1)):
        yield points[np.argsort((distance**2).sum(axis=1), kind="stable")]
