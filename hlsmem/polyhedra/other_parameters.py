"""Polyhedra over other parameters: fewer of them, without upper bounds, or by residue classes.

Fewer are for programs that minimise the coefficients of parameters one after another: that is an
order of sizes only where the parameters are independent and may be large. In a residue class
p = period * q + residue, with q in the place of p.
"""

from __future__ import annotations

from typing import Any

from hlsmem.polyhedra import DimType, Set

Pieces = tuple[Any, ...]

_QUOTIENT = "_q"


def independent(pieces: Pieces, context: Any) -> tuple[Pieces, Any]:
    """Basic sets and their context without parameters that an equality of it determines.

    The pieces are within the context. Only parameters with the factor 1 or -1 in an
    equality are replaced.
    """
    position = _determined(context)
    while position is not None:
        pieces = tuple(piece.project_out(DimType.param, position, 1) for piece in pieces)
        context = context.project_out(DimType.param, position, 1)
        position = _determined(context)
    return pieces, context


def unbounded_above(pieces: Pieces, context: Any) -> tuple[Pieces, Any]:
    """(pieces, basic set of the context) without constraints that only bound from above.

    Within the context the pieces stay what they were. The context is replaced by its
    convex hull.
    """
    hull = context.remove_divs().convex_hull()
    kept = type(hull).universe(hull.get_space())
    dropped = False
    for constraint in hull.get_constraints():
        if _is_upper_bound(constraint, hull.dim(DimType.param)):
            dropped = True
        else:
            kept = kept.add_constraint(constraint)
    if not dropped:
        return pieces, hull
    inside = Set.from_basic_set(kept)
    return tuple(
        part
        for piece in pieces
        for part in Set.from_basic_set(piece)
        .gist_params(Set.from_basic_set(hull))
        .intersect_params(inside)
        .get_basic_sets()
    ), kept


def _determined(context: Any) -> int | None:
    """The last parameter that has factor 1 or -1 in an equality of the context."""
    for constraint in context.affine_hull().get_constraints():
        for position in reversed(range(context.dim(DimType.param))):
            factor = constraint.get_coefficient_val(DimType.param, position)
            if constraint.is_equality() and abs(factor.to_python()) == 1:
                return position
    return None


def _is_upper_bound(constraint: Any, parameters: int) -> bool:
    factors = [
        constraint.get_coefficient_val(DimType.param, position).to_python()
        for position in range(parameters)
    ]
    return not constraint.is_equality() and any(factors) and all(f <= 0 for f in factors)


def in_class(value: Any, name: str, period: int, residue: int) -> Any:
    """A set for the parameter values in a residue class; the parameter becomes the quotient.

    The parameter moves behind the others.
    """
    return _exchanged(value, name, f"{name} = {period}{_QUOTIENT} + {residue}")


def out_of_class(value: Any, name: str, period: int, residue: int) -> Any:
    """The inverse: a set over the quotient, as one over the parameter's values in the class."""
    return _exchanged(value, name, f"{_QUOTIENT} = {period}{name} + {residue}")


def as_points(parameters: Any) -> Any:
    """A parameter set as a set of points, one dimension a parameter."""
    count = parameters.dim(DimType.param)
    return Set.from_params(parameters).move_dims(DimType.set, 0, DimType.param, 0, count)


def _exchanged(value: Any, name: str, condition: str) -> Any:
    """`value` with the parameter replaced by the one that the condition ties to it."""
    tie = Set(f"[{name}, {_QUOTIENT}] -> {{ : {condition} }}").params()
    value = value.align_params(tie.get_space())
    value = value.intersect_params(tie.align_params(value.get_space()))
    position = value.find_dim_by_name(DimType.param, name)
    value = value.project_out(DimType.param, position, 1)
    position = value.find_dim_by_name(DimType.param, _QUOTIENT)
    return value.set_dim_name(DimType.param, position, name).coalesce()
