"""Programs without a meaning are refused, with the pair named."""

from dataclasses import replace

import pytest

from hlsmem.core.errors import InputError
from hlsmem.core.source_location import SourceLocation
from hlsmem.lifetime.storage_problems import storage_problems
from hlsmem.program.model import Program
from tests.programs import make_program


def _with_read_places(program: Program) -> Program:
    def placed(statement):
        reads = tuple(
            replace(access, source_location=SourceLocation(file="k.c", line=7, column=10 + k))
            for k, access in enumerate(statement.reads)
        )
        return replace(statement, reads=reads)

    return replace(program, statements=tuple(placed(s) for s in program.statements))


def test_a_read_before_any_write_names_the_access_and_an_example() -> None:
    program = make_program(
        values={"N": 8},
        context="[N] -> { : N >= 2 }",
        domains=["[N] -> { S[y, x] : 0 <= y, x < N }"],
        schedules=["[N] -> { S[y, x] -> [y, x] }"],
        writes=["[N] -> { S[y, x] -> A[y, x] }"],
        reads=["[N] -> { S[y, x] -> A[y, x - 1] : x > 0 }", "[N] -> { S[y, x] -> A[y - 1, x] }"],
    )
    with pytest.raises(InputError) as error:
        storage_problems(_with_read_places(program))
    (problem,) = error.value.problems
    assert str(problem) == (
        "k.c:7:11: 'A' is read before any statement writes it; add it to live_in or write it first"
    )
    (note,) = problem.notes
    assert note.text == "for example S at y=0, x=0 reads A[-1][0]"
    assert str(note.source_location) == "k.c:7:11"


@pytest.mark.parametrize(
    ("schedules", "what"),
    [
        (
            "{ W[i] -> [i, 0]; R[i] -> [i, 1] }",
            "R at i=0 reads A[1] at [0, 1], but W at i=1 writes it at [1, 0], later",
        ),
        (
            "{ W[i] -> [i]; R[i] -> [i + 1] }",
            "R at i=0 reads A[1] at [1], but W at i=1 writes it at [1],"
            " at the same time, when reads come first",
        ),
        (
            "{ W[i] -> [-i, 0]; R[i] -> [-i, 1] }",
            None,
        ),
    ],
)
def test_a_read_before_its_write_is_refused_with_the_pair_and_its_times(
    schedules: str, what: str | None
) -> None:
    program = make_program(
        values={"N": 8},
        context="[N] -> { : N >= 2 }",
        domains=["[N] -> { W[i] : 0 <= i < N; R[i] : 0 <= i < N - 1 }"],
        schedules=[schedules],
        writes=["[N] -> { W[i] -> A[i] }"],
        reads=["[N] -> { R[i] -> A[i + 1] }"],
    )
    if what is None:
        assert storage_problems(program)
        return
    with pytest.raises(InputError) as error:
        storage_problems(program)
    assert [problem.what for problem in error.value.problems] == [what]


def test_a_read_that_fails_only_at_other_sizes_says_at_which() -> None:
    program = make_program(
        values={"N": 8},
        context="[N] -> { : N >= 1 }",
        domains=["[N] -> { W[i] : 0 <= i < N - 3; R[i] : 0 <= i <= N - 4; Z[] }"],
        schedules=["[N] -> { W[i] -> [0, i]; R[i] -> [1, i]; Z[] -> [2, 0] }"],
        writes=["[N] -> { W[i] -> A[i] }"],
        reads=["[N] -> { R[i] -> A[i] }", "[N] -> { Z[] -> A[0] }"],
    )
    with pytest.raises(InputError) as error:
        storage_problems(program)
    (problem,) = error.value.problems
    assert problem.notes[0].text == "for example Z reads A[0] (with N=1)"


def test_an_external_array_must_be_live_in_to_be_read() -> None:
    program = make_program(
        values={"N": 8},
        domains=["[N] -> { S[i] : 0 <= i < N }"],
        schedules=["[N] -> { S[i] -> [i] }"],
        writes=["[N] -> { S[i] -> A[i] }"],
        reads=["[N] -> { S[i] -> b[i] }", "[N] -> { S[i] -> c[i] }"],
        live_in=["[N] -> { c[i] : 0 <= i < N }"],
    )
    with pytest.raises(InputError) as error:
        storage_problems(program)
    (problem,) = error.value.problems
    assert problem.what == "'b' is read before any statement writes it"


def test_a_live_out_element_that_nothing_writes_is_refused() -> None:
    program = make_program(
        values={"N": 8},
        domains=["[N] -> { S[i] : 0 <= i < N }"],
        schedules=["[N] -> { S[i] -> [i] }"],
        writes=["[N] -> { S[i] -> A[i] }"],
        live_out=["[N] -> { A[i] : 0 <= i <= N }"],
    )
    with pytest.raises(InputError) as error:
        storage_problems(program)
    assert str(error.value) == (
        "'A' is live after the program, but nothing writes A[8]; "
        "write it, or leave it out of live_out"
    )


@pytest.mark.parametrize(
    ("schedules", "what"),
    [
        (
            "{ S[i] -> [0, 0]; T[i] -> [1, i] }",
            "'A' is written twice at the same time: S at i=0 and S at i=1 both write A[0]",
        ),
        (
            "{ S[i] -> [0, i]; T[i] -> [0, 1 - i] }",
            "'A' is written twice at the same time: S at i=0 and T at i=1 both write A[0]",
        ),
    ],
)
def test_two_writes_of_one_element_at_one_time_are_refused(schedules: str, what: str) -> None:
    program = make_program(
        values={"N": 8},
        domains=["{ S[i] : 0 <= i < 2; T[i] : 0 <= i < 2 }"],
        schedules=[schedules],
        writes=["{ S[i] -> A[0]; T[i] -> A[0] }"],
    )
    with pytest.raises(InputError) as error:
        storage_problems(program)
    assert [problem.what for problem in error.value.problems] == [what]


def test_all_problems_are_reported_together() -> None:
    program = make_program(
        values={"N": 8},
        domains=["{ S[i] : 0 <= i < 2 }"],
        schedules=["{ S[i] -> [0] }"],
        writes=["{ S[i] -> A[0] }"],
        reads=["{ S[i] -> A[5] }", "{ S[i] -> b[i] }"],
    )
    with pytest.raises(InputError) as error:
        storage_problems(program)
    assert len(error.value.problems) == 3
