"""What a chain takes of a device: its delay lines, and registers between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hlsmem.devices.primitives import Cost, Style
from hlsmem.plan import Memory
from hlsmem.storage.storage_cost import ram_on, taking

if TYPE_CHECKING:
    from hlsmem.storage.chain.circuit import ChainCircuit


def chain_taking(memory: Memory, circuit: ChainCircuit, device: str) -> Memory:
    """The memory of a chain with what it takes on a device or family."""
    style, chain = Style(memory.style), circuit.chain
    registered = circuit.output_register
    rams = [
        ram_on(device, line.words, line.bits, style, collision=False, registered=registered)
        for line in chain.delay_lines(wide=True)
    ]
    # The newest element of every lane is in a register, too, and so is what waits in a skid.
    segments = [segment for lane in chain.lanes for segment in lane.segments]
    registers = memory.words - chain.words + sum(segment.registers for segment in segments)
    return taking(memory, rams, Cost(flip_flops=registers * memory.bits))
