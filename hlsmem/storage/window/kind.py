"""An array in a RAM whose cells are given in turn: by the number of the write, modulo its words.

Reads come in an order of their own. A write waits for all reads of what had its cell before it,
also for those that the program has behind the write: processes run by themselves, and that they
come to their end was found by running them (`plan.capacity: selftimed`).

One statement writes, each element once, and the number of the write is affine in the element: then
both sides have addresses that address generators step through, the writer's a counter.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.mapping.storage_mapping import Certificate, Piece, StorageMapping
from hlsmem.polyhedra.enumeration import distinct_rows
from hlsmem.storage.kind import NotAllocated, size_text
from hlsmem.storage.ram.circuit import WINDOW, MemoryCircuit
from hlsmem.storage.ram.kind import InRams, Ram

if TYPE_CHECKING:
    from hlsmem.lifetime.storage_problem import Bound
    from hlsmem.plan import Memory, Part
    from hlsmem.program.model import Program
    from hlsmem.storage.kinds import Allocation, Circuit
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


@dataclass(frozen=True, slots=True)
class Numbering:
    """The number of the write of element x: `row` x + `first`."""

    row: tuple[int, ...]
    first: int

    def window(self, program: Program, cells: int) -> Window:
        """A window of so many cells, at the program's parameters."""
        return window_of(program, self.row, self.first, cells)


def numbering_of(held: Allocation, circuit: Circuit) -> Numbering | None:
    """The numbers of the writes of a RAM that one operand reads all of; None where it is another,
    or they are not affine."""
    if not isinstance(circuit, MemoryCircuit) or not isinstance(held, Ram):
        return None
    writers = [one for one in circuit.streams if one.is_write]
    readers = [one for one in circuit.streams if not one.is_write]
    if len(writers) != 1 or len(readers) != 1 or writers[0].is_fill or readers[0].is_drain:
        return None
    (writer,), (reader,) = writers, readers
    if len(writer.operands) != 1 or len(reader.operands) != 1:
        return None
    written = writer.side.stream.operands[0].elements
    operand = reader.side.stream.operands[0]
    read = distinct_rows(operand.elements[operand.taken])
    if len(distinct_rows(written)) != len(written) or len(read) != len(written):
        return None
    return affine_numbers(written)


def affine_numbers(rows: np.ndarray) -> Numbering | None:
    """The affine form that is k at row k; None where there is none with integers.

    >>> affine_numbers(np.array([[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]]))
    Numbering(row=(3, 1), first=0)
    >>> affine_numbers(np.array([[0, 0], [1, 0], [1, 1], [2, 0]]))  # of a triangle
    """
    ones = np.ones((len(rows), 1), dtype=np.int64)
    full = np.concatenate([rows, ones], axis=1)
    numbers = np.arange(len(rows))
    found, *_ = np.linalg.lstsq(full.astype(float), numbers.astype(float), rcond=None)
    form = np.rint(found).astype(np.int64)
    if not (full @ form == numbers).all():
        return None
    return Numbering(tuple(form[:-1].tolist()), int(form[-1]))
