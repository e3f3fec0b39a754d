"""Two thousand random programs: conflicts, max-live, refusals and replays against enumeration."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.families import by_default
from tests.fuzz.compare import Outcome, compare, described, expected, random_case
from tests.fuzz.generate import has_guards, has_triangles, random_program
from tests.fuzz.language import Program, run
from tests.fuzz.plans import check_plan

PROGRAMS = 2000
BATCH = 25


@pytest.mark.few(1)
@pytest.mark.parametrize("first", range(0, PROGRAMS, BATCH))
def test_random_programs_are_analysed_as_enumeration_says(first: int, tmp_path: Path) -> None:
    outcomes = []
    for seed in range(first, first + BATCH):
        case = random_case(seed)
        try:
            outcomes.append(compare(case, tmp_path))
        except AssertionError as error:
            raise AssertionError(f"{error}\n{described(case)}") from None
    assert sum(one.pieces > 0 for one in outcomes) > BATCH / 5
    assert has_both_kinds(outcomes)


def has_both_kinds(outcomes: list[Outcome]) -> bool:
    """Whether some random mappings were valid and some were not."""
    return any(one.valid for one in outcomes) and any(one.invalid for one in outcomes)


def test_a_program_of_which_nothing_runs_at_the_size_of_the_plan_is_refused(tmp_path: Path) -> None:
    case = random_case(1795316070)
    assert not case.runs[case.program.n]
    assert compare(case, tmp_path).refused == "nothing runs"


def test_a_fifth_of_the_programs_has_each_difficulty() -> None:
    programs = [random_program(seed) for seed in range(by_default(400, PROGRAMS))]
    fifth = len(programs) / 5
    assert sum(map(has_triangles, programs)) > fifth
    assert sum(map(has_guards, programs)) > fifth
    assert sum(map(writes_twice, programs)) > fifth


def writes_twice(program: Program) -> bool:
    """Whether an element of an array to plan is written more than once."""
    outside = {one.name for one in program.arrays if one.kind == "outside"}
    writes = [one.write for one in run(program, program.n, 10_000) if one.write[0] not in outside]
    return len(set(writes)) < len(writes)


def test_orders_of_all_kinds_are_among_them() -> None:
    cases = [random_case(seed) for seed in range(400)]
    assert sum(case.order is not None for case in cases) > 40
    assert sum(case.level is not None for case in cases) > 40
    assert sum(case.strict for case in cases) > 40


SOUND = [seed for seed in range(by_default(10, 130)) if not expected(random_case(seed)).refused]


@pytest.mark.few(2)
@pytest.mark.parametrize("seed", SOUND)
def test_a_program_runs_as_it_is_enumerated_and_its_plan_passes(seed: int, tmp_path: Path) -> None:
    check_plan(random_case(seed), tmp_path)
