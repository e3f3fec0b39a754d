"""An array in a reuse chain: reads at constant distances behind its one write stream."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, ClassVar

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.plan import Part
from hlsmem.storage.kind import Kind, NotAllocated, refusal, size_text
from hlsmem.storage.registers.kind import Registers
from hlsmem.storage.reuse_chain.chain_selection import NoChain
from hlsmem.storage.reuse_chain.circuit import ChainCircuit, chain_circuit

if TYPE_CHECKING:
    from hlsmem.lifetime.storage_problem import Bound
    from hlsmem.plan import Memory, Operand
    from hlsmem.program.model import Array, Program
    from hlsmem.storage.build import Laid
    from hlsmem.storage.partition_requests import PartitionRequest

# Taps of a chain that a line shows.
MOST_TAPS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain(Kind):
    """Elements behind the newest beat, as long as some operand reads them.

    `taps` are the distances of the operands, one after the other.
    """

    name: ClassVar[str] = "chain"
    reads: ClassVar[str] = "chain"
    called: ClassVar[str] = "a chain"
    has_slots: ClassVar[bool] = True

    circuit: ChainCircuit = field(repr=False, compare=False)
    taps: tuple[int, ...]
    bounds: tuple[Bound, ...] = field(default=(), compare=False)

    @property
    def words(self) -> int:
        return self.circuit.words

    @property
    def newest(self) -> int:
        return len(self.circuit.chain.lanes)

    @property
    def control_luts(self) -> int:
        return 40

    @classmethod
    def find(cls, request: PartitionRequest) -> Chain | Registers | NotAllocated:
        """The chain of a share; one that holds the newest beat alone is registers."""
        found = request.chain
        if isinstance(found, NoChain):
            return cls.cannot(found.reason)
        if Registers.hold(found):
            return Registers.of_beat(found, request.problem.bounds)
        return cls(circuit=found, taps=found.taps, bounds=request.problem.bounds)

    @classmethod
    def build(
        cls,
        program: Program,
        laid: Laid,
        array: Array,
        most: int,  # noqa: ARG003
    ) -> ChainCircuit:
        found = chain_circuit(program, laid, array)
        if isinstance(found, NoChain):
            raise refusal(array, found.reason)
        return found

    def part(
        self, memory: str, operands: tuple[Operand, ...] = (), takes: str | None = None
    ) -> Part:
        return Part(memory=memory, operands=operands, takes=takes, taps=self.taps)

    @classmethod
    def described(cls, part: Part, memory: Memory) -> str:
        text = f"{size_text(memory)}: a reuse chain, one word an element"
        text += " from the newest to the oldest read"
        return text if part.taps_expr is None else f"{text}, taps {_taps(part)}"


def _taps(part: Part) -> str:
    """The distances of a chain's operands behind its newest element, in the parameters, the
    longest first, each once; those between where there are many are left out."""
    pairs = set(zip(part.taps or (), part.taps_expr or (), strict=True))
    texts = [text for _, text in sorted(pairs, reverse=True)]
    if len(texts) > MOST_TAPS:
        texts = [*texts[: MOST_TAPS - 2], "..", texts[-1]]
    return ", ".join(texts)
