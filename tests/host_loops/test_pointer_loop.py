"""Pointers follow the cells of their references, iteration by iteration, by enumeration."""

from __future__ import annotations

import pytest

from hlsmem.core.expression import Expression, Integer, Name, Operation, Operator, evaluate
from hlsmem.core.quasi_polynomial import QuasiPolynomial, parse_quasi_polynomial
from hlsmem.host_loops.cell_frame import CellFrame, frame_of
from hlsmem.host_loops.pointer_loop import LoopShape, Reference, loop_shape
from hlsmem.host_loops.symbolic_sizes import Scale
from hlsmem.mapping.storage_mapping import Piece
from hlsmem.polyhedra import Set
from hlsmem.polyhedra.generated_loops import Block, Loop

N = 9
SCALE = Scale(symbolic=True, parameters=("N",), values={"N": N}, context=Set("[N] -> { : N >= 5 }"))
SQUARE = SCALE.restrict(Set("[N] -> { [y, x] : 0 <= y, x < N }"))
Y, X = Name("y"), Name("x")


def plus(name: Name, value: int) -> Expression:
    return Operation(Operator.ADD, (name, Integer(value)))


def piece_of(rows: list[tuple[str, str]], moduli: list[str]) -> Piece:
    return Piece(
        matrix=tuple(tuple(map(parse_quasi_polynomial, row)) for row in rows),
        modulus=tuple(map(parse_quasi_polynomial, moduli)),
        offset=(QuasiPolynomial.constant(0),) * len(rows),
    )


def frame(rows: list[tuple[str, str]], moduli: list[str]) -> CellFrame:
    return frame_of("A", piece_of(rows, moduli), SQUARE, SCALE)


def loop(first: int = 0, step: int = 1, bounded: bool = True) -> Loop:
    last = Operation(Operator.SUBTRACT, (Name("N"), Integer(1))) if bounded else None
    test = Operation(Operator.LESS, (X, Name("N")))
    return Loop("x", Integer(first), test, last, step, Block(()))


def shape(own: CellFrame, *references: Reference, **kind: int) -> LoopShape:
    return loop_shape(loop(**kind), references, {"A": own})


def cell(own: CellFrame, subscripts: tuple[Expression, ...], y: int, x: int) -> int:
    """The cell of an element, row by row."""
    values = [evaluate(one, {"y": y, "x": x, "N": N}) for one in subscripts]
    total = 0
    for row in own.rows:
        factors = [entry.evaluate({"N": N}) for entry in row.coefficients]
        form = sum(a * b for a, b in zip(factors, values, strict=True))
        form += row.offset.evaluate({"N": N})
        size = row.modulus.evaluate({"N": N})
        total = total * size + form % size
    return total


FRAMES = {
    "ring": frame([("N", "1")], ["2*N + 1"]),
    "skewed": frame([("1", "-2")], ["19"]),
    "rows": frame([("1", "0"), ("0", "1")], ["3", "N"]),
    "columns": frame([("0", "1"), ("1", "0")], ["N", "2"]),
}


@pytest.mark.parametrize("name", FRAMES)
def test_pointers_are_at_the_cells_of_their_references(name: str) -> None:
    own = FRAMES[name]
    found = shape(own, Reference("A", (Y, X)), Reference("A", (plus(Y, -2), X)))
    assert not found.unshaped
    for pointer in found.pointers:
        stride = pointer.stride.evaluate({"N": N})
        for y in range(2, N):
            for x in range(N):
                start = evaluate_all(pointer.start, y, 0)
                place = cell(own, tuple(map(Integer, start)), y, 0) + stride * x
                if pointer.wraps is not None:
                    place %= pointer.wraps.evaluate({"N": N})
                for subscripts in pointer.serves:
                    assert place == cell(own, subscripts, y, x)


def evaluate_all(subscripts: tuple[Expression, ...], y: int, x: int) -> list[int]:
    return [evaluate(one, {"y": y, "x": x, "N": N}) for one in subscripts]


def test_one_pointer_serves_elements_of_one_cell() -> None:
    own = frame([("1", "0"), ("0", "1")], ["2", "N"])
    old, new = Reference("A", (plus(Y, -2), X)), Reference("A", (Y, X))
    (pointer,) = shape(own, old, new).pointers
    assert pointer.serves == (old.subscripts, new.subscripts)
    assert pointer.wraps is None


def test_a_pointer_starts_at_what_every_iteration_makes() -> None:
    """Where a reference is not made it may name no element: (size_t)(y - 3) % 3 is 1 at y = 0."""
    own = frame([("1", "0"), ("0", "1")], ["3", "N"])
    old, new = (plus(Y, -3), X), (Y, X)
    always, sometimes = Reference("A", new), Reference("A", new, True)
    (pointer,) = shape(own, Reference("A", old, True), always).pointers
    assert pointer.serves == (new, old)
    apart = shape(own, Reference("A", old, True), sometimes).pointers
    assert [pointer.serves for pointer in apart] == [(old,), (new,)]


def reason(own: CellFrame, reference: Reference, **kind: int) -> str:
    (one,) = shape(own, reference, **kind).unshaped
    return one.reason


def test_what_has_no_pointer_says_why() -> None:
    ring, both = FRAMES["ring"], frame([("1", "1"), ("0", "1")], ["2", "3"])
    here = Reference("A", (Y, X))
    square = Operation(Operator.MULTIPLY, (X, X))
    assert reason(ring, Reference("A", (Y, X), True)) == "it wraps, under a condition"
    assert reason(both, here) == "it wraps beside other rows"
    assert reason(ring, here, step=2) == "the loop has a step or an end of its own"
    assert reason(ring, here, bounded=False) == "the loop has a step or an end of its own"
    assert reason(ring, Reference("A", (X, Y))) == "its stride is N"
    assert reason(ring, Reference("A", (Y, square))) == "a subscript is not affine in the loop"


def test_frames_without_remainders_need_no_pointer() -> None:
    whole = frame([("1", "0"), ("0", "1")], ["N", "N"])
    assert shape(whole, Reference("A", (Y, X))) == LoopShape(pointers=(), unshaped=())


def test_a_condition_does_not_matter_to_a_pointer_that_never_wraps() -> None:
    found = shape(FRAMES["rows"], Reference("A", (Y, X), True))
    assert [pointer.wraps for pointer in found.pointers] == [None]
