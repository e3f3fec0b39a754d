"""Successive modulo: the best of all orders, by trying all of them."""

from __future__ import annotations

from itertools import permutations
from math import prod

import pytest

from hlsmem.mapping.conflict_differences import conflicts_of
from hlsmem.mapping.methods.successive import METHOD, successive_moduli
from hlsmem.mapping.storage_mapping import StorageMapping
from tests.mapping.problems import BUDGET, as_found, golden_problems, problem_of

SMALL = [entry for entry in golden_problems("000", "001") if entry[1] == 0]


@pytest.mark.parametrize("entry", SMALL, ids=lambda entry: entry[0]["id"])
def test_no_order_is_better(entry: tuple[dict[str, object], int, object]) -> None:
    problem = entry[2]
    conflicts = conflicts_of(problem)  # type: ignore[arg-type]
    mapping = as_found(METHOD.run(problem, BUDGET))  # type: ignore[arg-type]
    orders = permutations(range(conflicts.dimensions))
    assert mapping.cells == min(
        prod(modulus.evaluate(conflicts.values) for modulus in successive_moduli(conflicts, order))
        for order in orders
    )


def test_a_small_budget_keeps_the_declared_order() -> None:
    problem = problem_of(
        "[N] -> { [y,x] : -N < y < N and -1 <= x - y <= 1 }",
        {"N": 9},
        context="[N] -> { : N >= 1 }",
    )
    free, bounded = METHOD.run(problem, BUDGET), METHOD.run(problem, 1)
    assert isinstance(free, StorageMapping)
    assert isinstance(bounded, StorageMapping)
    assert [str(m) for m in bounded.pieces[0].modulus] == ["N", "2"]
    assert free.cells <= bounded.cells


def test_a_width_with_two_expressions_is_a_number_at_the_plans_values() -> None:
    problem = problem_of(
        "[N,M] -> { [x] : -N < x < N or -M < x < M }",
        {"N": 5, "M": 3},
        context="[N,M] -> { : N >= 1 and M >= 1 }",
    )
    mapping = METHOD.run(problem, BUDGET)
    assert isinstance(mapping, StorageMapping)
    assert mapping.cells == 5
    assert str(mapping.certificate) == "checked at N=5, M=3 (by widths)"


def test_of_two_expressions_one_that_bounds_the_other_is_kept() -> None:
    problem = problem_of(
        "[N] -> { [x] : -N < x < N and (x mod 2 = 0 or N >= 10) }",
        {"N": 20},
        context="[N] -> { : N >= 1 }",
    )
    mapping = METHOD.run(problem, BUDGET)
    assert isinstance(mapping, StorageMapping)
    assert [str(m) for m in mapping.pieces[0].modulus] == ["N"]
    assert mapping.certificate.scope == "all-parameters"
