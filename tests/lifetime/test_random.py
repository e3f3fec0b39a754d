"""The whole analysis against enumeration, on random programs, in both orders, strict or not."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from hlsmem.errors import InputError
from hlsmem.lifetime import explain, storage_problems
from hlsmem.polyhedra.sets import fix_parameters, points
from hlsmem.program import Order, Program
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


@given(
    random=random_programs(),
    step=some.sampled_from([None, None, 1, 2, 3]),
    strict=some.booleans(),
)
@settings(
    max_examples=100,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
def test_conflicts_and_max_live_are_those_of_enumeration(
    random: Random, step: int | None, strict: bool
) -> None:
    expected = meaning(random, step=step, strict=strict)
    program = _program(random, step)
    if not program.statements or "A" not in program.arrays:
        return
    if expected.clash:
        with pytest.raises(InputError, match="written twice at the same time"):
            storage_problems(program, strict=strict)
        return
    if _clashes_at_another_size(random):
        return
    (problem,) = storage_problems(program, strict=strict)
    _compare(program, problem, expected, random)
    found = explain(program, "A", strict=strict)
    assert found.max_live == expected.max_live
    assert found.elements == len(expected.elements)
    assert (found.farthest is None) == (not expected.conflicts)
    if found.farthest:
        greatest = max(_difference(b, a) for a, b in expected.conflicts)
        assert greatest in (
            found.farthest.difference,
            tuple(-entry for entry in found.farthest.difference),
        )


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
