"""The order in which generated C runs instances of equal times."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hlsmem.polyhedra import UnionMap
from hlsmem.program.model import Filter, Order, Program
from hlsmem.timing.events import instance_times
from hlsmem.timing.schedule_legality import same_values
from hlsmem.timing.total_order import one_after_the_other, without_steps
from tests.programs import make_program
from tests.timing.test_schedule_legality import reordered


def rows(schedule: str, *, order: Order = Order.SEQUENTIAL, steps: int = 1) -> Program:
    """Each row is made of the one before, elements in place from left to right."""
    return make_program(
        values={"N": 4},
        context="[N] -> { : N >= 2 }",
        domains=["[N] -> { S[t, i] : 0 <= t, i < N }"],
        schedules=[schedule],
        reads=["[N] -> { S[t, i] -> A[i] }", "[N] -> { S[t, i] -> A[i + 1] : i < N - 1 }"],
        writes=["{ S[t, i] -> A[i] }"],
        live_in=["[N] -> { A[i] : 0 <= i < N }"],
        order=order,
        step_dimensions=steps,
    )


@pytest.mark.parametrize(
    "program",
    [
        rows("{ S[t, i] -> [t, i] }"),
        rows("{ S[t, i] -> [t, i] }", order=Order.ITERATION, steps=2),
    ],
)
def test_where_nothing_has_to_be_ordered_the_program_stays(program: Program) -> None:
    assert one_after_the_other(program) is program


def test_the_instances_of_a_step_follow_each_other() -> None:
    program = rows("{ S[t, i] -> [t, i] }", order=Order.ITERATION)
    serial = one_after_the_other(program)
    assert serial.order is Order.SEQUENTIAL
    assert instance_times(serial).is_equal(instance_times(program))
    tied = rows("{ S[t, i] -> [t] }", order=Order.ITERATION)
    wanted = "{ S[t, i] -> [t, 0, 0, t, i] }"
    assert instance_times(one_after_the_other(tied)).is_subset(UnionMap(wanted))


def test_equal_times_keep_the_order_of_the_source() -> None:
    parallel = {"S": "{ S[t, i] -> [t] }"}
    forward = reordered(rows("{ S[t, i] -> [t, i] }"), parallel)
    serial = one_after_the_other(forward)
    assert same_values(forward, serial)
    wanted = "{ S[t, i] -> [t, 0, t, i, 0, t, i] }"
    assert instance_times(serial).is_subset(UnionMap(wanted))
    # From right to left the second operand is a new value, which no time before provides.
    backward = rows("{ S[t, i] -> [t, -i] }")
    assert not same_values(backward, reordered(backward, parallel))


def test_without_a_source_the_order_is_textual() -> None:
    program = make_program(
        values={"N": 4},
        domains=["[N] -> { S[i] : 0 <= i < N }", "[N] -> { T[i] : 0 <= i < N }"],
        schedules=["{ S[i] -> [0] }", "{ T[i] -> [0] }"],
        writes=["{ S[i] -> A[i] }", "{ T[i] -> B[i] }"],
    )
    times = instance_times(one_after_the_other(program))
    wanted = UnionMap("[N] -> { S[i] -> [0, 0, 0, i]; T[i] -> [0, 0, 1, i] }")
    assert times.is_subset(wanted)
    assert times.domain().is_equal(instance_times(program).domain())


def test_a_swap_of_two_values_at_one_time_has_no_order() -> None:
    program = make_program(
        values={"N": 4},
        domains=["[N] -> { S[t, i] : 0 <= t < N and 0 <= i <= 1 }"],
        schedules=["{ S[t, i] -> [t] }"],
        reads=["{ S[t, i] -> A[1 - i] }"],
        writes=["{ S[t, i] -> A[i] }"],
        live_in=["{ A[i] : 0 <= i <= 1 }"],
    )
    assert not same_values(program, one_after_the_other(program))


def test_steps_of_which_data_decide_are_taken_apart() -> None:
    """No step passes on what may not be made; steps that run whole stay."""
    steps = rows("{ S[t, i] -> [t, i] }", order=Order.ITERATION, steps=2)
    assert without_steps(steps) is steps
    (one,) = steps.statements
    filtered = replace(
        steps, statements=(replace(one, filters=(Filter(accesses=one.reads[:1], value=None),)),)
    )
    assert filtered.has_conditions
    assert without_steps(filtered) == replace(filtered, order=Order.SEQUENTIAL)
    assert without_steps(without_steps(filtered)) == without_steps(filtered)
