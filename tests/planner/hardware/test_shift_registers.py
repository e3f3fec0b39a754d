"""Shift registers by hand are named where they cost, and what is advised does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.planner.hardware.shift_registers import shift_remarks
from hlsmem.planner.planning_sequence import plan_design
from tests.steps import load

BY_HAND = """\
#define N 24
void f(const int in[N], int out[N]) {
    static int w[4];
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < 3; k++)
            w[k] = w[k + 1];
        w[3] = in[i];
        out[i] = w[0] + w[1] + w[2] + w[3];
    }
}
"""
AS_ARRAY = """\
#define N 24
void f(const int in[N], int out[N]) {
    int t[N + 3];
    for (int i = 0; i < 3; i++)
        t[i] = 0;
    for (int i = 0; i < N; i++) {
        t[i + 3] = in[i];
        out[i] = t[i] + t[i + 1] + t[i + 2] + t[i + 3];
    }
}
"""


def told(folder: Path, text: str) -> tuple[list[str], float | None]:
    (folder / "f.c").write_text(text)
    planning = plan_design(load(folder / "f.c"))
    timing = planning.plan.timing
    remarks = [
        f"{one.source_location}: {one.what}"
        for one in shift_remarks(planning.folded, planning.placement)
    ]
    assert all(any(what in one for one in planning.plan.remarks) for what in remarks)
    return remarks, None if timing is None else timing.interval


def test_a_window_that_is_moved_is_named_and_an_array_has_a_step_a_cycle(tmp_path: Path) -> None:
    remarks, interval = told(tmp_path, BY_HAND)
    assert remarks == ["f.c:6:13: 'w' is shifted by hand, and each move takes a beat"]
    assert interval is not None
    assert interval > 1.3
    assert told(tmp_path, AS_ARRAY) == ([], 1)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("w[k] = w[k + 1]", "w[k] = w[k + 1] + 1"),
        ("w[k] = w[k + 1]", "w[k] = w[3 - k]"),
        ("w[k] = w[k + 1]", "w[k] = w[k]"),
    ],
)
def test_what_is_computed_is_no_shift(tmp_path: Path, old: str, new: str) -> None:
    assert told(tmp_path, BY_HAND.replace(old, new))[0] == []
