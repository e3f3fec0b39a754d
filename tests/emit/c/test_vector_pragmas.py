"""Loops whose iterations are independent, and arguments that overlap in them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from hlsmem.emit.c import loop_printer as region
from hlsmem.host_loops.vector_independence import Independent
from tests.emit.c.plans import Rows, plan_by_hand, read_design
from tests.emit.c.running import agree, emitted

SETTINGS = 'params: {N: 40}\ncontext: "[N] -> { : N >= 4 }"\norder: iteration'
BLUR = """
#define N 40
void f(const float in[N][N], float out[N][N])
{
    float t[N][N];
#pragma scop
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++) {
            t[y][x] = 0.5f * in[y][x] + 1.0f;
            if (y >= 2)
                out[y][x] = t[y - 2][x] + t[y - 1][x] + t[y][x];
        }
#pragma endscop
}
"""
PAIRS: dict[str, Rows] = {"t": [(["1", "0"], "2"), (["0", "1"], "N")]}
SHIFT = """
#define N 40
void f(const int in[N][N], int out[N])
{
    int t[N][N];
#pragma scop
    for (int y = 0; y < N; y++) {
        for (int x = 0; x < N; x++)
            if (x >= 2)
                t[y][x] = t[y][x - 2] + in[y][x];
            else
                t[y][x] = in[y][x];
        out[y] = t[y][N - 1];
    }
#pragma endscop
}
"""
RING: dict[str, Rows] = {"t": [(["N", "1"], "2*N + 1")]}  # how far cells are apart gcc cannot see
DRIVER = """
#include <stdio.h>
#include "kernel.h"
void f_original(const float in[F_N][F_N], float out[F_N][F_N]);
static float want[3 * F_N * F_N], have[3 * F_N * F_N];
typedef float row[F_N];
int main(void)
{
    for (int shift = -F_N * F_N; shift <= F_N * F_N; shift++) {
        for (int k = 0; k < 3 * F_N * F_N; k++)
            want[k] = have[k] = (float)(k * 7919 % 1021);
        f_original((const row *)(want + F_N * F_N), (row *)(want + F_N * F_N + shift));
        f((const row *)(have + F_N * F_N), (row *)(have + F_N * F_N + shift));
        for (int k = 0; k < 3 * F_N * F_N; k++)
            if (want[k] != have[k])
                return printf("shift %d: element %d\\n", shift, k), 1;
    }
    return 0;
}
"""


def overlapping(folder: Path, text: str) -> str:
    """What a run with overlapping arguments prints; "" where nothing differs at any distance."""
    (folder / "kernel.c").write_text(text)
    (folder / "original.c").write_text(BLUR.replace("void f(", "void f_original("))
    (folder / "driver.c").write_text(DRIVER)
    flags = [
        "-std=c99",
        "-O3",
        "-ffp-contract=off",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-Wno-unknown-pragmas",
        "-DF_N=40",
    ]
    files = ["kernel.c", "original.c", "driver.c", "-o", "both"]
    subprocess.run(["cc", *flags, *files], cwd=folder, check=True)
    ran = subprocess.run(["./both"], cwd=folder, capture_output=True, text=True, check=False)
    return ran.stdout


def test_overlapping_arguments_leave_the_bits_of_the_original(tmp_path: Path) -> None:
    design = read_design(tmp_path, BLUR, SETTINGS)
    for name, text in emitted(design, plan_by_hand(design, PAIRS)).items():
        (tmp_path / name).write_text(text)
    text = (tmp_path / "kernel.c").read_text()
    ends = (
        "&in[0][0], &in[F_N - 1][F_N - 1] + 1, &out[2][0],\n            &out[F_N - 1][F_N - 1] + 1"
    )
    assert f"const int hlsmem_apart = hlsmem_are_apart({ends});" in text
    assert overlapping(tmp_path, text) == ""
    untested = text.replace("if (hlsmem_apart)", "if (1 || hlsmem_apart)")
    assert overlapping(tmp_path, untested).startswith("shift ")


def test_a_loop_that_only_fills_cells_needs_no_test(tmp_path: Path) -> None:
    design = read_design(tmp_path, BLUR, SETTINGS)
    text = emitted(design, plan_by_hand(design, PAIRS))["kernel.c"]
    first, rest = text.split("for (int y = 0; y <= 1; y++)")[1].split("for (int y = 2;", 1)
    assert first.count("HLSMEM_IVDEP") == 1
    assert "hlsmem_apart" not in first
    assert rest.count("HLSMEM_IVDEP") == 1


def test_a_loop_that_carries_a_value_has_no_pragma(tmp_path: Path) -> None:
    design = read_design(tmp_path, SHIFT, SETTINGS.replace("iteration", "sequential"))
    text = emitted(design, plan_by_hand(design, RING))["kernel.c"]
    head, carried = text.split("for (int x = 2;", 1)
    assert "t[hlsmem_t_1 + ((size_t)x - (size_t)hlsmem_from)]" in carried
    assert not head.rstrip().endswith("HLSMEM_IVDEP")
    assert "HLSMEM_IVDEP" not in carried.split("t[hlsmem_t_1", 1)[0]


def test_a_pragma_at_distance_2_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    design = read_design(tmp_path, SHIFT, SETTINGS.replace("iteration", "sequential"))
    plan, flags = plan_by_hand(design, RING), ("-O3", "-march=native")
    assert agree(tmp_path / "right", design, plan, flags=flags)
    anything = Independent(apart=frozenset(), in_place=True)
    monkeypatch.setattr(region, "independence", lambda *_: anything)
    assert not agree(tmp_path / "wrong", design, plan, flags=flags)


SOBEL = """
#define N 40
void f(const float in[N][N], float out[N][N])
{
    float t[N][N];
#pragma scop
    for (int y = 0; y < N; y++) {
        for (int x = 0; x < N; x++)
            t[y][x] = 0.5f * in[y][x];
        for (int x = 2; x < N; x++)
            if (y >= 2)
                out[y][x] = t[y - 2][x] + 2 * t[y - 1][x] + t[y][x]
                          - (t[y - 2][x - 2] + 2 * t[y - 1][x - 2] + t[y][x - 2]);
    }
#pragma endscop
}
"""


def test_columns_told_in_two_ways_are_one_loop(tmp_path: Path) -> None:
    """All columns are those from 2 on and those up to N - 3, as readers have them."""
    design = read_design(tmp_path, SOBEL, SETTINGS)
    rows: dict[str, Rows] = {"t": [(["1", "0"], "3"), (["0", "1"], "N")]}
    text = emitted(design, plan_by_hand(design, rows))["kernel.c"].partition("void f_ws(")[2]
    loops = [line.strip() for line in text.splitlines() if "for (int x" in line]
    assert {loop.partition(";")[0] for loop in loops} == {"for (int x = 0", "for (int x = 2"}
    assert not any("x <= 1" in loop for loop in loops)
