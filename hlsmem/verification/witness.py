"""Witnesses in the user's words: which elements meet in a cell, and who wrote and reads them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hlsmem.polyhedra import DimType, Set, Val
from hlsmem.polyhedra.sets import fix_parameters, parameter_names
from hlsmem.program import Access, Array, ConflictInput, Program, Statement
from hlsmem.verification.occupancy import Occupancy

Point = tuple[int, ...]


def collision_text(
    source: Program | ConflictInput, array: Array, occupancy: Occupancy | None, bad: Any
) -> str:
    """One pair of `bad` { element -> element }, which conflict and share a cell."""
    values, point = _sample(bad.wrap())
    rank = len(array.index)
    first, second = point[:rank], point[rank:]
    both = f"{named(array.name, first)} and {named(array.name, second)} share a cell"
    at = at_text(values | {n: v for n, v in source.values.items() if n not in values})
    if occupancy is None or not isinstance(source, Program):
        return f"{both} and conflict{at}"
    meeting = _meeting(occupancy, array, first, second, values | _rest(source, values))
    if meeting is None:
        first, second = second, first
        meeting = _meeting(occupancy, array, first, second, values | _rest(source, values))
    if meeting is None:
        raise AssertionError(f"{both}, but their residences do not meet")
    return f"{both}{at}: {_story(source, array, occupancy, (first, second), meeting, values)}"


def undefined_text(program: Program, array: Array, occupancy: Occupancy) -> str:
    """One read that nothing provides."""
    values, point = _sample(occupancy.undefined)
    rank = len(array.index)
    element, time = point[:rank], point[rank:]
    values = values | _rest(program, values)
    reader = _reader(program, array, element, time, values)
    return f"{named(array.name, element)} is read by {reader}, but nothing provides it" + at_text(
        values
    )


def element_text(array: Array, elements: Any) -> str:
    """One element of a set, with the parameters it exists for."""
    values, point = _sample(elements)
    return named(array.name, point) + at_text(values)


def named(array: str, element: Sequence[int]) -> str:
    """An element as C writes it, e.g. a[1][2].

    >>> named("a", (1, 2)), named("s", ())
    ('a[1][2]', 's')
    """
    return array + "".join(f"[{index}]" for index in element)


def at_text(values: Mapping[str, int]) -> str:
    """The parameters in words: " at N=64", or nothing."""
    return " at " + ", ".join(f"{n}={v}" for n, v in values.items()) if values else ""


def _rest(source: Program | ConflictInput, values: Mapping[str, int]) -> dict[str, int]:
    return {name: value for name, value in source.values.items() if name not in values}


def _sample(points: Any) -> tuple[dict[str, int], Point]:
    """The parameters and coordinates of one point of a set that is not empty."""
    point = points.sample_point()
    names = parameter_names(points)
    values = {
        name: point.get_coordinate_val(DimType.param, position).to_python()
        for position, name in enumerate(names)
    }
    size = points.dim(DimType.set)
    return values, tuple(
        point.get_coordinate_val(DimType.set, position).to_python() for position in range(size)
    )


def _meeting(
    occupancy: Occupancy, array: Array, first: Point, second: Point, values: Mapping[str, int]
) -> tuple[Point, Point] | None:
    """(write time of `first`, write time of `second` at which `first` is still in its cell)."""
    name = array.name
    mine = _fixed(fix_parameters(occupancy.occupied, values).curry(), name, first)
    other = _fixed(fix_parameters(occupancy.values, values), name, second)
    meets = mine.range().unwrap().intersect_range(other.range())
    if meets.is_empty():
        return None
    _, times = _sample(meets.wrap())
    half = len(times) // 2
    return times[:half], times[half:]


def _fixed(relation: Any, name: str, element: Point) -> Any:
    """The part of { element -> .. } at one element."""
    at = Set.universe(relation.domain().get_space())
    for position, value in enumerate(element):
        at = at.fix_val(DimType.set, position, Val(value))
    return relation.intersect_domain(at.set_tuple_name(name))


def _story(
    program: Program,
    array: Array,
    occupancy: Occupancy,
    elements: tuple[Point, Point],
    meeting: tuple[Point, Point],
    values: Mapping[str, int],
) -> str:
    values = dict(values) | _rest(program, values)
    first, second = elements
    writer = _writer(program, array, first, meeting[0], values)
    other = _writer(program, array, second, meeting[1], values)
    name, late = named(array.name, first), named(array.name, second)
    reads = _fixed(fix_parameters(occupancy.reads, values).curry(), array.name, first)
    own = reads.range().unwrap()
    for position, value in enumerate(meeting[0]):
        own = own.fix_val(DimType.in_, position, Val(value))
    last = own.range().lexmax()
    if last.is_empty() or meeting[0] == meeting[1]:
        return f"{name} is {writer} and {late} is {other}"
    _, time = _sample(last)
    reader = _reader(program, array, first, time, values)
    kept = f"needed by {reader} and {occupancy.slack} beats longer" if occupancy.slack else ""
    return f"{name} is {writer} and {kept or f'still needed by {reader}'} when {late} is {other}"


def _writer(
    program: Program, array: Array, element: Point, time: Point, values: Mapping[str, int]
) -> str:
    if time[0] == 0:
        return "filled before the start"
    accesses = ((s, access) for s in program.statements for access in s.writes)
    return "written by " + _instance(program, accesses, array, element, time[1:], values)


def _reader(
    program: Program, array: Array, element: Point, time: Point, values: Mapping[str, int]
) -> str:
    if time[0] == 2:
        return "the drain after the end"
    accesses = ((s, access) for s in program.statements for access in s.sees)
    return _instance(program, accesses, array, element, time[1:], values)


def _instance(
    program: Program,
    accesses: Iterator[tuple[Statement, Access]],
    array: Array,
    element: Point,
    time: Point,
    values: Mapping[str, int],
) -> str:
    """The statement instance that touches `element` at `time`, e.g. P(y=0, x=3)."""
    for statement, access in accesses:
        if access.array != array.name:
            continue
        touches = _ending(fix_parameters(access.relation, values), element)
        runs = _ending(fix_parameters(statement.schedule, values), time)
        inside = fix_parameters(statement.domain, values)
        instances = inside.intersect(touches.domain()).intersect(runs.domain())
        if not instances.is_empty():
            _, coordinates = _sample(instances)
            names = statement.iterators or tuple(f"i{p}" for p in range(len(coordinates)))
            pairs = zip(names, coordinates, strict=True)
            return f"{statement.name}({', '.join(f'{n}={v}' for n, v in pairs)})"
    raise AssertionError(f"no statement of {program.name} touches {element} at {time}")


def _ending(relation: Any, point: Point) -> Any:
    for position, value in enumerate(point):
        relation = relation.fix_val(DimType.out, position, Val(value))
    return relation
