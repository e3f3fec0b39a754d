"""An array in banks: RAM banks that serve all reads of a beat without conflict."""

from __future__ import annotations

from dataclasses import field, replace
from typing import TYPE_CHECKING, ClassVar

from hlsmem.core.errors import LimitError
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.wording import counted
from hlsmem.plan import BankPlace, Part
from hlsmem.storage.banked.finder import BankQuestion, find_banking
from hlsmem.storage.kind import Kind, NotAllocated, size_text
from hlsmem.storage.ram.kind import InRams

if TYPE_CHECKING:
    from hlsmem.lifetime.storage_problem import Bound
    from hlsmem.mapping.storage_mapping import StorageMapping
    from hlsmem.plan import Memory, Operand
    from hlsmem.program.model import Array
    from hlsmem.storage.partition_requests import PartitionRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class Banked(InRams):
    """The elements in `banks`, all of them once for each of so many read streams."""

    name: ClassVar[str] = "banked"
    reads: ClassVar[str] = "banks"
    called: ClassVar[str] = "banks"

    mapping: StorageMapping = field()
    banks: BankPlace
    streams: int
    bounds: tuple[Bound, ...] = field(default=(), compare=False)

    @property
    def words(self) -> int:
        return self.banks.banks * self.banks.words * self.streams

    @classmethod
    def find(cls, request: PartitionRequest) -> Banked | NotAllocated:
        array, held = request.array, request.in_memory
        is_asked = array.reads == cls.reads
        question = BankQuestion(
            program=request.program,
            problem=request.problem,
            cells=1 if held.mapping is None else held.mapping.cells,
            device=None if is_asked else request.conditions.device,
            max_banks=array.max_banks,
            is_asked=is_asked,
        )
        found = find_banking(question)
        if isinstance(found, str):
            return cls.cannot(found)
        assert held.mapping is not None
        return cls(
            mapping=held.mapping, banks=found.place, streams=found.streams, bounds=held.bounds
        )

    @classmethod
    def found(cls, request: PartitionRequest) -> Banked | NotAllocated:
        """The same; where `max_banks` are too few, that is an error of the design."""
        try:
            return cls.find(request)
        except LimitError as error:
            return cls.cannot("; ".join(problem.what for problem in error.problems))

    def memory(self, array: Array) -> Memory:
        return replace(Kind.memory(self, array), copies=self.streams, banks=self.banks.banks)

    def part(
        self, memory: str, operands: tuple[Operand, ...] = (), takes: str | None = None
    ) -> Part:
        return replace(Kind.part(self, memory, operands, takes), banks=self.banks)

    @classmethod
    def described(cls, part: Part, memory: Memory) -> str:  # noqa: ARG003
        words = memory.words // memory.copies
        of_each = counted(words // memory.banks, "word")
        text = f"{size_text(memory)}: {memory.banks} banks of {of_each}"
        return text + (f" for each of {memory.copies} streams" if memory.copies > 1 else "")
