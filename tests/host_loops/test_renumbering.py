"""Units make loops move by one cell and keep which elements share a cell, at every size."""

from __future__ import annotations

from math import gcd

import pytest

from hlsmem.core.expression import Expression, Integer, Name, Operation, Operator
from hlsmem.core.quasi_polynomial import QuasiPolynomial, parse_quasi_polynomial
from hlsmem.host_loops.cell_frame import CellFrame, frame_of, renumbered
from hlsmem.host_loops.pointer_loop import LoopShape, Reference, ShapedLoop
from hlsmem.host_loops.renumbering import inverses, unit_of
from hlsmem.host_loops.symbolic_sizes import Scale
from hlsmem.mapping.storage_mapping import Certificate, Piece, StorageMapping
from hlsmem.polyhedra import Set
from hlsmem.polyhedra.generated_loops import Block, Loop

SCALE = Scale(symbolic=True, parameters=("N",), values={"N": 8}, context=Set("[N] -> { : N >= 3 }"))
SQUARE = SCALE.restrict(Set("[N] -> { [y, x] : 0 <= y, x < N }"))


def piece(row: tuple[str, str], modulus: str) -> Piece:
    return Piece(
        matrix=(tuple(map(parse_quasi_polynomial, row)),),
        modulus=(parse_quasi_polynomial(modulus),),
        offset=(QuasiPolynomial.constant(0),),
    )


def naming(iterator: str, *subscripts: Expression) -> ShapedLoop:
    """An innermost loop whose body names one element."""
    loop = Loop(iterator, Integer(0), Integer(1), None, 1, Block(()))
    return ShapedLoop((), loop, (Reference("A", subscripts),), LoopShape(pointers=(), unshaped=()))


def unit(row: tuple[str, str], modulus: str, loop: str = "x") -> tuple[str, CellFrame]:
    """The unit for a loop over y or x that names [y][x], and the frame with it."""
    given = piece(row, modulus)
    frame = frame_of("A", given, SQUARE, SCALE)
    found = unit_of(frame, [naming(loop, Name("y"), Name("x"))], SCALE)
    return str(found), frame_of("A", given, SQUARE, SCALE, found)


@pytest.mark.parametrize(
    ("row", "modulus", "loop", "want"),
    [
        (("1", "-2"), "2*N + 1", "x", "N"),
        (("N", "1"), "2*N + 1", "x", "1"),
        (("N", "1"), "2*N + 1", "y", "2"),
        (("1", "-2"), "2*N", "x", "1"),  # 2 divides the modulus: there is no unit
        (("2", "-3"), "5*N - 6", "x", "1"),  # 3 divides it where it divides N
        (("1", "3"), "3*N + 1", "x", "2*N + 1"),
    ],
)
def test_the_loop_moves_by_one(row: tuple[str, str], modulus: str, loop: str, want: str) -> None:
    found, frame = unit(row, modulus, loop)
    assert found == want
    (own,) = frame.rows
    stride = own.coefficients["yx".index(loop)].constant_value()
    assert (stride in (1, -1)) == (found != "1" or stride == 1)


@pytest.mark.parametrize(
    ("row", "modulus"), [(("1", "-2"), "2*N + 1"), (("1", "3"), "3*N + 1"), (("N", "1"), "2*N + 1")]
)
def test_the_same_elements_share_a_cell(row: tuple[str, str], modulus: str) -> None:
    for loop in "yx":
        _, frame = unit(row, modulus, loop)
        (renumbered,) = frame.rows
        for n in range(3, 12):
            here = {"N": n}
            size = parse_quasi_polynomial(modulus).evaluate(here)
            cells: dict[int, int] = {}
            for y in range(n):
                for x in range(n):
                    a, b = (parse_quasi_polynomial(entry).evaluate(here) for entry in row)
                    c, d = (entry.evaluate(here) for entry in renumbered.coefficients)
                    new = (c * y + d * x + renumbered.offset.evaluate(here)) % size
                    assert cells.setdefault((a * y + b * x) % size, new) == new
            assert len(set(cells.values())) == len(cells)


@pytest.mark.parametrize("modulus", range(2, 40))
def test_numbers_have_all_the_inverses_there_are(modulus: int) -> None:
    for step in range(1, modulus):
        found = inverses(QuasiPolynomial.constant(step), QuasiPolynomial.constant(modulus), SCALE)
        assert bool(found) == (gcd(step, modulus) == 1)
        for one in found:
            assert step * one.evaluate({}) % modulus in (1, modulus - 1)


def test_a_row_that_never_wraps_goes_up() -> None:
    """Vectors that go down are turned round at every load and store."""
    found, frame = unit(("2", "-1"), "3*N - 2")
    (own,) = frame.rows
    assert (found, own.wraps) == ("-1", False)
    assert [str(entry) for entry in own.coefficients] == ["-2", "1"]
    for n in range(3, 12):
        cells = {own.value((y, x), {"N": n}): 2 * y - x for y in range(n) for x in range(n)}
        assert min(cells) >= 0
        assert max(cells) < 3 * n - 2
        assert len(set(cells.values())) == len(cells)
    assert unit(("2", "1"), "3*N - 2")[0] == "1"


def test_a_product_of_loop_variables_has_no_unit() -> None:
    square = Operation(Operator.MULTIPLY, (Name("x"), Name("x")))
    frame = frame_of("A", piece(("1", "-2"), "2*N + 1"), SQUARE, SCALE)
    found = unit_of(frame, [naming("x", Integer(0), square)], SCALE)
    assert str(found) == "1"


def test_numbers_for_cells_have_no_generators_that_are_formulas() -> None:
    """Where sizes are numbers in C, what is proved is what the numbers do at these sizes."""
    values = {"N": 8}
    fixed = Scale(symbolic=False, parameters=("N",), values=values, context=SCALE.context)
    given = piece(("N", "1"), "N^2 - 1")
    kernel = ((parse_quasi_polynomial("1"), parse_quasi_polynomial("-N")),)
    certificate = Certificate(scope="all-parameters", by="kernel", kernel=kernel)
    mapping = StorageMapping(
        pieces=(given,), method="family", cells=63, certificate=certificate, work=1
    )
    found = renumbered(mapping, frame_of("A", given, SQUARE, fixed), fixed)
    assert found.certificate == Certificate(scope="at", by="kernel", at=(("N", 8),))
