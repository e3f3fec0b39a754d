"""Vertices, rays and lines of a polyhedron, exactly, by double description over the integers.

Source: Motzkin, Raiffa, Thompson, Thrall, "The double description method" (1953); adjacency as
in Fukuda, Prodon, "Double description method revisited" (1996), with lines kept apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import DimType
from hlsmem.polyhedra.constraints import rows
from hlsmem.polyhedra.lattices import Vector, content, dot, unit


@dataclass(frozen=True, slots=True, kw_only=True)
class Cone:
    """All sums of multiples of `lines` and non-negative multiples of `rays`."""

    lines: tuple[Vector, ...]
    rays: tuple[Vector, ...]


# Rays that are combined with each other, at most.
MOST_RAYS = 600


class TooManyGenerators(Exception):
    """The cone has more than `MOST_RAYS` rays at some step."""


def cone_of(inequalities: Iterable[Vector], equalities: Iterable[Vector], size: int) -> Cone:
    """The generators of { x : row . x >= 0, row . x = 0 }, primitive integer vectors.

    Raises TooManyGenerators.

    >>> cone_of([(1, 0), (0, 1)], [], 2).rays
    ((0, 1), (1, 0))
    """
    lines: list[Vector] = [unit(size, position) for position in range(size)]
    rays: list[tuple[Vector, frozenset[int]]] = []
    given = [*((row, True) for row in equalities), *((row, False) for row in inequalities)]
    for number, (row, is_equal) in enumerate(given):
        lines, rays = _cut(lines, rays, row, number, is_equal)
        if len(rays) > MOST_RAYS:
            raise TooManyGenerators
    return Cone(lines=tuple(lines), rays=tuple(sorted(ray for ray, _ in rays)))


_Ray = tuple[Vector, frozenset[int]]


def _cut(
    lines: list[Vector], rays: list[_Ray], row: Vector, number: int, is_equal: bool
) -> tuple[list[Vector], list[_Ray]]:
    """The generators of the cone within one more half-space, or hyperplane."""
    pivot = next((line for line in lines if dot(row, line)), None)
    if pivot is not None:
        at = dot(row, pivot)
        pivot = pivot if at > 0 else _scaled(-1, pivot)
        at = abs(at)
        flat = [_level(line, pivot, row, at) for line in lines if line is not pivot]
        others = [line for line in flat if any(line)]
        moved = [(_level(ray, pivot, row, at), tight | {number}) for ray, tight in rays]
        if not is_equal:
            # The new ray leaves this row alone: it lies in all rows before.
            moved.append((pivot, frozenset(range(number))))
        return others, moved
    signed = [(dot(row, ray), ray, tight) for ray, tight in rays]
    kept = [(ray, tight | {number}) for value, ray, tight in signed if value == 0]
    if not is_equal:
        kept += [(ray, tight) for value, ray, tight in signed if value > 0]
    for value, ray, tight in signed:
        if value <= 0:
            continue
        for other_value, other, other_tight in signed:
            if other_value >= 0:
                continue
            common = tight & other_tight
            if sum(common <= one for _, _, one in signed) == 2:
                between = _primitive(
                    tuple(value * b - other_value * a for a, b in zip(ray, other, strict=True))
                )
                kept.append((between, common | {number}))
    return lines, kept


def _level(vector: Vector, pivot: Vector, row: Vector, at: int) -> Vector:
    """The vector moved along the pivot into the hyperplane of the row."""
    factor = dot(row, vector)
    return _primitive(tuple(at * a - factor * b for a, b in zip(vector, pivot, strict=True)))


def _scaled(factor: int, vector: Vector) -> Vector:
    return tuple(factor * entry for entry in vector)


def _primitive(vector: Vector) -> Vector:
    divisor = content(vector) or 1
    return tuple(entry // divisor for entry in vector)


def cone_facets(vectors: Sequence[Vector]) -> tuple[Vector, ...]:
    """Rows f with f . x >= 0 that describe the cone of the vectors.

    >>> cone_facets([(1, 2), (1, 0), (1, -1)])
    ((1, 1), (2, -1))
    """
    dual = cone_of(vectors, [], len(vectors[0]))
    negative = tuple(_scaled(-1, line) for line in dual.lines)
    return tuple(sorted({*dual.rays, *dual.lines, *negative}))


def generators_of(points: object) -> Cone:
    """The generators of a set with a last entry t: vertices have t > 0, rays t = 0.

    Of each generator (x, t) the vertex is x / t. The entries of x are the parameters first,
    then the dimensions. `points` is a basic set without integer divisions.
    """
    inequalities, equalities = list[Vector](), list[Vector]()
    size = points.dim(DimType.set) + points.dim(DimType.param)  # type: ignore[attr-defined]
    for row in rows(points):
        (equalities if row.equal else inequalities).append(tuple(row.form))
    inequalities.append(unit(size + 1, size))
    return cone_of(inequalities, equalities, size + 1)
