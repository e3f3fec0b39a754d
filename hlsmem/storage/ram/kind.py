"""An array in a RAM: cells with addresses, a copy for every read port."""

from __future__ import annotations

from dataclasses import field, replace
from typing import TYPE_CHECKING, ClassVar

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.storage.kind import Kind, size_text
from hlsmem.storage.ram.ram_copies import InRams
from hlsmem.storage.registers.kind import Registers

if TYPE_CHECKING:
    from hlsmem.lifetime.storage_problem import Bound
    from hlsmem.mapping.storage_mapping import StorageMapping
    from hlsmem.plan import Memory, Part
    from hlsmem.program.model import Array
    from hlsmem.storage.partition_requests import PartitionRequest


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
