"""Two thousand random programs: conflicts, max-live, refusals and replays against enumeration."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hlsmem.check.events import Accesses
from hlsmem.check.exact import check_exact
from hlsmem.check.replay import check_replay, run_of
from hlsmem.pipeline import plan_storage
from hlsmem.plan import to_json
from hlsmem.read.design import load
from hlsmem.verdict import Status
from tests.fuzz.compare import Case, Outcome, compare, expected, random_case
from tests.fuzz.generate import has_guards, has_triangles, random_program
from tests.fuzz.language import Program, run

PROGRAMS = 2000
BATCH = 50
LONG = pytest.mark.long


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


def described(case: Case) -> str:
    return f"seed {case.seed}:\n{case.design()}\n{case.program.text()}"


def has_both_kinds(outcomes: list[Outcome]) -> bool:
    """Whether some random mappings were valid and some were not."""
    return any(one.valid for one in outcomes) and any(one.invalid for one in outcomes)


def test_a_fifth_of_the_programs_has_each_difficulty() -> None:
    programs = [random_program(seed) for seed in range(PROGRAMS)]
    assert sum(map(has_triangles, programs)) > PROGRAMS / 5
    assert sum(map(has_guards, programs)) > PROGRAMS / 5
    assert sum(map(writes_twice, programs)) > PROGRAMS / 5


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


SOUND = [seed for seed in range(130) if not expected(random_case(seed)).refused]


@pytest.mark.parametrize("seed", [*SOUND[:8], *(pytest.param(s, marks=LONG) for s in SOUND[8:])])
def test_a_program_runs_as_it_is_enumerated_and_its_plan_passes(seed: int, tmp_path: Path) -> None:
    case = random_case(seed)
    (tmp_path / f"{case.program.name}.c").write_text(case.program.text())
    (tmp_path / "design.yaml").write_text(case.design())
    planning = plan_storage(load(tmp_path / "design.yaml"))
    program = planning.program
    assert program is not None
    planned = [program.arrays[name] for name in planning.plan.arrays]
    found, _ = run_of(program.source, planned)
    for array in planned:
        own = found.accesses[array.name]
        assert listed(own) == made(case, array.name), described(case)
    document = json.loads(to_json(planning.plan))
    arguments = planning.design, program, planning.plan, document
    verdicts = [*check_exact(*arguments), *check_replay(*arguments)]
    assert [one for one in verdicts if one.status is not Status.PASS] == [], described(case)


Access = tuple[int, bool, tuple[int, ...]]


def listed(accesses: Accesses) -> list[Access]:
    """The accesses that the compiled program made: instance, whether it writes, element."""
    elements = map(tuple, accesses.element.tolist())
    return list(zip(accesses.instance.tolist(), accesses.write.tolist(), elements, strict=True))


def made(case: Case, array: str) -> list[Access]:
    """Those that the interpreter here makes."""
    return [
        (number, write, element)
        for number, one in enumerate(case.runs[case.program.n])
        for write, name, element in [*((False, *read) for read in one.reads), (True, *one.write)]
        if name == array
    ]
