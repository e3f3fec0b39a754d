"""Directions in which a symmetric set is narrow, and directions in which it has no end.

Source: Darte, Isoard, Yuki, "Extended lattice-based memory allocation" (CC 2016), section 4.1.1.
"""

from __future__ import annotations

from typing import Any

from hlsmem.polyhedra import DimType, Map, PolyhedralError, Set
from hlsmem.polyhedra.extremes import lexmin
from hlsmem.polyhedra.lattices import Matrix, Vector
from hlsmem.polyhedra.memoized import kept
from hlsmem.polyhedra.sets import parameter_names
from hlsmem.polyhedra.shortest import Norm, norm_conditions
from hlsmem.polyhedra.star_closure import inequalities, polyhedron

# Objectives that are kept: most begin with the rows of the identity, and take as long to read as
# to apply.
_KEPT = 64


def narrowest_combination(points: Any, rows: Matrix) -> Vector | None:
    """The factors of the integer combination of `rows` along which `points` are narrowest.

    `points` is 0-symmetric. What is made small is, in this order, the affine bound of c.x on
    the points (the coefficients of the parameters in their order, then the constant), the
    greatest entry of c, the sum of its entries; ties go to the lexicographically greatest c.
    The bound is Farkas' over the rationals: the width on integers may be less. The factors
    have no common divisor. None where every combination is unbounded, and where there is no
    least bound, as happens with parameters that are bounded above.
    """
    parameters = len(parameter_names(points))
    dual = Set.from_basic_set(points.remove_divs().coefficients()).flatten()
    try:
        least = lexmin(dual.apply(_objective(parameters, rows)))
    except PolyhedralError:
        return None
    if least.is_empty():
        return None
    values = least.sample_point().get_multi_val()
    end = least.dim(DimType.set)
    return tuple(values.get_val(k).to_python() for k in range(end - len(rows), end))


def most_bounds(points: Any) -> int:
    """Return the bounds of the piece that has most: the cost of a narrowest combination grows
    exponentially in it."""
    pieces = points.remove_divs().remove_redundancies().get_basic_sets()
    return max((one.n_constraint() for one in pieces), default=0)


def endless_direction(points: Any) -> Vector | None:
    """A direction in which a parameter-free set of integer points never ends, or None.

    The vector is a small one of a recession cone.
    """
    if points.is_bounded():
        return None
    size = points.dim(DimType.set)
    for piece in points.remove_divs().get_basic_sets():
        cone = polyhedron(piece.get_space(), [(row, 0) for row, _ in inequalities(piece)])
        for position in range(size):
            for sign in (1, -1):
                side = cone.intersect(_beyond(cone.get_space(), position, sign))
                if not side.is_empty():
                    return _small_point(side)
    return None


@kept(_KEPT)
def _objective(parameters: int, rows: Matrix) -> Any:
    """Map from (constant, parameter coefficients, form) to what `lexmin` minimises, factors last.

    One of the factors is positive: a symmetric set needs no other sign.
    """
    size = len(rows[0])
    bound = [f"n{k}" for k in range(parameters)]
    form = [f"c{k}" for k in range(size)]
    factors = [f"f{k}" for k in range(len(rows))]
    measures, conditions = norm_conditions(form, Norm.MAX_THEN_SUM)
    for column, name in enumerate(form):
        total = " + ".join(
            f"{row[column]}{factor}" for row, factor in zip(rows, factors, strict=True)
        )
        conditions.append(f"{name} = {total}")
    conditions.append("(" + " or ".join(f"{factor} >= 1" for factor in factors) + ")")
    source = ", ".join(["d", *bound, *form])
    target = ", ".join([*bound, "d", *measures, *(f"-{name}" for name in form), *factors])
    return Map(f"{{ [{source}] -> [{target}] : {' and '.join(conditions)} }}")


def _beyond(space: Any, position: int, sign: int) -> Any:
    row = tuple(sign * int(k == position) for k in range(Set.universe(space).dim(DimType.set)))
    return polyhedron(space, [(row, -1)])


def _small_point(points: Any) -> Vector:
    values = points.sample_point().get_multi_val()
    return tuple(values.get_val(k).to_python() for k in range(points.dim(DimType.set)))
