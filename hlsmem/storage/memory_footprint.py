"""Use of the target by a plan, and the cheapest change where that is too much."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from hlsmem.core.errors import Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.wording import listed
from hlsmem.devices import device_named, family_of
from hlsmem.devices.inference import implement
from hlsmem.devices.primitives import Budget, Cost, Resource, Style, excess
from hlsmem.plan import ArrayPlan, Memory, Plan, Rejected, Target
from hlsmem.storage.kinds import kind_named
from hlsmem.storage.ram.kind import Ram

# No other ways to hold any array.
_NONE: Mapping[str, Sequence[Rejected]] = MappingProxyType({})


def budget_of(target: Target) -> Budget:
    """Resources of the target for the plan; a family alone bounds none."""
    device = device_named(target.device)
    there = {} if device is None else device.budget
    return {**there, **_allowed(target)}


def _allowed(target: Target) -> Budget:
    """The block RAMs that the design allows, where it says so."""
    return {} if target.block_rams is None else {Resource.BLOCKS: target.block_rams}


def over_budget(plan: Plan, others: Mapping[str, Sequence[Rejected]] = _NONE) -> Problem | None:
    """Resources that the plan takes beyond its target, with the cheapest change; or None.

    Its memories are counted. `others` are ways to hold arrays that the design's settings rule out.
    """
    if plan.target is None:
        return None
    budget, total = budget_of(plan.target), plan.resources
    missing = excess(total, budget)
    if not missing:
        return None
    whose = "the design allows" if missing.keys() == _allowed(plan.target).keys() else "there are"
    taken = _numbers(plan.target, {one: getattr(total, one) for one in missing})
    logic = {Resource.LUTS, Resource.FLIP_FLOPS} & {*missing}
    counted = ", without address generators" if logic else ""
    return Problem(
        f"{plan.design} takes {taken} on {plan.target.device}{counted}, and"
        f" {whose} {listed([str(budget[one]) for one in missing])}:"
        f" {listed([str(number) for number in missing.values()])} too many",
        _cheapest_change(plan, budget, others),
    )


def _numbers(target: Target, amounts: Mapping[Resource, int]) -> str:
    """Resources in a sentence."""
    family = family_of(target.device)
    return listed([f"{number} {family.noun(one)}" for one, number in amounts.items()])


@dataclass(frozen=True, slots=True, kw_only=True)
class _Change:
    """Another way to hold an array, how to ask for it, and what the array takes then."""

    array: str
    text: str
    cost: Cost


def _cheapest_change(plan: Plan, budget: Budget, others: Mapping[str, Sequence[Rejected]]) -> str:
    """Changes of arrays with which the plan fits, for the least logic, or a larger device."""
    assert plan.target is not None
    changes = list(_changes(plan, others))
    before = {name: _cost(plan, array) for name, array in plan.arrays.items()}
    costs, taken = dict(before), list[_Change]()

    def beyond(costs: Mapping[str, Cost]) -> float:
        missing = excess(_total(costs), budget)
        return sum(number / max(1, budget[one]) for one, number in missing.items())

    def measure(one: _Change) -> tuple[float, int, str]:
        changed = {**costs, one.array: one.cost}
        total = _total(changed)
        return beyond(changed), total.luts + total.flip_flops, one.text

    while beyond(costs):
        changes = [one for one in changes if one.array not in {own.array for own in taken}]
        best = min(changes, key=measure, default=None)
        if best is None or measure(best)[0] >= beyond(costs):
            return _larger_device(plan, budget)
        costs[best.array] = best.cost
        taken.append(best)
    now, then = _total(before), _total(costs)
    more = {one: getattr(then, one) - getattr(now, one) for one in Resource}
    text = f"{listed([one.text for one in taken])} saves "
    text += _numbers(plan.target, {one: -number for one, number in more.items() if number < 0})
    price = _numbers(plan.target, {one: number for one, number in more.items() if number > 0})
    return f"{text} for {price}" if price else text


def _total(costs: Mapping[str, Cost]) -> Cost:
    return sum(costs.values(), Cost())


def _cost(plan: Plan, array: ArrayPlan) -> Cost:
    """Cost of the memories of an array."""
    memories = (plan.memories[part.memory] for part in array.hardware.parts)
    return sum((memory.resources or Cost() for memory in memories), Cost())


def _changes(plan: Plan, ways: Mapping[str, Sequence[Rejected]]) -> Iterator[_Change]:
    """Other ways to hold single arrays."""
    assert plan.target is not None
    for array in plan.arrays.values():
        rejected = (*array.notes.rejected, *ways.get(array.name, ()))
        memories = [plan.memories[part.memory] for part in array.hardware.parts]
        styles = _other_styles(array, memories, plan.target.device)
        for text, cost in (*_other_ways(array, rejected), *styles):
            yield _Change(array=array.name, text=text, cost=cost)


def _other_ways(array: ArrayPlan, ways: Sequence[Rejected]) -> Iterator[tuple[str, Cost]]:
    """The ways to hold an array that were not taken, as changes of the design."""
    for one in ways:
        if one.resources is not None:
            shares = ", ".join(
                f"{{operands: [{', '.join(f'{s}.{k}' for s, k in request.operands)}],"
                f" kind: {request.kind}}}"
                for request in one.parts
            )
            yield f"arrays.{array.name}.parts: [{shares}]", one.resources


def _other_styles(
    array: ArrayPlan, memories: Sequence[Memory], device: str
) -> Iterator[tuple[str, Cost]]:
    """The RAMs of an array in another kind of memory."""
    if any(kind_named(memory.kind) is not Ram for memory in memories):
        return
    for style in family_of(device).styles():
        if style in (Style.DISTRIBUTED, Style.REGISTERS, Style.LARGE):
            cost = Cost()
            for memory in memories:
                words = memory.words // memory.copies
                cost += implement(device, words, memory.bits, style=style).cost * memory.copies
            yield f"arrays.{array.name}.style: {style}", cost


def _larger_device(plan: Plan, budget: Budget) -> str:
    """The least device of the family that has what the plan takes."""
    assert plan.target is not None
    family, total = family_of(plan.target.device), plan.resources
    missing, allowed = excess(total, budget), _allowed(plan.target)
    if not missing.keys().isdisjoint(allowed):
        return f"set target.block_rams to {total.blocks}, or plan smaller parameters"
    larger = [d for d in family.devices if not excess(total, {**d.budget, **allowed})]
    least = min(larger, key=lambda device: (device.luts, device.blocks), default=None)
    if least is None:
        return (
            f"no device of {family.name} has as many: compute fewer elements a step, or plan"
            " smaller parameters"
        )
    has = _numbers(plan.target, {one: getattr(least, one) for one in missing})
    return f"set target.device to {least.name}, which has {has}"
