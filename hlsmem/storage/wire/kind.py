"""An array that is a wire: its one reader takes every beat in the step that writes it."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, ClassVar

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.wording import counted
from hlsmem.devices.primitives import Cost
from hlsmem.plan import Part
from hlsmem.storage.chain.kind import Chain
from hlsmem.storage.kind import Kind, NotHeld
from hlsmem.storage.wire.allocation import find_wire
from hlsmem.storage.wire.circuit import WireCircuit

if TYPE_CHECKING:
    from hlsmem.lifetime.storage_problem import Bound
    from hlsmem.plan import Memory, Operand
    from hlsmem.program.model import Array, Program
    from hlsmem.storage.partition_requests import Share
    from hlsmem.storage.word_layout import Laid


@dataclass(frozen=True, slots=True, kw_only=True)
class Wire(Kind):
    """No word: a write beat waits where it comes from until its reader takes it."""

    name: ClassVar[str] = "wire"
    called: ClassVar[str] = "a wire"

    circuit: WireCircuit = field(repr=False, compare=False)
    bounds: tuple[Bound, ...] = field(default=(), compare=False)

    @property
    def words(self) -> int:
        return 0

    @property
    def control_luts(self) -> int:
        return 25

    @classmethod
    def find(cls, share: Share) -> Wire | NotHeld:
        found = find_wire(share)
        if isinstance(found, str):
            return cls.cannot(found)
        return cls(circuit=WireCircuit(chain=found), bounds=share.problem.bounds)

    @classmethod
    def build(cls, program: Program, laid: Laid, array: Array, most: int) -> WireCircuit:
        return WireCircuit(chain=Chain.build(program, laid, array, most))

    def at_least(self, array: Array, device: str) -> Cost:  # noqa: ARG002
        return Cost()

    def part(
        self, memory: str, operands: tuple[Operand, ...] = (), takes: str | None = None
    ) -> Part:
        taps = self.circuit.chain.taps
        return Part(memory=memory, operands=operands, takes=takes, taps=taps)

    @classmethod
    def described(cls, part: Part, memory: Memory) -> str:  # noqa: ARG003
        return f"a wire of {counted(memory.bits, 'bit')}, no word: read in the step that writes it"
