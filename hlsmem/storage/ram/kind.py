"""An array in a RAM: cells with addresses, a copy for every read port."""

from __future__ import annotations

from dataclasses import field, replace
from typing import TYPE_CHECKING, ClassVar

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.devices.primitives import Cost
from hlsmem.storage.kind import Kind, size_text
from hlsmem.storage.ram.circuit import MemoryCircuit, memory_circuit
from hlsmem.storage.ram.ram_cost import rams_alone
from hlsmem.storage.registers.kind import Registers

if TYPE_CHECKING:
    from hlsmem.lifetime.storage_problem import Bound
    from hlsmem.mapping.storage_mapping import StorageMapping
    from hlsmem.plan import Memory, Part
    from hlsmem.program.model import Array, Program
    from hlsmem.storage.build import Laid
    from hlsmem.storage.partition_requests import PartitionRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class InRams(Kind):
    """Cells with addresses; how many RAMs hold them, the kinds say."""

    has_mapping: ClassVar[bool] = True

    @property
    def control_luts(self) -> int:
        return 250

    @classmethod
    def build(cls, program: Program, laid: Laid, array: Array, most: int) -> MemoryCircuit | None:
        return memory_circuit(program, laid, array, most)

    @classmethod
    def alone(cls, memory: Memory, device: str, *, meets: bool = True) -> Memory:
        return rams_alone(memory, device, meets=meets)

    def at_least(self, array: Array, device: str) -> Cost:
        return self.alone(self.memory(array), device, meets=False).resources or Cost()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ram(InRams):
    """The cells of a mapping in `copies`."""

    name: ClassVar[str] = "ram"
    reads: ClassVar[str] = "copies"
    called: ClassVar[str] = "copies"

    mapping: StorageMapping = field()
    copies: int = 1
    bounds: tuple[Bound, ...] = field(default=(), compare=False)

    @property
    def words(self) -> int:
        return self.mapping.cells * self.copies

    @classmethod
    def one(cls) -> str:
        return "one"

    @classmethod
    def find(cls, request: PartitionRequest) -> Ram | Registers:
        """A RAM always does; one of one cell is registers."""
        return request.in_memory

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


def in_memory(
    mapping: StorageMapping, bounds: tuple[Bound, ...], read_ports: int
) -> Ram | Registers:
    """In registers where there is one cell, else in a RAM that is copied for every read port."""
    if mapping.cells <= 1:
        return Registers(mapping=mapping, bounds=bounds)
    return Ram(mapping=mapping, copies=max(1, read_ports), bounds=bounds)
