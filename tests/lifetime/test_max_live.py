"""Counting at sizes where not everything can be listed."""

import pytest

from hlsmem.errors import LimitError
from hlsmem.lifetime import Bound, explain, storage_problems
from hlsmem.lifetime import max_live as module
from hlsmem.program import Program
from tests.programs import golden_case, make_program, program_from_golden


def _blur(size: int) -> Program:
    return program_from_golden(golden_case("001", "blur-interleaved"), {"N": size})


def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    # Small sizes have 1000 residences and less, N = 64 has 15000.
    monkeypatch.setattr(module, "LIMIT", 10_000)


def test_beyond_the_limit_the_formula_of_small_sizes_is_the_bound(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _few(monkeypatch)
    (problem,) = storage_problems(_blur(64))
    assert problem.bounds == (Bound(kind="max-live", cells=129, expr="2*N + 1", status="fitted"),)


def test_without_a_formula_there_is_no_bound_beyond_the_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _few(monkeypatch)
    case = golden_case("002", "jacobi1d-wavefront")
    (problem,) = storage_problems(program_from_golden(case, {"T": 300, "W": 200}))
    assert problem.bounds == ()


def test_an_array_too_large_to_explain_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    _few(monkeypatch)
    with pytest.raises(LimitError, match=r"'blurx' has more than .* residences"):
        explain(_blur(64), "blurx")


def test_a_size_at_which_nothing_is_written_needs_no_cell() -> None:
    program = make_program(
        values={"N": 2},
        context="[N] -> { : N >= 1 }",
        domains=["[N] -> { S[i] : 3 <= i < N; T[i] : 0 <= i < N }"],
        schedules=["[N] -> { S[i] -> [i]; T[i] -> [i] }"],
        writes=["[N] -> { S[i] -> A[i] }"],
    )
    (problem,) = storage_problems(program)
    assert problem.bounds[0].cells == 0
