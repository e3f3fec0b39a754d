"""Row-major addresses whose digits need more than the least size: the modulus and no smaller."""

from __future__ import annotations

import pytest

import hlsmem_verify
from hlsmem_verify.facts import Facts
from hlsmem_verify.separation import left_by

# Elements below a diagonal, all at once.
BELOW = "[N] -> { [y, x] -> [v, w] : 0 <= x < y < N and 0 <= w < v < N and (y != v or x != w) }"


def is_apart(modulus: str) -> bool:
    facts = Facts(
        {"params": {"N": 8}, "context": "[N] -> { : N >= 1 }", "program": None, "arrays": {}}
    )
    poly = facts.program.poly
    rows = [([poly("N"), poly("-1")], poly(modulus))]
    try:
        apart = facts.program.map(BELOW, "pairs").deltas()
        left = left_by(apart, rows, facts.program, [poly("N"), poly("N")])
    except hlsmem_verify.Unknown:
        return False
    return bool(left.is_empty())


@pytest.mark.parametrize(
    ("modulus", "proved"),
    [
        ("N^2 - 2*N + 1", True),
        ("N^2 - 2*N + 2", True),
        ("N^2 - 2*N + 4", True),
        ("N^2 - 2*N", False),
        ("N^2 - 3*N + 4", False),
    ],
)
def test_small_sizes_are_looked_at_one_by_one(modulus: str, proved: bool) -> None:
    assert is_apart(modulus) is proved
