"""Programs that mean nothing: reads without a value, and two writes of an element at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any

from hlsmem.core.errors import Note, Problems
from hlsmem.core.source_location import SourceLocation
from hlsmem.polyhedra import DimType
from hlsmem.polyhedra.extremes import Sample, first_point
from hlsmem.polyhedra.relations import maps_of
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.program.model import Access, Program, Statement
from hlsmem.timing.events import LIVE_OUT, Events
from hlsmem.timing.instance_text import element_text, instance_text, parameters_text, time_text
from hlsmem.timing.undefined_values import reached_output, unprovided_reads
from hlsmem.timing.value_flow import Dataflow


def check_reads(program: Program, flow: Dataflow, problems: Problems) -> None:
    """Report what reads elements of the array that no write and no live-in provides.

    The first of the accesses in the text, and how many more there are.
    """
    reads = list[tuple[Statement, Access]]()
    for missing in maps_of(flow.unprovided):
        name = missing.get_tuple_name(DimType.in_)
        if name == LIVE_OUT:
            point = first_point(missing.wrap(), program.values)
            problems.add(
                f"{flow.array!r} is live after the program, but nothing writes "
                f"{element_text(flow.array, point.coordinates)}{parameters_text(program, point)}",
                "write it, or leave it out of live_out",
                program.arrays[flow.array].source_location,
            )
            continue
        statement = _statement(program, name)
        reads += ((statement, access) for access in unprovided_reads(statement, flow))
    if reads:
        order = {one.name: number for number, one in enumerate(program.statements)}
        (statement, access), *others = sorted(reads, key=lambda one: order[one[0].name])
        _report_read(program, statement, access, len(others), problems)


def _report_read(
    program: Program, statement: Statement, access: Access, others: int, problems: Problems
) -> None:
    """Report reads without a value; of those the first whose element is written later."""
    unprovided = access.relation
    more = (
        [Note(f"and {others} more read{'s' * (others > 1)} of {access.array!r}")] if others else []
    )
    place = access.source_location or statement.source_location
    written = _written_elements(program, access.array)
    early = None if written is None else unprovided.intersect_range(written)
    if early is None or early.is_empty():
        point = first_point(unprovided.wrap(), program.values)
        problems.add(
            f"{access.array!r} is read before any statement writes it",
            _remedy(program, access.array, "add it to live_in or write it first"),
            place,
            [
                Note(f"for example {_reading(program, statement, access.array, point)}", place),
                *_output(program, statement, point),
                *more,
            ],
        )
        return
    point = first_point(early.wrap(), program.values)
    depth = statement.domain.dim(DimType.set)
    instance, element = point.coordinates[:depth], point.coordinates[depth:]
    writer, source = _first_write(program, access.array, element, point)
    times = [
        time_text(program, one, coordinates, point.parameters)
        for one, coordinates in ((statement, instance), (writer, source))
    ]
    when = "later"
    if times[0] == times[1]:
        when = "at the same time, when reads come first"
    problems.add(
        f"{instance_text(statement, instance)} reads {element_text(access.array, element)} at "
        f"{times[0]}, but {instance_text(writer, source)} writes it at {times[1]}, {when}"
        f"{parameters_text(program, point)}",
        _remedy(
            program,
            access.array,
            f"add it to live_in, or let the write of {access.array!r} come first",
        ),
        place,
        [
            Note("the write", _write_place(writer, access.array)),
            *_output(program, statement, point),
            *more,
        ],
    )


def _output(program: Program, statement: Statement, point: Sample) -> list[Note]:
    """The output that the value reaches which an instance reads, as far as one is found."""
    instance = point.coordinates[: statement.domain.dim(DimType.set)]
    found = reached_output(program, statement, instance, point.parameters)
    return [] if found is None else [found]


def _remedy(program: Program, array: str, otherwise: str) -> str:
    """The remedy: variables of a function have a place where they can begin with a value."""
    found = program.arrays[array]
    if program.kernel is None or found.is_parameter or found.of_values is not None:
        return otherwise
    first = f"{array}[..] = {{0}}" if found.index else f"{array} = 0"
    return f"begin with {first} where it is declared; else {otherwise}"


def _written_elements(program: Program, array: str) -> Any:
    """The elements of an array that some statement writes; None where nothing does."""
    found = [
        access.relation.intersect_domain(one.domain).range()
        for one in program.statements
        for access in one.writes
        if access.array == array
    ]
    return reduce(lambda left, right: left.union(right), found) if found else None


def _first_write(
    program: Program, array: str, element: Sequence[int], point: Sample
) -> tuple[Statement, tuple[int, ...]]:
    """The instance that writes an element first, by its time."""
    found = []
    for number, statement in enumerate(program.statements):
        for access in statement.writes:
            if access.array != array:
                continue
            relation = access.relation.intersect_domain(statement.domain)
            relation = fix_parameters(relation, point.parameters)
            for position, value in enumerate(element):
                relation = relation.fix_val(DimType.out, position, value)
            schedule = fix_parameters(statement.schedule, point.parameters)
            times = schedule.intersect_domain(relation.domain()).reverse()
            if not times.is_empty():
                first = first_point(times.wrap(), {}).coordinates
                size = schedule.dim(DimType.out)
                found.append((first[:size], number, first[size:]))
    _, number, instance = min(found)
    return program.statements[number], instance


def check_writes(program: Program, flow: Dataflow, times: Events, problems: Problems) -> None:
    """Report statements that write one element at the same time in different instances."""
    if flow.written_once:
        return
    values = flow.values
    when = values.range_map().apply_range(times.writes)  # [A[x] -> W[i]] -> [event]
    where = values.domain_map().range_product(when)
    if where.is_injective():
        return
    meetings = where.apply_range(where.reverse())
    for meeting in maps_of(meetings):
        first, second = (
            meeting.get_space().domain().unwrap().get_tuple_name(DimType.out),
            meeting.get_space().range().unwrap().get_tuple_name(DimType.out),
        )
        if first > second:
            continue  # the same pair once more
        if first == second:
            meeting = meeting.subtract(meeting.identity(meeting.get_space()))
            if meeting.is_empty():
                continue
        here, there = _statement(program, first), _statement(program, second)
        point = first_point(meeting.wrap(), program.values)
        problems.add(
            f"{flow.array!r} is written twice at the same time: "
            + _meeting(program, here, there, flow.array, point),
            "change a schedule so that one of the writes comes first",
            _write_place(here, flow.array),
            [Note("the other write", _write_place(there, flow.array))],
        )


def _reading(program: Program, statement: Statement, array: str, point: Sample) -> str:
    depth = statement.domain.dim(DimType.set)
    instance = instance_text(statement, point.coordinates[:depth])
    element = element_text(array, point.coordinates[depth:])
    return f"{instance} reads {element}{parameters_text(program, point)}"


def _meeting(program: Program, here: Statement, there: Statement, array: str, point: Sample) -> str:
    """`point` is [A[x] -> W[i]] -> [A[x] -> V[j]]."""
    size, depth = len(program.arrays[array].index), here.domain.dim(DimType.set)
    element, first = point.coordinates[:size], point.coordinates[size : size + depth]
    second = point.coordinates[2 * size + depth :]
    return (
        f"{instance_text(here, first)} and {instance_text(there, second)} both write "
        f"{element_text(array, element)}{parameters_text(program, point)}"
    )


def _statement(program: Program, name: str) -> Statement:
    return next(statement for statement in program.statements if statement.name == name)


def _write_place(statement: Statement, array: str) -> SourceLocation | None:
    places = (access.source_location for access in statement.writes if access.array == array)
    return next((place for place in places if place), statement.source_location)
