"""Fragments: the pieces of text that generated loops visit, one family of instances each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any, Protocol

from hlsmem.core.expression import Expression
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.host_loops.vector_independence import Touch
from hlsmem.polyhedra.generated_loops import Visit
from hlsmem.program.model import Access, Statement

if TYPE_CHECKING:
    from hlsmem.emit.c.statement_text import Writer


class Cells(Protocol):
    """Names in C of cells, and of elements outside of them, at a place of the text of `writer`."""

    @property
    def writer(self) -> Writer:
        """Writes the statements there."""

    def element(self, access: Access, statement: Statement, at: tuple[Expression, ...]) -> str:
        """The cell of an access that an instance with these coordinates makes."""

    def cell(self, array: str, coordinates: tuple[Expression, ...]) -> str:
        """The cell of the element with these coordinates."""

    def outside(self, access: Access, statement: Statement, at: tuple[Expression, ...]) -> str:
        """The element, of an array that is not folded, of an access that an instance makes."""

    def under_condition(self) -> Cells:
        """The same within a test."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Local:
    """A variable that lives within one step."""

    name: str
    type: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Fragment:
    """Text for the instances of `schedule`, a map from them (in the space `name`) to times.

    `names` gives the user's names of values at a visit. `text` takes the coordinates of an
    instance and how cells are called there. It gives lines of statements or, where the
    fragment `defines` a local, the expression of its value. `uses` are locals it reads. `is_step`
    marks a whole step, whose lines may declare locals of their own. `touches` are the elements that
    the text reads and stores at these coordinates, in its order; None where they are not known.
    """

    name: str
    names: Callable[[Visit], Sequence[tuple[str, Expression]]]
    schedule: Any = field(compare=False)
    text: Callable[[tuple[Expression, ...], Cells], list[str]]
    defines: Local | None = None
    uses: tuple[Local, ...] = ()
    is_step: bool = False
    touches: Callable[[tuple[Expression, ...]], Sequence[Touch] | None] | None = None
