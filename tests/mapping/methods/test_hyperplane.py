"""Storage hyperplanes against the rows recomputed for the paper, and the errata of its text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import prod
from typing import Any

import pytest
from hypothesis import given, settings

from hlsmem.lifetime.storage_problem import Pairs, StorageProblem
from hlsmem.mapping import milp
from hlsmem.mapping import storage_mapping as model
from hlsmem.mapping.basis import width_mapping
from hlsmem.mapping.conflict_differences import conflicts_of
from hlsmem.mapping.decomposition import as_given, by_signs
from hlsmem.mapping.hyperplanes import Hyperplanes, NoHyperplane, storage_hyperplanes
from hlsmem.mapping.methods import hyperplane, method_named
from hlsmem.mapping.methods.hyperplane import Trial, fixed_trial, symbolic_trial
from hlsmem.mapping.storage_mapping import NoMapping
from hlsmem.polyhedra import BasicSet, Map, Set
from hlsmem.polyhedra.sets import fix_parameters
from tests.mapping.problems import (
    BUDGET,
    as_found,
    collision,
    difference_points,
    golden_problems,
    problem_of,
)
from tests.mapping.test_laws import Polyhedron, enumerated, problem_from, unions
from tests.programs import golden_case

CASES = {
    case["id"]: [
        problem for other, _, problem in golden_problems("001") if other["id"] == case["id"]
    ]
    for case, _, _ in golden_problems("001")
}


def with_pairs(name: str, problem: StorageProblem) -> StorageProblem:
    pairs = Map(golden_case("001", name)["pairs"])
    return replace(problem, pairs=Pairs(pairs.union(pairs.reverse())))


def printed_pieces(
    name: str, context: Any, values: Mapping[str, int] | None = None
) -> tuple[Any, ...]:
    """The conflict polyhedra as the paper, or the case, gives them: later minus earlier."""
    pairs = Map(golden_case("001", name)["pairs"]).intersect_params(context)
    pairs = fix_parameters(pairs, values or {})
    return tuple(piece.deltas() for piece in pairs.get_basic_maps())


def solved(trial: Trial) -> Hyperplanes:
    found = storage_hyperplanes(trial.pieces, trial.context, limit=trial.limit, most_steps=BUDGET)
    assert isinstance(found, Hyperplanes)
    return found


def symbolic(name: str) -> list[tuple[str, dict[str, Any]]]:
    expected = golden_case("001", name)["expected_by_method"]
    return [(name, value) for key, value in expected.items() if key in SYMBOLIC]


# The aliased and the bounded case are listed with and without their remedies; the method
# has the remedies. A width that may not be negative is not offered.
SYMBOLIC = ("smo", "smo_w_free", "smo_c20", "smo_unsplit", "smo_independent")
# The split case gives its polyhedra split already.
PRINTED = [entry for name in CASES for entry in symbolic(name) if name not in ("harris-3x3-split",)]


@pytest.mark.few(8)
@pytest.mark.parametrize(("name", "expected"), PRINTED, ids=lambda value: str(value)[:24])
def test_rows_for_all_parameters_are_those_recomputed(name: str, expected: dict[str, Any]) -> None:
    problem = CASES[name][0]
    conflicts = conflicts_of(problem)
    found = solved(symbolic_trial(printed_pieces(name, conflicts.context), conflicts.context))
    assert [list(map(str, row)) for row in found.rows] == expected["matrix"]
    assert [f"{part}/{all_}" for part, all_ in found.satisfied] == expected["satisfied"]
    cells = width_mapping(conflicts, found.rows).cells()
    assert [cells.evaluate(other.values) for other in CASES[name]] == expected["cells"]


def test_splitting_by_signs_can_help_and_can_hurt() -> None:
    """The text says that it can only help; it does not at B = 4, nor for 4 cells."""
    for name in ("harris-3x3-own", "splitting-hurts"):
        problems = CASES[name]
        conflicts = conflicts_of(problems[0])
        pieces = by_signs(printed_pieces(name, conflicts.context))
        found = solved(symbolic_trial(pieces, conflicts.context))
        cells = width_mapping(conflicts, found.rows).cells()
        split = "harris-3x3-split" if name == "harris-3x3-own" else name
        expected = golden_case("001", split)["expected_by_method"]["smo_split"]["cells"]
        assert [cells.evaluate(problem.values) for problem in problems] == expected


AT_SIZES = [
    (name, position, expected)
    for name in CASES
    for position, expected in enumerate(
        golden_case("001", name)["expected_by_method"].get("smo_concrete_sizes", [])
    )
]


@pytest.mark.few("-0-")
@pytest.mark.parametrize(("name", "position", "expected"), AT_SIZES)
def test_rows_at_fixed_sizes_are_those_recomputed(
    name: str, position: int, expected: dict[str, Any]
) -> None:
    problem = CASES[name][position]
    assert problem.values == expected["params"]
    conflicts = conflicts_of(problem)
    found = solved(fixed_trial(printed_pieces(name, conflicts.context, problem.values), conflicts))
    assert [list(row) for row in found.rows] == expected["matrix"]
    assert width_mapping(conflicts, found.rows).cells().evaluate(problem.values) == prod(
        expected["modulus"]
    )


@pytest.mark.few(2)
@pytest.mark.parametrize("name", CASES)
def test_the_method_needs_no_more_cells_than_listed(name: str) -> None:
    """From differences alone, at the largest sizes."""
    expected = golden_case("001", name)["expected_by_method"]
    listed = [value["cells"][-1] for key, value in expected.items() if key in SYMBOLIC]
    problem = CASES[name][-1]
    answer = method_named("hyperplane").run(problem, BUDGET)
    found = as_found(answer)
    assert collision(found.pieces[0], problem.values, difference_points(problem)) is None
    assert all(found.cells <= cells for cells in listed)


def test_pairs_keep_the_polyhedra_that_they_are_given_in() -> None:
    """The split case gives four, of which its differences make three."""
    problem = with_pairs("harris-3x3-split", CASES["harris-3x3-split"][-1])
    conflicts = conflicts_of(problem)
    assert conflicts.pairs is not None
    given = as_given(conflicts.differences, conflicts.pairs.symmetric())
    assert len(given) == 4
    assert len(as_given(conflicts.differences, None)) == 3
    assert solved(symbolic_trial(given, conflicts.context)).rows == ((2, -5),)
    assert as_found(method_named("hyperplane").run(problem, BUDGET)).cells == 50


@pytest.mark.long
def test_splitting_is_tried_where_one_row_does_not_do() -> None:
    """B^2 cells as given, 58 at this size alone, 50 split by signs."""
    answer = method_named("hyperplane").run(CASES["harris-3x3-own"][-1], BUDGET)
    assert as_found(answer).cells == 50
    assert as_found(answer).certificate.scope == "all-parameters"


@settings(max_examples=10, deadline=None, derandomize=True)
@given(unions())
def test_rows_separate_all_differences(union: tuple[int, tuple[Polyhedron, ...]]) -> None:
    answer = method_named("hyperplane").run(problem_from(*union), BUDGET)
    if isinstance(answer, model.Mapping):
        points = enumerated(*union)
        for mapping in (answer, as_found(answer)):
            assert collision(mapping.pieces[0], {}, points) is None
    else:
        assert "certificate" not in answer.reason


def test_both_orientations_in_one_polyhedron_have_no_row() -> None:
    """[i] -> [9 - i] taken as one polyhedron; the method splits it first."""
    whole = BasicSet("{ [d] : exists e : d = 2e + 1 and -9 <= d <= 9 }")
    found = storage_hyperplanes([whole], BasicSet("{ : }"), limit=60, most_steps=BUDGET)
    assert isinstance(found, NoHyperplane)
    assert found.rows == ()
    assert as_found(method_named("hyperplane").run(CASES["zero-hyperplane"][0], BUDGET)).cells == 10


def test_an_empty_polyhedron_satisfies_nothing() -> None:
    """It would count twice, and choose (1, 0)."""
    context = Set("[N] -> { : N >= 3 }")
    pieces = printed_pieces("produce-consume", context)
    nothing = BasicSet("[N] -> { [t,i] : t >= N + 1 and t <= N - 1 }")
    found = solved(symbolic_trial((*pieces, nothing), context))
    assert found.rows == ((1, -1),)
    assert found.satisfied == ((3, 3),)


def test_a_small_constant_folds_less() -> None:
    context = Set("[B] -> { : B >= 11 }")
    trial = symbolic_trial(printed_pieces("rows-11tap-big-constant", context), context)
    assert trial.limit > 11
    assert solved(replace(trial, limit=10)).rows == ((1, 0), (0, 1))
    assert solved(trial).rows == ((10, -1),)


def test_a_small_budget_says_so() -> None:
    problem = CASES["produce-consume"][0]
    answer = method_named("hyperplane").run(problem, 0)
    assert answer == NoMapping(method="hyperplane", reason="the budget ended")


def test_a_program_that_takes_long_is_given_up_and_said() -> None:
    problem = CASES["lbm-d3q19"][-1]
    answer = method_named("hyperplane").run(problem, 20)
    assert isinstance(answer, NoMapping)
    assert answer.reason == f"gave up after {answer.work} steps with 4 conflict polyhedra left"
    assert 20 < answer.work <= 30


def test_without_the_solver_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hyperplane, "is_available", lambda: False)
    answer = method_named("hyperplane").run(CASES["produce-consume"][0], BUDGET)
    reason = (
        "highspy, which solves its programs, is missing; install it with: pip install 'hlsmem[ilp]'"
    )
    assert answer == NoMapping(method="hyperplane", reason=reason)


def test_the_solver_prints_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    """What hlsmem prints may be JSON for another program."""
    answer = method_named("hyperplane").run(CASES["produce-consume"][0], BUDGET)
    assert not isinstance(answer, NoMapping)
    assert capfd.readouterr() == ("", "")


def test_a_scalar_needs_no_program() -> None:
    scalar = problem_of("{ [] }", {}, context="{ : }", extents=[])
    assert method_named("hyperplane").run(scalar, BUDGET).work == 0


def test_the_least_point_is_lexicographic() -> None:
    """x + 2y >= 7 with y <= 2 and x, y whole: x least, then y greatest."""
    program = milp.IntegerProgram()
    x, y = program.variable(-50, 50), program.variable(-50, 2)
    program.require({x: 1, y: 2}, 6.5, float("inf"))
    found = milp.lexicographic_minimum(program, [(x, 1), (y, -1)], BUDGET)
    assert isinstance(found, milp.Solution)
    assert (found.integer(x), found.integer(y)) == (3, 2)
    program.require({x: 1}, -50, 0)
    nowhere = milp.lexicographic_minimum(program, [(x, 1)], BUDGET)
    assert nowhere == milp.NoSolution(nowhere.steps, ended=False)
