"""An array that is a wire: its one reader takes every beat in the step that writes it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import TYPE_CHECKING, ClassVar

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.wording import counted, listed
from hlsmem.dependences.value_sources import later_steps
from hlsmem.devices.primitives import Cost
from hlsmem.plan import Part
from hlsmem.program.model import Order, Program
from hlsmem.storage.kind import Kind, NotAllocated
from hlsmem.storage.reuse_chain.chain_selection import NoChain
from hlsmem.storage.reuse_chain.kind import Chain
from hlsmem.storage.wire.circuit import WireCircuit

if TYPE_CHECKING:
    from hlsmem.lifetime.storage_problem import Bound
    from hlsmem.plan import Memory, Operand
    from hlsmem.program.model import Array, Program
    from hlsmem.storage.build import Laid
    from hlsmem.storage.partition_requests import PartitionRequest
    from hlsmem.storage.reuse_chain.circuit import ChainCircuit


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
    def find(cls, request: PartitionRequest) -> Wire | NotAllocated:
        found = find_wire(request)
        if isinstance(found, str):
            return cls.cannot(found)
        return cls(circuit=WireCircuit(chain=found), bounds=request.problem.bounds)

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


def find_wire(request: PartitionRequest) -> ChainCircuit | str:
    """The chain of the newest beat alone that the wire stands for, or why there is no wire.

    A reader that waits for another stream too needs its beat kept until that comes.
    """
    program = request.program
    if program.order is not Order.ITERATION:
        return "order: sequential has no steps of several statements"
    if request.conditions.slack:
        return "with plan.slack ready depends on registers only"
    if program.lanes:
        return "its loops are unrolled"
    chain = request.chain
    if isinstance(chain, NoChain):
        return chain.reason
    if len(chain.readers) > 1:
        names = listed([reader.name for reader in chain.readers])
        return f"{names} go at paces of their own"
    (reader,) = chain.readers
    if chain.chain.words:
        far = max(reader.distances)
        operand = reader.distances.index(far)
        return f"{reader.name}.{operand} reads what came {far} beats before the newest"
    if reader.newest is None or not later_steps(program, reader.newest).is_empty():
        return f"{reader.name} reads what an earlier step wrote"
    others = [
        name for name in _read_with(request.source, reader.statement) if name not in request.own
    ]
    if others:
        return f"{reader.statement} waits for {others[0]} too, so that a beat is kept for it"
    return chain


def _read_with(program: Program, statement: str) -> Iterator[str]:
    """All operands of the read streams of a statement, such as m_a_S.0."""
    planned = {array.name for array in program.planned_arrays()}
    numbers: dict[str, int] = {}
    (reads,) = (one.reads for one in program.statements if one.name == statement)
    for access in reads:
        if access.array in planned:
            number = numbers.get(access.array, 0)
            numbers[access.array] = number + 1
            yield f"m_{access.array}_{statement}.{number}"
