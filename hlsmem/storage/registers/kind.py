"""An array in registers: one cell, or the newest beat, kept for those that read it."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, ClassVar

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.wording import counted
from hlsmem.devices.primitives import Cost
from hlsmem.plan import Part
from hlsmem.storage.kind import Kind, NotAllocated, refusal
from hlsmem.storage.ram.circuit import MemoryCircuit, memory_circuit
from hlsmem.storage.ram.ram_cost import flip_flops
from hlsmem.storage.reuse_chain.chain_selection import NoChain
from hlsmem.storage.reuse_chain.circuit import ChainCircuit, chain_circuit

if TYPE_CHECKING:
    from hlsmem.lifetime.storage_problem import Bound
    from hlsmem.mapping.storage_mapping import StorageMapping
    from hlsmem.plan import Memory, Operand
    from hlsmem.program.model import Array, Program
    from hlsmem.storage.build import Laid
    from hlsmem.storage.partition_requests import PartitionRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class Registers(Kind):
    """A cell of a `mapping`; or, where that is None, the newest beat, as a chain of it alone.

    `taps` are then 0, for each of the operands of one beat: their numbers in it.
    """

    name: ClassVar[str] = "registers"
    called: ClassVar[str] = "registers"
    has_slots: ClassVar[bool] = True

    mapping: StorageMapping | None = field(default=None)
    circuit: ChainCircuit | None = field(default=None, repr=False, compare=False)
    taps: tuple[int, ...] = ()
    bounds: tuple[Bound, ...] = field(default=(), compare=False)

    @classmethod
    def one(cls) -> str:
        return "a register"

    @staticmethod
    def hold(chain: ChainCircuit) -> bool:
        """True if registers are all of a chain: it has the newest beat alone."""
        return chain.words == len(chain.chain.lanes)

    @staticmethod
    def of_beat(chain: ChainCircuit, bounds: tuple[Bound, ...]) -> Registers:
        return Registers(circuit=chain, taps=chain.taps, bounds=bounds)

    @property
    def words(self) -> int:
        return 1 if self.circuit is None else self.circuit.words

    @property
    def newest(self) -> int:
        return 0 if self.circuit is None else self.circuit.words

    @property
    def control_luts(self) -> int:
        return 120 if self.circuit is None else 40

    @classmethod
    def find(cls, request: PartitionRequest) -> Registers | NotAllocated:
        """The newest of the beats, or a cell."""
        chain = request.chain
        if not isinstance(chain, NoChain) and cls.hold(chain):
            return cls.of_beat(chain, request.problem.bounds)
        held = request.in_memory
        if not isinstance(held, Registers):
            return cls.cannot(f"{held.mapping.cells} of its elements need a word each")
        return held

    @classmethod
    def build(
        cls, program: Program, laid: Laid, array: Array, most: int
    ) -> ChainCircuit | MemoryCircuit | None:
        if laid.part.mapping is not None:
            return memory_circuit(program, laid, array, most)
        found = chain_circuit(program, laid, array)
        if isinstance(found, NoChain):
            raise refusal(array, found.reason)
        return found

    @classmethod
    def alone(cls, memory: Memory, device: str, *, meets: bool = True) -> Memory:  # noqa: ARG003
        return flip_flops(memory)

    def at_least(self, array: Array, device: str) -> Cost:
        if self.circuit is not None:
            return Kind.at_least(self, array, device)
        return self.alone(self.memory(array), device).resources or Cost()

    def part(
        self, memory: str, operands: tuple[Operand, ...] = (), takes: str | None = None
    ) -> Part:
        taps = None if self.circuit is None else self.taps
        return Part(memory=memory, operands=operands, takes=takes, mapping=self.mapping, taps=taps)

    @classmethod
    def described(cls, part: Part, memory: Memory) -> str:  # noqa: ARG003
        return f"a register of {counted(memory.bits, 'bit')}"
