"""The orders that a design may be planned in: the text's, and legal ones that keep less at once."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hlsmem.core.errors import Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.wording import listed
from hlsmem.planner.array_folding import Analysed
from hlsmem.program.model import Order, Program
from hlsmem.program.options import Design
from hlsmem.program.schedule_classes import GIVEN
from hlsmem.read.design import changed
from hlsmem.read.undecided import left_open

if TYPE_CHECKING:  # the search is loaded where there is one
    from hlsmem.schedule_search.proposals import Proposal

# Operations of isl that a search may take, and choices that it may look at, at the default budget:
# of `what-if`, which is asked for other orders, and of a plan, which looks for them by itself.
_ASKED = (100_000_000, 20_000)
_BY_ITSELF = (10_000_000, 2_000)
# Orders of fewest bits, by their estimates, that may take the place of the text's.
_MOST = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Orders:
    """Orders in which a design may be planned beside that of its text, the most promising first.

    Of each its design and what it is in words. `remark` says why there are none, or fewer than
    there might be; `best` is said where the text's takes fewest bits.
    """

    others: tuple[tuple[Design, str], ...] = ()
    remark: Problem | None = None
    best: Problem | None = None


def orders_of(text: Analysed, given: Design | None = None) -> Orders:
    """Orders that `schedule: auto` may take in place of the analysed one; none without it, and
    where multifor blocks give times.

    Such orders stand among the overrides of their designs, which are otherwise as `given` where
    something was decided for the text's order: that is open in them.
    """
    design = text.design
    given = given or design
    wanted, program = design.plan.search, design.program
    if not wanted.wanted or program is None or program.original is not None:
        return Orders()
    fewest = text.size_of({one.array.name: 1 for one in text.problems})
    if len(program.source.statements) < 2 or text.least <= fewest:
        return Orders()
    why = _ruled_out(design, program)
    if why:
        return Orders(remark=_kept(why, "leave that out for another"))
    from hlsmem.schedule_search.proposals import proposals

    operations, limit = _within_budget(design, _BY_ITSELF)
    found = proposals(program, wanted, operations=operations, limit=limit, most=_MOST)
    remark = best = None
    if not found.complete:
        what = f"the search for orders was cut after {found.work} choices: others may take"
        remark = Problem(f"{what} fewer bits", "plan.budget makes it longer")
    elif apart := [f"'{name}'" for name in found.apart if program.arrays[name].index]:
        what = f"no other that is legal keeps less of {listed(apart)}"
        best = _kept(what, "`hlsmem what-if` names the dependence that forbids others")
    others = ((_in_order(given, one), one.what) for one in found.found[:_MOST])
    return Orders(others=tuple(others), remark=remark, best=best)


def _in_order(design: Design, one: Proposal) -> Design:
    """A design in another order, with what was said of its text when that was read."""
    found = changed(design, settings_of(design, one))
    said, now = design.program, found.program
    if said is None or now is None:
        return found
    notes = dict.fromkeys((*said.notes, *now.notes))
    return replace(found, input=replace(now, notes=tuple(notes)))


def search_limits(design: Design) -> tuple[int, int]:
    """Operations of isl, and choices looked at, that a search may take that is asked for."""
    return _within_budget(design, _ASKED)


def settings_of(design: Design, one: Proposal) -> tuple[str, ...]:
    """The settings that give a design an order: its times, what a step of it is, and what the
    design leaves to defaults that are others for times of its own."""
    found, program, kernel = [f'schedule="{one.schedule}"'], design.program, design.kernel
    stepped = program is not None and program.order is Order.ITERATION
    if stepped and design.pipeline.level is None:
        found.append(f"pipeline.level={one.rows}")
    return (*found, *(() if kernel is None else (*kernel.defaults, *left_open(kernel))))


def _within_budget(design: Design, limits: tuple[int, int]) -> tuple[int, int]:
    return limits[0] * design.plan.effort, limits[1] * design.plan.effort


def _ruled_out(design: Design, program: Program) -> str:
    """Setting of a design that goes with the order of its text alone; "" where there is none."""
    plan = design.plan
    if plan.schedules != GIVEN:
        return f"plan.schedules: {plan.schedules.name} asks for many orders"
    if program.tile is not None:
        return "plan.tile is a set of its times"
    if program.unroll:
        return "lanes are those of its loops"
    return "plan.reuse has mappings for it" if plan.reuse is not None else ""


def _kept(why: str, remedy: str) -> Problem:
    return Problem(f"the text's order is kept: {why}", remedy)
