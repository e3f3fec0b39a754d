"""An array in a RAM: cells with addresses, a copy for every read port."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar

from hlsmem.devices.primitives import Cost
from hlsmem.storage.kind import Kind, size_text
from hlsmem.storage.ram.circuit import MemoryCircuit, memory_circuit
from hlsmem.storage.ram.cost import rams_alone
from hlsmem.storage.registers.kind import Registers

if TYPE_CHECKING:
    from hlsmem.lifetime.problem import Bound
    from hlsmem.mapping.model import Mapping
    from hlsmem.planfile import Memory, Part, Plan
    from hlsmem.program import Array, Program
    from hlsmem.storage.shares import Share


@dataclass(frozen=True, slots=True, kw_only=True)
class Ram(Kind):
    """The cells of a mapping in `copies`."""

    name: ClassVar[str] = "ram"
    reads: ClassVar[str] = "copies"
    called: ClassVar[str] = "copies"
    has_mapping: ClassVar[bool] = True

    mapping: Mapping = field()
    copies: int = 1
    bounds: tuple[Bound, ...] = field(default=(), compare=False)

    @property
    def words(self) -> int:
        return self.mapping.cells * self.copies

    @property
    def control_luts(self) -> int:
        return 250

    @classmethod
    def find(cls, share: Share) -> Ram | Registers:
        """A RAM always does; one of one cell is registers."""
        return share.in_memory

    @classmethod
    def build(cls, program: Program, plan: Plan, array: Array, most: int) -> MemoryCircuit | None:
        return memory_circuit(program, plan, array, most)

    @classmethod
    def alone(cls, memory: Memory, device: str, *, meets: bool = True) -> Memory:
        return rams_alone(memory, device, meets=meets)

    def at_least(self, array: Array, device: str) -> Cost:
        return self.alone(self.memory(array), device, meets=False).resources or Cost()

    def memory(self, array: Array) -> Memory:
        return replace(Kind.memory(self, array), copies=self.copies)

    @classmethod
    def described(cls, part: Part, memory: Memory) -> str:
        text = size_text(memory)
        if memory.copies > 1:
            cells = memory.words // memory.copies
            text += (
                f": {cells} cells in {memory.copies} copies, one per operand read at its own pace"
            )
        if part.mapping is not None and part.mapping.cells * memory.copies < memory.words:
            text += ", padded"
        return text


def in_memory(mapping: Mapping, bounds: tuple[Bound, ...], read_ports: int) -> Ram | Registers:
    """In registers where there is one cell, else in a RAM that is copied for every read port."""
    if mapping.cells <= 1:
        return Registers(mapping=mapping, bounds=bounds)
    return Ram(mapping=mapping, copies=max(1, read_ports), bounds=bounds)
