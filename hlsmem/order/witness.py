"""Instances, elements and times in the user's words: "C at y=2, x=63", "blurx[0][63]"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hlsmem.polyhedra import DimType
from hlsmem.polyhedra.samples import Sample
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.program import Program, Statement


def instance_text(statement: Statement, coordinates: Sequence[int]) -> str:
    """A statement instance, e.g. "C at y=2, x=63"; the statement's name if it has no loops."""
    names = statement.iterators or tuple(f"i{k}" for k in range(len(coordinates)))
    where = ", ".join(f"{name}={value}" for name, value in zip(names, coordinates, strict=False))
    return f"{statement.name} at {where}" if where else statement.name


def element_text(array: str, coordinates: Sequence[int]) -> str:
    """An element as C writes it, e.g. "blurx[0][63]"; a scalar's name alone."""
    return array + "".join(f"[{value}]" for value in coordinates)


def time_text(
    program: Program,
    statement: Statement,
    coordinates: Sequence[int],
    parameters: Mapping[str, int],
) -> str:
    """The time of an instance, e.g. "[0, 3]"; the instance has to be in the domain."""
    values = {**program.values, **parameters}
    times = fix_parameters(statement.schedule, values)
    for position, value in enumerate(coordinates):
        times = times.fix_val(DimType.in_, position, value)
    point = times.range().sample_point().get_multi_val()
    entries = [point.get_val(k).to_python() for k in range(times.dim(DimType.out))]
    return str(entries)


def parameters_text(program: Program, point: Sample) -> str:
    """Where the parameters are not those of the design, what they are: " (with N=1)"."""
    return _differing(program.values, point.parameters)


def _differing(values: Mapping[str, int], found: Mapping[str, int]) -> str:
    if all(values.get(name) == value for name, value in found.items()):
        return ""
    return f" (with {', '.join(f'{name}={value}' for name, value in found.items())})"
