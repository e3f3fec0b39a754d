"""What a plan takes of its target, and the cheapest change where that is too much."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from hlsmem.devices import device_named, family_of
from hlsmem.devices.inference import implement
from hlsmem.devices.primitives import Cost, Style
from hlsmem.errors import Problem
from hlsmem.planfile import ArrayPlan, Memory, Plan, Rejected, Target
from hlsmem.storage.kinds import kind_named
from hlsmem.storage.ram.kind import Ram
from hlsmem.wording import listed

# No other ways to hold any array.
_NONE: Mapping[str, Sequence[Rejected]] = MappingProxyType({})


def blocks_allowed(target: Target) -> int | None:
    """Block RAMs that the target has for the plan; None for a family without a budget."""
    device = device_named(target.device)
    if target.block_rams is not None:
        return target.block_rams
    return None if device is None else device.blocks


def shortfall(plan: Plan, others: Mapping[str, Sequence[Rejected]] = _NONE) -> Problem | None:
    """The block RAMs that the plan takes beyond its target, with the cheapest change; or None.

    `others` are ways to hold arrays that the design's settings rule out.
    """
    if plan.target is None:
        return None
    allowed = blocks_allowed(plan.target)
    total = plan.resources.blocks
    if allowed is None or total <= allowed:
        return None
    family = family_of(plan.target.device)
    whose = "the design allows" if plan.target.block_rams is not None else "there are"
    return Problem(
        f"{plan.design} takes {total} {family.block} on {plan.target.device}, and"
        f" {whose} {allowed}: {total - allowed} too many",
        _cheapest_change(plan, total - allowed, others),
    )


def _cheapest_change(plan: Plan, missing: int, others: Mapping[str, Sequence[Rejected]]) -> str:
    """Styles of the arrays that save as many blocks for the fewest LUTs, or a larger device."""
    assert plan.target is not None
    changes = sorted(_changes(plan, others), key=lambda change: (change[1] / change[0], change[2]))
    enough = [change for change in changes if change[0] >= missing]
    if enough:
        chosen = [min(enough, key=lambda change: (change[1], change[2]))]
    else:
        chosen, taken = [], set[str]()
        for change in changes:
            if change[3] not in taken and sum(c[0] for c in chosen) < missing:
                chosen.append(change)
                taken.add(change[3])
    if sum(saved for saved, *_ in chosen) < missing:
        return _larger_device(plan, missing)
    luts = sum(more for _, more, *_ in chosen)
    saved = sum(blocks for blocks, *_ in chosen)
    price = (
        f"for {luts} LUTs and flip-flops more" if luts >= 0 else f"and {-luts} LUTs and flip-flops"
    )
    return f"{listed([text for _, _, text, _ in chosen])} saves {saved} {price}"


def _changes(plan: Plan, ways: Mapping[str, Sequence[Rejected]]) -> list[tuple[int, int, str, str]]:
    """(blocks saved, LUTs and flip-flops more, what to do, array) of single changes that fit."""
    assert plan.target is not None
    device = device_named(plan.target.device)
    found = []
    for array in plan.arrays.values():
        memories = [plan.memories[part.memory] for part in array.parts]
        if any(memory.resources is None for memory in memories):
            continue
        now = sum((m.resources or Cost() for m in memories), Cost())
        if not now.blocks:
            continue
        rejected = (*array.rejected, *ways.get(array.name, ()))
        styles = _other_styles(array, memories, plan.target.device)
        for text, cost in (*_other_ways(array, rejected), *styles):
            fits = device is None or (
                cost.luts <= device.luts and cost.flip_flops <= device.flip_flops
            )
            saved = now.blocks - cost.blocks
            if fits and saved > 0 and (device is None or cost.large <= device.large):
                more = cost.luts + cost.flip_flops - now.luts - now.flip_flops
                found.append((saved, more, text, array.name))
    return found


def _other_ways(array: ArrayPlan, ways: Sequence[Rejected]) -> Iterator[tuple[str, Cost]]:
    """The ways to hold an array that were not taken, as changes of the design."""
    for one in ways:
        if one.resources is not None:
            shares = ", ".join(
                f"{{operands: [{', '.join(f'{s}.{k}' for s, k in share.operands)}],"
                f" kind: {share.kind}}}"
                for share in one.parts
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


def _larger_device(plan: Plan, missing: int) -> str:
    assert plan.target is not None
    allowed = blocks_allowed(plan.target) or 0
    family = family_of(plan.target.device)
    larger = [d for d in family.devices if d.blocks >= allowed + missing]
    least = min(larger, key=lambda device: device.blocks, default=None)
    if plan.target.block_rams is not None:
        return f"set target.block_rams to {allowed + missing}, or plan smaller parameters"
    if least is None:
        return f"no device of {family.name} has as many: plan smaller parameters"
    return f"set target.device to {least.name}, which has {least.blocks}"
