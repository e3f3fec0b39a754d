"""The whole analysis against enumeration, on random programs, in both orders, strict or not."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from hlsmem.core.errors import InputError
from hlsmem.lifetime.conflict_witness import explain, most_alive
from hlsmem.lifetime.storage_problems import storage_problems
from hlsmem.polyhedra.sets import fix_parameters, points
from hlsmem.program.model import Order, Program
from tests.families import by_default
from tests.lifetime.random_programs import Meaning, Random, meaning, random_programs, run
from tests.programs import make_program


def _program(random: Random, step: int | None) -> Program:
    return make_program(
        values={"N": random.n},
        context="[N] -> { : N >= 1 }",
        order=Order.SEQUENTIAL if step is None else Order.ITERATION,
        step_dimensions=step,
        drop_unprovided_reads=True,
        **random.texts(),
    )


def _pairs(relation, values, size: int) -> set:
    rows = points(fix_parameters(relation, values)).tolist()
    return {(tuple(row[:size]), tuple(row[size:])) for row in rows}


_RULES = {
    "random": random_programs(),
    "step": some.sampled_from([None, None, 1, 2, 3]),
    "strict": some.booleans(),
}


def _settings(examples: int) -> settings:
    return settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        suppress_health_check=[HealthCheck.too_slow],
    )


@given(**_RULES)
@_settings(by_default(4, 25))
def test_conflicts_and_max_live_are_those_of_enumeration(
    random: Random, step: int | None, strict: bool
) -> None:
    _hold_to_enumeration(random, step, strict)


@pytest.mark.long
@given(**_RULES)
@_settings(1000)
def test_conflicts_and_max_live_of_many_programs(
    random: Random, step: int | None, strict: bool
) -> None:
    _hold_to_enumeration(random, step, strict)


@given(**_RULES)
@_settings(by_default(4, 25))
def test_explanations_are_true(random: Random, step: int | None, strict: bool) -> None:
    expected, program = meaning(random, step=step, strict=strict), _program(random, step)
    if "A" not in program.arrays or expected.clash:
        return
    found = explain(program, "A", strict=strict)
    assert (found.max_live, found.elements) == (expected.max_live, len(expected.elements))
    assert most_alive(program, "A", strict=strict) == (found.max_live, found.peak)
    assert (found.farthest is None) == (not expected.conflicts)
    if found.farthest:
        greatest = max(_difference(b, a) for a, b in expected.conflicts)
        opposite = tuple(-entry for entry in greatest)
        assert found.farthest.difference in (greatest, opposite)


def _hold_to_enumeration(random: Random, step: int | None, strict: bool) -> None:
    expected, program = meaning(random, step=step, strict=strict), _program(random, step)
    if "A" not in program.arrays:
        return
    if expected.clash:
        with pytest.raises(InputError, match="written twice at the same time"):
            storage_problems(program, strict=strict)
    elif not _clashes_at_another_size(random):
        (problem,) = storage_problems(program, strict=strict)
        _compare(program, problem, expected, random)


def _clashes_at_another_size(random: Random) -> bool:
    return any(run(replace(random, n=n))[1] for n in range(1, 9))


def _compare(program: Program, problem, expected: Meaning, random: Random) -> None:
    size, values = random.dimensions, program.values
    assert _pairs(problem.conflicts, values, size) == expected.conflicts
    elements = points(fix_parameters(problem.elements, values)).tolist()
    assert {tuple(row) for row in elements} == expected.elements
    differences = points(fix_parameters(problem.differences, values)).tolist()
    wanted = {_difference(b, a) for a, b in expected.conflicts} | {(0,) * size}
    assert {tuple(row) for row in differences} == wanted
    (bound,) = problem.bounds
    assert bound.cells == expected.max_live


def _difference(left: tuple[int, ...], right: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(a - b for a, b in zip(left, right, strict=True))
