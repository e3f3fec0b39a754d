"""The price of independence: the cells of every array for one class of orders after another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hlsmem.core.errors import HlsmemError, InputError, Problem
from hlsmem.emit.class_table import ClassRow
from hlsmem.lifetime.bounds import with_bounds
from hlsmem.planner.array_folding import analyse, choices_of
from hlsmem.program.model import ConflictInput, Storage
from hlsmem.program.options import Design
from hlsmem.program.schedule_classes import GIVEN, AffineSchedules, AnyOrder, Banded, ScheduleClass


def compare_classes(design: Design) -> tuple[ClassRow, ...]:
    """A row for every planned array and class: given, sequential, tiled, affine, any.

    Bands are the design's where it has any. Raises InputError for a conflict set, and where
    the design needs a single schedule: slack, order iteration, streams.
    """
    if isinstance(design.input, ConflictInput):
        what = "a conflict set has no order, hence no classes of orders"
        raise InputError(Problem(what, "leave --classes out"))
    single = design.plan.slack or design.input.order.value != "sequential"
    arrays = design.input.planned_arrays()
    if single or any(one.storage is Storage.STREAM for one in arrays):
        what = "slack, order: iteration and streams are of one schedule: there are no classes"
        raise InputError(Problem(what, "leave --classes out"))
    return tuple(row for asked in _classes(design) for row in _rows(design, asked))


def _classes(design: Design) -> Iterator[ScheduleClass]:
    own = design.plan.schedules
    yield GIVEN
    yield Banded(name="sequential")
    yield own if isinstance(own, Banded) and own.name == "tiled" else Banded(name="tiled")
    yield own if isinstance(own, AffineSchedules) else AffineSchedules()
    yield AnyOrder()


def _rows(design: Design, asked: ScheduleClass) -> Iterator[ClassRow]:
    assert not isinstance(design.input, ConflictInput)
    there = replace(design, plan=replace(design.plan, schedules=asked, reuse=None))
    try:
        program, problems = analyse(there)
        choices = choices_of(there, program, problems)
    except HlsmemError as error:
        if asked == GIVEN:
            raise
        for array in design.input.planned_arrays():
            yield ClassRow(schedules=asked.name, array=array, reason=error.problems[0].what)
        return
    for problem in problems:
        choice = choices[problem.array.name]
        yield ClassRow(
            schedules=asked.name,
            array=problem.array,
            bounds=with_bounds(problem, choice.mapping.cells, choice.bounds()),
            mapping=choice.mapping,
        )
