"""The choice among methods, and the cases that need no search."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from hlsmem.core.errors import InputError, LimitError
from hlsmem.lifetime.storage_problem import Bound, StorageProblem
from hlsmem.mapping.conflict_differences import conflicts_of
from hlsmem.mapping.methods import method_named, methods
from hlsmem.mapping.portfolio import (
    Choice,
    Known,
    Report,
    address_cost,
    plan_array,
    plan_arrays_within,
)
from hlsmem.mapping.shape_constraint import ShapeConstraint
from hlsmem.mapping.storage_mapping import NoMapping, StorageMapping
from hlsmem.polyhedra import PolyhedralError
from tests.mapping.problems import BUDGET, piece_of, problem_of

BLUR = (
    "[N] -> { [y,x] : N >= 3 and ((1 <= x < N and 0 <= y <= 1)"
    " or (0 <= x < N and -2 <= y <= -1) or (-N < x <= 0 and y >= x and -1 <= y <= 2)) }"
)
WIDE = "[N] -> { [y,x] : -N < y,x < N }"
SQUARE = "[N] -> { [y,x] : 0 <= y,x < N }"


def blur(size: int = 64) -> StorageProblem:
    return problem_of(
        BLUR,
        {"N": size},
        context="[N] -> { : N >= 3 }",
        extents=["N", "N"],
        elements=SQUARE,
        index=["y", "x"],
    )


def test_blur_folds_to_two_rows_and_one_cell() -> None:
    choice = plan_array(blur(), budget=BUDGET)
    (piece,) = choice.mapping.pieces
    assert choice.mapping.method == "lattice"
    assert choice.mapping.cells == 129
    assert str(choice.mapping.certificate) == "proved for all parameters (by widths)"
    assert [str(entry) for entry in piece.matrix[0]] == ["1", "-2"]
    assert [str(entry) for entry in piece.modulus] == ["2*N + 1"]
    cells = {
        name: answer.cells
        for name, answer in choice.candidates
        if isinstance(answer, StorageMapping)
    }
    assert set(cells) >= {"declared", "successive", "linear", "width", "lattice", "reuse", "bases"}
    assert cells["declared"] == 4096
    assert cells["successive"] == 192
    assert cells["linear"] == 129  # as few, but with a dearer address


def test_methods_that_list_differences_are_not_asked_once_a_bound_is_reached() -> None:
    bound = Bound(kind="max-live", cells=129, expr=None, status="counted at N=64")
    choice = plan_array(replace(blur(), bounds=(bound,)), budget=BUDGET)
    reason = "not needed: the lower bound of 129 cells is reached"
    skipped = [answer for _, answer in choice.candidates if isinstance(answer, NoMapping)]
    slow = [method.name for method in methods() if method.lists_differences]
    assert skipped == [NoMapping(method=name, reason=reason) for name in slow]
    assert {"reuse", "bases", "minima", "gauge", "exhaustive", "hyperplane"} <= set(slow)
    assert choice.mapping == plan_array(blur(), budget=BUDGET).mapping


def test_a_bound_that_a_method_proves_ends_the_search() -> None:
    """Durbin: 2N-3 cells are the least lattice, above max-live."""
    durbin = problem_of(
        "[N] -> { [i,k] : -N < i + 2k < N and -N < i - k < N and -1 <= k <= 1 }",
        {"N": 20},
        context="[N] -> { : N >= 3 }",
    )
    choice = plan_array(durbin, budget=BUDGET)
    assert choice.mapping.cells == 37
    kinds = [(bound.kind, bound.cells) for bound in choice.bounds()]
    assert kinds == [("clique", 37), ("exhaustive", 37)]
    last = choice.candidates[-1][1]
    assert isinstance(last, NoMapping)
    assert last.reason == "not needed: the lower bound of 37 cells is reached"


@pytest.mark.long
def test_of_equally_few_cells_those_for_all_parameters_are_chosen() -> None:
    """Half hexagons: reuse vectors reach the least lattice in numbers, a family for all N."""
    triangle = problem_of(
        "[N] -> { [a,b] : -N < a < N and -N < b < N and -N < a - b < N }",
        {"N": 8},
        context="[N] -> { : N >= 2 }",
    )
    choice = plan_array(triangle, budget=BUDGET)
    answers = dict(choice.candidates)
    assert answers["reuse"].cells == choice.mapping.cells == 48  # type: ignore[union-attr]
    assert answers["reuse"].certificate.scope == "at"  # type: ignore[union-attr]
    assert choice.mapping.method == "family"
    assert choice.mapping.certificate.scope == "all-parameters"
    assert isinstance(answers["hyperplane"], NoMapping)


def test_all_methods_are_asked_on_request() -> None:
    choice = plan_array(blur(8), budget=BUDGET, ask_all=True)
    assert [name for name, _ in choice.candidates] == [
        method.name for method in methods(compared=True)
    ]
    given = ("ov", "aov", "uov", "quov")  # their vectors come from the program
    for name, answer in choice.candidates:
        assert isinstance(answer, StorageMapping) == (name not in given)
    assert choice.mapping == plan_array(blur(8), budget=BUDGET).mapping


def test_a_form_is_what_every_method_answers_in() -> None:
    choice = plan_array(
        blur(), budget=BUDGET, shape_constraint=ShapeConstraint(powers_of_two=True, components=1)
    )
    assert choice.cells_of_any_shape == 129
    assert choice.mapping.cells == 256
    for name, answer in choice.candidates:
        if isinstance(answer, NoMapping):
            assert answer.reason.startswith("not needed")
            continue
        (modulus,) = answer.pieces[0].modulus_at({"N": 64})
        assert modulus & (modulus - 1) == 0
        assert modulus == (4096 if name == "declared" else 256)


def test_a_form_that_costs_nothing_keeps_the_formula() -> None:
    choice = plan_array(blur(), budget=BUDGET, shape_constraint=ShapeConstraint(components=1))
    assert choice.mapping == plan_array(blur(), budget=BUDGET).mapping
    assert choice.cells_of_any_shape == choice.mapping.cells


def test_of_equally_few_blocks_the_cheapest_address_is_chosen() -> None:
    """129 cells take two blocks of 128 words, as do 256: two powers of two cost no modulo."""
    choice = plan_array(blur(), budget=BUDGET, blocks=lambda cells: -(-cells // 128))
    assert choice.mapping.pieces[0].modulus_at({"N": 64}) == (4, 64)
    assert choice.mapping.cells == 256
    answers = dict(choice.candidates)
    assert answers["successive"].cells == 192  # type: ignore[union-attr]
    tight = plan_array(blur(), budget=BUDGET, blocks=lambda cells: -(-cells // 64))
    assert tight.mapping.cells == 192
    declared = plan_array(blur(), budget=BUDGET, blocks=lambda cells: min(cells, 1))
    assert declared.mapping.method == "declared"
    one_by_one = plan_array(blur(), budget=BUDGET, blocks=lambda cells: cells)
    assert one_by_one.mapping == plan_array(blur(), budget=BUDGET).mapping


def test_the_same_problem_always_gets_the_same_answers() -> None:
    assert plan_array(blur(), budget=BUDGET) == plan_array(blur(), budget=BUDGET)


def test_a_single_method_is_used_alone() -> None:
    choice = plan_array(blur(), method="successive", budget=BUDGET)
    assert [name for name, _ in choice.candidates] == ["successive"]
    assert choice.mapping.cells == 192


def test_a_method_that_fails_leaves_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_arguments: object) -> NoMapping:
        raise PolyhedralError("unbounded optimum")

    failing = replace(method_named("width"), run=fail)
    monkeypatch.setattr(
        "hlsmem.mapping.portfolio.methods", lambda **_: (failing, method_named("successive"))
    )
    choice = plan_array(blur(), budget=BUDGET)
    assert choice.mapping.method == "successive"
    reason = "gave up: isl says unbounded optimum"
    assert choice.candidates[0] == ("width", NoMapping(method="width", reason=reason))


def test_an_unknown_method_is_an_error_that_lists_the_names() -> None:
    with pytest.raises(InputError) as caught:
        plan_array(blur(), method="magic", budget=BUDGET)
    names = ", ".join(method.name for method in methods(compared=True))
    assert str(caught.value) == f"unknown method 'magic'; use one of: auto, {names}"


def test_method_names_are_distinct_and_described() -> None:
    assert len({method.name for method in methods()}) == len(methods())
    assert all(method.description and method.source for method in methods())


def test_conflicts_without_end_have_no_mapping_and_the_direction_is_named() -> None:
    endless = problem_of(
        "[N] -> { [y,x] : 0 <= y < N and x >= y }",
        {"N": 4},
        context="[N] -> { : N >= 2 }",
        index=["y", "x"],
    )
    answer = method_named("successive").run(endless, BUDGET)
    reason = "conflicts never end along (y, x) = (0, 1): no finite mapping in this direction"
    assert answer == NoMapping(method="successive", reason=reason)
    with pytest.raises(InputError) as caught:
        plan_array(endless, method="lattice", budget=BUDGET)
    assert str(caught.value) == (
        f"array 'A' has no mapping: {reason};"
        " bound the conflicts, or declare the extents of the array"
    )


def test_a_reason_that_all_methods_have_is_named_once() -> None:
    endless = problem_of("{ [x] }", {}, context="{ : }", index=["x"], extents=["9"])
    with pytest.raises(InputError) as caught:
        plan_array(endless, budget=BUDGET)
    assert str(caught.value) == (
        "array 'A' has no mapping: conflicts never end along (x) = (1): no finite mapping in this"
        " direction; bound the conflicts, or declare the extents of the array"
    )


def test_conflicts_that_never_end_at_other_values_are_named_with_them() -> None:
    endless = problem_of(
        "[N] -> { [x,y] : y = 0 and (-N < x < N or N = 1) }",
        {"N": 7},
        context="[N] -> { : N >= 1 }",
        index=["x", "y"],
    )
    with pytest.raises(InputError, match=r"never end along \(x, y\) = \(1, 0\) at N=1: no finite"):
        plan_array(endless, budget=BUDGET)


@pytest.mark.parametrize(
    "problem",
    [
        problem_of("{ [] }", {}, context="{ : }", extents=[]),
        problem_of("{ [0,0] }", {}, context="{ : }"),
        problem_of("[N] -> { [x] : 0 <= x < N }", {"N": 3}, context="[N] -> { : N = 3 and N = 4 }"),
        problem_of("{ [0] }", {}, context="{ : }", extents=["9"], elements="{ [x] : 1 = 0 }"),
        problem_of("{ [0] }", {}, context="{ : }", elements="{ [x] : 1 = 0 }"),
    ],
    ids=["scalar", "no conflicts", "empty context", "never written", "no elements"],
)
def test_what_does_not_conflict_takes_one_cell(problem: StorageProblem) -> None:
    choice = plan_array(problem, budget=BUDGET)
    assert choice.mapping.cells == 1
    assert choice.mapping.pieces[0].matrix == ()
    assert choice.mapping.certificate.is_complete


def test_a_context_that_allows_no_elements_keeps_its_formula() -> None:
    problem = problem_of(
        BLUR, {"N": 64}, context="[N] -> { : N >= 0 }", extents=["N", "N"], elements=SQUARE
    )
    mapping = plan_array(problem, budget=BUDGET).mapping
    assert str(mapping.pieces[0].modulus[0]) == "2*N + 1"
    assert mapping.certificate.scope == "all-parameters"


def test_a_formula_that_is_no_size_at_small_parameters_says_for_which_it_is_proved() -> None:
    differences = "[N] -> { [y,x] : 0 <= y <= 1 and -N < x < N - 3 }"
    problem = problem_of(differences, {"N": 9}, context="[N] -> { : N >= 0 }")
    found = method_named("successive").run(problem, BUDGET)
    assert isinstance(found, StorageMapping)
    assert [str(modulus) for modulus in found.pieces[0].modulus] == ["2", "9"]
    assert str(found.certificate) == (
        "checked at N=9 (by widths; with N > 0 in the context 2*N cells would be proved)"
    )
    narrow = problem_of(differences, {"N": 9}, context="[N] -> { : N > 0 }")
    proved = method_named("successive").run(narrow, BUDGET)
    assert isinstance(proved, StorageMapping)
    assert proved.certificate.scope == "all-parameters"
    assert str(proved.pieces[0].cells()) == "2*N"


@pytest.mark.parametrize("method", methods(), ids=lambda method: method.name)
def test_a_budget_of_nothing_gives_a_mapping_or_a_reason(method: object) -> None:
    answer = method.run(blur(), 0)  # type: ignore[attr-defined]
    assert isinstance(answer, StorageMapping) or answer.reason.startswith(
        ("the budget ended", "more than 0 differences")
    )


def within(operations: int, method: str = "auto") -> Choice:
    plan = partial(plan_array, blur(8), method=method, budget=BUDGET)
    return plan_arrays_within(operations, {"A": plan})["A"]


@pytest.mark.long
def test_methods_that_take_more_operations_of_isl_are_left_out() -> None:
    assert within(100_000_000).candidates == plan_array(blur(8), budget=BUDGET).candidates
    choice = within(10_000)
    reason = "gave up: takes more than 10000 operations of isl"
    given_up = [name for name, answer in choice.candidates if reason in str(answer)]
    assert "declared" not in given_up
    assert given_up
    for name, answer in choice.candidates:
        if isinstance(answer, StorageMapping):
            assert answer == method_named(name).run(blur(8), BUDGET)


def test_what_was_answered_before_a_limit_is_not_asked_again(tmp_path: Path) -> None:
    asked = tmp_path / "asked"

    def plan(known: Known, report: Report) -> dict[str, str]:
        answers = dict(known)
        for name in ("one", "two", "three"):
            if name in known:
                continue
            with asked.open("a") as file:  # copies of this process ask
                file.write(f"{name} ")
            report(name, None)
            if name == "two":
                assert method_named("lattice").run(blur(8), BUDGET)
            answers[name] = NoMapping(method=name, reason=f"{name} has none")
            report(name, answers[name])
        return {name: answer.reason for name, answer in answers.items() if answer is not None}

    found = plan_arrays_within(2_000, {"A": plan})["A"]
    assert asked.read_text().split() == ["one", "two", "three"]
    reasons = {name: f"{name} has none" for name in ("one", "three")}
    assert found == {"two": "gave up: takes more than 2000 operations of isl", **reasons}


def test_a_method_asked_by_name_that_takes_more_operations_of_isl_is_told() -> None:
    with pytest.raises(LimitError) as caught:
        within(10_000, "lattice")
    assert "gave up: takes more than 10000 operations of isl" in str(caught.value)


def test_conflicts_that_take_too_many_operations_of_isl_are_told() -> None:
    with pytest.raises(LimitError) as caught:
        within(10)
    assert "'A' is too complicated: looking at its conflicts takes more than 10 " in str(
        caught.value
    )


@pytest.mark.parametrize(
    ("matrix", "modulus", "cost"),
    [
        ([[1, 0], [0, 1]], ["N", "N"], (0, 2, 2)),  # stays within its modulus
        ([[1, 0], [0, 1]], ["N - 1", "N"], (1, 2, 2)),
        ([[1, -1]], ["N"], (1, 2, 2)),
        ([[1, -1]], [8], (0, 2, 2)),  # a power of two
        ([["N", 1]], [7], (1, 2, 7)),
        ([], [], (0, 0, 0)),
    ],
)
def test_costs_of_addresses(matrix: Any, modulus: Any, cost: tuple[int, int, int]) -> None:
    problem = problem_of(
        WIDE, {"N": 6}, context="[N] -> { : N >= 3 }", elements="[N] -> { [y,x] : 0 <= y,x < N }"
    )
    assert address_cost(piece_of(matrix, modulus), conflicts_of(problem)) == cost


@pytest.mark.parametrize("elements", [None, "[N] -> { [y,x] : 0 <= y < N }"])
def test_without_bounded_elements_everything_wraps(elements: str | None) -> None:
    problem = problem_of(WIDE, {"N": 6}, context="[N] -> { : N >= 3 }", elements=elements)
    assert address_cost(piece_of([[1, 0]], ["N"]), conflicts_of(problem))[0] == (elements is None)
