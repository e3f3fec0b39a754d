"""Parameters by residue classes: p = period * q + residue, with q in the place of p."""

from __future__ import annotations

from typing import Any

from hlsmem.polyhedra import DimType, Set

_QUOTIENT = "_q"


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
