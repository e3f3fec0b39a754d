"""An array in a RAM whose cells are given in turn: by the number of the write, modulo its words.

Reads come in an order of their own. A write waits for all reads of what had its cell before it,
also for those that the program has behind the write: processes run by themselves, and that they
come to their end was found by running them (`plan.capacity: selftimed`).
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, ClassVar

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.mapping.storage_mapping import Certificate, Piece, StorageMapping
from hlsmem.storage.kind import NotAllocated, size_text
from hlsmem.storage.ram.circuit import WINDOW
from hlsmem.storage.ram.kind import InRams

if TYPE_CHECKING:
    from hlsmem.lifetime.storage_problem import Bound
    from hlsmem.plan import Memory, Part
    from hlsmem.program.model import Program
    from hlsmem.storage.partition_requests import PartitionRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class Window(InRams):
    """A RAM for one operand, its mapping the number of the write modulo the words."""

    name: ClassVar[str] = WINDOW
    called: ClassVar[str] = "a window"
    is_selftimed: ClassVar[bool] = True

    mapping: StorageMapping = field()
    bounds: tuple[Bound, ...] = ()

    @property
    def words(self) -> int:
        return self.mapping.cells

    @classmethod
    def find(cls, request: PartitionRequest) -> NotAllocated:  # noqa: ARG003
        """None is looked for: how many cells do is known when all else is chosen."""
        return cls.cannot("its cells are for processes that run by themselves")

    @classmethod
    def described(cls, part: Part, memory: Memory) -> str:  # noqa: ARG003
        return (
            f"{size_text(memory)}: a window, its cells given in the order of the writes to"
            " processes that run by themselves"
        )


def window_of(program: Program, row: tuple[int, ...], first: int, cells: int) -> Window:
    """So many cells, of which a write has that of its number `row` x + `first`."""
    piece = Piece(
        matrix=(tuple(map(QuasiPolynomial.constant, row)),),
        modulus=(QuasiPolynomial.constant(cells),),
        offset=(QuasiPolynomial.constant(first % cells),),
    )
    certificate = Certificate(scope="at", by="run", at=tuple(program.values.items()))
    mapping = StorageMapping(pieces=(piece,), method=WINDOW, cells=cells, certificate=certificate)
    return Window(mapping=mapping)
