"""Price of each read of an array: the array planned without it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from hlsmem.core.errors import HlsmemError
from hlsmem.lifetime.read_prices import (
    Prices,
    ReadPrice,
    Without,
    count_max_live,
    read_text,
    without_each_read,
)
from hlsmem.lifetime.storage_problem import StorageProblem
from hlsmem.lifetime.storage_problems import storage_problem
from hlsmem.planner.array_folding import choices_of, operations_of
from hlsmem.planner.plan_assembly import Planning
from hlsmem.polyhedra.limits import WorkLimitError, within
from hlsmem.program.model import Program, Storage
from hlsmem.program.schedule_classes import GIVEN
from hlsmem.timing.planned_program import arranged_within


def read_prices(planning: Planning, array: str) -> Prices:
    """Prices of the reads of a planned array; none for conflict sets and classes of orders.

    Without a read fewer elements conflict, so the plan's own mapping stays right and a price is
    never negative. Where max-live is as before and the plan reaches it, nothing is planned: no
    mapping has fewer cells.
    """
    program, given = planning.program, planning.design.input
    if program is None:
        return Prices()
    if planning.design.plan.schedules != GIVEN:
        return Prices(none="without one the class has other orders")
    if planning.folded.choices[array].mapping.cells == 1:
        return Prices()
    # A stream arrives at the least shift that its reads allow: it is found anew without each.
    if isinstance(given, Program) and program.arrays[array].storage is Storage.STREAM:
        program = given
    found, unpriced = [], []
    for without in without_each_read(program, array):
        try:
            found.append(_price(planning, array, without))
        except (WorkLimitError, HlsmemError):
            unpriced.append(read_text(without.read))
    found.sort(key=lambda one: -one.costs)
    return Prices(reads=tuple(found), unpriced=tuple(unpriced))


def _price(planning: Planning, array: str, without: Without) -> ReadPrice:
    design, planned = planning.design, planning.folded.choices[array].mapping.cells
    limit = operations_of(design)
    if without.program.arrays[array].storage is Storage.STREAM:
        without = replace(without, program=arranged_within(limit, without.program))
    alive = within(limit, partial(_count, without, array, design.plan.strict, design.plan.slack))
    cells = planned
    if alive is None or alive < cells:
        problem = within(limit, partial(_problem, without, array, planning))
        choices = choices_of(design, without.program, (problem,))
        cells = min(cells, choices[array].mapping.cells)
    return ReadPrice(
        statement=without.statement.name,
        source_location=without.read.source_location,
        text=read_text(without.read),
        cells=cells,
        max_live=alive,
        costs=planned - cells,
    )


def _count(
    without: Without, array: str, strict: bool, slack: int, report: Callable[[str], None]
) -> int | None:
    report(array)
    return count_max_live(without.program, array, strict=strict, slack=slack)


def _problem(
    without: Without, array: str, planning: Planning, report: Callable[[str], None]
) -> StorageProblem:
    report(array)
    options, program = planning.design.plan, without.program
    return storage_problem(
        program, program.arrays[array], strict=options.strict, slack=options.slack
    )
