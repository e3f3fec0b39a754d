"""Bases that heuristics 1, 2 and 3 choose: rows along which conflicts are narrow, and
constant vectors along which cells can be used again.

Source: Darte, Isoard, Yuki, "Extended lattice-based memory allocation" (CC 2016), section 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.mapping.conflict_differences import Conflicts, modulus_above, width_at
from hlsmem.mapping.storage_mapping import Finding, Piece
from hlsmem.polyhedra import Aff, DimType, Map, Set, Val
from hlsmem.polyhedra.lattices import (
    Matrix,
    Vector,
    combine,
    completion,
    content,
    identity,
    inverse,
    transpose,
)
from hlsmem.polyhedra.narrow_directions import most_bounds, narrowest_combination
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.polyhedra.shortest import Norm, shortest_vector
from hlsmem.polyhedra.star_closure import star_closure

# Rows that are combined: with seven, one narrowest combination of a box takes isl 12 s, and no
# limit on its operations ends it.
MOST_COMBINED = 6
# Bounds of a piece of the points across which rows are combined: 16 take isl 2 s, 23 50 s,
# and no limit on its operations ends it.
_MOST_BOUNDS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class ReuseVector:
    """`count` times `direction` (primitive) is a vector along which cells are used again."""

    direction: Vector
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WidthRow:
    """A row of a mapping and its modulus, above the width of what earlier rows leave."""

    row: Vector
    modulus: QuasiPolynomial


def reuse_vectors(points: Any, norm: Norm, *, closed_again: bool = True) -> tuple[ReuseVector, ...]:
    """The shortest constant reuse vectors of a parameter-free set, one after another.

    Heuristic 2, with the star closure taken again after every extrusion: an extrusion of a
    star-shaped set need not be star-shaped. Without `closed_again` it is taken once, as
    printed, and the vectors may be wrong. The directions are part of a basis. Fewer vectors
    than dimensions where every further vector is in conflict.
    """
    size = points.dim(DimType.set)
    found: list[ReuseVector] = []
    taken = star_closure(points)
    while len(found) < size:
        free = Set.universe(taken.get_space()).subtract(taken).coalesce()
        vector = shortest_vector(free, norm)
        if vector is None:
            break
        found.append(_primitive(vector, [reuse.direction for reuse in found]))
        taken = _extruded(taken, found[-1].direction)
        if closed_again:
            taken = star_closure(taken)
    return tuple(found)


def narrow_rows(conflicts: Conflicts, rows: Matrix) -> tuple[WidthRow, ...] | None:
    """A unimodular change of `rows` in which each row is as narrow as can be.

    Heuristic 1: one row after another, on the differences that the earlier rows map to 0.
    The moduli are exact widths on integers plus one. None where a direction has no bound.
    More than six rows are not combined, and none on points whose bounds are too many: the
    narrowest of them is next.
    """
    points, found = conflicts.differences, list[WidthRow]()
    while rows:
        if len(rows) > MOST_COMBINED or most_bounds(points) > _MOST_BOUNDS:
            factors = _narrowest(fix_parameters(points, conflicts.values), rows)
        else:
            factors = _narrowest_factors(points, rows, conflicts)
        if factors is None:
            return None
        row = combine(factors, rows)
        found.append(WidthRow(row=row, modulus=modulus_above(points, row, conflicts)))
        points = points.intersect(zeros_of(points.get_space(), row))
        rest = completion([factors], len(rows))
        rows = tuple(combine(other, rows) for other in rest)
    return tuple(found)


def _narrowest_factors(points: Any, rows: Matrix, conflicts: Conflicts) -> Vector | None:
    factors = narrowest_combination(points, rows)
    if factors is not None:
        return factors
    # Parameters bounded above: the bound at the plan's values decides instead.
    return narrowest_combination(fix_parameters(points, conflicts.values), rows)


def _narrowest(points: Any, rows: Matrix) -> Vector | None:
    """The factors of the row along which parameter-free points are narrowest, the first of
    equals; None where no row has a bound."""
    if not points.is_bounded():
        return None
    units = identity(len(rows))
    return min(units, key=lambda unit: width_at(points, combine(unit, rows)))


def dual_rows(vectors: Sequence[ReuseVector], size: int) -> tuple[Matrix, Matrix]:
    """(rows that map every vector to 0, rows that count the vectors), together unimodular.

    The second matrix has the last vector's row first: moduli follow that order.
    """
    directions = [reuse.direction for reuse in reversed(vectors)]
    basis = (*completion(directions, size), *directions)
    rows = inverse(transpose(basis))
    free = size - len(vectors)
    return rows[:free], rows[free:]


def width_mapping(conflicts: Conflicts, rows: Matrix) -> Piece:
    """`rows`, each modulo its exact width on what earlier rows map to 0, plus one."""
    points, moduli = conflicts.differences, list[QuasiPolynomial]()
    for row in rows:
        moduli.append(modulus_above(points, row, conflicts))
        points = points.intersect(zeros_of(points.get_space(), row))
    return Piece(
        matrix=tuple(tuple(map(QuasiPolynomial.constant, row)) for row in rows),
        modulus=tuple(moduli),
        offset=(QuasiPolynomial.constant(0),) * len(rows),
    )


def widths_found(rows: Matrix, moduli: Sequence[QuasiPolynomial]) -> tuple[Finding, ...]:
    """The widths of rows whose moduli are above them by one."""
    return tuple(
        Finding(what="width", vector=row, value=str(modulus - 1))
        for row, modulus in zip(rows, moduli, strict=True)
    )


def reuse_found(vectors: Sequence[ReuseVector]) -> tuple[Finding, ...]:
    """The reuse vectors as their counts along their directions."""
    return tuple(
        Finding(what="reuse vector", vector=one.direction, value=str(one.count)) for one in vectors
    )


def zeros_of(space: Any, row: Vector) -> Any:
    """{ x : row . x = 0 }."""
    form = Aff.zero_on_domain(space)
    for position, factor in enumerate(row):
        form = form.set_coefficient_val(DimType.in_, position, Val(factor))
    return Set.from_basic_set(form.zero_basic_set())


def _primitive(vector: Vector, earlier: Sequence[Vector]) -> ReuseVector:
    """`vector` modulo the earlier directions, as a multiple of one that completes them."""
    size = len(vector)
    others = completion(earlier, size)
    coordinates = combine(vector, inverse((*earlier, *others)))[len(earlier) :]
    count = content(coordinates)
    direction = combine([entry // count for entry in coordinates], others)
    return ReuseVector(direction=direction, count=count)


def _extruded(points: Any, direction: Vector) -> Any:
    """The points plus all integer multiples of `direction`."""
    names = [f"x{k}" for k in range(len(direction))]
    moved = [f"{name} + {step}e" for name, step in zip(names, direction, strict=True)]
    targets = [f"y{k}" for k in range(len(direction))]
    equal = " and ".join(f"{y} = {x}" for y, x in zip(targets, moved, strict=True))
    source, target = ", ".join(names), ", ".join(targets)
    return points.apply(Map(f"{{ [{source}] -> [{target}] : exists e : {equal} }}")).coalesce()
