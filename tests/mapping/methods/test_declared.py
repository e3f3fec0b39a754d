"""The array as declared, and the box around elements where nothing is declared."""

from __future__ import annotations

from hlsmem.mapping.methods import method_named
from hlsmem.mapping.storage_mapping import NoMapping, StorageMapping
from tests.mapping.problems import BUDGET, problem_of

declared = method_named("declared").run
CONFLICTS = "[N] -> { [y,x] : -N < y < N and -2 <= x <= 2 }"


def test_declared_extents_are_the_moduli() -> None:
    problem = problem_of(CONFLICTS, {"N": 5}, context="[N] -> { : N >= 1 }", extents=["N", "N + 2"])
    mapping = declared(problem, BUDGET)
    assert isinstance(mapping, StorageMapping)
    assert mapping.cells == 35
    assert [str(entry) for entry in mapping.pieces[0].modulus] == ["N", "N + 2"]
    assert mapping.certificate.scope == "all-parameters"


def test_elements_are_moved_to_0() -> None:
    problem = problem_of(
        CONFLICTS,
        {"N": 5},
        context="[N] -> { : N >= 1 }",
        elements="[N] -> { [y,x] : -3 <= x <= N and N <= y < 2N }",
    )
    mapping = declared(problem, BUDGET)
    assert isinstance(mapping, StorageMapping)
    (piece,) = mapping.pieces
    assert [str(entry) for entry in piece.modulus] == ["N", "N + 4"]
    assert [str(entry) for entry in piece.offset] == ["-N", "3"]


def test_extents_that_are_products_are_proved() -> None:
    problem = problem_of(
        "[N,M] -> { [x] : -N < x < N }",
        {"N": 5, "M": 3},
        context="[N,M] -> { : N >= 1 and M >= 1 }",
        extents=["N*M"],
    )
    mapping = declared(problem, BUDGET)
    assert isinstance(mapping, StorageMapping)
    assert mapping.cells == 15
    assert mapping.certificate.scope == "all-parameters"


def test_nothing_is_declared_and_no_elements_are_known() -> None:
    answer = declared(problem_of(CONFLICTS, {"N": 5}, context="[N] -> { : N >= 1 }"), BUDGET)
    assert isinstance(answer, NoMapping)
    assert answer.reason == (
        "nothing declares the size: neither extents nor bounded elements are known"
    )
