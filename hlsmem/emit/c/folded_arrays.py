"""Folded arrays in C: their cells, where those stand in the workspace, and how C names them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.core.wording import counted
from hlsmem.emit.c.alignment import LINE
from hlsmem.emit.c.c_syntax import words
from hlsmem.emit.c.cell_text import cell_expression, cell_of_pieces, size_text
from hlsmem.emit.c.small_functions import needs_wrap
from hlsmem.emit.mapping_text import mapping_lines
from hlsmem.host_loops.cell_frame import CellFrame, frame_of
from hlsmem.host_loops.symbolic_sizes import Scale
from hlsmem.mapping.storage_mapping import Certificate, Piece, StorageMapping, unfolded
from hlsmem.polyhedra import Set
from hlsmem.polyhedra.relations import named, sets_of
from hlsmem.polyhedra.sets import with_parameters, without_name
from hlsmem.program.model import Array, Program, Storage
from hlsmem.read.design_names import RESERVED

Cells = Mapping[str, StorageMapping]
"""The mapping of every array in C, by name."""

_PAGE = 4096
"""Bytes from which on rows of arrays can be in the same sets of a cache."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fold:
    """One folded array. `type` is the C type of a cell, `cells` its number of cells.

    `variable` is the pointer to its cells, or, for one cell but of state, the variable that is it.
    What the datapath of the hardware keeps `is_local`: a variable or an array of the function.
    `cell` is the body of its cell function over `index`; `arguments` are the parameters of
    the program that this function is given first (those that are no macros). `frame` is what it
    prints, None where that is what loops compute: of a mapping in pieces, and `by_formula`.
    `saved` are the bytes that it has less than the array as declared, at the plan's parameters,
    None where nothing declares it; it is `packed` where no byte shall lie between arrays. `prefix`
    stands in the name of its function, of the second fold of an array in one file.
    """

    array: Array
    type: str
    cells: QuasiPolynomial
    variable: str
    index: tuple[str, ...]
    arguments: tuple[str, ...]
    frame: CellFrame | None
    cell: str
    comment: tuple[str, ...]
    saved: int | None
    packed: bool
    prefix: str

    @property
    def is_variable(self) -> bool:
        return self.cells.constant_value() == 1 and not self.is_state

    @property
    def is_state(self) -> bool:
        """True if its cells keep their values from call to call, in the workspace."""
        return self.array.storage is Storage.STATE

    @property
    def is_local(self) -> bool:
        """True if it is declared where the region begins, and not in the workspace."""
        return self.is_variable or self.array.storage is Storage.DATAPATH

    @property
    def is_long(self) -> bool:
        """True if its cells may be a page of memory or more."""
        cells = self.cells.constant_value()
        return cells is None or cells * self.array.element.cell_bytes >= _PAGE

    @property
    def wraps(self) -> bool:
        """True if values must be reduced to the bits of the element when they are written."""
        return self.type == self.array.element.c_name and needs_wrap(self.array.element)

    @property
    def function(self) -> str:
        return f"{RESERVED}{self.prefix}{self.array.name}_cell"

    def element(self, subscripts: Sequence[str]) -> str:
        """C for the element with these coordinates."""
        return self.variable if self.is_variable else f"{self.variable}[{self.place(subscripts)}]"

    def place(self, subscripts: Sequence[str]) -> str:
        """C for the number of the cell of the element with these coordinates."""
        return f"{self.function}({', '.join([*self.arguments, *subscripts])})"

    def bytes(self) -> str:
        return f"{size_text(self.cells)} * sizeof({self.type})"

    def definition(self) -> list[str]:
        """The lines of the cell function."""
        parameters = ", ".join(f"int64_t {name}" for name in (*self.arguments, *self.index))
        return [
            *self.comment,
            f"static inline size_t {self.function}({parameters or 'void'})",
            "{",
            *(f"    (void){name};" for name in self.index if not _mentions(self.cell, name)),
            f"    return {self.cell};",
            "}",
        ]


def fold_of(
    program: Program,
    name: str,
    mapping: StorageMapping,
    scale: Scale,
    *,
    type_name: str,
    variable: str,
    macros: Iterable[str],
    by_formula: bool = False,
    packed: bool = False,
    prefix: str = "",
) -> Fold:
    """The fold of an array by its mapping; `by_formula`: as in `emit_host`."""
    array = program.arrays[name]
    index = _index_names(array.index, {*scale.parameters, *macros})
    elements = scale.restrict(accessed_elements(program, array))
    pieces = mapping.pieces
    frame = None
    if len(pieces) == 1:
        own = frame_of(array.name, pieces[0], elements, scale)
        cell = cell_expression(own.with_remainders() if by_formula else own, index)
        frame = None if by_formula else own
    else:
        cell = cell_of_pieces(pieces, index, elements, scale)
    arguments = tuple(n for n in scale.parameters if n not in macros and _mentions(cell, n))
    return Fold(
        array=array,
        type=type_name,
        cells=cells_of(pieces, scale),
        variable=variable,
        index=index,
        arguments=arguments,
        frame=frame,
        cell=cell,
        comment=fold_comment(array, mapping, program.values),
        saved=_saved(array, mapping, program.values),
        packed=packed,
        prefix=prefix,
    )


def _saved(array: Array, mapping: StorageMapping, values: Mapping[str, int]) -> int | None:
    declared = array.declared_at(values)
    return None if declared is None else (declared - mapping.cells) * array.element.cell_bytes


def with_mapping(
    fold: Fold, mapping: StorageMapping, scale: Scale, values: Mapping[str, int]
) -> Fold:
    """A fold with as many cells as another mapping has."""
    cells, saved = cells_of(mapping.pieces, scale), _saved(fold.array, mapping, values)
    return replace(fold, cells=cells, saved=saved)


def cells_of(pieces: Iterable[Piece], scale: Scale) -> QuasiPolynomial:
    """The cells of pieces one behind the other."""
    return sum((scale.of(piece.cells()) for piece in pieces), QuasiPolynomial.constant(0))


def fold_comment(
    array: Array, mapping: StorageMapping, values: Mapping[str, int]
) -> tuple[str, ...]:
    """Comment on a fold for readers of the C: the mapping, its size, and its certificate."""
    lines = mapping_lines(array.name, array.index, mapping)
    size = counted(mapping.cells, "cell")
    if array.extents is not None:
        size += f" instead of {array.declared_at(values)}"
    return (
        f"/* {'; '.join(lines)}",
        f" * {size}, {mapping.certificate} */",
    )


def _index_names(index: Sequence[str], taken: set[str]) -> tuple[str, ...]:
    free = len(set(index)) == len(index) and not taken & set(index)
    return tuple(index) if free else tuple(f"{RESERVED}{i}" for i in range(len(index)))


def _mentions(text: str, name: str) -> bool:
    return name in words([text])


def accessed_elements(program: Program, array: Array) -> Any:
    """The anonymous set of all elements that are read, written, live before or live after."""
    names = ", ".join(f"x{position}" for position in range(len(array.index)))
    found = with_parameters(Set(f"{{ [{names}] : false }}"), program.parameters)
    for statement in program.statements:
        for access in (*statement.reads, *statement.writes):
            if access.array == array.name:
                instances = access.relation.intersect_domain(statement.domain)
                found = found.union(without_name(instances.range()))
    for live in (program.live_in, program.live_out):
        for piece in sets_of(named(live, array.name)):
            found = found.union(without_name(piece))
    return found.coalesce()


def workspace(folds: Iterable[Fold]) -> tuple[Fold, ...]:
    """The folds that need memory, in the order of the workspace.

    The widest elements stand first: then every array is aligned if the workspace is.
    """
    stored = [fold for fold in folds if not fold.is_local]
    return tuple(sorted(stored, key=lambda fold: -fold.array.element.cell_bytes))


def gaps(folds: Sequence[Fold]) -> dict[str, int]:
    """The bytes of the workspace that are left free in front of the cells of each fold.

    Arrays of a power of two of cells, one right behind the other, have their rows in the same few
    sets of a cache, and nine of them that are walked together throw each other out. A line of the
    cache between two that are long, or of any length, is enough. There is none where it would take
    what folding has saved.
    """
    found, before = dict[str, int](), False
    for fold in folds:
        is_long = fold.is_long and not fold.packed and (fold.saved is None or fold.saved >= LINE)
        found[fold.array.name] = LINE if is_long and before else 0
        before = before or is_long
    return found


def workspace_starts(folds: Iterable[Fold], values: Mapping[str, int]) -> dict[str, int]:
    """The byte of the workspace at which the cells of each fold start, at these parameters."""
    stored = workspace(folds)
    free = gaps(stored)
    found, at = dict[str, int](), 0
    for fold in stored:
        at += free[fold.array.name]
        found[fold.array.name] = at
        at += fold.cells.evaluate(values) * fold.array.element.cell_bytes
    return found


def offsets(folds: Sequence[Fold]) -> dict[str, str]:
    """C for the byte at which the cells of each fold start; "" for the first."""
    free = gaps(folds)
    found, before = dict[str, str](), list[str]()
    for fold in folds:
        before += [f"{gap}u" for gap in (free[fold.array.name],) if gap]
        found[fold.array.name] = " + ".join(before)
        before.append(fold.bytes())
    return found


def total_bytes(folds: Sequence[Fold]) -> str:
    """C for the size of the workspace of these folds."""
    free = sum(gaps(folds).values())
    return " + ".join([*(fold.bytes() for fold in folds), *([f"{free}u"] if free else [])]) or "0"


def in_declared_order(cells: Cells, program: Program) -> Cells:
    """The mappings of the planned arrays, in order of declaration, and of those that the datapath
    of the hardware keeps: C has them as they are declared."""
    planned = {array.name for array in program.planned_arrays()}
    return {
        array.name: cells[array.name] if array.name in planned else _as_declared(array)
        for array in program.arrays.values()
        if array.name in planned or array.storage is Storage.DATAPATH
    }


def _as_declared(array: Array) -> StorageMapping:
    extents = array.extents or ()
    return StorageMapping(
        method="declared",
        pieces=(unfolded(extents, (QuasiPolynomial.constant(0),) * len(extents)),),
        cells=QuasiPolynomial.product(extents).evaluate({}),
        certificate=Certificate(scope="all-parameters", by="widths"),
    )
