"""Programs of which memories are planned although some instances may not run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hlsmem.polyhedra import UnionMap
from hlsmem.program import Order, Program, Statement
from hlsmem.read.schema import DesignKeys
from hlsmem.read.texts import Texts


def under_conditions(keys: DesignKeys, program: Program, texts: Texts) -> Program:
    """The program with what statements with filters write as writes that may not happen.

    Such a write ends no value; what it would hide may still be read. What cannot be planned under
    conditions goes to the problems of `texts`.
    """
    if not program.has_conditions:
        return program
    _check(keys, program, texts)
    statements = tuple(_possible(one) for one in program.statements)
    return replace(program, statements=statements)


def _possible(statement: Statement) -> Statement:
    if not statement.filters:
        return statement
    return replace(statement, writes=tuple(replace(one, must=False) for one in statement.writes))


def _check(keys: DesignKeys, program: Program, texts: Texts) -> None:
    first = next(one for one in program.statements if one.filters)
    for what, remedy in _unplanned(keys, program):
        what = f"{first.name!r} has a filter, and {what}"
        texts.problems.add(what, remedy, first.filters[0].place)


def _unplanned(keys: DesignKeys, program: Program) -> Iterator[tuple[str, str]]:
    """What asks for more than is known of instances that may not run, and the way out."""
    if program.order is Order.ITERATION:
        yield "order: iteration reads for a whole step ahead", "use order: sequential"
    elif not _has_own_times(program):
        what = "two instances run at one time, where one may decide for the other"
        yield what, "give every instance a time of its own, such as [i, 0] and [i, 1]"
    if keys.plan.schedules != "given":
        yield f"plan.schedules: {keys.plan.schedules} needs every order", "leave it out"
    if keys.plan.tile is not None:
        yield "a tile is planned for instances that surely run", "leave plan.tile out"
    if keys.pipeline.unroll:
        yield "lanes of unrolled loops share beats", "leave pipeline.unroll out"
    if keys.plan.slack:
        yield "slack counts beats of instances that surely run", "leave plan.slack out"


def _has_own_times(program: Program) -> bool:
    times = UnionMap("{ }")
    for one in program.statements:
        times = times.union(UnionMap.from_map(one.schedule.intersect_domain(one.domain)))
    return bool(times.intersect_params(program.context).is_injective())
