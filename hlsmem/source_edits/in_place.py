"""Storage in the array's own place: the declaration has fewer extents, accesses other subscripts.

Right for the order that the mapping was proved for, where a subscript that the user wrote stands
for the index: subscripts are combined as texts, whatever loops are around them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.host_loops.cell_frame import CellFrame, Row, frame_of
from hlsmem.host_loops.symbolic_sizes import Scale, scale_of
from hlsmem.mapping.storage_mapping import Piece, StorageMapping
from hlsmem.polyhedra.sets import without_name
from hlsmem.program.model import Program
from hlsmem.source_edits.edits import Edit
from hlsmem.source_edits.linear_text import c_text, factor_text, form_of, replaced
from hlsmem.source_edits.user_arrays import Kept, Use, UserArray, UserFile

NamesAt = Callable[[int], Mapping[str, QuasiPolynomial]]
"""What says which names at a byte stand for other values than in the user's text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InPlace:
    """Edits of an array that is kept in `cells` cells of a `mapping`, with `extents` in its
    declaration; a subscript takes a remainder where it `wraps`."""

    file: UserFile
    edits: tuple[Edit, ...]
    cells: QuasiPolynomial
    mapping: StorageMapping
    extents: tuple[str, ...]
    wraps: bool
    why: str = ""

    @property
    def form(self) -> str:
        return "in-place" if self.extents else "scalar"


def in_place(
    own: UserArray,
    program: Program,
    mapping: StorageMapping,
    names: NamesAt,
    *,
    has_guards: bool = False,
) -> InPlace | Kept:
    """The edits that give an array the cells of a mapping, or why there are none.

    `names` are the loop variables that have other values at a place of the edited text, which may
    have guards where the user's has none.
    """
    if len(mapping.pieces) != 1:
        return Kept("its mapping has several pieces", own.array.source_location)
    (piece,) = mapping.pieces
    scale = scale_of(program.parameters, program.values, program.context, [mapping])
    if not scale.symbolic:
        return Kept("its mapping holds at the plan's sizes alone", own.array.source_location)
    frame = _frame(own, piece, scale)
    extents = [_extent(own, row) for row in frame.rows]
    edits = own.without_pragmas()
    start, stop = own.declarator
    # What is written under a condition may be read as far as compilers see.
    first = " = 0" if not extents and has_guards else ""
    edits.append(Edit(start, stop, own.name + "".join(f"[{one}]" for one in extents) + first))
    for use in own.uses:
        subscripts = _subscripts(own, use, frame, names(use.start))
        if isinstance(subscripts, Kept):
            return subscripts
        text = own.name + "".join(f"[{one}]" for one in subscripts)
        edits.append(Edit(use.start, use.stop, text))
    cells = QuasiPolynomial.product([row.modulus for row in frame.rows])
    return InPlace(
        file=own.file,
        edits=tuple(edits),
        cells=cells,
        mapping=mapping,
        extents=tuple(extents),
        wraps=frame.wraps,
    )


def _frame(own: UserArray, piece: Piece, scale: Scale) -> CellFrame:
    """The cells of a piece, turned round where that has fewer remainders and falling subscripts."""
    elements, turned = _elements(own, scale), QuasiPolynomial.constant(-1)
    every = [frame_of(own.array.name, piece, elements, scale, unit) for unit in (None, turned)]
    return min(every, key=lambda one: (one.wraps, sum(map(_falls, one.rows))))


def _falls(row: Row) -> int:
    factors = [one.constant_value() or 0 for one in row.coefficients]
    return next((k + 1 for k, one in enumerate(reversed(factors)) if one), 0) * (
        next((one for one in reversed(factors) if one), 0) < 0
    )


def _elements(own: UserArray, scale: Scale) -> Any:
    """The elements that the text accesses, a set without a name."""
    found = [
        without_name(one.access.relation.intersect_domain(one.statement.domain).range())
        for one in own.uses
    ]
    return scale.restrict(reduce(lambda one, other: one.union(other), found))


def _column(row: Row) -> int | None:
    """The dimension that a row is; None where it is a form of several, or of another step."""
    found = [k for k, one in enumerate(row.coefficients) if one.constant_value() != 0]
    alone = len(found) == 1 and row.coefficients[found[0]].constant_value() == 1
    return found[0] if alone else None


def _extent(own: UserArray, row: Row) -> str:
    """The extent of a row: the user's own text where it is that of a dimension."""
    column, declared = _column(row), own.array.extents
    if column is not None and declared is not None and declared[column] == row.modulus:
        start, stop = own.extents[column]
        return own.file.text[start:stop]
    return c_text(row.modulus)


def _subscripts(
    own: UserArray, use: Use, frame: CellFrame, names: Mapping[str, QuasiPolynomial]
) -> list[str] | Kept:
    texts = [own.file.text[start:stop] for start, stop in use.subscripts]
    found = []
    for row in frame.rows:
        column = _column(row)
        if column is not None and not row.offset.terms and not row.lift:
            form = form_of(texts[column])
            same = form is not None and replaced(form, names) == form
            text = texts[column] if same else _combined(row, texts, names)
        else:
            text = _combined(row, texts, names)
        if row.wraps:
            if row.lift is None:
                return Kept("a subscript of its cells may be negative", use.access.source_location)
            text = f"{factor_text(text.strip())} % {factor_text(c_text(row.modulus))}"
        found.append(text)
    return found


def _combined(row: Row, texts: Sequence[str], names: Mapping[str, QuasiPolynomial]) -> str:
    """The form of a row, of subscripts as the user wrote them."""
    forms = [form_of(text) or QuasiPolynomial.parameter(f"({text})") for text in texts]
    lift = row.lift if row.wraps and row.lift is not None else QuasiPolynomial.constant(0)
    return c_text(replaced(row.form(forms) + lift, names))
