"""Savings by changes of a design: orders, strips, steps, streams, banks, each planned.

The one place that looks for changes: `what-if` and `explain` print from it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from hlsmem.core.errors import HlsmemError, InputError, LimitError, Problem
from hlsmem.plan import Plan
from hlsmem.planner.array_folding import Folded, analyse, folded
from hlsmem.planner.hardware.hardware_planning import hardware_of
from hlsmem.planner.host.host_planning import host_of
from hlsmem.planner.parameter_streams import with_parameters
from hlsmem.planner.plan_assembly import Planning, planned
from hlsmem.planner.planning_sequence import plan_hardware
from hlsmem.planner.searched_order import search_limits, settings_of
from hlsmem.polyhedra.relations import sets_of
from hlsmem.program.model import ConflictInput, Order, Program, Storage
from hlsmem.program.options import Design
from hlsmem.program.schedule_classes import GIVEN
from hlsmem.read.design import changed
from hlsmem.schedule_search.design_changes import (
    KINDS,
    ArrayFigures,
    Change,
    Changes,
    Figures,
    Illegal,
    Priced,
)

if TYPE_CHECKING:  # the search is loaded where there is one
    from hlsmem.schedule_search.proposals import Proposal, Proposals

# Changes that are illegal and shown.
_ILLEGAL = 3
# Orders of one kind that are planned at most.
_ORDERS = 4


def changes(
    design: Design,
    *,
    kinds: Sequence[str] = KINDS,
    order: str | None = None,
    top: int = 10,
    illegal: int = _ILLEGAL,
    planning: Planning | None = None,
) -> Changes:
    """The `top` changes that save most, each planned, and some illegal ones.

    With `order` kept none that makes a stream or an external array be touched in another order;
    the default is that of `plan.search`. `planning` is that of the design, where it is at hand.
    Raises InputError for conflict sets and unknown kinds.
    """
    _check_kinds(kinds)
    _program(design)
    planning = planning or plan_hardware(design)
    design = planning.design
    program = _program(design)
    now = figures(planning.plan)
    blocks_first = design.plan.objective == "blocks"
    order = order or design.plan.search.order
    found = _proposals(design, program, kinds, order, _ORDERS)
    offers = [
        *(_reordered(design, one) for one in found.found if one.kind in kinds),
        *_others(design, program, planning, found, kinds),
    ]
    # By what they take rather than by estimates: a rank does not depend on how many are shown.
    least = planning.folded.size if blocks_first else (0, now.bits)
    likely, beyond = _likely(design, offers, least)
    if not found.complete:
        beyond.append(f"orders beyond {found.work} choices")
    likely.sort(key=lambda offer: (offer[0].size, len(offer[1].settings)))
    result = Changes(
        design=planning.plan.design,
        params=planning.plan.params,
        now=now,
        changes=(),
        illegal=tuple(_illegal(design, found, kinds, now.bits, illegal)),
        complete=found.complete,
        work=found.work,
        order=order,
        blocks_first=blocks_first,
        tried=len(offers),
        not_tried=tuple(beyond),
    )
    planned = (_priced(change, then) for then, change in likely[:top])
    saving = [one for one in planned if one is not None and _saves(one, now, result)]
    saving.sort(
        key=lambda one: (-result.saving(one.figures), len(one.change.settings), one.figures.words)
    )
    return replace(result, changes=tuple(_distinct(saving)))


def _distinct(found: Sequence[Priced]) -> Iterator[Priced]:
    """The first change of each kind with the same figures."""
    shown: list[tuple[str, Figures]] = []
    for one in found:
        if (one.change.kind, one.figures) not in shown:
            shown.append((one.change.kind, one.figures))
            yield one


def change_of(design: Design, settings: Sequence[str], *, option: str) -> Changes:
    """The figures of settings of the user's own beside those of the design."""
    program = _program(design)
    planning = plan_hardware(design)
    after = plan_hardware(changed(planning.design, settings, option=option))
    change = Change(kind="try", what=" ".join(settings), settings=tuple(settings))
    return Changes(
        design=program.name,
        params=planning.plan.params,
        now=figures(planning.plan),
        changes=(Priced(change=change, figures=figures(after.plan)),),
        illegal=(),
        complete=True,
        work=0,
        blocks_first=design.plan.objective == "blocks",
    )


def figures(plan: Plan) -> Figures:
    """Resources and cycles of a plan."""
    arrays = {
        name: ArrayFigures(words=array.hardware.words, bits=array.hardware.bits)
        for name, array in plan.arrays.items()
    }
    return Figures(
        bits=sum(array.hardware.bits for array in plan.arrays.values()),
        words=sum(array.hardware.words for array in plan.arrays.values()),
        blocks=None if plan.target is None else plan.resources.blocks,
        cycles=None if plan.timing is None else plan.timing.cycles,
        arrays=arrays,
    )


def _is_copied(plan: Plan, array: str) -> bool:
    if array not in plan.arrays:
        return False
    parts = plan.arrays[array].hardware.parts
    return any(plan.memories[part.memory].copies > 1 for part in parts)


def _check_kinds(kinds: Sequence[str]) -> None:
    problems = [
        Problem(f"--kind {kind}: there is no such kind of change", f"kinds are: {', '.join(KINDS)}")
        for kind in kinds
        if kind not in KINDS
    ]
    if problems:
        raise InputError(*problems)


def _program(design: Design) -> Program:
    if isinstance(design.input, ConflictInput):
        what = "a conflict set has no order, no steps and no streams that could be changed"
        array = next(iter(design.input.conflicts.values())).array
        raise InputError(
            Problem(what, "ask what-if about a kernel or a network", array.source_location)
        )
    return design.input


def _proposals(
    design: Design, program: Program, kinds: Sequence[str], order: str, most: int
) -> Proposals:
    from hlsmem.schedule_search.proposals import Proposals, proposals

    of_a_class = design.plan.schedules != GIVEN  # has many orders, and no best one
    if of_a_class or not {"fuse", "interchange", "strip", "step"}.intersection(kinds):
        return Proposals(found=(), doubtful=(), work=0, complete=True)
    wanted = {"interchange", "strip"}.intersection(kinds) and order == "any"
    options = replace(design.plan.search, order="any" if wanted else "kept")
    operations, limit = search_limits(design)
    return proposals(
        program,
        options,
        operations=operations,
        limit=limit,
        most=most,
        strips="strip" in kinds,
        doubtful=2 * _ILLEGAL,
    )


def _reordered(design: Design, one: Proposal) -> Change:
    return Change(
        kind=one.kind,
        what=one.what,
        settings=settings_of(design, one),
        by_columns=one.by_columns,
    )


def _others(
    design: Design,
    program: Program,
    planning: Planning,
    found: Proposals,
    kinds: Sequence[str],
) -> Iterator[Change]:
    """Changes that are no orders."""
    if "slack" in kinds and design.plan.slack > 0:
        what = "end live intervals with the last read, without registered handshakes"
        yield Change(kind="slack", what=what, settings=("plan.slack=0",))
    if "strict" in kinds and design.plan.strict:
        what = "let a cell be read and overwritten at the same time"
        yield Change(kind="strict", what=what, settings=("plan.strict=false",))
    if "step" in kinds and program.order is Order.SEQUENTIAL:
        what = "take all statements of an iteration as one step"
        yield Change(kind="step", what=what, settings=("order=iteration",))
        for one in [one for one in found.found if not one.by_columns][:1]:
            times, level = f'schedule="{one.schedule}"', f"pipeline.level={one.rows}"
            what = f"{one.what}, all statements of an iteration in one step"
            yield Change(kind="step", what=what, settings=(times, "order=iteration", level))
    for name, array in program.arrays.items():
        inside = array.storage is Storage.MEMORY
        if "stream" in kinds and inside and array.is_parameter:
            what = f"let {name} pass as a stream, instead of filling or draining a memory"
            yield Change(kind="stream", what=what, settings=(f"arrays.{name}.storage=stream",))
        if "live_out" in kinds and inside and _is_needed(program, name):
            yield _without_live_out(program, name)
        if "banks" in kinds and array.reads == "auto" and _is_copied(planning.plan, name):
            what = f"read {name} from banks, instead of copies"
            yield Change(kind="banks", what=what, settings=(f"arrays.{name}.reads=banks",))


def _is_needed(program: Program, array: str) -> bool:
    return any(one.get_tuple_name() == array for one in sets_of(program.live_out))


def _without_live_out(program: Program, array: str) -> Change:
    """Nothing of an array is needed after the end: only the user knows whether that is so."""
    others = [str(one) for one in sets_of(program.live_out) if one.get_tuple_name() != array]
    return Change(
        kind="live_out",
        what=f"keep nothing of {array} for after the end",
        settings=(f"live_out={json.dumps(others)}",),
        needs=f"nobody reads {array} after the end",
    )


def _priced(change: Change, then: Folded) -> Priced | None:
    """The change with its figures; None where a plan of it is refused, also for its host C."""
    host = then.design.host
    try:
        placement = hardware_of(then)
        if host.choice or not isinstance(host.tile, str):
            host_of(then)
    except HlsmemError:
        return None
    return Priced(change=change, figures=figures(planned(then, placement).plan))


def _saves(one: Priced, now: Figures, all_of: Changes) -> bool:
    if one.change.kind == "banks":
        return one.figures.words < now.words
    return all_of.saving(one.figures) > 1


def _illegal(
    design: Design, found: Proposals, kinds: Sequence[str], bits: int, most: int
) -> Iterator[Illegal]:
    """Orders that would take fewer bits, were it not for a dependence; of those that are said in
    the same words (their loops differ alone) the first."""
    told = set[str]()
    for one in found.doubtful:
        if len(told) == most:
            return
        change = _reordered(design, one)
        if one.kind not in kinds or one.bits >= bits or change.what in told:
            continue
        try:
            analyse(changed(design, change.settings))
        except InputError as error:
            told.add(change.what)
            yield Illegal(change=change, bits=one.bits, because=str(error.problems[0]))
        except HlsmemError:
            continue


def _likely(
    design: Design, offers: Sequence[Change], least: tuple[int, int]
) -> tuple[list[tuple[Folded, Change]], list[str]]:
    """The changes whose arrays take less than `least`, folded, and those too large to be tried."""
    likely, beyond = [], []
    for one in offers:
        try:
            then = folded(with_parameters(changed(design, one.settings)))
        except LimitError:
            beyond.append(one.what)
        except HlsmemError:
            continue
        else:
            if then.size < least or one.kind == "banks":
                likely.append((then, one))
    return likely, beyond
