"""Elements, parameters and instances in the words of the program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import islpy as isl

from hlsmem_verify.algebra import OWN, Values
from hlsmem_verify.isl_values import DIM, Point, at_values
from hlsmem_verify.program import Program


def element_text(array: str, element: Sequence[int]) -> str:
    """An element as C writes it, e.g. a[1][2]."""
    return array + "".join(f"[{index}]" for index in element)


def at_text(values: Values) -> str:
    """Parameters, e.g. " at N=64"; nothing where there are none."""
    named = ", ".join(f"{name.removeprefix(OWN)}={value}" for name, value in values.items())
    return f" at {named}" if named else ""


def sampled(points: Any, program: Program) -> tuple[Values, Point]:
    """The parameters and coordinates of a point of a set, at the plan's parameters where it has
    one there."""
    here = points.intersect_params(program.point())
    return coordinates((points if here.is_empty() else here).sample_point())


def coordinates(point: Any) -> tuple[Values, Point]:
    """The parameters and coordinates of a point of isl."""
    at = {
        point.get_space().get_dim_name(DIM.param, k): k
        for k in range(point.get_space().dim(DIM.param))
    }
    size = point.get_space().dim(DIM.set)
    return (
        {name: point.get_coordinate_val(DIM.param, k).to_python() for name, k in at.items()},
        tuple(point.get_coordinate_val(DIM.set, k).to_python() for k in range(size)),
    )


def fixed(space: Any, point: Sequence[int]) -> Any:
    """The set with one point of a space."""
    found = isl.Set.universe(space)
    for k, value in enumerate(point):
        found = found.fix_val(DIM.set, k, isl.Val(value))
    return found


def touching(
    program: Program, array: str, is_read: bool, element: Point, time: Point, values: Values
) -> str:
    """The instance that touches an element at a time, e.g. P(y=0, x=3)."""
    for name, one in program.statements.items():
        for access in one["accesses"]:
            if access["array"] != array or ("write" not in access["kind"]) != is_read:
                continue
            touches = at_values(access["relation"], values)
            runs = at_values(one["times"], values)
            touches = touches.intersect_range(fixed(touches.range().get_space(), element))
            runs = runs.intersect_range(fixed(runs.range().get_space(), time))
            instances = touches.domain().intersect(runs.domain())
            if not instances.is_empty():
                _, point = coordinates(instances.sample_point())
                loops = [one["domain"].get_dim_name(DIM.set, k) for k in range(len(point))]
                pairs = zip(loops, point, strict=True)
                shown = (f"{loop or f'i{k}'}={value}" for k, (loop, value) in enumerate(pairs))
                return f"{name}({', '.join(shown)})"
    return "the program"
