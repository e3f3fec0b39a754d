"""Walk of an innermost loop over cells: pointers that move by a stride, and where they wrap.

Source: Lefebvre and Feautrier (1998) fold by a modulo at every access; here the modulo is taken
once where the loop starts, and the loop is split where a pointer comes to the end of its cells.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import cache

from hlsmem.core.expression import Expression, Operation, Operator, substituted
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.host_loops.cell_frame import CellFrame, Row
from hlsmem.host_loops.loop_polynomials import polynomial, slope
from hlsmem.polyhedra.generated_loops import Loop

_ZERO = QuasiPolynomial.constant(0)
_MOST_TURNS = 8
"""Elements that are more periods apart are taken to have cells of their own."""


@dataclass(frozen=True, slots=True)
class Reference:
    """An element of a folded array that the body of a loop names.

    `conditional` says that not every iteration does, `stores` that it is written there.
    """

    array: str
    subscripts: tuple[Expression, ...]
    conditional: bool = False
    stores: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Pointer:
    """A cell along a loop: that of the element `start`, then `stride` further each time.

    `serves` are the subscripts of the references that it is the cell of; `start` are those of one
    of them in the first iteration. The stride is for one more of the loop's variable. Where the
    pointer `wraps` it stays below that many cells: the loop is split where it would leave them.
    """

    array: str
    serves: tuple[tuple[Expression, ...], ...]
    start: tuple[Expression, ...]
    stride: QuasiPolynomial
    wraps: QuasiPolynomial | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Unshaped:
    """A reference that computes its cell in every iteration, and why."""

    array: str
    subscripts: tuple[Expression, ...]
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopShape:
    """An innermost loop: its pointers, and the references that have none."""

    pointers: tuple[Pointer, ...]
    unshaped: tuple[Unshaped, ...]

    @property
    def wrapping(self) -> tuple[Pointer, ...]:
        """The pointers at whose ends the loop is split."""
        return tuple(pointer for pointer in self.pointers if pointer.wraps is not None)


@dataclass(frozen=True, slots=True)
class ShapedLoop:
    """An innermost loop and those `around` it, with what its body names and how it walks there."""

    around: tuple[Loop, ...]
    loop: Loop
    references: tuple[Reference, ...]
    shape: LoopShape


def loop_shape(
    loop: Loop, references: Sequence[Reference], frames: Mapping[str, CellFrame]
) -> LoopShape:
    """The shape of an innermost loop whose body names `references`.

    References of frames without any remainder need no pointer: their cell is a form of the loop
    variables already. Those of arrays without a frame, which are in pieces, have none.
    """
    always = {(one.array, one.subscripts) for one in references if not one.conditional}
    # Those that every iteration makes come first: they are surely where a pointer can start.
    ordered = sorted(references, key=lambda one: (one.array, one.subscripts) not in always)
    named = dict.fromkeys((one.array, one.subscripts) for one in ordered)
    pointers: list[Pointer] = []
    unshaped: list[Unshaped] = []
    for array, subscripts in named:
        if array not in frames or not frames[array].wraps:
            continue
        one = Reference(array, subscripts, (array, subscripts) not in always)
        found = walk_of(loop, one, frames[array])
        if isinstance(found, Pointer):
            _join(pointers, found, frames[array], always)
        else:
            unshaped.append(Unshaped(array=array, subscripts=subscripts, reason=found))
    return LoopShape(pointers=tuple(pointers), unshaped=tuple(unshaped))


def _join(
    pointers: list[Pointer],
    found: Pointer,
    frame: CellFrame,
    always: Collection[tuple[str, tuple[Expression, ...]]],
) -> None:
    """Add a pointer, or let the one that is always at the same cell serve its reference.

    That one has to be of a reference that `always` is made: where another one is not, it starts
    at no element, whose cell may be any, as remainders of negative numbers are.
    """
    for position, other in enumerate(pointers):
        if (other.array, other.serves[0]) not in always or other.array != found.array:
            continue
        if _is_same_cell(frame, other.serves[0], found.serves[0]):
            pointers[position] = replace(other, serves=(*other.serves, *found.serves))
            return
    pointers.append(found)


def _is_same_cell(
    frame: CellFrame, left: tuple[Expression, ...], right: tuple[Expression, ...]
) -> bool:
    """True if two elements plainly have one cell: their rows differ by multiples of the moduli."""
    differences = [
        polynomial(Operation(Operator.SUBTRACT, pair)) for pair in zip(left, right, strict=True)
    ]
    steps = [one for one in differences if one is not None]
    if len(steps) < len(differences):
        return False
    apart = (row.form(steps) - row.offset for row in frame.rows)
    return all(
        gap in _turns(row.modulus) if row.wraps else gap == _ZERO
        for row, gap in zip(frame.rows, apart, strict=True)
    )


@cache
def _turns(modulus: QuasiPolynomial) -> frozenset[QuasiPolynomial]:
    """A few multiples of a modulus."""
    return frozenset(modulus * turns for turns in range(-_MOST_TURNS, _MOST_TURNS + 1))


def walk_of(loop: Loop, reference: Reference, frame: CellFrame) -> Pointer | str:
    """The pointer of a reference in an innermost loop, or why it has none."""
    array, subscripts = reference.array, reference.subscripts
    forms = [polynomial(one) for one in subscripts]
    known = [form for form in forms if form is not None]
    if len(known) < len(forms):
        return "a subscript is not affine in the loop"
    moves = [(row, slope(row.form(known), loop.iterator)) for row in frame.rows]
    stride = _ZERO
    for (_, move), pitch in zip(moves, frame.pitches(), strict=True):
        if move is None:
            return "a subscript is not affine in the loop"
        stride = stride + move * pitch
    turning = [row for row, move in moves if row.wraps and move != _ZERO]
    wraps = None
    if turning:
        reason = _cannot_turn(loop, turning, frame, stride, not reference.conditional)
        if reason:
            return reason
        wraps = turning[0].modulus
    values = {loop.iterator: loop.first}
    return Pointer(
        array=array,
        serves=(subscripts,),
        start=tuple(substituted(one, values) for one in subscripts),
        stride=stride,
        wraps=wraps,
    )


def _cannot_turn(
    loop: Loop, turning: Sequence[Row], frame: CellFrame, stride: QuasiPolynomial, always: bool
) -> str:
    """Why the loop cannot be split where a reference with these `turning` rows wraps."""
    if len(frame.rows) > 1:
        return "it wraps beside other rows"
    size, modulus = stride.constant_value(), turning[0].modulus.constant_value()
    if size is None or (abs(size) != 1 and (modulus is None or abs(size) >= modulus)):
        return f"its stride is {stride}"
    if loop.step != 1 or loop.last is None:
        return "the loop has a step or an end of its own"
    # Where an iteration does not use the cell, it may have none to start from.
    return "" if always else "it wraps, under a condition"
