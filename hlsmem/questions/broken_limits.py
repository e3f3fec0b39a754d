"""Limits of a design held against its plan: `limits`, and what its target has."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hlsmem.core.errors import Problem
from hlsmem.core.wording import counted
from hlsmem.devices.primitives import Resource
from hlsmem.plan.plan_figures import NUMBERS, Metrics, is_modular, is_optimal, metrics_of, total_of
from hlsmem.planner.plan_assembly import Planning
from hlsmem.planner.remarks.stream_depths import broken_depths
from hlsmem.program.options import Limits
from hlsmem.schedule_search.design_changes import Exceeded
from hlsmem.storage.memory_footprint import budget_of

_MEETS = {"optimal": is_optimal, "modular": is_modular}
_ONE = {key: key.removesuffix("s") for key in ("cells", "words", "bits", "cycles")}
_ONE["blocks"] = "block RAM"


def broken_limits(planning: Planning) -> tuple[Problem, ...]:
    """Every limit of the design that its plan does not meet, at the line that asks for it."""
    limits, plan = planning.design.limits, planning.plan
    blocks = (
        None,
        Resource.BLOCKS,
    )  # those of the target: the excess over the budget says what to do
    over = (one for one in exceeded(planning) if (one.array, one.metric) != blocks)
    found = [_problem(planning, one) for one in over]
    if planning.over_budget is not None:
        found.append(
            replace(planning.over_budget, source_location=limits.whole.places.get(Resource.BLOCKS))
        )
    for name, array in plan.arrays.items():
        for one in (limits.whole, limits.arrays.get(name, Limits())):
            metrics = metrics_of(plan, array.name)
            if one.standing is not None and not _MEETS[one.standing](metrics.standing):
                what = f"{name} takes {counted(metrics.words, 'word')}: {metrics.standing}, and"
                what += f" limits ask for {one.standing}"
                remedy = "`hlsmem compare` shows what every method finds"
                found.append(Problem(what, remedy, one.places["standing"]))
    return (*found, *broken_depths(planning.design))


def exceeded(planning: Planning) -> tuple[Exceeded, ...]:
    """The numbers of the plan that are above what its design allows, or not known."""
    limits, plan = planning.design.limits, planning.plan
    found = list(_exceeded(None, limits.whole, total_of(plan)))
    budget = {} if plan.target is None else budget_of(plan.target)
    taken, most = plan.resources.blocks, budget.get(Resource.BLOCKS)
    if most is not None and taken > most and limits.whole.blocks is None:
        found.append(Exceeded(array=None, metric="blocks", most=most, taken=taken))
    for name, one in limits.arrays.items():
        if name in plan.arrays:
            found += _exceeded(name, one, metrics_of(plan, name))
    return tuple(found)


def _exceeded(array: str | None, limits: Limits, metrics: Metrics) -> Iterator[Exceeded]:
    for key in NUMBERS:
        most = getattr(limits, key, None)
        taken = metrics.number(key)
        if most is not None and (taken is None or taken > most):
            yield Exceeded(array=array, metric=key, most=most, taken=taken)


def _problem(planning: Planning, one: Exceeded) -> Problem:
    limits = planning.design.limits
    places = (limits.whole if one.array is None else limits.arrays[one.array]).places
    place = places.get(one.metric)
    noun = _ONE[one.metric]
    if one.taken is None:
        why = "no run of the plan is predicted" if one.metric == "cycles" else "there is no C"
        what = f"limits allow {counted(one.most, noun)}, and {why}"
        return Problem(what, f"leave limits.{one.metric} out", place)
    return Problem(
        f"{one.array or 'the plan'} takes {counted(one.taken, noun)}, and limits allow {one.most}:"
        f" {one.taken - one.most} too many",
        "`hlsmem explain` says what keeps it from being smaller",
        place,
    )
