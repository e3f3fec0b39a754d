"""Common base of all kinds of storage in RAMs: a mapping, the circuit, and its cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.devices.primitives import Cost
from hlsmem.storage.kind import Kind
from hlsmem.storage.ram.circuit import MemoryCircuit, memory_circuit
from hlsmem.storage.ram.ram_cost import rams_alone

if TYPE_CHECKING:
    from hlsmem.plan import Memory
    from hlsmem.program.model import Array, Program
    from hlsmem.storage.build import Laid


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
