"""A program as it is planned: in its order, cut to its tile, streams as statements, unrolled."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from hlsmem.errors import LimitError, Problem, Problems
from hlsmem.order.legality import check_legality
from hlsmem.order.serial import one_after_the_other
from hlsmem.order.streams import with_streams
from hlsmem.order.tile import cut
from hlsmem.order.unroll import unrolled
from hlsmem.polyhedra.limits import WorkLimitError, within
from hlsmem.program import Program


def arranged(program: Program) -> Program:
    """The program of the tile, or the whole one, with its streams made statements, unrolled.

    Raises InputError where its order, or unrolling, violates a dependence of the order of its
    source, where there is no planning its tile alone, and as `with_streams`.
    """
    _check_order(program)
    return _arranged(program)


def arranged_within(operations: int, program: Program) -> Program:
    """`arranged`, if comparing a given order with that of the source needs no more of isl.

    Raises LimitError with the array otherwise.
    """
    if program.original is not None:
        try:
            within(operations, lambda report: _check_order(program, report))
        except WorkLimitError as error:
            raise LimitError(_too_complicated(program, operations, error)) from None
    return _arranged(program)


def _too_complicated(program: Program, operations: int, error: WorkLimitError) -> Problem:
    what = "the schedule is too complicated: comparing it with the order of the source"
    place = None
    if error.step is not None:
        what, place = f"{what} for {error.step!r}", program.arrays[error.step].place
    took = f"takes more than {operations} operations of isl"
    if error.signal:
        took = f"was ended by signal {error.signal}"
    return Problem(f"{what} {took}", "raise plan.budget, or give a simpler schedule", place)


def _check_order(program: Program, report: Callable[[str], None] = lambda _: None) -> None:
    problems = Problems()
    check_legality(program, problems, report=report)
    problems.raise_if_any()


def _arranged(program: Program) -> Program:
    problems = Problems()
    part = cut(program, problems)
    problems.raise_if_any()
    found = unrolled(with_streams(part), program, problems)
    problems.raise_if_any()
    return found


def in_the_order_of_c(given: Program, program: Program) -> Program:
    """The program in the order in which generated C runs it; itself where that is its own.

    `program` is `given` arranged. C runs one instance after the other, and unrolled loops as
    they are in its source.
    """
    if program.lanes:
        program = arranged(replace(given, unroll={}))
    return one_after_the_other(program)
