"""Interface of every kind of storage; each has a folder, and their union is in `kinds`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from hlsmem.core.errors import InputError, LimitError, Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.wording import counted
from hlsmem.devices.primitives import Cost
from hlsmem.mapping.storage_mapping import StorageMapping
from hlsmem.plan import Memory, Operand, Part
from hlsmem.program.model import Array

if TYPE_CHECKING:
    from hlsmem.lifetime.storage_problem import Bound
    from hlsmem.program.model import Program
    from hlsmem.storage.build import Laid
    from hlsmem.storage.kinds import Allocation, Circuit
    from hlsmem.storage.partition_requests import PartitionRequest


@dataclass(frozen=True, slots=True)
class NotAllocated:
    """Why a kind of storage does not hold some operands."""

    kind: str
    reason: str


class Kind:
    """The elements that some operands read, in one kind of storage.

    `name` is the kind as in plan.json and `arrays.X.parts`, `reads` its word in `arrays.X.reads`,
    empty where it has none, `called` what a refusal calls it. Where its cells are those of a
    mapping it `has_mapping`; it `has_slots` where elements enter in the order of the writes. One
    that `is_selftimed` has as many words as processes need that run by themselves; one that
    `is_queue` gives its elements back in the order in which they came.
    """

    __slots__ = ()

    name: ClassVar[str]
    reads: ClassVar[str] = ""
    called: ClassVar[str]
    has_mapping: ClassVar[bool] = False
    is_selftimed: ClassVar[bool] = False
    has_slots: ClassVar[bool] = False
    is_queue: ClassVar[bool] = False

    bounds: tuple[Bound, ...]

    @property
    def words(self) -> int:
        """All words that it takes: copies and padding too."""
        raise NotImplementedError

    def with_words(self, words: int) -> Allocation:
        """The same in so many words, of a kind whose words are found by running processes."""
        raise NotImplementedError

    @property
    def newest(self) -> int:
        """Of its words those of the newest beat, which waits in registers as beats of other kinds
        do on a port: they do not count when kinds are compared."""
        return 0

    @property
    def control_luts(self) -> int:
        """LUTs of address generators, gates and handshakes beside the memory, for comparisons
        alone: about what Yosys finds on ECP5 (docs/storage.md)."""
        raise NotImplementedError

    @property
    def circuit(self) -> Circuit | None:
        """The circuit that it was found with, of an array that has these operands alone."""
        return None

    @property
    def mapping(self) -> StorageMapping | None:
        """The cells of the elements; None where it has no addresses."""
        return None

    @classmethod
    def find(cls, request: PartitionRequest) -> Allocation | NotAllocated:
        """Some operands in this kind of storage, or why it cannot hold them.

        Raises InputError and LimitError where that cannot be told.
        """
        raise NotImplementedError

    @classmethod
    def one(cls) -> str:
        """A single memory of this kind, as remarks call it."""
        return cls.called

    @classmethod
    def found(cls, request: PartitionRequest) -> Allocation | NotAllocated:
        """The same; what cannot be told is held by no such storage."""
        try:
            return cls.find(request)
        except (InputError, LimitError) as error:
            return cls.cannot("; ".join(problem.what for problem in error.problems))

    @classmethod
    def cannot(cls, reason: str) -> NotAllocated:
        return NotAllocated(cls.name, reason)

    @classmethod
    def build(cls, program: Program, laid: Laid, array: Array, most: int) -> Circuit | None:
        """The circuit of an array of a layout; None where it has no streams.

        Where isl has no gates, accesses are listed, so many at `most`. Raises InputError where it
        cannot be held so, or its streams cannot hold together, LimitError where a walk needs what
        address generators cannot do.
        """
        raise NotImplementedError

    @classmethod
    def alone(cls, memory: Memory, device: str, *, meets: bool = True) -> Memory:
        """The memory with what it takes on a device or family, where there is no circuit of it.

        `meets`: whether a read meets a write of its cell.
        """
        raise NotImplementedError

    @classmethod
    def described(cls, part: Part, memory: Memory) -> str:
        """A memory of this kind, as the report says it."""
        raise NotImplementedError

    def at_least(self, array: Array, device: str) -> Cost:
        """Lower bound on its cost, before all of it is built: for comparisons, never printed.

        That of the circuit that it was found with; kinds that are found without say so themselves.
        """
        if self.circuit is None:
            raise NotImplementedError
        return self.circuit.taking(self.memory(array), device).resources or Cost()

    def memory(self, array: Array) -> Memory:
        """The memory of an array that is held so."""
        return Memory(bits=array.element.bits, words=self.words, kind=self.name, style=array.style)

    def part(
        self, memory: str, operands: tuple[Operand, ...] = (), takes: str | None = None
    ) -> Part:
        """The part of an array that stands in a memory of this name."""
        return Part(memory=memory, operands=operands, takes=takes, mapping=self.mapping)


def size_text(memory: Memory) -> str:
    """The words of a memory, as reports say them."""
    return f"{counted(memory.words, 'word')} of {counted(memory.bits, 'bit')}"


def refusal(array: Array, reason: str) -> InputError:
    """An array cannot be held as a design, or a plan, has it."""
    what = f"{array.name!r} cannot be held as asked: {reason}"
    return InputError(
        Problem(what, "leave out arrays.X.reads and arrays.X.parts", array.source_location)
    )
