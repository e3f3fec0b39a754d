"""Mappings that state generators of their kernel: proved, and every planted fault is not."""

from __future__ import annotations

from typing import Any

import islpy as isl
import pytest

import hlsmem_verify
from hlsmem_verify.claims.mappings import prove_separated
from hlsmem_verify.facts import Facts

LBM = isl.Set(
    "[N] -> { [t, i, j] : N >= 2 and ((t = 0 and -N < i < N and -N < j < N) or"
    " (t = 1 and -N < i < 1 and -N < j < N) or (t = -1 and -1 < i < N and -N < j < N) or"
    " (t = 1 and i = 1 and -N < j <= 0) or (t = -1 and i = -1 and 0 <= j < N)) }"
)
TRIANGLE = isl.Set("[N] -> { [a, b] : N >= 2 and -N < a < N and -N < b < N and -N < a - b < N }")
CASES = {
    "products": (
        LBM,
        [["N^2", "N", "1"]],
        ["N^2 + N + 1"],
        [["1", "1", "1"], ["0", "1", "-N"], ["0", "N + 1", "1"]],
    ),
    "quotients": (
        TRIANGLE,
        [["3*floor(N/2) + 1", "1"]],
        ["3*floor(N/2)^2 + 3*floor(N/2) + 1"],
        [["floor(N/2) + 1", "-floor(N/2)"], ["floor(N/2)", "2*floor(N/2) + 1"]],
    ),
    "two rows": (
        TRIANGLE,
        [["1", "0"], ["1", "1"]],
        ["floor((N + 1)/2)", "3*floor((N + 1)/2)"],
        [["floor((N + 1)/2)", "2*floor((N + 1)/2)"], ["0", "3*floor((N + 1)/2)"]],
    ),
}


def verdict(differences: Any, rows: Any, moduli: Any, kernel: Any) -> str:
    facts = Facts(
        {"params": {"N": 8}, "context": "[N] -> { : N >= 2 }", "program": None, "arrays": {}}
    )
    poly = facts.program.poly
    modular = [([poly(e) for e in row], poly(b)) for row, b in zip(rows, moduli, strict=True)]
    generators = [[poly(e) for e in row] for row in kernel]
    try:
        prove_separated(facts, {"extents": None}, differences, modular, generators)
    except hlsmem_verify.False_ as reason:
        return str(reason)
    except hlsmem_verify.Unknown as reason:
        return f"open: {reason}"
    return ""


@pytest.mark.parametrize("case", CASES)
def test_a_kernel_is_proved(case: str) -> None:
    assert verdict(*CASES[case]) == ""


@pytest.mark.parametrize(
    ("rows", "moduli", "kernel", "reason"),
    [
        (None, None, [["1", "1", "1"], ["0", "1", "-N"]], "a kernel needs 3 generators"),
        (None, None, [["1", "1", "0"], ["0", "1", "-N"], ["0", "N + 1", "1"]], "not in the kernel"),
        ([["N^2", "N", "2"]], None, None, "not in the kernel"),
        (None, ["N^2 + N"], None, "not in the kernel"),
        (None, None, [["2", "2", "2"], ["0", "1", "-N"], ["0", "N + 1", "1"]], "number of classes"),
        ([["2*N^2", "2*N", "2"]], ["2*N^2 + 2*N + 2"], None, "number of classes"),
        (
            [["N", "1", "1"]],
            ["N"],
            [["1", "0", "0"], ["0", "N", "0"], ["0", "-1", "1"]],
            "apart share a cell",
        ),
    ],
)
def test_a_false_kernel_is_not(rows: Any, moduli: Any, kernel: Any, reason: str) -> None:
    differences, *stated = CASES["products"]
    given = (rows or stated[0], moduli or stated[1], kernel or stated[2])
    assert reason in verdict(differences, *given)


def test_fewer_cells_do_not_hold_a_quotient_either() -> None:
    differences, rows, _, kernel = CASES["quotients"]
    assert verdict(differences, rows, ["3*floor(N/2)^2 + 3*floor(N/2)"], kernel)
    assert verdict(differences, rows, ["floor(N/2) - 1"], kernel).endswith("may be less than 1")
