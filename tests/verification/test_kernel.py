"""The checker's proof by a kernel: accepts what is right, and objects to every planted fault."""

from __future__ import annotations

import pytest

from hlsmem.polyhedra import Set
from hlsmem.quantity import Quantity, parse_quantity
from hlsmem.verification.kernel import objection_to_kernel

LBM = Set(
    "[N] -> { [t, i, j] : N >= 2 and ((t = 0 and -N < i < N and -N < j < N) or"
    " (t = 1 and -N < i < 1 and -N < j < N) or (t = -1 and -1 < i < N and -N < j < N) or"
    " (t = 1 and i = 1 and -N < j <= 0) or (t = -1 and i = -1 and 0 <= j < N)) }"
).subtract(Set("{ [0, 0, 0] }"))
LBM_ROWS = [["N^2", "N", "1"]]
LBM_MODULI = ["N^2 + N + 1"]
LBM_KERNEL = [["1", "1", "1"], ["0", "1", "-N"], ["0", "N + 1", "1"]]

TRIANGLE = Set(
    "[N] -> { [a, b] : N >= 2 and -N < a < N and -N < b < N and -N < a - b < N }"
).subtract(Set("{ [0, 0] }"))
ODD_ROWS = [["3*floor(N/2) + 1", "1"]]
ODD_MODULI = ["3*floor(N/2)^2 + 3*floor(N/2) + 1"]
ODD_KERNEL = [["floor(N/2) + 1", "-floor(N/2)"], ["floor(N/2)", "2*floor(N/2) + 1"]]


def rows_of(texts: list[list[str]]) -> list[tuple[Quantity, ...]]:
    return [tuple(parse_quantity(entry) for entry in row) for row in texts]


def objection(
    rows: list[list[str]], moduli: list[str], kernel: list[list[str]], differences: Set
) -> str:
    return objection_to_kernel(rows_of(rows), rows_of([moduli])[0], rows_of(kernel), differences)


def test_a_map_with_products_of_parameters_is_proved() -> None:
    assert objection(LBM_ROWS, LBM_MODULI, LBM_KERNEL, LBM) == ""


def test_quotients_of_parameters_are_proved_class_by_class() -> None:
    assert objection(ODD_ROWS, ODD_MODULI, ODD_KERNEL, TRIANGLE) == ""


def test_several_components_are_proved() -> None:
    even = [["floor((N+1)/2)", "2*floor((N+1)/2)"], ["0", "3*floor((N+1)/2)"]]
    rows = [["1", "0"], ["1", "1"]]
    assert objection(rows, ["floor((N+1)/2)", "3*floor((N+1)/2)"], even, TRIANGLE) == ""


@pytest.mark.parametrize(
    ("rows", "moduli", "kernel", "what"),
    [
        (LBM_ROWS, LBM_MODULI, LBM_KERNEL[:2], "a kernel needs 3 generators"),
        (
            LBM_ROWS,
            LBM_MODULI,
            [["1", "1", "0"], *LBM_KERNEL[1:]],
            "the generator (1, 1, 0) is not in the kernel",
        ),
        (
            [["N^2", "N", "2"]],
            LBM_MODULI,
            LBM_KERNEL,
            "the generator (1, 1, 1) is not in the kernel",
        ),
        (
            LBM_ROWS,
            ["N^2 + N"],
            LBM_KERNEL,
            "the generator (1, 1, 1) is not in the kernel",
        ),
        (
            LBM_ROWS,
            LBM_MODULI,
            [["2", "2", "2"], *LBM_KERNEL[1:]],
            "the kernel has another number of classes than there are cells",
        ),
        (
            [["2*N^2", "2*N", "2"]],
            ["2*N^2 + 2*N + 2"],
            [["2", "2", "2"], *LBM_KERNEL[1:]],
            "the map is not known to reach every cell",
        ),
        (
            [["N", "0", "1"]],
            ["N^2"],
            [["0", "1", "0"], ["1", "0", "-N"], ["N", "0", "0"]],
            "a difference of conflicting elements is in the kernel",
        ),
    ],
)
def test_faults_are_told(
    rows: list[list[str]], moduli: list[str], kernel: list[list[str]], what: str
) -> None:
    assert objection(rows, moduli, kernel, LBM) == what


def test_a_lattice_that_is_too_dense_for_odd_sizes_alone_is_refused() -> None:
    even = [["floor(N/2)", "2*floor(N/2)"], ["0", "3*floor(N/2)"]]
    rows = [["1", "0"], ["1", "1"]]
    found = objection(rows, ["floor(N/2)", "3*floor(N/2)"], even, TRIANGLE)
    assert found == "a difference of conflicting elements is in the kernel"
