"""Outlines of sets in the plane, over the rationals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

from hlsmem.polyhedra.star import Inequality, inequalities

Corner = tuple[Fraction, Fraction]
Outline = tuple[tuple[float, float], ...]


def outlines(points: Any) -> tuple[Outline, ...]:
    """The corners (x, y) of the convex pieces of a bounded, parameter-free set of pairs [y, x].

    Every point counts as a square of side 1. Counterclockwise; pieces with holes, such as
    every second point, are outlined without them.
    """
    found = [_corners(inequalities(piece)) for piece in points.remove_divs().get_basic_sets()]
    return tuple(_hull(_squares(corners)) for corners in found if corners)


def _corners(constraints: Sequence[Inequality]) -> set[Corner]:
    """Where two borders meet within all others; a constraint is over (y, x)."""
    found: set[Corner] = set()
    for ((a, b), e), ((c, d), f) in combinations(constraints, 2):
        determinant = a * d - b * c
        if determinant:
            y = Fraction(b * f - d * e, determinant)
            x = Fraction(c * e - a * f, determinant)
            if all(g * y + h * x + i >= 0 for (g, h), i in constraints):
                found.add((x, y))
    return found


def _squares(corners: Iterable[Corner]) -> list[Corner]:
    half = Fraction(1, 2)
    return sorted(
        {(x + a, y + b) for x, y in corners for a in (-half, half) for b in (-half, half)}
    )


def _hull(points: Sequence[Corner]) -> Outline:
    """The convex hull of points in lexicographic order (Andrew's monotone chain)."""
    border: list[Corner] = []
    for side in (points, points[::-1]):
        chain: list[Corner] = []
        for point in side:
            while len(chain) > 1 and not _turns_left(chain[-2], chain[-1], point):
                chain.pop()
            chain.append(point)
        border += chain[:-1]
    return tuple((float(x), float(y)) for x, y in border)


def _turns_left(a: Corner, b: Corner, c: Corner) -> bool:
    return (b[0] - a[0]) * (c[1] - a[1]) > (b[1] - a[1]) * (c[0] - a[0])
