"""Use of the target by memories, in the columns that engineers parse, and the rest of it."""

from __future__ import annotations

from hlsmem.core.wording import counted
from hlsmem.devices import family_of
from hlsmem.devices.primitives import Cost, Resource
from hlsmem.emit.table import Column, table
from hlsmem.plan import CandidatePart, Memory, Plan, Rejected, Target
from hlsmem.storage.memory_footprint import budget_of

COLUMNS = (
    *("Memory", "Module", "BRAM_18K", "FF", "LUT", "URAM"),
    *("Words", "Bits", "Banks", "W*Bits*Banks"),
)


def memories_section(plan: Plan, target: Target) -> str:
    """The memories of a plan on its target: words are those of one bank or copy."""
    taken = [(name, memory) for name, memory in plan.memories.items() if memory.resources]
    rows = [_row(plan, name, memory) for name, memory in taken]
    total = plan.resources
    if len(rows) > 1:
        bits = sum(memory.words * memory.bits for _, memory in taken)
        rows.append(["Total", "", *_resources(total), "", "", "", str(bits)])
    family, allowed = family_of(target.device), budget_of(target).get(Resource.BLOCKS)
    of = "" if allowed is None else f" of {allowed}"
    small = "" if family.block_bits == 18 * 1024 else f" BRAM_18K counts {family.block}."
    columns = [Column(name, right=number > 1) for number, name in enumerate(COLUMNS)]
    return (
        f"## Memories\n\n{total.blocks}{of} {family.block} on {target.device}, as synthesis is"
        " expected to take them, without address generators and gates."
        f"{small}\n\n{table(columns, rows)}"
    )


def _row(plan: Plan, name: str, memory: Memory) -> list[str]:
    parts = memory.banks * memory.copies
    words = memory.words // parts
    suffix = "" if plan.order == "none" else "_buffer"
    sizes = (words, memory.bits, parts, words * memory.bits * parts)
    return [
        name,
        f"{plan.design}_{name}{suffix}",
        *_resources(memory.resources or Cost()),
        *map(str, sizes),
    ]


def _resources(cost: Cost) -> list[str]:
    return [str(number) for number in (cost.blocks, cost.flip_flops, cost.luts, cost.large)]


def rejected_text(one: Rejected) -> str:
    """A way to hold an array that was not taken, in one line: what it is, what it takes, why."""
    kinds = " + ".join(f"{share.kind} for {_operands(share)}" for share in one.parts)
    if len(one.parts) == 1:
        kinds = one.parts[0].kind
    if one.words is None:
        return f"{kinds} not possible: {one.reason}"
    text = f"not taken: {kinds}, {counted(one.words, 'word')}"
    cost = one.resources
    if cost is not None:
        text += f", {counted(cost.blocks, 'block RAM')}, {counted(cost.luts, 'LUT')}"
    if one.cycles is not None:
        text += f", {counted(one.cycles, 'cycle')}"
    return f"{text}: {one.reason}"


def _operands(share: CandidatePart) -> str:
    return ", ".join(f"{stream}.{number}" for stream, number in share.operands)
