"""Curves of live elements, compared with max-live and with running small programs."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from hlsmem.lifetime import live_curve as module
from hlsmem.lifetime.live_curve import LifeCurve, life_curves
from hlsmem.lifetime.storage_problems import storage_problems
from hlsmem.planner.array_folding import analyse
from hlsmem.program.model import Order, Program
from tests.families import by_default
from tests.lifetime.random_programs import AFTER, BEFORE, Random, meaning, random_programs, run
from tests.programs import golden_case, make_program, program_from_golden
from tests.steps import load

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def _curve(program: Program) -> LifeCurve:
    problems = storage_problems(program)
    (curve,) = life_curves(program, problems).values()
    assert curve.most() == problems[0].bounds[0].cells
    return curve


def _blur(size: int, order: Order = Order.SEQUENTIAL) -> Program:
    return program_from_golden(
        golden_case("001", "blur-interleaved"), {"N": size}, order=order, step_dimensions=2
    )


def test_blur_fills_two_rows_keeps_them_and_drains() -> None:
    curve = _curve(_blur(8))
    assert (curve.width, curve.steps, curve.before, curve.after) == (1, 64 + 48, 0, 0)
    # In rows 0 and 1 only P runs: one element more a step. Then P and C take turns.
    assert curve.alive[:19] == (*range(1, 17), 17, 17, 17)
    assert curve.alive[-1] == 3
    assert curve.peak is not None
    assert (curve.peak.step, curve.peak.text) == (16, "S at y=2, x=0")
    assert curve.ticks[1].step == 20


def test_by_iterations_a_step_is_an_iteration() -> None:
    curve = _curve(_blur(8, Order.ITERATION))
    assert (curve.steps, curve.most()) == (64, 16)
    assert curve.peak is not None
    assert curve.peak.text == "t0=1, t1=7"


def test_many_steps_are_drawn_as_the_most_of_neighbours() -> None:
    curve = _curve(_blur(40))
    assert curve.steps == 40 * 40 + 38 * 40
    assert (curve.width, len(curve.alive)) == (5, 624)
    assert curve.alive[0] == 5


def test_too_many_steps_are_counted_by_their_leading_loops(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "_STEPS", 50)
    curve = _curve(_blur(40))
    assert (curve.steps, curve.loops) == (40, ("t0",))
    assert curve.peak is not None
    assert (curve.peak.step, curve.peak.text) == (2, "t0=2")
    monkeypatch.setattr(module, "_STEPS", 5)
    assert life_curves(_blur(40), storage_problems(_blur(40))) == {}


def test_what_changes_too_often_is_not_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_CHANGES", 1000)
    assert life_curves(_blur(40), storage_problems(_blur(40))) == {}


def test_live_in_and_live_out_elements_stand_around_the_program() -> None:
    program = make_program(
        values={"N": 6},
        domains=["[N] -> { S[i] : 0 <= i < N }"],
        schedules=["[N] -> { S[i] -> [i] }"],
        reads=["[N] -> { S[i] -> A[i] }"],
        writes=["[N] -> { S[i] -> A[i + N] }"],
        live_in=["[N] -> { A[i] : 0 <= i < N }"],
        live_out=["[N] -> { A[i] : N + 2 <= i < 2N }"],
    )
    curve = _curve(program)
    # Each step first frees one element; those of the first two are dead at once.
    assert (curve.before, curve.alive, curve.after) == (6, (6, 5, 4, 4, 4, 4), 4)
    assert curve.peak is None


@pytest.mark.parametrize("name", ["sobel", "durbin", "triangle", "matmul_relu", "heat2d", "half"])
def test_the_top_of_the_curve_is_max_live(name: str) -> None:
    program, problems = analyse(load(EXAMPLES / name / "design.yaml"))
    assert program is not None
    curves = life_curves(program, problems)
    assert list(curves) == [problem.array.name for problem in problems]
    for problem in problems:
        assert curves[problem.array.name].most() == problem.bounds[0].cells


@given(random=random_programs(), step=some.sampled_from([None, None, 1, 2]))
@settings(
    max_examples=by_default(6, 25),
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
def test_random_programs_have_the_curve_of_their_run(random: Random, step: int | None) -> None:
    program = make_program(
        values={"N": random.n},
        context="[N] -> { : N >= 1 }",
        order=Order.SEQUENTIAL if step is None else Order.ITERATION,
        step_dimensions=step,
        drop_unprovided_reads=True,
        **random.texts(),
    )
    clash = any(run(_at(random, n))[1] for n in range(1, 9))
    if "A" not in program.arrays or clash:
        return
    (problem,) = storage_problems(program)
    (curve,) = life_curves(program, [problem]).values()
    assert curve.most() == meaning(random, step=step, strict=False).max_live
    values, _ = run(random)
    lasting = {value.element for value in values if AFTER in value.reads}
    given_before = {value.element for value in values if value.written == BEFORE and value.reads}
    assert curve.after == len(lasting)
    assert curve.before == len(given_before)


def _at(random: Random, size: int) -> Random:
    return Random(size, random.dimensions, random.parts, random.live_in, random.live_out)
