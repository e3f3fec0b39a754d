"""One instance after the other: the order in which generated C runs what has equal times.

At one time, and in one step of an iteration, all reads come before all writes. Where no
statement has two instances there, generated C keeps to that by loading operands first; else
instances follow each other, and a plan has to be right for that order as well. So they do where
data decide which instances run: what a step passes on depends on who is in it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hlsmem.polyhedra import DimType
from hlsmem.polyhedra.relations import dimension_names, rearrangement
from hlsmem.program.model import Copy, Order, Program, Statement
from hlsmem.timing.events import instance_times

_DEPARTS, _RUNS, _ARRIVES = -1, 0, 1


def without_steps(program: Program) -> Program:
    """The program as C runs it where data decide which instances run: one after the other, as no
    step passes on what may not be made. Itself where all run, or where it has no steps."""
    if program.order is not Order.ITERATION or not program.has_conditions:
        return program
    return replace(program, order=Order.SEQUENTIAL)


def one_after_the_other(program: Program) -> Program:
    """The program with a time of its own for every instance.

    Instances of equal times keep the order of the source, and without one run in textual order,
    each statement's in the order of its iterators; elements leave streams before and enter them
    after. The program itself where generated C needs no such order: where no statement has two
    instances at one time, or in one step, and all instances run.
    """
    if program.order is Order.ITERATION:
        if not _repeats(program, program.step_dimensions):
            return program
        return one_after_the_other(replace(program, order=Order.SEQUENTIAL))
    if not _needs_order(program):
        return program
    given = program.source
    source = {}
    if given is not program:
        source = {one.name: one.schedule for one in given.statements}
    depth = max(len(one.iterators) for one in program.statements)
    before = given.time_dimensions if source else 0
    statements = tuple(
        replace(one, schedule=_schedule(one, number, source.get(one.name), before, depth))
        for number, one in enumerate(program.statements)
    )
    extra = 1 + before + 1 + depth
    names = program.iterator_names
    return replace(
        program,
        statements=statements,
        time_dimensions=program.time_dimensions + extra,
        iterator_names=(*names, *dimension_names("order", extra)) if names else (),
    )


def _needs_order(program: Program) -> bool:
    if instance_times(program).is_injective():
        return False
    return program.has_conditions or _repeats(program, program.time_dimensions)


def _repeats(program: Program, leading: int) -> bool:
    """True if a statement has several instances that agree on `leading` entries of the time."""
    step = rearrangement(program.time_dimensions, range(leading))
    return not all(
        one.schedule.intersect_domain(one.domain).apply_range(step).is_injective()
        for one in program.statements
        if not isinstance(one.body, Copy)
    )


def _schedule(statement: Statement, number: int, source: Any, before: int, depth: int) -> Any:
    """{ S[i] -> [time, phase, time in the source, number, i] }, padded with zeros."""
    phase = _RUNS
    if isinstance(statement.body, Copy):
        phase = _ARRIVES if statement.writes else _DEPARTS
    schedule = statement.schedule.intersect_domain(statement.domain)
    own = schedule.domain().identity().reset_tuple_id(DimType.out)
    loops = own.dim(DimType.out)
    parts = own if source is None else source.intersect_domain(statement.domain)
    if source is not None:
        parts = parts.flat_range_product(own)
    size, skip = schedule.dim(DimType.out), parts.dim(DimType.out) - loops
    zeros = ["0"] * (before - skip)
    entries: list[int | str] = [
        *range(size),
        str(phase),
        *range(size, size + skip),
        *zeros,
        str(number),
        *range(size + skip, size + skip + loops),
        *["0"] * (depth - loops),
    ]
    whole = schedule.flat_range_product(parts)
    return whole.apply_range(rearrangement(size + skip + loops, entries))
