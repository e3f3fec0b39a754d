"""Programs that would take too long are refused with the array and the step."""

from pathlib import Path

import pytest

from hlsmem.cli.main import main
from hlsmem.core.errors import LimitError, Problem
from hlsmem.lifetime import storage_problems as analysis
from hlsmem.lifetime.storage_problem import StorageProblem
from hlsmem.lifetime.storage_problems import (
    problem_or_alive_within,
    storage_problems,
    storage_problems_within,
    with_formulas_within,
)
from hlsmem.polyhedra.memoized import forget
from hlsmem.program.model import Program
from hlsmem.timing.planned_program import arranged, arranged_within
from tests.programs import golden_case, program_from_golden
from tests.steps import load

BLUR = Path(__file__).resolve().parents[2] / "examples" / "blur" / "design.yaml"


def test_enough_operations_give_the_problems_themselves() -> None:
    program = program_from_golden(golden_case("001", "blur-interleaved"), {"N": 16})
    (found,), (plain,) = storage_problems_within(10_000_000, program), storage_problems(program)
    assert found.bounds == plain.bounds
    assert found.conflicts.is_equal(plain.conflicts)
    assert found.differences.is_equal(plain.differences)
    assert found.elements.is_equal(plain.elements)


def test_formulas_are_left_out_where_too_much_is_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    """The number alone is the bound's at the plan's values."""
    program = program_from_golden(golden_case("001", "blur-interleaved"), {"N": 16})
    (array,), (plain,) = program.planned_arrays(), storage_problems(program)
    cells = max(bound.cells for bound in plain.bounds)
    found = problem_or_alive_within(10_000_000, program, array, cells)
    assert isinstance(found, StorageProblem)
    assert [(one.cells, one.expr) for one in found.bounds] == [(cells, None)]

    def no_bound(*_: object) -> None:
        raise AssertionError("a bound is made")

    monkeypatch.setattr(analysis, "max_live_bound", no_bound)
    assert problem_or_alive_within(10_000_000, program, array, cells - 1) == cells


def test_formulas_are_found_when_they_are_asked_for() -> None:
    """Max-live is counted at first; with its formula problems are as if it had been there."""
    program = program_from_golden(golden_case("001", "blur-interleaved"), {"N": 16})
    (counted,), (plain,) = (storage_problems(program, has_formula=one) for one in (False, True))
    assert [(one.cells, one.expr) for one in counted.bounds] == [(33, None)]
    (found,) = with_formulas_within(10_000_000, program, [counted])
    assert (found.bounds, found.lives) == (plain.bounds, None)
    assert with_formulas_within(10_000_000, program, [found]) == (found,)


def test_without_operations_for_a_formula_the_number_stays() -> None:
    program = program_from_golden(golden_case("001", "blur-interleaved"), {"N": 16})
    (counted,) = storage_problems(program, has_formula=False)
    forget()
    (found,) = with_formulas_within(10, program, [counted])
    assert (found.bounds, found.lives) == (counted.bounds, None)


def _refusal(program: Program, operations: int) -> Problem | None:
    try:
        storage_problems_within(operations, program)
    except LimitError as error:
        return error.problems[0]
    return None


def test_the_step_that_takes_too_long_is_named() -> None:
    program = program_from_golden(golden_case("001", "blur-interleaved"), {"N": 16})
    told, operations = list[str](), 1000
    forget()  # what an earlier test had made would take no operations
    while (problem := _refusal(program, operations)) is not None:
        assert problem.what.endswith(f" takes more than {operations} operations of isl")
        assert problem.remedy == "raise plan.budget, or leave the array out (storage: external)"
        told.append(problem.what.partition(" takes")[0])
        operations += operations // 16
    assert list(dict.fromkeys(told)) == [
        "'blur-interleaved' is too complicated: reading its schedule",
        "'blurx' is too complicated: finding the write that each read sees",
        "'blurx' is too complicated: finding when its elements live",
        "'blurx' is too complicated: finding which of its elements conflict",
        "'blurx' is too complicated: counting the elements alive at once",
        "'blurx' is too complicated: taking the differences of its conflicts",
    ]


def test_a_schedule_that_takes_too_long_to_compare_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    monkeypatch.setattr("hlsmem.planner.array_folding._OPERATIONS", 2_000)
    times = "{ C[y, x] -> [y, x, 1]; P[y, x] -> [y, x, 0] }"
    arguments = ["plan", str(BLUR), "--set", f'schedule="{times}"', "-o", str(tmp_path / "out")]
    assert main(arguments) == 4
    told = capsys.readouterr()
    assert "the schedule is too complicated: comparing it with the order of the source" in told.err
    assert (
        "takes more than 2000 operations of isl; raise plan.budget, or give a simpler" in told.err
    )
    assert told.out == ""
    assert list(tmp_path.iterdir()) == []


@pytest.mark.long
def test_plan_exits_4_and_writes_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    monkeypatch.setattr("hlsmem.planner.array_folding._OPERATIONS", 20_000)
    assert main(["plan", str(BLUR), "-o", str(tmp_path / "out")]) == 4
    told = capsys.readouterr()
    assert "'blurx' is too complicated: finding" in told.err
    assert "blur.c:" in told.err
    assert told.out == ""
    assert list(tmp_path.iterdir()) == []
    # A greater budget raises the limit in proportion.
    bigger = ["plan", str(BLUR), "-o", str(tmp_path / "out"), "--set", "plan.budget=100000000"]
    assert main(bigger) == 0


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            ["arrays.in.storage=stream"],
            "streams are too complicated: finding when elements arrive and depart for 'in' takes"
            " more than {} operations of isl; raise plan.budget, or make it a memory"
            " (storage: memory)",
        ),
        (
            ['plan.tile="{ [0, t1, 0, t3, 0] : 2 <= t1 < 4 }"'],
            "the tile is too complicated: finding the values that cross it for 'in' takes more"
            " than {} operations of isl; raise plan.budget, or give a simpler tile",
        ),
        (
            ["order=iteration", "pipeline.unroll.x=4"],
            "unrolling is too complicated: comparing its order with the one before for 'in' takes"
            " more than {} operations of isl; raise plan.budget, or unroll less",
        ),
    ],
)
def test_whatever_changes_the_program_has_a_limit(settings: list[str], message: str) -> None:
    given = load(BLUR, settings=settings).input
    assert isinstance(given, Program)
    told, operations = set[str](), 50
    while operations < 100_000_000:
        try:
            found = arranged_within(operations, given)
        except LimitError as error:
            told.add(str(error).replace(str(operations), "{}"))
            operations += operations // 2
        else:
            assert str(found.statements) == str(arranged(given).statements)
            break
    assert any(one.endswith(message) for one in told)
