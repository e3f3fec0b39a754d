"""Rows whose factors and differences grow together: a multiple of them has no parameters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import hlsmem_verify
from hlsmem_verify.facts import Facts
from hlsmem_verify.separation import left_by

SIZES = range(1, 8)
NEAR = "[N] -> { [y, x] -> [v, w] : 0 <= y, v < N and 0 <= x, w < 2 and (y != v or x != w) }"


def is_apart(row: tuple[str, str], modulus: str) -> bool:
    facts = Facts(
        {"params": {"N": 8}, "context": "[N] -> { : N >= 1 }", "program": None, "arrays": {}}
    )
    poly = facts.program.poly
    apart = facts.program.map(NEAR, "pairs").deltas()
    try:
        rows = [([poly(one) for one in row], poly(modulus))]
        return bool(left_by(apart, rows, facts.program, None).is_empty())
    except hlsmem_verify.Unknown:
        return False


def meets(row: tuple[str, str], modulus: str, size: int) -> bool:
    """Whether two elements share a cell, by a look at all differences."""
    y, x, cells = (eval(one, {"N": size}) for one in (*row, modulus))
    return any(
        (y * dy + x * dx) % cells == 0
        for dy in range(1 - size, size)
        for dx in (-1, 0, 1)
        if (dy, dx) != (0, 0)
    )


@pytest.mark.parametrize(
    ("row", "modulus", "proved"),
    [
        (("N + 1", "2*N + 1"), "3*N + 1", True),  # three times: (2, 1)
        (("2*N + 2", "N + 1"), "2*N + 1", True),  # twice: (2, 1)
        (("N + 1", "N + 1"), "2*N + 1", False),  # twice: (1, 1)
        (("N + 1", "1"), "2*N + 1", False),  # twice: (1, 2)
        (("N + 1", "2*N + 1"), "3*N", False),
    ],
)
def test_a_multiple_of_a_row_separates_what_the_row_does(
    row: tuple[str, str], modulus: str, proved: bool
) -> None:
    assert is_apart(row, modulus) is proved
    assert any(meets(row, modulus, size) for size in SIZES) is not proved


@given(st.tuples(*[st.integers(-2, 3)] * 6))
def test_what_is_proved_holds_at_each_size(numbers: tuple[int, ...]) -> None:
    a, b, c, d, e, f = numbers
    row, modulus = (f"{a}*N + {b}", f"{c}*N + {d}"), f"{abs(e) + 1}*N + {abs(f)}"
    if is_apart(row, modulus):
        assert not any(meets(row, modulus, size) for size in SIZES)
