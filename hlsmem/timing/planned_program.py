"""A program as it is planned: arrays in place expanded, in its order, cut to its tile, streams as
statements, unrolled."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from hlsmem.core.errors import LimitError, Problem, Problems
from hlsmem.polyhedra.limits import WorkLimitError, within
from hlsmem.program.joined_statements import joined
from hlsmem.program.model import Program, Storage
from hlsmem.timing.arrival import with_streams
from hlsmem.timing.beat_legality import check_together
from hlsmem.timing.lanes import unrolled
from hlsmem.timing.program_tile import cut
from hlsmem.timing.schedule_legality import check_legality
from hlsmem.timing.single_assignment import expanded
from hlsmem.timing.total_order import one_after_the_other, without_steps


def arranged(program: Program) -> Program:
    """The program of the tile, or the whole one, with its streams made statements, unrolled.

    Raises InputError where its order, or unrolling, violates a dependence of the order of its
    source, where there is no planning its tile alone, and as `with_streams`.
    """
    program = expanded(program)
    _check_order(program)
    return _arranged(program)


def arranged_within(operations: int, program: Program) -> Program:
    """`arranged`, if isl needs no more than so many operations for it.

    Raises LimitError with the array and the step otherwise.
    """

    def work(report: Callable[[Step], None]) -> None:
        whole = expanded(program)
        _check_order(whole, report)
        _arranged(whole, report)

    if _takes_work(program):
        try:
            within(operations, work)
        except WorkLimitError as error:
            raise LimitError(_too_complicated(program, operations, error)) from None
    # Done a second time here: the syntax tree of the kernel stays the one it is.
    return _arranged(expanded(program))


def _takes_work(program: Program) -> bool:
    if program.original is not None or program.tile is not None:
        return True
    if program.unroll or program.expand:
        return True
    return any(array.storage is Storage.STREAM for array in program.arrays.values())


# (array, what is done with it and what to do where that takes too long)
Step = tuple[str, tuple[str, str]]

_READ = ("the program is too complicated: reading its schedule", "give a simpler one")
_COMPARED = (
    "the schedule is too complicated: comparing it with the order of the source",
    "give a simpler schedule",
)
_CUT = ("the tile is too complicated: finding the values that cross it", "give a simpler tile")
_STREAMED = (
    "streams are too complicated: finding when elements arrive and depart",
    "make it a memory (storage: memory)",
)
_UNROLLED = (
    "unrolling is too complicated: comparing its order with the one before",
    "unroll less",
)


def _too_complicated(program: Program, operations: int, error: WorkLimitError) -> Problem:
    first = _READ if program.original is None else _COMPARED
    name, (what, remedy) = error.step or ("", first)
    place = None
    if name:
        what, place = f"{what} for {name!r}", program.arrays[name].source_location
    took = f"takes more than {operations} operations of isl"
    if error.signal:
        took = f"was ended by signal {error.signal}"
    return Problem(f"{what} {took}", f"raise plan.budget, or {remedy}", place)


def _ignored(_: Step) -> None:
    """Nobody wants to know."""


def _check_order(program: Program, report: Callable[[Step], None] = _ignored) -> None:
    problems = Problems()
    check_legality(program, problems, report=lambda name: report((name, _COMPARED)))
    problems.raise_if_any()


def _arranged(program: Program, report: Callable[[Step], None] = _ignored) -> Program:
    problems = Problems()
    part = cut(program, problems, report=lambda name: report((name, _CUT)))
    problems.raise_if_any()
    whole = joined(part)
    check_together(whole, problems)
    problems.raise_if_any()
    streamed = with_streams(whole, report=lambda name: report((name, _STREAMED)))
    found = unrolled(streamed, program, problems, report=lambda name: report((name, _UNROLLED)))
    problems.raise_if_any()
    return found


def in_the_order_of_c(given: Program, program: Program) -> Program:
    """The program in the order in which generated C runs it; itself where that is its own.

    `program` is `given` arranged. C runs one instance after the other, and unrolled loops as
    they are in its source.
    """
    if program.lanes:
        program = without_steps(arranged(replace(given, unroll={})))
    return one_after_the_other(program)
