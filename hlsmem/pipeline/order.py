"""The order that `schedule: search` asks for: found once, then given like any other."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from hlsmem.errors import InputError, Note, Problem
from hlsmem.options import Design, PlanOptions
from hlsmem.order.arrangement import arranged_within
from hlsmem.planfile import FoundOrder
from hlsmem.program import Array, ConflictInput, Order, Program
from hlsmem.read.design import changed

if TYPE_CHECKING:  # the search is loaded where there is one
    from hlsmem.orders.proposals import Proposal, Proposals

# Operations of isl that a search may take, and choices that it may look at, at the default budget.
_OPERATIONS = 100_000_000
_CHOICES = 20_000
# Orders of fewest bits, by their estimates, that are planned to choose among them.
_PLANNED = 3


def search_limits(design: Design) -> tuple[int, int]:
    """Operations of isl, and choices looked at, that a search may take."""
    factor = max(1, design.plan.budget // PlanOptions().budget)
    return _OPERATIONS * factor, _CHOICES * factor


def settings_of(design: Design, one: Proposal) -> tuple[str, ...]:
    """The settings that give a design an order: its times, and what a step of it is."""
    found = [f'schedule="{one.schedule}"']
    program = design.input
    stepped = isinstance(program, Program) and program.order is Order.ITERATION
    if stepped and design.pipeline.level is None:
        found.append(f"pipeline.level={one.rows}")
    return tuple(found)


def in_found_order(
    design: Design, cost: Callable[[Design], tuple[int, ...]], least: Callable[[Design], int]
) -> tuple[Design, FoundOrder | None]:
    """The design with the best order there is in place of `schedule: search`, and which that is.

    Itself, and None, without a search, and where the order of the source is best. `cost` is made
    least; `least` are the bits that any storage takes. The order stands among the overrides. Where
    none costs less than that of the source, the source's stays. Raises InputError where arrays
    pass values from one nest to another and no legal order makes them smaller, with a dependence
    that forbids it; not where the search was cut.
    """
    wanted = design.plan.search
    if not wanted.wanted or isinstance(design.input, ConflictInput):
        return design, None
    from hlsmem.orders.proposals import proposals

    operations, limit = search_limits(design)
    program = design.input
    found = proposals(
        program, wanted, operations=operations, limit=limit, most=_PLANNED, doubtful=2
    )
    source = changed(design, ["schedule=null"])
    choices: dict[Proposal | None, Design] = {None: source}
    choices |= {one: changed(design, settings_of(design, one)) for one in found.found[:_PLANNED]}
    chosen = min(choices, key=lambda one: cost(choices[one])) if len(choices) > 1 else None
    best = choices[chosen]
    large = [name for name in found.apart if not _is_scalar(program.arrays[name])]
    if best is source and large and found.complete:
        _refuse(design, large, found)
    if not found.complete:
        best = _cut(best, found.work)
    if chosen is None:
        return best, None
    return best, FoundOrder(what=chosen.what, bits=least(source))


def _cut(design: Design, work: int) -> Design:
    """The design with the remark that there may be better orders."""
    assert isinstance(design.input, Program)
    what = f"the search for an order was cut after {work} choices: there may be better ones"
    notes = (*design.input.notes, Problem(what, "plan.budget makes it longer"))
    return replace(design, input=replace(design.input, notes=notes))


def _is_scalar(array: Array) -> bool:
    return not array.index


def _refuse(design: Design, names: list[str], found: Proposals) -> None:
    """Raise InputError with the dependences that keep nests apart, where there are some."""
    assert isinstance(design.input, Program)
    for one in found.doubtful:
        try:
            arranged_within(search_limits(design)[0], _program(design, one))
        except InputError as error:
            problems = [
                Problem(
                    f"schedule: search finds no legal order in which {name!r} is smaller",
                    "remove the key, or let its reader run in the order of its writer",
                    design.input.arrays[name].place,
                    (_note(name, error.problems),),
                )
                for name in names
            ]
            raise InputError(*problems) from None


def _note(array: str, problems: Sequence[Problem]) -> Note:
    """The dependence on an array, where it is among the problems; else the first one."""
    own = (one for one in problems if re.search(rf"\b{array}\b", one.what))
    broken = next(own, problems[0])
    return Note(broken.what, broken.place)


def _program(design: Design, one: Proposal) -> Program:
    program = changed(design, settings_of(design, one)).input
    assert isinstance(program, Program)
    return program
