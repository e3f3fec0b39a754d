"""Cell functions compute the plan's cell, up to a shift where all elements fit into one period."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

from hlsmem.core.quasi_polynomial import QuasiPolynomial, parse_quasi_polynomial
from hlsmem.emit.c.c_syntax import HELPERS
from hlsmem.emit.c.cell_text import cell_expression
from hlsmem.host_loops.cell_frame import frame_of
from hlsmem.host_loops.symbolic_sizes import Scale
from hlsmem.mapping.storage_mapping import Piece
from hlsmem.polyhedra import Set
from hlsmem.polyhedra.sets import fix_parameters, points
from tests.families import by_default

CONTEXT = "[N, M] -> { : N >= 3 and 1 <= M <= 9 }"


def scale(symbolic: bool, values: dict[str, int]) -> Scale:
    return Scale(symbolic=symbolic, parameters=("N", "M"), values=values, context=Set(CONTEXT))


def piece(rows: list[list[str]], moduli: list[str], offsets: list[str] | None = None) -> Piece:
    return Piece(
        matrix=tuple(tuple(parse_quasi_polynomial(entry) for entry in row) for row in rows),
        modulus=tuple(parse_quasi_polynomial(entry) for entry in moduli),
        offset=tuple(parse_quasi_polynomial(entry) for entry in offsets or ["0"] * len(rows)),
    )


def text(
    given: Piece, elements: str, symbolic: bool = True, index: tuple[str, ...] = ("y", "x")
) -> str:
    own = scale(symbolic, {"N": 8, "M": 3})
    return cell_expression(frame_of("A", given, own.restrict(Set(elements)), own), index)


SQUARE = "[N, M] -> { [y, x] : 0 <= y, x < N }"


def test_a_multiple_of_the_modulus_is_added_where_the_form_may_be_negative() -> None:
    given = piece([["1", "-2"]], ["2*N + 1"])
    assert text(given, SQUARE) == "(size_t)(y - 2 * x + 2 * N + 1) % (size_t)(2 * N + 1)"
    assert text(given, SQUARE, symbolic=False) == "(size_t)(y - 2 * x + 17) % 17u"


def test_no_modulo_where_one_period_is_enough() -> None:
    assert text(piece([["1", "0"], ["0", "1"]], ["N", "N"]), SQUARE) == (
        "(size_t)y * (size_t)N + (size_t)x"
    )
    assert text(piece([["1", "-1"]], ["2*N - 1"]), SQUARE) == "(size_t)(y - x + N - 1)"
    assert text(piece([["1", "-1"]], ["2*N - 2"]), SQUARE) == (
        "(size_t)(y - x + 2 * N - 2) % (size_t)(2 * N - 2)"
    )


def test_the_offset_of_the_plan_is_kept_where_it_will_do() -> None:
    given = piece([["1", "0"]], ["N + 2"], ["2"])
    assert text(given, SQUARE) == "(size_t)(y + 2)"
    assert text(piece([["1", "0"]], ["N + 2"], ["3"]), SQUARE) == "(size_t)y"


def test_products_of_parameters_are_computed_in_64_bits() -> None:
    given = piece([["N", "1"]], ["N^2 - 1"])
    assert text(given, SQUARE) == ("(size_t)(N * y + x) % (size_t)((int64_t)N * (int64_t)N - 1)")


def test_as_many_moduli_as_the_least_value_needs() -> None:
    elements = "[N, M] -> { [y, x] : 0 <= y < N and 0 <= x < 3 }"
    assert text(piece([["-2", "1"]], ["5"]), elements) == ("(size_t)(x - 2 * y + 10 * N - 10) % 5u")


def test_one_component_of_one_cell_vanishes() -> None:
    assert text(piece([["1", "0"], ["0", "1"]], ["1", "N"]), SQUARE) == "(size_t)x"
    assert text(piece([["0", "0"]], ["1"]), SQUARE) == "0"


def direct(given: Piece, values: dict[str, int], element: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(
        (sum(a * x for a, x in zip(row, element, strict=True)) + offset) % modulus
        for row, offset, modulus in zip(
            given.matrix_at(values), given.offset_at(values), given.modulus_at(values), strict=True
        )
    )


def random_piece(number: random.Random) -> Piece:
    rows = number.choice([1, 1, 2])
    constant = lambda low, high: QuasiPolynomial.constant(number.randint(low, high))  # noqa: E731
    n = QuasiPolynomial.parameter("N")

    def entry() -> QuasiPolynomial:
        return number.choice([constant(-3, 3), constant(-3, 3), n, -n, n + 1])

    return Piece(
        matrix=tuple((entry(), entry()) for _ in range(rows)),
        modulus=tuple(
            number.choice([constant(1, 12), n, 2 * n + 1, 2 * n - 1, n * n + 1])
            for _ in range(rows)
        ),
        offset=tuple(number.choice([constant(-4, 4), n]) for _ in range(rows)),
    )


BOXES = [
    SQUARE,
    "[N, M] -> { [y, x] : -N < y <= M and 2 <= x < N + 4 }",
    "[N, M] -> { [y, x] : 0 <= x <= y < N }",
    "[N, M] -> { [y, x] : y = -5 and 0 <= x < M }",
]


def test_compiled_cells_agree_with_the_mapping(tmp_path: Path) -> None:
    """Same cell exactly for elements of one cell, all cells in range, no undefined behaviour."""
    number = random.Random(42)
    cases = [
        (random_piece(number), number.choice(BOXES), number.random() < 0.6)
        for _ in range(by_default(40, 120))
    ]
    values = {"N": 8, "M": 3}
    lines = ["#include <stdint.h>", "#include <stddef.h>", "#include <stdio.h>"]
    lines += ["#define N 8", "#define M 3"]
    lines += [line for definition in HELPERS.values() for line in definition]
    calls: list[str] = []
    asked: list[list[tuple[int, int]]] = []
    for position, (given, box, symbolic) in enumerate(cases):
        lines.append(
            f"static size_t f{position}(int64_t y, int64_t x)"
            f" {{ (void)y; (void)x; return {text(given, box, symbolic)}; }}"
        )
        inside = _points(box, values)
        asked.append(inside)
        calls += [f'printf("%zu\\n", f{position}({y}, {x}));' for y, x in inside]
    (tmp_path / "cells.c").write_text("\n".join([*lines, "int main(void) {", *calls, "}"]))
    flags = ["-std=c99", "-fsanitize=undefined", "-fno-sanitize-recover=all", "-w"]
    subprocess.run(["cc", *flags, "cells.c", "-o", "cells"], cwd=tmp_path, check=True)
    printed = subprocess.run([tmp_path / "cells"], capture_output=True, text=True, check=True)
    found = iter(int(line) for line in printed.stdout.split())
    for given, box, symbolic in cases:
        pairs = {}
        cells = given.cells().evaluate(values)
        for element in asked.pop(0):
            cell = next(found)
            assert 0 <= cell < cells, (given, box, symbolic, element)
            pairs.setdefault(direct(given, values, element), set()).add(cell)
        used = [cell for group in pairs.values() for cell in group]
        assert all(len(group) == 1 for group in pairs.values()), (given, box, symbolic)
        assert len(set(used)) == len(pairs), (given, box, symbolic)


def _points(box: str, values: dict[str, int]) -> list[tuple[int, int]]:
    found = points(fix_parameters(Set(box), values))
    return sorted((int(y), int(x)) for y, x in found)
