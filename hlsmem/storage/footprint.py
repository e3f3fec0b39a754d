"""What the memories of a plan take on its target: primitives, resources, other ways to store.

The last step before anything is printed: by now it is settled which copies can collide and
which arrays are chains or FIFOs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hlsmem.banks.search import BankOption
from hlsmem.devices import device_named, family_of
from hlsmem.devices.inference import Implementation, implement, with_output_register
from hlsmem.devices.primitives import Cost, Style
from hlsmem.errors import InputError, LimitError, Problem
from hlsmem.lifetime import StorageProblem
from hlsmem.plan import Alternative, ArrayPlan, Memory, Plan, Primitive, Target
from hlsmem.program import Array, Program
from hlsmem.storage.banked.cost import chosen_cost, turned_cost
from hlsmem.storage.banked.routes import is_turned
from hlsmem.storage.chain.circuit import ChainCircuit
from hlsmem.storage.circuits import Circuit
from hlsmem.storage.fifo.circuit import FifoCircuit, NoFifo, find_fifo
from hlsmem.storage.options import (
    StorageOption,
    StorageRequest,
    banks_asked_for,
    storage_options,
    streams_reading,
)
from hlsmem.storage.place import bank_place, in_banks, read_ports
from hlsmem.storage.ram.circuit import MemoryCircuit
from hlsmem.wording import listed

REGISTERS = "flip-flops"


def with_footprint(
    plan: Plan,
    program: Program | None,
    problems: Sequence[StorageProblem],
    circuits: Sequence[Circuit],
    target: Target,
    interval: int = 1,
) -> Plan:
    """The plan for a target: every memory with its primitives, every array with alternatives.

    `interval` is the number of cycles a step may take. Without circuits a cell of any memory
    may be read and written in one cycle. Raises InputError for a device, or a style of an
    array, that does not exist, and for `max_banks` that are too few.
    """
    made = {circuit.array: circuit for circuit in circuits}
    memories = dict(plan.memories)
    arrays = dict(plan.arrays)
    for problem in problems:
        array = plan.arrays[problem.array.name]
        circuit = made.get(array.name)
        memory = _on_target(plan.memories[array.place.memory], circuit, target.device)
        memories[array.place.memory] = memory
        if program is not None and array.mapping.cells > 1:
            request = _request(program, problem, array, circuit, target.device, interval)
            request = replace(request, slack=plan.slack)
            if request.copies == 1:
                reason = _no_fifo(program, plan, problem.array, circuit)
                request = replace(request, no_fifo=reason)
            options = storage_options(request)
            alternatives = tuple(_alternative(option) for option in options)
            arrays[array.name] = replace(array, alternatives=alternatives)
    return replace(plan, memories=memories, arrays=arrays, target=target)


def without_target(plan: Plan, program: Program | None) -> Plan:
    """The plan with the reason why copies were not compared with banks, where it was left open."""
    why = (
        "without target.device nothing says whether they take less than copies;"
        " reads: banks asks for them"
    )
    untried = (Alternative(kind="banks", reason=why),)
    arrays = {
        name: replace(array, alternatives=untried)
        for name, array in plan.arrays.items()
        if program is not None
        and program.arrays[name].reads == "auto"
        and program.arrays[name].max_banks != 1
        and plan.memories[array.place.memory].kind == "ram"
        and plan.memories[array.place.memory].copies > 1
    }
    return replace(plan, arrays={**plan.arrays, **arrays})


def block_rams(plan: Plan, circuits: Sequence[Circuit], device: str) -> int:
    """The block RAMs of the memories that these circuits are, on a device or family."""
    total = 0
    for circuit in circuits:
        memory = plan.memories[plan.arrays[circuit.array].place.memory]
        resources = _on_target(memory, circuit, device).resources
        total += 0 if resources is None else resources.blocks
    return total


def with_banks(
    plan: Plan, program: Program, problems: Sequence[StorageProblem], device: str | None
) -> Plan:
    """The plan with arrays in banks: those that ask for them, others where that takes less.

    Chains and FIFOs are left as they are. Raises InputError where banks are asked for and there are
    none, with the reason, and for `max_banks` that are too few.
    """
    for problem in problems:
        array = problem.array
        own = plan.arrays[array.name]
        memory = plan.memories[own.place.memory]
        if memory.kind in ("chain", "fifo") or array.reads == "copies":
            continue
        if array.reads == "auto" and (device is None or memory.copies == 1):
            continue
        request = _request(program, problem, own, None, device or "ecp5", 1)
        found = banks_asked_for(request) if array.reads == "banks" else _cheaper_banks(request)
        if isinstance(found, str) or own.mapping.cells == 1:
            if array.reads != "banks":
                continue
            reason = found if isinstance(found, str) else "it has one cell"
            what = f"{array.name!r} cannot be in banks: {reason}"
            raise InputError(
                Problem(
                    what, f"leave out arrays.{array.name}.reads, or set it to copies", array.place
                )
            )
        place = bank_place(found.storage)
        assert place is not None
        plan = in_banks(plan, array.name, place, streams_reading(request))
    return plan


def _cheaper_banks(request: StorageRequest) -> BankOption | str:
    """The banks of an array where of all memories there is Verilog for they take the least."""
    options = storage_options(request)
    memories = [one for one in options if one.kind != "chain" and one.available]
    best = next(iter(memories), None)
    if best is None or best.kind != "banks":
        return "copies take less"
    assert isinstance(best.detail, tuple)
    return best.detail[0]


def _on_target(memory: Memory, circuit: Circuit | None, device: str) -> Memory:
    """The memory with what it takes: rams one by one, registers as flip-flops."""
    if isinstance(circuit, ChainCircuit):
        return _chain_on_target(memory, circuit, device)
    if isinstance(circuit, FifoCircuit):
        style, registered = Style(circuit.style), circuit.output_register
        ram = _ram(device, circuit.words, circuit.bits, style, False, registered)
        return _taking(memory, [ram], Cost())
    if memory.kind == "registers":
        return replace(
            memory,
            primitive=Primitive(REGISTERS, memory.bits * memory.copies),
            resources=Cost(flip_flops=2 * memory.bits * memory.copies),
        )
    cells = memory.words // memory.copies
    collisions = (True,) * memory.copies if circuit is None else circuit.collisions
    registered = circuit is not None and circuit.read_latency > 1
    banked = () if circuit is None else circuit.banked
    rams = [
        _ram(device, words, memory.bits, Style(memory.style), collision, registered)
        for copy, collision in enumerate(collisions)
        for words in ([cells // memory.banks] * memory.banks if copy in banked else [cells])
    ]
    return _taking(memory, rams, Cost() if circuit is None else _routing(circuit, device))


def _routing(circuit: MemoryCircuit, device: str) -> Cost:
    """What the way from banks to the operands of each stream takes, with addresses."""
    total = Cost()
    for stream in circuit.streams:
        if stream.is_write or stream.route is None:
            continue
        words, registered = circuit.bank_words, circuit.read_latency > 1
        if is_turned(circuit, stream):
            total += turned_cost(device, circuit.banks, circuit.bits, words, registered=registered)
        else:
            operands = len(stream.route.operands)
            total += chosen_cost(device, operands, circuit.banks, circuit.bits, words)
    return total


def _chain_on_target(memory: Memory, circuit: ChainCircuit, device: str) -> Memory:
    chain, style = circuit.chain, Style(circuit.style)
    rams = [
        _ram(device, line.words, line.bits, style, False, circuit.output_register)
        for line in chain.delay_lines(wide=True)
    ]
    # The newest element of every lane is in a register, too.
    segments = [segment for lane in chain.lanes for segment in lane.segments]
    registers = len(chain.lanes) + sum(segment.registers for segment in segments)
    return _taking(memory, rams, Cost(flip_flops=registers * circuit.bits))


def _ram(
    device: str, words: int, bits: int, style: Style, collision: bool, registered: bool
) -> Implementation:
    if registered and not collision and style in (Style.AUTO, Style.BLOCK):
        return with_output_register(device, words, bits)
    return implement(device, words, bits, style=style, collision=collision)


def _taking(memory: Memory, rams: Sequence[Implementation], besides: Cost) -> Memory:
    names = sorted({ram.cell for ram in rams}) or [REGISTERS]
    total = besides
    for ram in rams:
        total += ram.cost
    count = sum(ram.count for ram in rams) or besides.flip_flops
    return replace(memory, primitive=Primitive(" ".join(names), count), resources=total)


def _request(
    program: Program,
    problem: StorageProblem,
    array: ArrayPlan,
    circuit: Circuit | None,
    device: str,
    interval: int,
) -> StorageRequest:
    chain = circuit if isinstance(circuit, ChainCircuit) else None
    return StorageRequest(
        program=program,
        problem=problem,
        cells=array.mapping.cells,
        copies=max(1, read_ports(program, problem.array)),
        device=device,
        style=Style(problem.array.style),
        max_banks=None if problem.array.reads == "copies" else problem.array.max_banks,
        interval=interval,
        distances=None if chain is None else chain.chain.distances,
    )


def _no_fifo(program: Program, plan: Plan, array: Array, circuit: Circuit | None) -> str:
    """Why an array cannot be in a FIFO; "" where it can."""
    if isinstance(circuit, FifoCircuit):
        return ""
    try:
        found = find_fifo(program, plan, array)
    except (InputError, LimitError) as error:
        return str(error)
    return found.reason if isinstance(found, NoFifo) else ""


def _alternative(option: StorageOption) -> Alternative:
    """An option as plan.json has it."""
    if option.reason:
        return Alternative(kind=option.kind, reason=option.reason)
    return Alternative(
        kind=option.kind,
        words=option.words,
        banks=option.banks,
        copies=option.copies,
        primitive=Primitive(option.cell, option.count),
        resources=option.cost,
        available=option.available,
        text=option.text,
    )


def blocks_allowed(target: Target) -> int | None:
    """Block RAMs that the target has for the plan; None for a family without a budget."""
    device = device_named(target.device)
    if target.block_rams is not None:
        return target.block_rams
    return None if device is None else device.blocks


def shortfall(plan: Plan) -> Problem | None:
    """The block RAMs that the plan takes beyond its target, with the cheapest change; or None."""
    if plan.target is None:
        return None
    allowed = blocks_allowed(plan.target)
    total = plan.resources.blocks
    if allowed is None or total <= allowed:
        return None
    family = family_of(plan.target.device)
    whose = "target.block_rams allows" if plan.target.block_rams is not None else "there are"
    return Problem(
        f"{plan.design} takes {total} {family.block} on {plan.target.device}, and"
        f" {whose} {allowed}: {total - allowed} too many",
        _cheapest_change(plan, total - allowed),
    )


def _cheapest_change(plan: Plan, missing: int) -> str:
    """Styles of the arrays that save as many blocks for the fewest LUTs, or a larger device."""
    assert plan.target is not None
    changes = sorted(_changes(plan), key=lambda change: (change[1] / change[0], change[2]))
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


def _changes(plan: Plan) -> list[tuple[int, int, str, str]]:
    """(blocks saved, LUTs and flip-flops more, what to do, array) of single changes that fit."""
    assert plan.target is not None
    device = device_named(plan.target.device)
    found = []
    for array in plan.arrays.values():
        memory = plan.memories[array.place.memory]
        now = memory.resources
        if now is None or not now.blocks:
            continue
        others = [
            (f"order: iteration, which makes a chain of {array.name},", one.resources)
            for one in array.alternatives
            if one.kind == "chain" and one.resources is not None and memory.kind != "chain"
        ]
        if memory.kind == "ram":
            cells = memory.words // memory.copies
            for style in family_of(plan.target.device).styles():
                if style in (Style.DISTRIBUTED, Style.REGISTERS, Style.LARGE):
                    made = implement(plan.target.device, cells, memory.bits, style=style)
                    others.append(
                        (f"arrays.{array.name}.style: {style}", made.cost * memory.copies)
                    )
        for text, cost in others:
            fits = device is None or (
                cost.luts <= device.luts and cost.flip_flops <= device.flip_flops
            )
            saved = now.blocks - cost.blocks
            if fits and saved > 0 and (device is None or cost.large <= device.large):
                more = cost.luts + cost.flip_flops - now.luts - now.flip_flops
                found.append((saved, more, text, array.name))
    return found


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
