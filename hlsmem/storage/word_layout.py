"""A layout: every array, or part of one, in one kind of storage, as circuits are made of it."""

from __future__ import annotations

from collections.abc import Iterable

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.dependences.stream_forms import Addresses
from hlsmem.lifetime.storage_problem import Bound
from hlsmem.mapping.storage_mapping import Certificate, Mapping, Piece
from hlsmem.plan import Memory, Part
from hlsmem.program.model import Program
from hlsmem.storage.kinds import Held

# What chains and FIFOs have: every element in cell 0.
NO_ADDRESS = Mapping(
    pieces=(Piece(matrix=(), modulus=(), offset=()),),
    method="none",
    cells=1,
    certificate=Certificate(scope="all-parameters", by="order"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Laid:
    """An array, or a part of one, in its memory; `slack` is `plan.slack` in beats."""

    memory: Memory
    part: Part
    bounds: tuple[Bound, ...] = ()
    slack: int = 0

    @property
    def addresses(self) -> Addresses:
        """Where its elements stand."""
        mapping = self.part.mapping or NO_ADDRESS
        return Addresses(mapping=mapping, base=self.part.base, banks=self.part.banks)

    @property
    def fifo_words(self) -> int:
        """The words of a FIFO that holds it: its max-live, else its cells."""
        alive = (bound.cells for bound in self.bounds if bound.kind == "max-live")
        return max(1, next(alive, None) or self.addresses.mapping.cells)


def layout(
    program: Program, held: Iterable[tuple[str, Held]], *, slack: int = 0
) -> dict[str, Laid]:
    """Arrays of a program that are held so, each in a memory of its own name."""
    return {
        name: Laid(
            memory=one.memory(program.arrays[name]),
            part=one.part(name),
            bounds=one.bounds,
            slack=slack,
        )
        for name, one in held
    }
