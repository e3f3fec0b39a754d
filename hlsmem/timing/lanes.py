"""Unrolled loops: several iterations side by side in one step, each in a lane of its own.

A time [step, rest] becomes [step, lanes, rest]: in the step an unrolled loop counts groups of
iterations, its lane is the place in the group. Within a step lanes follow each other in the
order of values, so that a later lane sees what an earlier one makes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from typing import Any

from hlsmem.core.errors import Problems
from hlsmem.polyhedra import DimType
from hlsmem.polyhedra.relations import rearrangement
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.program.model import Program, Statement
from hlsmem.timing.schedule_legality import check_legality

Lane = tuple[int, ...]


def unrolled(
    program: Program,
    source: Program,
    problems: Problems,
    *,
    report: Callable[[str], None] = lambda _: None,
) -> Program:
    """The program with the factors of `Program.unroll` applied; as it is without any.

    Groups begin with the first iteration of all statements at the plan's parameters. `source`
    is the program as it was read. Reports dependences that lanes side by side would violate:
    an outer loop that is unrolled jams the loops inside of it. `report` is told each array
    before that is looked for.
    """
    if not program.unroll:
        return program
    entries = sorted(program.unroll)
    firsts = {entry: _first(program, entry) for entry in entries}
    size, step = program.time_dimensions, program.step_dimensions
    time: list[int | str] = list(range(size))
    lanes = []
    for entry in entries:
        factor, first = program.unroll[entry], firsts[entry]
        group = f"floor((t{entry} - {first})/{factor})"
        time[entry] = group
        lanes.append(f"t{entry} - {first} - {factor}*{group}")
    moved = rearrangement(size, [*time[:step], *lanes, *time[step:]])
    names = program.iterator_names
    found = replace(
        program,
        statements=tuple(
            replace(one, schedule=one.schedule.apply_range(moved).coalesce())
            for one in program.statements
        ),
        time_dimensions=size + len(lanes),
        iterator_names=(
            *names[:step],
            *(f"{names[entry]}_lane" for entry in entries),
            *names[step:],
        )
        if names
        else (),
        original=program,
        unroll={},
        lanes=tuple(program.unroll[entry] for entry in entries),
    )
    check_legality(found, problems, report=report)
    return replace(found, original=source.source)


def _first(program: Program, entry: int) -> int:
    """The least value that a loop counts, at the plan's parameters."""
    firsts = []
    for statement in program.statements:
        times = fix_parameters(
            statement.schedule.intersect_domain(statement.domain), program.values
        ).range()
        if times.is_empty():
            continue
        low, high = times.dim_min_val(entry), times.dim_max_val(entry)
        if not low.eq(high):
            firsts.append(int(low.to_python()))
    return min(firsts, default=0)


def lane_columns(program: Program) -> range:
    """The entries of times that are lanes."""
    return range(program.step_dimensions, program.step_dimensions + len(program.lanes))


def beat_times(program: Program, schedule: Any) -> Any:
    """A schedule with 0 for the lanes: instances side by side share a beat."""
    columns = lane_columns(program)
    if not columns:
        return schedule
    size = program.time_dimensions
    kept = ["0" if entry in columns else entry for entry in range(size)]
    return schedule.apply_range(rearrangement(size, kept))


def lanes_of(program: Program, statement: Statement) -> Iterator[tuple[Lane, Any]]:
    """The lanes that a statement has instances in, at the plan's parameters, with these.

    One lane () with all instances where nothing is unrolled.
    """
    schedule = fix_parameters(statement.schedule.intersect_domain(statement.domain), program.values)
    columns = lane_columns(program)
    for lane in product(*(range(size) for size in program.lanes)):
        inside = schedule
        for column, value in zip(columns, lane, strict=True):
            inside = inside.fix_val(DimType.out, column, value)
        instances = inside.domain()
        if not lane or not instances.is_empty():
            yield lane, instances
