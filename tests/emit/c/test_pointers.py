"""Cells by pointers: of references that data choose, and of those that no iteration makes always.

What plans say of the C is run beside the source.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.emit.output_folder import write_folder
from hlsmem.program.model import Program
from hlsmem.questions.planned_checks import run_checks
from tests.plans import plan_c, whole_files
from tests.steps import load

LOOK_UP = """\
#define T 6
#define S 8
#define N 20
void f(const int in[S], const unsigned char idx[N], int out[N]) {
    int cost[T + 1][S];
    for (int t = 0; t <= T; t++)
        for (int s = 0; s < S; s++)
            cost[t][s] = t == 0 ? in[s] / 4 : cost[t - 1][S - 1 - s] / 2;
    for (int i = 0; i < N; i++)
        out[i] = cost[T][idx[i] & 7];
}
"""
BY_A_VARIABLE = LOOK_UP.replace("out[i] =", "{ int b = idx[i] & 7; out[i] =").replace(
    "idx[i] & 7];\n}", "b]; }\n}"
)
# A row more than two behind, by cells modulo 3; neither the write nor the reads are always made.
GUARDED = """\
#define N 14
void f(const int in[N][N], int out[N][N]) {
    int t[N][N];
#pragma scop
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++) {
P:          t[y][x] = in[y][x] + 1;
            if (y >= 3)
Q:              out[y][x] = t[y - 3][x] + t[y - 1][x];
        }
#pragma endscop
}
"""
# gcc 12 at -O2 computes `!T0` of the variable for `break` ahead of the turn that sets it.
LEFT = """\
#define N 8
int f(const int x[N], int out[N]) {
    int r = N, t[N];
    for (int i = 0; i < N; i++)
        t[i] = x[i] - 3;
    for (int i = 0; i < N; i++)
        if (t[i] < 0) {
            r = i;
            break;
        }
    out[0] = r;
    return r;
}
"""


@pytest.mark.few("text0", "text3")
@pytest.mark.parametrize("text", [LOOK_UP, BY_A_VARIABLE, GUARDED, LEFT])
def test_c_does_what_its_source_does(tmp_path: Path, text: str) -> None:
    (tmp_path / "f.c").write_text(text)
    write_folder(tmp_path / "out", whole_files(plan_c(load(tmp_path / "f.c"))))
    found = run_checks(tmp_path / "out", only=("host",)).verdicts
    assert [one for one in found if one.status.value == "fail"] == []
    assert any("bit-equal" in one.detail for one in found)


def test_sizes_hold_what_data_choose(tmp_path: Path) -> None:
    """Nothing says that `b` fits into less than the 8 elements that it chooses of."""
    (tmp_path / "f.c").write_text(BY_A_VARIABLE)
    program = load(tmp_path / "f.c").input
    assert isinstance(program, Program)
    assert str(program.context) == "[T, S, N] -> {  : T > 0 and S >= 8 and N > 0 }"


@pytest.mark.dear
def test_a_test_that_always_holds_is_no_step(tmp_path: Path) -> None:
    """As a step, in which all that it reads is loaded first, C had nothing for `t[i] - t[i]`."""
    text = """\
void f(const short in[9][9], short out[9][9]) {
    short t[9][9];
    for (int y = 0; y < 9; y++)
        for (int x = 0; x < 9; x++) {
            t[y][x] = in[y][x];
            if (y > 1)
                out[y][x] = t[y - 2][x];
            if (t[y][x] - t[y][x] < 40)
                out[y][x] = t[y][x] + 1;
        }
}
"""
    (tmp_path / "f.c").write_text(text)
    write_folder(tmp_path / "out", whole_files(plan_c(load(tmp_path / "f.c"))))
    found = run_checks(tmp_path / "out", only=("host",)).verdicts
    assert [one for one in found if one.status.value == "fail"] == []
