"""Why a step does not start in every cycle, and intervals that cannot be reached."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.core.errors import InputError
from hlsmem.emit.report import report
from hlsmem.planner.plan_assembly import Planning
from hlsmem.planner.planning_sequence import plan_hardware
from tests.steps import load

KERNEL = """
void k(const int in[16], int out[16])
{{
    int a[64], b[16], s;
#pragma scop
{body}
#pragma endscop
}}
"""

SUM = """\
    s = 0;
    for (int i = 0; i < 16; i++)
S:      s = s + in[i];
C:  out[0] = s;
"""
PAIR = """\
    for (int i = 0; i < 16; i++) {
P:      a[i] = in[i];
Q:      a[i + 16] = 2 * in[i];
    }
    for (int i = 0; i < 16; i++)
C:      out[i] = a[i] + a[i + 16];
"""
# Two statements in turn: each value of a goes through b, and back.
TWO = """\
    a[0] = in[0];
    for (int i = 1; i < 16; i++) {
P:      b[i] = a[i - 1] + in[i];
Q:      a[i] = b[i] + 1;
    }
C:  out[0] = a[15];
"""
# The fourth value back comes in time.
FAR = """\
    for (int i = 0; i < 4; i++)
L:      a[i] = in[i];
    for (int i = 4; i < 64; i++)
S:      a[i] = a[i - 4] + 1;
    for (int i = 0; i < 16; i++)
C:      out[i] = a[i + 48];
"""


ROWS = """\
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
P:          a[8 * i + j] = in[i] + j;
    for (int i = 0; i < 8; i++)
C:      out[i] = a[8 * i] + a[63 - i];
"""


def planning_of(folder: Path, body: str, *settings: str) -> Planning:
    (folder / "k.c").write_text(KERNEL.format(body=body))
    return plan_hardware(load(folder / "k.c", settings=settings))


@pytest.mark.parametrize(
    ("body", "settings", "interval", "reason"),
    [
        (SUM, (), 3.0, "m_s_S waits for s_s_S, whose value is back after 3 cycles"),
        (SUM, ("pipeline.latency.S=4",), 6.0,
         "m_s_S waits for s_s_S, whose value is back after 6 cycles"),
        (PAIR, ("arrays.a.parts=one",), 2.0, "s_a_Q waits at the write port for s_a_P"),
        (TWO, (), 6.0, "m_b_Q waits for s_b_P, whose value is back after 6 cycles"),
        (FAR, (), 1.0, None),
        (FAR, ("pipeline.latency.S=2",), 1.0, None),
        (FAR, ("pipeline.latency.S=6", "arrays.a.parts=one"), 2.0,
         "m_a_S waits for s_a_S, whose value is back after 8 cycles"),
    ],
)  # fmt: skip
def test_the_interval_and_its_reason(
    body: str, settings: tuple[str, ...], interval: float, reason: str | None, tmp_path: Path
) -> None:
    prediction = planning_of(tmp_path, body, *settings).prediction
    assert prediction is not None
    assert prediction.interval == pytest.approx(interval, abs=0.15)
    found = (prediction.reason or "").rpartition(" is held back, as ")[2] or None
    assert found == reason


def test_two_writers_in_parts_of_their_own_do_not_wait_for_each_other(tmp_path: Path) -> None:
    planning = planning_of(tmp_path, PAIR)
    assert len(planning.plan.arrays["a"].hardware.parts) == 2
    assert planning.prediction is not None
    assert (planning.prediction.interval, planning.prediction.reason) == (1.0, None)


def test_reasons_name_the_streams_of_the_top(tmp_path: Path) -> None:
    prediction = planning_of(tmp_path, FAR, "pipeline.latency.S=6").prediction
    assert prediction is not None
    assert "m_a_S waits for s_a_S" in str(prediction.reason)


def test_beats_of_one_step_are_the_reason(tmp_path: Path) -> None:
    prediction = planning_of(tmp_path, ROWS, "pipeline.level=1", "arrays.a.parts=one").prediction
    assert prediction is not None
    assert prediction.interval == 8.0
    assert prediction.reason == "a step has up to 8 beats of s_a_P"


@pytest.mark.parametrize(
    ("body", "asked", "settings", "message"),
    [
        (SUM, 1, (),
         "k.c:8:13: S reads what S writes to 's', which is back after 3 cycles: a step starts"
         " every 3.00 cycles, not in every cycle; set pipeline.interval to 3, or lower"
         " pipeline.latency\n  k.c:8:9: the write"),
        (SUM, 4, ("pipeline.latency.S=3",),
         "k.c:8:13: S reads what S writes to 's', which is back after 5 cycles: a step starts"
         " every 5.00 cycles, not every 4; set pipeline.interval to 5, or lower"
         " pipeline.latency\n  k.c:8:9: the write"),
        (PAIR, 1, ("arrays.a.parts=one",),
         "k.c:8:9: Q and P write to 'a' through its one write port: a step starts every 2.00"
         " cycles, not in every cycle; set pipeline.interval to 2, or let them write to two"
         " arrays\n  k.c:7:9: the other write"),
        (TWO, 5, (),
         "k.c:9:16: Q reads what P writes to 'b', which is back after 6 cycles: a step starts"
         " every 6.00 cycles, not every 5; set pipeline.interval to 6, or lower"
         " pipeline.latency\n  k.c:8:9: the write"),
        (ROWS, 2, ("pipeline.level=1", "arrays.a.parts=one"),
         "k.c:8:13: a step has up to 8 beats of s_a_P: a step starts every 8.00 cycles, not every"
         " 2; set pipeline.interval to 8"),
    ],
)  # fmt: skip
def test_an_interval_that_is_not_reached(
    body: str, asked: int, settings: tuple[str, ...], message: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError) as caught:
        planning_of(tmp_path, body, f"pipeline.interval={asked}", *settings)
    (problem,) = caught.value.problems
    lines = [str(problem), *(f"  {note.source_location}: {note.text}" for note in problem.notes)]
    assert "\n".join(lines).replace(f"{tmp_path}/", "") == message


def test_an_interval_that_is_reached_is_a_bound(tmp_path: Path) -> None:
    planning = planning_of(tmp_path, SUM, "pipeline.interval=4")
    assert planning.plan.timing is not None
    assert (planning.plan.timing.interval, planning.plan.timing.asked) == (3.0, 4)
    asks = "pipeline.interval asks for a step every 4 cycles, or more often: reached."
    assert asks in report(planning.plan)
