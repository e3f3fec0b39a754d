"""From a program to one storage problem per planned array."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from hlsmem.errors import LimitError, Problem, Problems
from hlsmem.lifetime.bound import max_live_bound
from hlsmem.lifetime.conflicts import written_during
from hlsmem.lifetime.occupation import occupations
from hlsmem.lifetime.problem import Pairs, StorageProblem
from hlsmem.lifetime.residence import Residences, residences
from hlsmem.lifetime.slack import with_slack
from hlsmem.lifetime.soundness import check_reads, check_writes
from hlsmem.order.dataflow import dataflow
from hlsmem.order.events import events, full_events
from hlsmem.polyhedra.limits import WorkLimitError, within
from hlsmem.polyhedra.sets import differences, without_name
from hlsmem.program import Array, Order, Program, Storage

# (name of an array, what is done next)
Step = tuple[str, str]


def storage_problems_within(
    operations: int, program: Program, *, strict: bool = False, slack: int = 0
) -> tuple[StorageProblem, ...]:
    """`storage_problems`, if isl needs no more than so many operations.

    Raises LimitError with the array and the step otherwise.
    """
    try:
        return within(
            operations,
            lambda report: storage_problems(program, strict=strict, slack=slack, report=report),
        )
    except WorkLimitError as error:
        raise LimitError(_too_complicated(program, operations, error)) from None


def storage_problems(
    program: Program,
    *,
    strict: bool = False,
    slack: int = 0,
    report: Callable[[Step], None] = lambda _: None,
) -> tuple[StorageProblem, ...]:
    """The conflicts, differences and max-live of every planned array, in declaration order.

    `program` has its streams made statements already (`order.with_streams`). `strict` forbids
    to read and to overwrite a cell at the same time; `slack` ends residences that many beats of
    the reader later. `report` is told each step before it is made. Raises InputError for reads
    that nothing provides and for elements that two instances write at the same time: all of
    them at once.
    """
    full = full_events(program)
    same = program.order is Order.SEQUENTIAL and not strict
    times = full if same else events(program, strict=strict)
    problems = Problems()
    flows = {}
    for array in program.arrays.values():
        if array.storage is not Storage.ROM:
            report((array.name, "finding the write that each read sees"))
            flow = flows[array.name] = dataflow(program, array.name, full, only_last=True)
            check_reads(program, flow, problems)
            check_writes(program, flow, times, problems)
    problems.raise_if_any()
    found = []
    for array in program.planned_arrays():
        report((array.name, "finding when its elements live"))
        ends = with_slack(program, array.name, times, slack)
        lives = residences(program, array, flows[array.name], ends)
        occupied = occupations(lives)
        report((array.name, "finding which of its elements conflict"))
        oriented = written_during(lives)
        report((array.name, "counting the elements alive at once"))
        bound = max_live_bound(lives, occupied, oriented, program)
        report((array.name, "taking the differences of its conflicts"))
        problem = _problem(program, lives, oriented)
        bounds = () if bound is None else (bound,)
        found.append(replace(problem, occupied=occupied, bounds=bounds))
    return tuple(found)


def _too_complicated(program: Program, operations: int, error: WorkLimitError) -> Problem:
    name, step = error.step or (program.name, "reading its schedule")
    took = f"takes more than {operations} operations of isl"
    if error.signal:
        took = f"was ended by signal {error.signal}"
    remedy = "raise plan.budget, or leave the array out (storage: external)"
    place = program.arrays[name].place if name in program.arrays else None
    return Problem(f"{name!r} is too complicated: {step} {took}", remedy, place)


def conflict_problem(program: Program, array: Array) -> StorageProblem:
    """The storage problem of one planned array without bounds, for a program known to be sound."""
    flow = dataflow(program, array.name, only_last=True)
    lives = residences(program, array, flow, events(program))
    return _problem(program, lives, written_during(lives))


def _problem(program: Program, lives: Residences, oriented: Any) -> StorageProblem:
    return StorageProblem(
        array=lives.array,
        parameters=program.parameters,
        values=program.values,
        context=program.context,
        differences=without_name(differences(oriented, program.context)),
        pairs=Pairs(oriented, is_symmetric=False),
        elements=lives.starts.domain().coalesce(),
    )
