"""Cost of memories with addresses on a device: RAMs one by one, registers as flip-flops."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from hlsmem.devices.inference import Implementation
from hlsmem.devices.primitives import Cost, Style
from hlsmem.plan import Memory, Primitive
from hlsmem.storage.banked.banked_cost import chosen_cost, turned_cost
from hlsmem.storage.banked.routes import is_turned
from hlsmem.storage.storage_cost import REGISTERS, ram_on, taking

if TYPE_CHECKING:
    from hlsmem.storage.ram.circuit import MemoryCircuit


def memory_taking(memory: Memory, circuit: MemoryCircuit, device: str) -> Memory:
    """The memory of a circuit with what it takes on a device or family."""
    if circuit.is_register:
        return flip_flops(memory)
    registered = circuit.read_latency > 1
    rams = _rams(memory, device, circuit.collisions, circuit.banked, registered=registered)
    return taking(memory, rams, _routing(circuit, device))


def rams_alone(memory: Memory, device: str, *, meets: bool) -> Memory:
    """The same without a circuit, every copy in banks where there are several.

    `meets`: whether a read meets a write of its cell.
    """
    collisions = (meets,) * memory.copies
    rams = _rams(memory, device, collisions, range(memory.copies), registered=False)
    return taking(memory, rams, Cost())


def flip_flops(memory: Memory) -> Memory:
    """A memory of one cell in a copy: its bits, and those of what is read."""
    bits = memory.bits * memory.copies
    return replace(
        memory, primitive=Primitive(REGISTERS, bits), resources=Cost(flip_flops=2 * bits)
    )


def _rams(
    memory: Memory,
    device: str,
    collisions: Sequence[bool],
    banked: Sequence[int],
    *,
    registered: bool,
) -> list[Implementation]:
    cells, style = memory.words // memory.copies, Style(memory.style)
    return [
        ram_on(device, words, memory.bits, style, collision=collision, registered=registered)
        for copy, collision in enumerate(collisions)
        for words in ([cells // memory.banks] * memory.banks if copy in banked else [cells])
    ]


def _routing(circuit: MemoryCircuit, device: str) -> Cost:
    """Cost of the routes from banks to the operands of each stream, with addresses."""
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
