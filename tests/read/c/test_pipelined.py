"""Pipelined loops: those inside are written iteration by iteration, sums become one assignment."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.planner.planning_sequence import plan_design
from tests.read.c.readings import bodies, read
from tests.steps import load

WINDOW = """\
#define H 12
#define W 16
#define K 3
void f(const unsigned char in[H][W], unsigned char out[H][W]) {
    unsigned char t[H][W];
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
#pragma HLS PIPELINE II=1
            t[y][x] = in[y][x];
            if (y >= 2 && x >= 2) {
                int s = 0;
                for (int i = 0; i < K; i++)
                    for (int j = 0; j < K; j++)
                        s += t[y - i][x - j];
                out[y][x] = s / 9;
            } else {
                out[y][x] = 0;
            }
        }
}
"""


def test_a_window_that_is_summed_in_loops_is_a_chain_with_a_step_a_cycle(tmp_path: Path) -> None:
    (tmp_path / "f.c").write_text(WINDOW)
    plan = plan_design(load(tmp_path / "f.c")).plan
    assert set(plan.arrays) == {"t"}
    assert [memory.kind for memory in plan.memories.values()] == ["chain"]
    assert plan.memories["t"].words == 2 * 16 + 3
    assert plan.timing is not None
    assert plan.timing.interval == 1
    tested, made = plan.remarks
    # out is written while rows of in are still to be read.
    assert tested.startswith("C tests at its entry that these lie apart: in and out (f_apart())")
    assert made == (
        "f.c:4:28: memories alone are made: 'in' stays outside: it has no stream;"
        " set arrays.in.storage: stream"
    )


def test_the_turns_of_a_size_stay_a_number(tmp_path: Path) -> None:
    assert read(tmp_path, WINDOW).values == {"H": 12, "W": 16}


TAPS = """\
#define T 40
void f(const int in[90], const int c[T], int out[90]) {
    for (int i = 0; i < 90; i++) {
#pragma HLS PIPELINE II=1
        int s = 0;
        for (int k = 0; k < T; k++)
            if (i >= k)
                s += c[k] * in[i - k];
        out[i] = s;
    }
}
"""


@pytest.mark.parametrize(("taps", "is_written_out"), [(40, True), (128, True), (129, False)])
def test_the_taps_of_a_filter_are_written_out(
    tmp_path: Path, taps: int, is_written_out: bool
) -> None:
    program = read(tmp_path, TAPS.replace("T 40", f"T {taps}"))
    assert (len(program.statements) == 1) == is_written_out
    (out,) = (one for one in program.statements if one.writes[0].array == "out")
    assert (len(out.reads) == 2 * taps) == is_written_out


@pytest.mark.parametrize(
    "old",
    ["#pragma HLS PIPELINE II=1\n", "PIPELINE II=1", "i = 0; i < K", "int i"],
)
def test_without_a_pipeline_or_known_turns_loops_stay(tmp_path: Path, old: str) -> None:
    new = {"PIPELINE II=1": "PIPELINE off", "i = 0; i < K": "i = y; i < y + K", "int i": "long i"}
    text = WINDOW.replace(old, new.get(old, "")).replace("t[y - i]", "t[y - (i & 1)]")
    assert "s" in read(tmp_path, text).arrays


def test_pragmas_that_are_ignored_write_nothing_out(tmp_path: Path) -> None:
    assert "s" in read(tmp_path, WINDOW, "kernel.pragmas=ignore").arrays


BODY = """\
void f(const float a[8][8], float b[8][8], const short k[8][8], int c[8][8]) {
    float q[8][8];
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 8; x++) {
            q[y][x] = a[y][x] * 2;
#pragma HLS PIPELINE
            BODY
            b[y][x] = q[y][x];
        }
}
"""


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("int s = k[y][x]; s += 3; c[y][x] = s;", "c[y][x] = k[y][x] + 3"),
        ("short s = k[y][x] * 3; c[y][x] = -s;", "c[y][x] = -((short) (k[y][x] * 3))"),
        ("float s = 1; s += a[y][0]; c[y][x] = s > 2;", "c[y][x] = (((float) 1) + a[y][0]) > 2"),
        ("double s = 0.5f; c[y][x] = s < a[y][x];", "c[y][x] = ((double) 0.5f) < a[y][x]"),
        ("int s; s = k[y][x]; s = 5 - s; c[y][x] = s;", "c[y][x] = 5 - k[y][x]"),
        ("int s = x; if (y > 3) c[y][x] = s + 1;", "c[y][x] = x + 1"),
        ("int s = k[y][x]; c[y][x] = y > 3 ? 1 : s;", None),
        ("int s = k[y][x]; if (y > 3) c[y][x] = s;", None),
        ("int s = k[y][x]; q[y][x] += 1; c[y][x] = s;", None),
        ("float s = q[y][x]; q[y][x] += 1; c[y][x] = s > 1;", None),
        ("int s = k[y][x]; c[y][x] = s * s;", None),
        ("int t = y * x, s = t + 1; if (y > 1) { int t = s; c[y][x] = t * t; } c[0][x] = t;", None),
        ("int s = k[y][x]; c[y][x] = s; c[y][0] = s;", None),
        ("int s = k[y][x], t = s; s = 1; c[y][x] = t + s;", "c[y][x] = k[y][x] + 1"),
        ("int t = x, s = t + y; t = 1; c[y][x] = s + t;", "c[y][x] = (x + y) + 1"),
    ],
)
def test_a_scalar_stands_where_it_is_used_once(
    tmp_path: Path, body: str, wanted: str | None
) -> None:
    program = read(tmp_path, BODY.replace("BODY", body))
    if wanted is None:
        assert "s" in program.arrays
    else:
        assert not {"s", "t"} & set(program.arrays)
        assert wanted in bodies(program)
