"""One point of a set, chosen the same way every time: for examples in messages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import DimType, PolyhedralError
from hlsmem.polyhedra.sets import fix_parameters, parameter_names


@dataclass(frozen=True, slots=True)
class Sample:
    """A point: values of the parameters and of the flattened coordinates."""

    parameters: Mapping[str, int]
    coordinates: tuple[int, ...]


def first_point(points: Any, values: Mapping[str, int]) -> Sample:
    """The lexicographically least point at the parameters `values`, where there is one.

    Otherwise some point at other parameters. The set must not be empty; sets without a least
    point give any point.
    """
    here = fix_parameters(points, values)
    if not here.is_empty():
        names = [name for name in parameter_names(points) if name in values]
        return Sample({name: values[name] for name in names}, _coordinates(here))
    names = list(parameter_names(points))
    flat = points.flatten().move_dims(DimType.set, 0, DimType.param, 0, len(names))
    found = _coordinates(flat)
    return Sample(dict(zip(names, found, strict=False)), found[len(names) :])


def _coordinates(points: Any) -> tuple[int, ...]:
    try:
        points = points.lexmin()
    except PolyhedralError:  # an unbounded set has no least point
        points = points.coalesce()
    size = points.dim(DimType.set)
    point = points.sample_point().get_multi_val()
    return tuple(point.get_val(position).to_python() for position in range(size))
