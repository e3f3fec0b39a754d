"""Programs that mean nothing: reads without a value, and two writes of an element at once."""

from __future__ import annotations

from hlsmem.errors import Note, Problems
from hlsmem.order.dataflow import Dataflow
from hlsmem.order.events import LIVE_OUT, Events
from hlsmem.order.witness import element_text, instance_text, parameters_text
from hlsmem.places import Place
from hlsmem.polyhedra import DimType
from hlsmem.polyhedra.relations import maps_of
from hlsmem.polyhedra.samples import Sample, first_point
from hlsmem.program import Program, Statement


def check_reads(program: Program, flow: Dataflow, problems: Problems) -> None:
    """Report every access of the array that reads what no write and no live-in provides."""
    for missing in maps_of(flow.unprovided):
        name = missing.get_tuple_name(DimType.in_)
        if name == LIVE_OUT:
            point = first_point(missing.wrap(), program.values)
            problems.add(
                f"{flow.array!r} is live after the program, but nothing writes "
                f"{element_text(flow.array, point.coordinates)}{parameters_text(program, point)}",
                "write it, or leave it out of live_out",
                program.arrays[flow.array].place,
            )
            continue
        statement = _statement(program, name)
        for access in statement.reads:
            if access.array != flow.array:
                continue
            unprovided = access.relation.intersect(missing)
            if not unprovided.is_empty():
                place = access.place or statement.place
                point = first_point(unprovided.wrap(), program.values)
                problems.add(
                    f"{flow.array!r} is read before any statement writes it",
                    "add it to live_in or write it first",
                    place,
                    [Note(_reading(program, statement, flow.array, point), place)],
                )


def check_writes(program: Program, flow: Dataflow, times: Events, problems: Problems) -> None:
    """Report statements that write one element at the same time in different instances."""
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
    return f"for example {instance} reads {element}{parameters_text(program, point)}"


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


def _write_place(statement: Statement, array: str) -> Place | None:
    places = (access.place for access in statement.writes if access.array == array)
    return next((place for place in places if place), statement.place)
