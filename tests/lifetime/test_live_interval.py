"""Longer live intervals: counted by hand on a small window, and by brute force on the beats."""

from __future__ import annotations

import pytest

from hlsmem.lifetime.live_interval import live_intervals, with_slack, written_during
from hlsmem.lifetime.max_live_bound import max_live_bound
from hlsmem.lifetime.occupancy import occupancies
from hlsmem.program.model import Program
from hlsmem.timing.events import events, full_events
from hlsmem.timing.value_flow import dataflow
from tests.programs import make_program


def window(step: int) -> Program:
    """A producer of 20 elements and a consumer of A[i] and A[i - 2] every `step` elements."""
    return make_program(
        values={"N": 20},
        domains=[
            "[N] -> { P[i] : 0 <= i < N }",
            f"[N] -> {{ C[i] : 2 <= i < N and i mod {step} = 0 }}",
        ],
        schedules=["[N] -> { P[i] -> [i, 0] }", "[N] -> { C[i] -> [i, 1] }"],
        writes=["[N] -> { P[i] -> A[i] }"],
        reads=["[N] -> { C[i] -> A[i - 2] }", "[N] -> { C[i] -> A[i] }"],
    )


def max_live(program: Program, slack: int) -> int:
    full, times = full_events(program), events(program)
    flow = dataflow(program, "A", full)
    lives = live_intervals(
        program, program.arrays["A"], flow, with_slack(program, "A", times, slack)
    )
    bound = max_live_bound(lives, occupancies(lives), written_during(lives), program)
    assert bound is not None
    return bound.cells


def counted(step: int, slack: int) -> int:
    """Max-live by hand: a value lives from its write to `slack` beats after its last read."""
    beats = [i for i in range(2, 20) if i % step == 0]
    live = []
    for element in range(20):
        reads = [k for k, i in enumerate(beats) if element in (i, i - 2)]
        if not reads:
            live.append((2 * element, 2 * element))
            continue
        end = reads[-1] + slack
        live.append((2 * element, 2 * beats[end] + 1 if end < len(beats) else 99))
    return max(sum(a <= t <= b for a, b in live) for t in range(0, 40, 2))


@pytest.mark.parametrize("step", [1, 2, 3])
@pytest.mark.parametrize("slack", [0, 1, 3])
def test_slack_counts_beats_of_the_reader(step: int, slack: int) -> None:
    assert max_live(window(step), slack) == counted(step, slack)
