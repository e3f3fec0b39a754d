"""Cost of RAMs on a device, in whatever kind of storage they stand.

Memories with what they are read through, and the way of words from banks to operands; neither
address generators nor gates. A circuit says which RAMs it has (`taking`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hlsmem.devices.inference import Implementation, implement, with_output_register
from hlsmem.devices.primitives import Cost, Style
from hlsmem.plan import Memory, Primitive

REGISTERS = "flip-flops"


def ram_on(
    device: str, words: int, bits: int, style: Style, *, collision: bool, registered: bool
) -> Implementation:
    """A RAM on a device or family, read through its output register where `registered`.

    `collision`: a cell may be read and written in one cycle. Raises InputError for a device, or a
    style of memory, that there is not.
    """
    if registered and not collision and style in (Style.AUTO, Style.BLOCK):
        return with_output_register(device, words, bits)
    return implement(device, words, bits, style=style, collision=collision)


def taking(memory: Memory, rams: Sequence[Implementation], besides: Cost) -> Memory:
    """The memory with its primitives and what they take, and what stands besides."""
    names = sorted({ram.cell for ram in rams}) or [REGISTERS]
    total = besides
    for ram in rams:
        total += ram.cost
    count = sum(ram.count for ram in rams) or besides.flip_flops
    return replace(memory, primitive=Primitive(" ".join(names), count), resources=total)
