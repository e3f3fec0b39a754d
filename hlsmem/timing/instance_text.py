"""Instances, elements and times in the user's words: "C at y=2, x=63", "blurx[0][63]"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.source_location import SourceLocation
from hlsmem.polyhedra import DimType
from hlsmem.polyhedra.extremes import Sample, first_point
from hlsmem.polyhedra.relations import maps_of
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.program.model import Access, Program, Statement


def instance_text(statement: Statement, coordinates: Sequence[int]) -> str:
    """A statement instance, e.g. "C at y=2, x=63"; the statement's name if it has no loops."""
    names = statement.iterators or tuple(f"i{k}" for k in range(len(coordinates)))
    where = ", ".join(f"{name}={value}" for name, value in zip(names, coordinates, strict=False))
    return f"{statement.name} at {where}" if where else statement.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two instances of a relation between instances; `where` are parameters that are not those
    of the design."""

    source: Statement
    sink: Statement
    first: tuple[int, ...]
    second: tuple[int, ...]
    parameters: Mapping[str, int]
    where: str

    def __str__(self) -> str:
        """E.g. "S at i=0 and S at i=1"."""
        first = instance_text(self.source, self.first)
        return f"{first} and {instance_text(self.sink, self.second)}{self.where}"

    def places(self, array: str, kind: str) -> tuple[SourceLocation | None, SourceLocation | None]:
        """Locations at which both touch the element of a flow, anti or output dependence."""
        sources = self.source.sees if kind == "anti" else self.source.writes
        sinks = self.sink.sees if kind == "flow" else self.sink.writes
        for one in sources:
            for other in sinks:
                if one.array == other.array == array and not _elements(
                    one, self.first, self.parameters
                ).is_disjoint(_elements(other, self.second, self.parameters)):
                    return one.source_location, other.source_location
        return self.source.source_location, self.sink.source_location


def first_pair(program: Program, pairs: Any) -> Pair:
    """The first pair of a union map of instances, at the program's values if there is one."""
    relation = maps_of(pairs)[0]
    point = first_point(relation.wrap(), program.values)
    names = [relation.get_tuple_name(kind) for kind in (DimType.in_, DimType.out)]
    source, sink = (next(s for s in program.statements if s.name == name) for name in names)
    depth = relation.dim(DimType.in_)
    return Pair(
        source=source,
        sink=sink,
        first=point.coordinates[:depth],
        second=point.coordinates[depth:],
        parameters={**program.values, **point.parameters},
        where=parameters_text(program, point),
    )


def _elements(access: Access, instance: Sequence[int], values: Mapping[str, int]) -> Any:
    relation = fix_parameters(access.relation, values)
    for position, value in enumerate(instance):
        relation = relation.fix_val(DimType.in_, position, value)
    return relation.range()


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
    """Text of the parameters where they are not those of the design: " (with N=1)"."""
    return _differing(program.values, point.parameters)


def _differing(values: Mapping[str, int], found: Mapping[str, int]) -> str:
    if all(values.get(name) == value for name, value in found.items()):
        return ""
    return f" (with {', '.join(f'{name}={value}' for name, value in found.items())})"
