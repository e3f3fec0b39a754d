"""Unrolled loops: their iterations side by side in steps, without another value read."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hlsmem.core.errors import InputError, Problems
from hlsmem.polyhedra import Set
from hlsmem.polyhedra.enumeration import distinct_points
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.program.model import Order, Program
from hlsmem.timing.lanes import beat_times, lanes_of, unrolled
from hlsmem.timing.planned_program import arranged, in_the_order_of_c
from hlsmem.timing.schedule_legality import same_values
from tests.programs import make_program

SIZE = 7


def stencil(unroll: dict[int, int], source: str = "t - 1, i") -> Program:
    """Rows made of the row before; entries of times are (t, i)."""
    program = make_program(
        values={"N": SIZE},
        context="[N] -> { : N >= 3 }",
        domains=["[N] -> { S[t, i] : 0 <= t, i < N }"],
        schedules=["{ S[t, i] -> [t, i] }"],
        reads=[f"[N] -> {{ S[t, i] -> A[{source}] : t > 0 and 0 < i < N - 1 }}"],
        writes=["{ S[t, i] -> A[t, i] }"],
        live_in=[],
        order=Order.ITERATION,
        step_dimensions=2,
    )
    return replace(program, unroll=unroll)


def times(program: Program) -> dict[tuple[int, ...], tuple[int, ...]]:
    """The time of every instance of the only statement."""
    (statement,) = program.statements
    schedule = statement.schedule.intersect_domain(statement.domain)
    rows = distinct_points(fix_parameters(schedule, program.values)).tolist()
    depth = len(statement.iterators)
    return {tuple(row[:depth]): tuple(row[depth:]) for row in rows}


def test_times_are_groups_and_lanes() -> None:
    program = arranged(stencil({1: 3}))
    assert program.lanes == (3,)
    assert program.time_dimensions == 3
    assert times(program) == {(t, i): (t, i // 3, i % 3) for t in range(SIZE) for i in range(SIZE)}


def test_groups_begin_with_the_first_iteration() -> None:
    program = stencil({1: 2})
    (statement,) = program.statements
    right = Set("[N] -> { S[t, i] : i >= 1 }").intersect(statement.domain)
    later = replace(program, statements=(replace(statement, domain=right),))
    assert times(arranged(later))[2, 1] == (2, 0, 0)


def test_the_innermost_loop_unrolled_keeps_the_order() -> None:
    program, plain = arranged(stencil({1: 2})), stencil({})
    assert sorted(times(program), key=times(program).__getitem__) == sorted(times(plain))


def test_loops_of_both_kinds_at_once() -> None:
    program = arranged(stencil({0: 2, 1: 2}, "t - 2, i"))
    assert times(program)[3, 4] == (1, 2, 1, 0)
    lanes = dict(lanes_of(program, program.statements[0]))
    assert list(lanes) == [(0, 0), (0, 1), (1, 0), (1, 1)]
    for (down, right), instances in lanes.items():
        rows = distinct_points(instances).tolist()
        assert {(t % 2, i % 2) for t, i in rows} == {(down, right)}


def test_instances_side_by_side_share_a_beat() -> None:
    program = arranged(stencil({1: 2}))
    (statement,) = program.statements
    beats = beat_times(program, statement.schedule.intersect_domain(statement.domain))
    rows = distinct_points(fix_parameters(beats.range(), program.values)).tolist()
    assert sorted(map(tuple, rows)) == [(t, i, 0) for t in range(SIZE) for i in range(4)]


def test_a_dependence_that_an_outer_loop_would_break_is_named() -> None:
    with pytest.raises(InputError) as caught:
        arranged(stencil({0: 2}, "t - 1, i + 1"))
    (problem,) = caught.value.problems
    assert problem.what.startswith("unrolling breaks a dependence: S at t=1, i=1 reads A[0][2]")
    assert "unroll another loop" in problem.remedy


def test_without_factors_nothing_changes() -> None:
    program = stencil({})
    assert unrolled(program, program, Problems()) is program


def test_c_runs_the_loops_as_they_were() -> None:
    given = stencil({1: 2})
    program = arranged(given)
    serial = in_the_order_of_c(given, program)
    assert serial.lanes == ()
    assert times(serial) == times(stencil({}))
    assert same_values(program, serial)
