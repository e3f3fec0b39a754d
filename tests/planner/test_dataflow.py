"""Stages of a DATAFLOW region: they overlap in the order taken, within the intervals asked for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import hlsmem_verify
from hlsmem.plan import to_json
from hlsmem.planner.plan_assembly import Planning
from hlsmem.planner.planning_sequence import plan_design
from hlsmem.read.design import load

STEPS = ("kernel.loops=pipelined", "kernel.parameters=auto")
TASKS = """\
#define N 32
static void first(const int in[N], int s[N]) { for (int i = 0; i < N; i++) s[i] = in[i] + 1; }
static void second(const int s[N], int t[N]) { for (int i = 0; i < N; i++) t[i] = 3 * s[i]; }
static void third(const int t[N], int out[N]) { for (int i = 0; i < N; i++) out[i] = t[i] - 5; }
void top(const int in[N], int out[N]) {
#pragma HLS DATAFLOW
    int s[N], t[N];
    first(in, s);
    second(s, t);
    third(t, out);
}
"""
# A row is read from its end: with one row the next has to wait.
ROWS = """\
#define H 8
#define W 6
static void first(const char in[H][W], char t[H][W]) {
    for (int y = 0; y < H; y++) for (int x = 0; x < W; x++) t[y][x] = in[y][x] + 1;
}
static void second(const char t[H][W], char out[H][W]) {
    for (int y = 0; y < H; y++) for (int x = 0; x < W; x++) out[y][x] = t[y][W-1-x];
}
void top(const char in[H][W], char out[H][W]) {
#pragma HLS DATAFLOW
    char t[H][W];
    first(in, t);
    second(t, out);
}
"""


def planned(folder: Path, text: str, *settings: str) -> Planning:
    (folder / "top.c").write_text(text)
    return plan_design(load(folder / "top.c", settings=[*STEPS, *settings]))


def words(planning: Planning) -> dict[str, tuple[str, int]]:
    return {name: (one.kind, one.words) for name, one in planning.plan.memories.items()}


@pytest.mark.parametrize(
    ("settings", "held"),
    [
        ((), {"s": ("registers", 1), "t": ("registers", 1)}),
        (("schedule=text",), {"s": ("fifo", 2), "t": ("fifo", 2)}),
        (("schedule=text", "plan.capacity=schedule"), {"s": ("fifo", 32), "t": ("fifo", 32)}),
    ],
)
def test_stages_overlap(
    tmp_path: Path, settings: tuple[str, ...], held: dict[str, tuple[str, int]]
) -> None:
    planning = planned(tmp_path, TASKS, *settings)
    found = words(planning)
    assert {name: found[name] for name in held} == held
    is_scheduled = "plan.capacity=schedule" in settings
    assert ("DATAFLOW" in "".join(planning.plan.remarks)) == is_scheduled
    proved = hlsmem_verify.verify(json.loads(to_json(planning.plan)))
    assert (proved["false"], proved["open"]) == ([], {})


def test_fewer_words_cost_a_kernel_no_cycles(tmp_path: Path) -> None:
    whole = planned(tmp_path, ROWS, "schedule=text", "plan.capacity=schedule").plan
    plan = planned(tmp_path, ROWS, "schedule=text").plan
    assert plan.timing is not None
    assert whole.timing is not None
    assert plan.timing.cycles == whole.timing.cycles
    assert any("of fewest words it takes" in one for one in plan.remarks)
    few = planned(tmp_path, ROWS, "schedule=text", "plan.objective=words").plan
    assert few.timing is not None
    assert few.timing.cycles is not None
    assert few.timing.cycles > 1.5 * (plan.timing.cycles or 0)
    assert few.memories["t"].words < plan.memories["t"].words


def test_bounds_in_the_order_of_c_are_in_the_times_of_the_plan(tmp_path: Path) -> None:
    """C keeps no streams of the hardware, whose times have an entry more."""
    planning = planned(tmp_path, ROWS.replace("#pragma HLS DATAFLOW", ""), "plan.objective=words")
    plan = planning.plan
    assert plan.found_order is not None
    assert plan.arrays["t"].host is not None
    assert plan.arrays["t"].host.bound is not None
    proved = hlsmem_verify.verify(json.loads(to_json(plan)))
    assert (proved["false"], proved["open"]) == ([], {})


@pytest.mark.dear
def test_an_order_keeps_the_interval_of_the_text(tmp_path: Path) -> None:
    text = """\
#define N 8
#define W 8
void f(const int in[N][W], int out[N]) {
    int a[N][W], s[N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < W; j++) {
#pragma HLS PIPELINE II=1
            a[i][j] = in[i][j] + 1;
        }
    for (int i = 0; i < N; i++) {
        s[i] = 0;
        for (int j = 0; j < W; j++) {
#pragma HLS PIPELINE II=1
            s[i] += a[i][W-1-j] * a[i][j];
        }
    }
    for (int i = 0; i < N; i++) out[i] = s[i];
}
"""
    kept = planned(tmp_path, text).plan
    assert kept.found_order is None
    assert any("the text's order is kept: another takes" in one for one in kept.remarks)
    few = planned(tmp_path, text, "plan.objective=words").plan
    assert few.found_order is not None
    assert few.timing is not None
    assert kept.timing is not None
    assert (few.timing.interval or 0) > (kept.timing.interval or 0)
