"""Windows and line buffers shifted by hand are read where their values come from.

What is left is run beside the user's file by the checks `reading`, `replay` and `host`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.emit.output_folder import write_folder
from hlsmem.planner.planning_sequence import plan_design
from hlsmem.program.model import Program, Storage
from hlsmem.program.options import Design
from hlsmem.questions.planned_checks import run_checks
from tests.families import by_default
from tests.fuzz.windows import random_window
from tests.plans import whole_files
from tests.read.c.readings import bodies, read
from tests.steps import load

HEAD = """\
#include <stdint.h>
#define H 9
#define W 12
"""
WINDOW = (
    HEAD
    + """\
void f(const uint8_t in[H][W], uint8_t out[H][W]) {
    static uint8_t lb[2][W];
    uint8_t w[3][3];
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 2; j++)
                    w[i][j] = w[i][j + 1];
            w[0][2] = lb[0][x];
            w[1][2] = lb[1][x];
            w[2][2] = in[y][x];
            lb[0][x] = lb[1][x];
            lb[1][x] = in[y][x];
            if (y >= 2 && x >= 2)
                out[y][x] = (w[0][0] + w[1][1] * 2 + w[2][2] + w[0][2] - w[2][0]) / 4;
        }
}
"""
)
# Without the element in the middle, which a single place of a 3x3 image does not read.
RING = WINDOW.replace("w[1][1] * 2", "w[1][0] + w[1][2] + w[0][1] + w[2][1]")
COLUMN = (
    HEAD
    + """\
void f(const int16_t in[H][W], int out[H][W]) {
    int16_t lb[2][W] = {{0}}, w[3][3] = {{0}};
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            int16_t px = in[y][x], col[3];
            col[0] = lb[0][x];
            col[1] = lb[1][x];
            col[2] = px;
            lb[0][x] = col[1];
            lb[1][x] = px;
            for (int i = 0; i < 3; i++) {
                w[i][0] = w[i][1];
                w[i][1] = w[i][2];
                w[i][2] = col[i];
            }
            out[y][x] = y < 2 || x < 2 ? px : w[0][0] - w[1][1] + w[2][1];
        }
}
"""
)
TAPS = """\
#define N 24
void f(const int in[N], int out[N]) {
    int w[4] = {0};
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < 3; k++)
            w[k] = w[k + 1];
        w[3] = in[i];
        out[i] = w[0] + 2 * w[1] - w[2] + w[3];
    }
}
"""
STAGES = (
    HEAD
    + """\
void f(const uint8_t in[H][W], int out[H][W]) {
    int t[H][W];
    int lb[W], w[2][2];
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            t[y][x] = 3 * in[y][x];
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            w[0][0] = w[0][1];
            w[1][0] = w[1][1];
            w[0][1] = lb[x];
            w[1][1] = t[y][x];
            lb[x] = t[y][x];
            if (y > 0 && x > 0)
                out[y][x] = w[0][0] - w[1][1];
        }
}
"""
)
FLAT = (
    HEAD
    + """\
void f(int n, const uint8_t *restrict in, uint8_t *restrict out) {
    uint8_t lb[W], w[2][2];
    for (int y = 0; y < n; y++)
        for (int x = 0; x < W; x++) {
            w[0][0] = w[0][1];
            w[1][0] = w[1][1];
            w[0][1] = lb[x];
            w[1][1] = in[y * W + x];
            lb[x] = in[y * W + x];
            if (y > 0 && x > 0)
                out[y * W + x] = (w[0][0] + w[0][1] + w[1][0] + w[1][1]) >> 2;
        }
}
"""
)
BACKWARDS = """\
#define N 20
void f(const float in[N], float out[N]) {
    float z[3];
    for (int i = N - 1; i >= 0; i--) {
        z[2] = z[1];
        z[1] = z[0];
        z[0] = in[i];
        if (i < N - 2)
            out[i] = z[0] - z[2];
    }
}
"""
STREAM = """\
#include "hls_stream.h"
#define H 6
#define W 10
void f(hls::stream<unsigned char> &src, hls::stream<unsigned char> &dst) {
    unsigned char lb[W], w[2][2];
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
#pragma HLS PIPELINE II=1
            unsigned char px = src.read();
            for (int i = 0; i < 2; i++)
                w[i][0] = w[i][1];
            w[0][1] = lb[x];
            w[1][1] = px;
            lb[x] = px;
            if (y >= 1 && x >= 1)
                dst.write((w[0][0] + w[0][1] + w[1][0] + w[1][1]) / 4);
        }
}
"""

TWO = """\
#include "hls_stream.h"
#define H 6
#define W 8
static void shift(short w[2][2], const short col[2]) {
    for (int i = 0; i < 2; i++) {
        w[i][0] = w[i][1];
        w[i][1] = col[i];
    }
}
void stage(hls::stream<short> &a, hls::stream<short> &b) {
    static short line[W];
    short w[2][2];
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
#pragma HLS PIPELINE II=1
            short col[2];
            col[0] = line[x];
            col[1] = a.read();
            line[x] = col[1];
            shift(w, col);
            b.write(y > 0 && x > 0 ? w[0][0] - w[1][1] : 0);
        }
}
void second(hls::stream<short> &a, hls::stream<short> &b) {
    static short line[W];
    short w[2][2];
#pragma HLS ARRAY_PARTITION variable=w complete dim=0
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
#pragma HLS PIPELINE II=1
            short col[2];
            col[0] = line[x];
            col[1] = a.read();
            line[x] = col[1];
            shift(w, col);
            b.write(y > 0 && x > 0 ? w[0][1] + w[1][0] : col[1]);
        }
}
void f(hls::stream<short> &src, hls::stream<short> &dst) {
    hls::stream<short> mid;
    stage(src, mid);
    second(mid, dst);
}
"""


def gone(program: Program) -> set[str]:
    assert program.kernel is not None
    assert not set(program.kernel.propagated) & set(program.arrays)
    return set(program.kernel.propagated)


KERNELS = {
    "window": (WINDOW, {"lb", "w"}, {"in": 2 * 12 + 3}),
    "ring": (RING, {"lb", "w"}, {"in": 2 * 12 + 3}),
    "column": (COLUMN, {"lb", "w", "col", "px"}, {"in_0": 24, "in_1": 1}),
    "taps": (TAPS, {"w"}, {"in": 4}),
    "stages": (STAGES, {"lb", "w"}, {"t": 14}),
    "flat": (FLAT, {"lb", "w"}, {"in": 14}),
    "backwards": (BACKWARDS, {"z"}, {}),
    "stream": (STREAM, {"lb", "w", "px"}, {"src": 12, "dst": 1}),
    "two": (TWO, {"line", "line_2", "w", "col"}, {"src": 10, "dst": 1, "mid": 9}),
}


def given(folder: Path, text: str) -> Design:
    name = "f.cpp" if "hls_stream" in text else "f.c"
    (folder / name).write_text(text)
    return load(folder / name, parameters={"n": 7} if "int n" in text else {})


@pytest.mark.parametrize("name", KERNELS)
def test_what_is_handed_on_is_no_array(tmp_path: Path, name: str) -> None:
    text, variables, _ = KERNELS[name]
    program = given(tmp_path, text).input
    assert isinstance(program, Program)
    assert gone(program) == variables


@pytest.mark.dear
@pytest.mark.parametrize("name", KERNELS)
def test_it_does_what_the_users_file_does(tmp_path: Path, name: str) -> None:
    text, _, words = KERNELS[name]
    planning = plan_design(given(tmp_path, text))
    assert {m: one.words for m, one in planning.plan.memories.items()} == words
    assert any("shifted by hand" in one for one in planning.plan.remarks)
    write_folder(tmp_path / "out", whole_files(planning))
    only = ("source", "proof", "reading", "replay", "host")
    verdicts = run_checks(tmp_path / "out", only=only).verdicts
    assert "reading" in {one.check for one in verdicts}
    assert all(one.fine for one in verdicts), verdicts


def test_a_window_in_a_stream_is_a_chain_with_a_step_a_cycle(tmp_path: Path) -> None:
    (tmp_path / "f.cpp").write_text(STREAM)
    plan = plan_design(load(tmp_path / "f.cpp")).plan
    assert [one.kind for one in plan.memories.values()] == ["chain", "registers"]
    assert plan.timing is not None
    assert plan.timing.interval == 1


def test_a_value_that_nobody_copied_is_the_constant_that_was_written(tmp_path: Path) -> None:
    assert bodies(read(tmp_path, TAPS)) == [
        "out[i] = ((((i <= 2) ? (0) : (in[i - 3])) + (2 * ((i <= 1) ? (0) : (in[i - 2]))))"
        " - ((i == 0) ? (0) : (in[i - 1]))) + in[i]"
    ]


@pytest.mark.few("text0", "text2", "text4")
@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        (WINDOW, "y >= 2 && x >= 2", "y >= 2"),  # the last columns of the row before, if not state
        (WINDOW, "y >= 2 && x >= 2", "x >= 2"),  # of an earlier call
        (WINDOW, "w[0][2] = lb[0][x]", "w[0][2] = lb[0][x] + 1"),
        (WINDOW, "uint8_t w[3][3]", "int8_t w[3][3]"),
        (WINDOW, "w[0][2] = lb[0][x]", "w[0][2] = lb[0][in[y][x] % W]"),
        (WINDOW, "w[0][2] = lb[0][x];", "if (in[y][x] > 3) w[0][2] = lb[0][x];"),
        (STAGES, "lb[x] = t[y][x];", "lb[x] = t[y][x]; t[y][x] = 0;"),
        (TAPS, "int w[4] = {0};", "static int w[4];"),
        (TAPS, "{0}", "{0, 1}"),
    ],
)
def test_what_is_no_copy_on_the_way_stays(tmp_path: Path, text: str, old: str, new: str) -> None:
    assert old in text
    assert not gone(read(tmp_path, text.replace(old, new))) & {"w"}


def test_a_window_that_stays_keeps_none_of_its_name(tmp_path: Path) -> None:
    """The second one is of values that were computed on the way."""
    text = TWO.replace("    second(mid, dst);", "    third(mid, dst);").replace(
        "void f(",
        """void third(hls::stream<short> &a, hls::stream<short> &b) {
    short w[2] = {0, 0};
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            w[0] = w[1];
            w[1] = a.read() + 1;
            b.write(w[0]);
        }
}
void f(""",
    )
    program = read(tmp_path, text, "kernel.function=f", name="f.cpp")
    assert program.kernel is not None
    assert set(program.kernel.propagated) == {"line", "w", "col"}
    assert [name for name in program.arrays if name.startswith("w")]


def test_what_was_copied_in_order_comes_as_a_stream(tmp_path: Path) -> None:
    """But where the design says otherwise, or elements are copied out of order, or twice."""
    for text, settings, storage in (
        (WINDOW, [], Storage.STREAM),
        (WINDOW, ["arrays.in.storage=external"], Storage.EXTERNAL),
        (BACKWARDS, [], Storage.EXTERNAL),
        (TAPS.replace("w[3] = in[i]", "w[3] = in[i / 2]"), [], Storage.EXTERNAL),
    ):
        assert read(tmp_path, text, *settings).arrays["in"].storage is storage


def test_what_the_design_has_settings_for_stays(tmp_path: Path) -> None:
    assert gone(read(tmp_path, TAPS, "arrays.w.storage=memory")) == set()


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", range(40))
def test_random_windows_do_what_the_users_file_does(seed: int, tmp_path: Path) -> None:
    (tmp_path / "f.c").write_text(random_window(seed))
    planning = plan_design(load(tmp_path / "f.c"))
    assert isinstance(planning.design.input, Program)
    assert "w" in gone(planning.design.input)
    write_folder(tmp_path / "out", whole_files(planning))
    every = ("source", "proof", "reading", "replay", "host")
    only = by_default(every[1:3], every)
    verdicts = run_checks(tmp_path / "out", only=only).verdicts
    assert all(one.fine for one in verdicts), verdicts
