"""Holdings of each array in the report: sizes of both targets, each beside its bound.

Memories stand beside what they take of the target, in the columns that engineers parse, and its
rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hlsmem.core.wording import counted, listed
from hlsmem.devices import family_of
from hlsmem.devices.primitives import Cost, Resource
from hlsmem.emit.mapping_text import mapping_lines
from hlsmem.emit.markdown_table import Column, table
from hlsmem.lifetime.storage_problem import Bound, ClassFacts
from hlsmem.plan import (
    ArrayPlan,
    CandidatePart,
    HardwareHolding,
    Holding,
    HostHolding,
    HostRam,
    Memory,
    Part,
    Plan,
    Rejected,
    Target,
)
from hlsmem.polyhedra import Set
from hlsmem.polyhedra.forms import elements_of
from hlsmem.storage.kinds import kind_named
from hlsmem.storage.memory_footprint import budget_of

COLUMNS = (
    *("Memory", "Module", "BRAM_18K", "FF", "LUT", "URAM"),
    *("Words", "Bits", "Banks", "W*Bits*Banks"),
)


def headline(plan: Plan) -> str:
    """Sizes of the arrays as given and as planned, in bits and bytes, and the cycles of a run.

    As given is as declared where the hardware keeps the order of the text, and what any storage
    takes in that order where it has another.
    """
    found = plan.found_order
    if found is not None:
        run = "" if found.cycles is None else f" in {counted(found.cycles, 'cycle')}"
        given = f"{counted(found.bits, 'bit')} as written{run}"
    else:
        declared = [
            None if one.declared_cells is None else one.declared_cells * one.bits
            for one in plan.arrays.values()
        ]
        whole = None if None in declared else sum(bits or 0 for bits in declared)
        given = "no extents declared" if whole is None else f"{counted(whole, 'bit')} declared"
    bits = sum(one.hardware.bits for one in plan.arrays.values())
    hosts = [one.host for one in plan.arrays.values() if one.host is not None]
    of_c = "no C"
    if plan.ram is not None:
        of_c = _kept_by_c(plan.ram)
    elif hosts or plan.host_order is not None:
        of_c = f"{counted(sum(one.bits for one in hosts) // 8, 'byte')} (C)"
    cycles = None if plan.timing is None else plan.timing.cycles
    has_hardware = plan.paths is not None or plan.order == "none"
    hardware = f"{counted(bits, 'bit')} (hardware)" if has_hardware else "no hardware"
    run = "" if cycles is None else f", {counted(cycles, 'cycle')}"
    return f"{plan.design}: {given} -> {hardware}, {of_c}{run}"


def _kept_by_c(ram: HostRam) -> str:
    """Memory of C, beside that of its source, and of a C that never stops."""
    source = "" if ram.source is None else f" of {ram.source}"
    stops = "" if ram.check is None else f", stops on overlap (check: {ram.check})"
    return f"{counted(ram.bytes, 'byte')} (C){source}{stops}"


def overview(plan: Plan) -> str:
    """A table with a row an array, and one of all scalars; the words in the text that comes back
    where an array has others there."""
    arrays = [one for one in plan.arrays.values() if one.index]
    scalars = [one for one in plan.arrays.values() if not one.index]
    rows = [_row(one, plan) for one in arrays]
    if scalars:
        rows.append(_row_of_scalars(scalars, plan))
    right = ("elements", "words", "bound", "C cells", "C bound", "source words")
    names = ["array", "type", "elements", "words", "in", "bound", "C cells", "C bound", "standing"]
    if any(one.source and one.source.words != one.hardware.words for one in arrays):
        names.insert(-1, "source words")
        for row, words in zip(rows, [*map(_in_source, arrays), "-"], strict=False):
            row.insert(-1, words)
    return table([Column(name, right=name in right) for name in names], rows)


def _in_source(array: ArrayPlan) -> str:
    return "-" if array.source is None else str(array.source.words)


def _row(array: ArrayPlan, plan: Plan) -> list[str]:
    held, host = array.hardware, array.host
    return [
        array.name,
        array.element,
        "-" if array.declared_cells is None else str(array.declared_cells),
        str(held.words),
        _kinds([array], plan),
        _bound(held),
        "-" if host is None else str(host.words),
        "-" if host is None else _bound(host),
        held.standing,
    ]


def _row_of_scalars(scalars: Sequence[ArrayPlan], plan: Plan) -> list[str]:
    hosts = [one.host for one in scalars]
    return [
        listed([one.name for one in scalars]),
        listed(list(dict.fromkeys(one.element for one in scalars))),
        str(len(scalars)),
        str(sum(one.hardware.words for one in scalars)),
        _kinds(scalars, plan),
        "-",
        "-" if None in hosts else str(sum(one.words for one in hosts if one)),
        "-",
        listed(list(dict.fromkeys(one.hardware.standing for one in scalars))),
    ]


def _kinds(arrays: Sequence[ArrayPlan], plan: Plan) -> str:
    """The kinds of storage that hold arrays."""
    parts = [part for one in arrays for part in one.hardware.parts]
    return " + ".join(dict.fromkeys(plan.memories[part.memory].kind for part in parts))


def _bound(held: Holding) -> str:
    return "-" if held.bound is None else str(held.bound.cells)


# What no check but `generated` holds: figures of what was not taken.
UNCHECKED = " (not checked)"


def array_section(array: ArrayPlan, plan: Plan, mark: str) -> str:
    """Holdings of one array and the standing of its sizes; `mark` stands behind rejected ones."""
    lines = [f"## {array.name}", ""]
    lines += [f"- {text}" for text in _hardware_lines(array, array.hardware, plan)]
    lines += [f"- {text}" for text in class_lines(array.orders)]
    if array.host is not None:
        lines += [f"- {text}" for text in _host_lines(array, array.host)]
    lines += [f"- {text}" for text in array.notes.remarks]
    lines += [f"- {rejected_text(one)}{mark}" for one in array.notes.rejected]
    return "\n".join(lines)


def _hardware_lines(array: ArrayPlan, held: HardwareHolding, plan: Plan) -> Iterator[str]:
    """Holding of an array in hardware: one memory, or one for each part with its operands."""
    memories = [plan.memories[part.memory] for part in held.parts]
    if len(held.parts) == 1:
        yield f"hardware: {_part_text(array, held.parts[0], memories[0])} ({held.standing})"
    else:
        total = f"{held.words} words in {len(held.parts)} parts"
        yield f"hardware: {total} ({held.standing})"
        for part, memory in zip(held.parts, memories, strict=True):
            served = ", ".join(f"{stream}.{number}" for stream, number in part.operands)
            text = f"part {part.memory} for {served}: {_part_text(array, part, memory)}"
            if part.takes is not None:
                text += f"; it takes {elements_of(part.takes, array.index, Set(plan.context))}"
            yield text
    yield from _branches(array, plan)
    yield from _bound_lines(held, "")
    yield f"certificate: {held.certificate}"


def held_in(plan: Plan) -> dict[str, str]:
    """Contents of each memory, as the report has them, by the memory's name."""
    return {
        part.memory: _part_text(array, part, plan.memories[part.memory])
        for array in plan.arrays.values()
        for part in array.hardware.parts
    }


def _part_text(array: ArrayPlan, part: Part, memory: Memory) -> str:
    text = kind_named(memory.kind).described(part, memory)
    if part.mapping is None:
        return text
    mapping = part.mapping
    lines = "; ".join(mapping_lines(array.name, array.index, mapping))
    cells = _formula(mapping.cells, " + ".join(str(piece.cells()) for piece in mapping.pieces))
    return f"{text}; {lines}, {cells}, by {mapping.method}"


def _formula(cells: int, symbolic: str) -> str:
    return counted(cells, "cell") + ("" if symbolic == str(cells) else f" = {symbolic}")


def _bound_lines(held: Holding, whose: str) -> Iterator[str]:
    for bound in (held.bound, held.lattice):
        if bound is not None:
            yield f"bound{whose}: {bound_text(bound)}"


def _branches(array: ArrayPlan, plan: Plan) -> Iterator[str]:
    """The branch FIFOs behind an array's read streams, and in front of its parts."""
    places: dict[str, str] = {}
    for part in array.hardware.parts:
        for stream in plan.streams:
            name = f"{stream.name[0]}_{part.memory}_{stream.statement}"
            if stream.array == array.name:
                is_front = stream.name.startswith("s_")
                places[name] = f"in front of {part.memory}" if is_front else f"behind {name}"
    for one in plan.elastic:
        if one.stream in places:
            yield (
                f"branch FIFO: {counted(one.beats, 'word')} of {counted(one.bits, 'bit')}"
                f" {places[one.stream]}, as {one.waits_for} comes so much later"
            )


def _host_lines(array: ArrayPlan, host: HostHolding) -> Iterator[str]:
    """Holding of an array in the C."""
    mapping = host.cells.mapping
    lines = "; ".join(mapping_lines(array.name, array.index, mapping))
    cells = _formula(mapping.cells, " + ".join(str(piece.cells()) for piece in mapping.pieces))
    taken = counted(host.bits // 8, "byte")
    yield f"C: {cells}, {taken}, {lines}; {host.cells.shape} ({host.standing})"
    yield from _bound_lines(host, " in C's order")
    at = ", ".join(f"{name}={value}" for name, value in host.certificate.at)
    other = f"; at other sizes than {at} C runs the unfolded original"
    yield f"certificate of C: {mapping.certificate}{other if at else ''}"


def bound_text(bound: Bound) -> str:
    """A bound in one line: its kind, cells, formula, and how it is known."""
    formula = f" = {bound.expr}" if bound.expr not in (None, str(bound.cells)) else ""
    return f"{bound.kind} {bound.cells}{formula}, {bound.status}"


def class_lines(orders: ClassFacts | None) -> list[str]:
    """Class of orders that a mapping is right for, as the report has it; none for one order."""
    if orders is None:
        return []
    rows = "; ".join(f"{one.kind} [{', '.join(one.rows)}]" for one in orders.bands)
    meaning = _ORDERS[orders.schedules]
    if orders.schedules == "sequential" and not rows:
        meaning = "right for the design's order"
    text = f"class: {meaning}{f', bands {rows}' if rows else ''}"
    if orders.is_fixed:
        text += ", at these parameters"
    lines = [text]
    if orders.remark:
        lines.append(f"relation: {orders.remark}")
    if not orders.is_exact:
        lines.append("relation: a superset of the conflicts, so fewer cells may do")
    if any(one.kind == "tiled" for one in orders.bands):
        lines.append("tiles of one wave may run in parallel")
    if orders.outside:
        lines.append(
            f"the design's own schedule is not in this class: in it {orders.outside};"
            " hence neither Verilog nor C is written"
        )
    return lines


_ORDERS = {
    "sequential": "right for the order of its bands, with the design's order inside of them",
    "tiled": "right for all tile sizes and origins",
    "affine": "right for all one-dimensional affine schedules; for others use any or tiled",
    "any": "right for every order that keeps the dependences",
    "before": "right for every order that keeps plan.before",
}


def memories_section(plan: Plan, target: Target) -> str:
    """The memories of a plan on its target: words are those of one bank or copy."""
    taken = [(name, memory) for name, memory in plan.memories.items() if memory.resources]
    rows = [_use_row(plan, name, memory) for name, memory in taken]
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


def _use_row(plan: Plan, name: str, memory: Memory) -> list[str]:
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
