"""What memories take on the target, in the columns that engineers parse, and what else there is."""

from __future__ import annotations

from hlsmem.devices import family_of
from hlsmem.devices.primitives import Cost
from hlsmem.emit.table import Column, table
from hlsmem.plan import Alternative, Memory, Plan, Target
from hlsmem.storage.footprint import blocks_allowed
from hlsmem.wording import counted

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
    family, allowed = family_of(target.device), blocks_allowed(target)
    of = "" if allowed is None else f" of {allowed}"
    small = "" if family.block_bits == 18 * 1024 else f" BRAM_18K counts {family.block}."
    columns = [Column(name, right=number > 1) for number, name in enumerate(COLUMNS)]
    return (
        f"## Memories\n\n{total.blocks}{of} {family.block} on {target.device}, as synthesis is"
        f" expected to take them, without walkers and gates.{small}\n\n{table(columns, rows)}"
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


def alternative_text(alternative: Alternative) -> str:
    """A way to store an array in one line: what it is, what it takes, what it needs."""
    if alternative.reason is not None:
        return f"no {alternative.kind}: {alternative.reason}"
    assert alternative.primitive is not None
    assert alternative.resources is not None
    primitive, luts = alternative.primitive, alternative.resources.luts
    logic = f", {counted(luts, 'LUT')}" if luts else ""
    later = "" if alternative.available or alternative.kind == "chain" else "; no Verilog yet"
    cells = f"{primitive.count} {primitive.name}"
    return f"{alternative.kind}: {alternative.text}; {cells}{logic}{later}"
