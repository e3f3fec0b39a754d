"""Names of cells in C: by the cell function, or by the pointers of the loop around."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.emit.c.fragments import Cells
from hlsmem.emit.c.statement_text import Coordinates, Writer
from hlsmem.host_loops.pointer_loop import Reference, ShapedLoop
from hlsmem.host_loops.vector_independence import Ground
from hlsmem.program.model import Access, Statement

Key = tuple[str, Coordinates]
"""An array and the coordinates of an element."""


@dataclass(frozen=True, slots=True)
class ByFunction:
    """Every cell by its cell function.

    `shaped` gains the innermost loops that are passed, `apart` the pairs of given arrays that must
    not overlap in them; `ground` is what they are judged by, None where they are not.
    """

    writer: Writer
    ground: Ground | None = None
    shaped: list[ShapedLoop] = field(default_factory=list, compare=False)
    apart: set[tuple[str, str]] = field(default_factory=set, compare=False)

    def element(self, access: Access, statement: Statement, at: Coordinates) -> str:
        return self.writer.folded_element(access, statement, at)

    def cell(self, array: str, coordinates: Coordinates) -> str:
        return self.writer.folded_cell(array, coordinates)

    def outside(self, access: Access, statement: Statement, at: Coordinates) -> str:
        return self.writer.outside(access, statement, at)

    def under_condition(self) -> Cells:
        return self


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorder:
    """Notes the references of a text that is not kept, and variables of loops inside, `nested`."""

    writer: Writer
    found: list[Reference] = field(default_factory=list)
    nested: list[str] = field(default_factory=list)
    conditional: bool = False

    def element(self, access: Access, statement: Statement, at: Coordinates) -> str:
        if access.chosen:  # its cell is computed each time
            return self.writer.folded_element(access, statement, at)
        coordinates = self.writer.coordinates_of(access, statement, at)
        sure = self.writer.is_always_made(access, statement)
        stores = any(access is one for one in statement.writes)
        return (self if sure else self.under_condition())._noted(access.array, coordinates, stores)

    def cell(self, array: str, coordinates: Coordinates) -> str:
        return self._noted(array, coordinates, stores=False)

    def _noted(self, array: str, coordinates: Coordinates, stores: bool) -> str:
        if not self.writer.folds[array].is_variable:
            self.found.append(Reference(array, coordinates, self.conditional, stores))
        return self.writer.folds[array].variable

    def outside(self, access: Access, statement: Statement, at: Coordinates) -> str:
        return self.writer.outside(access, statement, at)

    def under_condition(self) -> Recorder:
        return replace(self, conditional=True)


@dataclass(frozen=True, slots=True)
class ByPointer:
    """Cells by the pointers of a loop, `cells` by the element, where there is one."""

    writer: Writer
    cells: Mapping[Key, str]

    def element(self, access: Access, statement: Statement, at: Coordinates) -> str:
        if not access.chosen:
            coordinates = self.writer.coordinates_of(access, statement, at)
            if (access.array, coordinates) in self.cells:
                return self.cell(access.array, coordinates)
        return self.writer.folded_element(access, statement, at)

    def cell(self, array: str, coordinates: Coordinates) -> str:
        if (array, coordinates) in self.cells:
            return f"{self.writer.folds[array].variable}[{self.cells[array, coordinates]}]"
        return self.writer.folded_cell(array, coordinates)

    def outside(self, access: Access, statement: Statement, at: Coordinates) -> str:
        return self.writer.outside(access, statement, at)

    def under_condition(self) -> Cells:
        return self


@dataclass(frozen=True, slots=True)
class Held:
    """As `cells`, but one given element, `key`, stands in the local `name`."""

    cells: Cells
    key: Key
    name: str

    @property
    def writer(self) -> Writer:
        return self.cells.writer

    def element(self, access: Access, statement: Statement, at: Coordinates) -> str:
        return self.cells.element(access, statement, at)

    def cell(self, array: str, coordinates: Coordinates) -> str:
        return self.cells.cell(array, coordinates)

    def outside(self, access: Access, statement: Statement, at: Coordinates) -> str:
        array, coordinates = self.key
        is_array = access.array == array and not access.chosen
        if is_array and self.writer.coordinates_of(access, statement, at) == coordinates:
            return self.name
        return self.cells.outside(access, statement, at)

    def under_condition(self) -> Cells:
        return replace(self, cells=self.cells.under_condition())
