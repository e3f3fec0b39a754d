"""Linearisation: signs matter, distances are exact, formulas are proved."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest

from hlsmem.mapping.methods.linear import METHOD
from hlsmem.mapping.storage_mapping import NoMapping, StorageMapping
from tests.mapping.problems import BUDGET, difference_points, problem_of
from tests.programs import golden_case

HEXAGON = golden_case("002", "hexagon")["differences"]
DURBIN = golden_case("002", "durbin-y")["differences"]
DIFF = golden_case("002", "reg_detect-diff")["differences"]


@pytest.mark.parametrize(
    ("conflicts", "values", "extents", "cells", "modulus"),
    [
        (HEXAGON, {"N": 6}, ["N", "N"], 31, "N^2 - N + 1"),
        (DURBIN, {"N": 100}, ["N", "N"], 198, "2*N - 2"),
        (DIFF, {"N": 6, "P": 64}, ["N", "N", "P"], 1984, "N^2*P - N*P + P"),
    ],
)
def test_de_greefs_windows(
    conflicts: str, values: dict[str, int], extents: list[str], cells: int, modulus: str
) -> None:
    names = ", ".join(values)
    context = f"[{names}] -> {{ : {' and '.join(f'{name} >= 2' for name in values)} }}"
    mapping = METHOD.run(problem_of(conflicts, values, context=context, extents=extents), BUDGET)
    assert isinstance(mapping, StorageMapping)
    assert mapping.cells == cells
    assert str(mapping.pieces[0].modulus[0]) == modulus
    assert mapping.certificate.scope == "all-parameters"


@pytest.mark.parametrize("size", [3, 4, 7])
def test_no_order_or_sign_is_better(size: int) -> None:
    case = golden_case("000", "s000-lbm-d2q9")
    extents = [4, size, size]
    problem = problem_of(
        case["differences"],
        {"N": size},
        context="[N] -> { : N >= 3 }",
        extents=[str(e) if k == 0 else "N" for k, e in enumerate(extents)],
    )
    mapping = METHOD.run(problem, BUDGET)
    assert isinstance(mapping, StorageMapping)
    points = difference_points(problem)
    best = min(
        1 + int(np.abs(points @ _strides(extents, order) * 1).max())
        if signs == (1, 1, 1)
        else 1 + int(np.abs(points @ (_strides(extents, order) * np.array(signs))).max())
        for order in permutations(range(3))
        for signs in product((1, -1), repeat=3)
    )
    assert mapping.cells == best == size * size + size + 1


def _strides(extents: list[int], order: tuple[int, ...]) -> np.ndarray:
    found = np.zeros(len(extents), dtype=np.int64)
    stride = 1
    for axis in reversed(order):
        found[axis] = stride
        stride *= extents[axis]
    return found


def test_without_a_declared_size_there_is_none() -> None:
    answer = METHOD.run(problem_of(HEXAGON, {"N": 6}, context="[N] -> { : N >= 2 }"), BUDGET)
    assert isinstance(answer, NoMapping)
    assert answer.reason == "nothing declares the size that a linearisation needs"
