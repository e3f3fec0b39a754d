"""What a circuit takes of a device: the one place that computes it.

Memories with what they are read through, and the way of words from banks to operands; neither
walkers nor gates.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hlsmem.devices.inference import Implementation, implement, with_output_register
from hlsmem.devices.primitives import Cost, Style
from hlsmem.plan import Memory, Primitive
from hlsmem.program import Array
from hlsmem.storage.banked.cost import chosen_cost, turned_cost
from hlsmem.storage.banked.routes import is_turned
from hlsmem.storage.chain.circuit import ChainCircuit
from hlsmem.storage.chain.delays import Chain, chain_of
from hlsmem.storage.circuits import Circuit
from hlsmem.storage.fifo.circuit import FifoCircuit
from hlsmem.storage.layout import Held
from hlsmem.storage.ram.circuit import MemoryCircuit

REGISTERS = "flip-flops"


def on_target(memory: Memory, circuit: Circuit | None, device: str) -> Memory:
    """The memory with its primitives and what they take on a device or family.

    Without a circuit a cell of any RAM may be read and written in one cycle. Raises InputError
    for a device, or a style of memory, that there is not.
    """
    match circuit:
        case ChainCircuit():
            return _chain(memory, circuit.chain, device, registered=circuit.output_register)
        case FifoCircuit():
            return _fifo(memory, device, registered=circuit.output_register)
        case MemoryCircuit() | None:
            return _memory(memory, circuit, device)


def at_least(held: Held, array: Array, device: str, lanes: int = 1) -> Cost:
    """What an array that is held so takes at least, before there is a circuit of it.

    What a RAM needs where it is read and written at once, and the way of words out of banks, are
    known of circuits alone. For comparing what is not built; never printed.
    """
    memory = held.memory(array)
    match held.kind:
        case "chain":
            chain = chain_of(held.taps or (0,), memory.bits, lanes)
            found = _chain(memory, chain, device, registered=False)
        case "fifo":
            found = _fifo(memory, device, registered=False)
        case _:
            found = _memory(memory, None, device, meets=False)
    return found.resources or Cost()


def _fifo(memory: Memory, device: str, *, registered: bool) -> Memory:
    ram = _ram(device, memory.words, memory.bits, Style(memory.style), False, registered)
    return _taking(memory, [ram], Cost())


def _memory(
    memory: Memory, circuit: MemoryCircuit | None, device: str, *, meets: bool = True
) -> Memory:
    """RAMs one by one, registers as flip-flops.

    `meets`: whether a read meets a write of its cell, where there is no circuit that says so.
    """
    if memory.kind == "registers":
        return replace(
            memory,
            primitive=Primitive(REGISTERS, memory.bits * memory.copies),
            resources=Cost(flip_flops=2 * memory.bits * memory.copies),
        )
    cells = memory.words // memory.copies
    collisions = (meets,) * memory.copies if circuit is None else circuit.collisions
    registered = circuit is not None and circuit.read_latency > 1
    banked = range(memory.copies) if circuit is None else circuit.banked
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


def _chain(memory: Memory, chain: Chain, device: str, *, registered: bool) -> Memory:
    style = Style(memory.style)
    rams = [
        _ram(device, line.words, line.bits, style, False, registered)
        for line in chain.delay_lines(wide=True)
    ]
    # The newest element of every lane is in a register, too, and so is what waits in a skid.
    segments = [segment for lane in chain.lanes for segment in lane.segments]
    registers = memory.words - chain.words + sum(segment.registers for segment in segments)
    return _taking(memory, rams, Cost(flip_flops=registers * memory.bits))


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
