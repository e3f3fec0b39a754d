"""Lexicographic extremes of unions of pieces with integer divisions.

isl fails at some unions of pieces that it could write as fewer, and at some sets with conditions
that follow from others; without these it does not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hlsmem.polyhedra import DimType, PolyhedralError


def lexmax(value: Any) -> Any:
    """The lexicographic maximum of a set, or of the images of each element of a map."""
    return _extreme(value, lambda given: given.lexmax())


def lexmin(value: Any) -> Any:
    """The lexicographic minimum of a set, or of the images of each element of a map."""
    return _extreme(value, lambda given: given.lexmin())


def greatest(points: Any) -> Any:
    """The lexicographically greatest of bounded tuples without parameters, entry by entry.

    isl takes minutes for all entries at once where the tuples have remainders and lie far apart.
    """
    for entry in range(points.dim(DimType.set)):
        points = points.fix_val(DimType.set, entry, points.dim_max_val(entry))
    return points


def _extreme(value: Any, found_in: Callable[[Any], Any]) -> Any:
    for simpler in (lambda: value, value.coalesce):
        try:
            return found_in(simpler())
        except PolyhedralError:
            continue
    return found_in(value.coalesce().remove_redundancies())
