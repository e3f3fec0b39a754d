"""Lexicographic maxima of unions of pieces with integer divisions."""

from __future__ import annotations

from typing import Any

from hlsmem.polyhedra import PolyhedralError


def lexmax(value: Any) -> Any:
    """The lexicographic maximum of a set, or of the images of each element of a map.

    isl fails at some unions of pieces that it could write as fewer; so written, it does not.
    """
    try:
        return value.lexmax()
    except PolyhedralError:
        return value.coalesce().lexmax()
