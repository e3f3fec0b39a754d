"""An array in a FIFO: every value is read once, in the order of the writes."""

from __future__ import annotations

from dataclasses import field, replace
from typing import TYPE_CHECKING, ClassVar

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.storage.fifo.circuit import FifoCircuit, NoFifo, build_fifo, find_fifo, in_order
from hlsmem.storage.kind import Kind, NotAllocated, refusal, size_text

if TYPE_CHECKING:
    from hlsmem.lifetime.storage_problem import Bound
    from hlsmem.plan import Memory, Part
    from hlsmem.program.model import Array, Program
    from hlsmem.storage.build import Laid
    from hlsmem.storage.partition_requests import PartitionRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class Fifo(Kind):
    """Elements that wait, in the order of their writes."""

    name: ClassVar[str] = "fifo"
    reads: ClassVar[str] = "fifo"
    called: ClassVar[str] = "a FIFO"
    is_selftimed: ClassVar[bool] = True
    has_slots: ClassVar[bool] = True
    is_queue: ClassVar[bool] = True

    circuit: FifoCircuit = field(repr=False, compare=False)
    bounds: tuple[Bound, ...] = field(default=(), compare=False)

    @property
    def words(self) -> int:
        return self.circuit.words

    def with_words(self, words: int) -> Fifo:
        return replace(self, circuit=replace(self.circuit, words=words))

    @property
    def control_luts(self) -> int:
        return 45

    @classmethod
    def find(cls, request: PartitionRequest) -> Fifo | NotAllocated:
        beats = None if request.whole else in_order(request.program, request.array)
        if isinstance(beats, NoFifo):  # of a part it takes longer to count what is alive
            return cls.cannot(beats.reason)
        most = request.max_live
        if most is None:
            return cls.cannot("how many of its elements wait at once is not known")
        if most <= 1:
            return cls.cannot("one element waits at most")
        beats = beats or in_order(request.program, request.array)
        if isinstance(beats, NoFifo):
            return cls.cannot(beats.reason)
        found = build_fifo(request.program, request.array, beats, most, style=request.array.style)
        if isinstance(found, NoFifo):
            return cls.cannot(found.reason)
        return cls(circuit=found, bounds=request.problem.bounds)

    @classmethod
    def build(
        cls,
        program: Program,
        laid: Laid,
        array: Array,
        most: int,  # noqa: ARG003
    ) -> FifoCircuit:
        found = find_fifo(program, laid, array)
        if isinstance(found, NoFifo):
            raise refusal(array, found.reason)
        return found

    @classmethod
    def described(cls, part: Part, memory: Memory) -> str:  # noqa: ARG003
        size = size_text(memory)
        return f"{size}: a FIFO, as all values are read once, in the order of the writes"
