"""Maxima where isl itself fails, in the programs in which that was found."""

from __future__ import annotations

from pathlib import Path

from hlsmem.pipeline import plan_storage
from hlsmem.polyhedra import Set
from hlsmem.polyhedra.extremes import lexmax
from tests.read.loading import load_text

KERNEL = """\
#define N 5
void f(int B[3])
{
    int A[6];
#pragma scop
    for (int x = 0; x < 6; x++)
        A[x] = 5;
    for (int i = 1; i < N; i += 2) {
        A[i] += A[i + 1];
        A[2] = A[3] + A[i - 1] + B[N - i - 2];
    }
    for (int i = 0; i < N; ++i)
        A[i + 1] = i + A[i + 1];
#pragma endscop
}
"""
DESIGN = """\
hlsmem: 1
name: f
params: {N: 5}
context: "[N] -> { : 5 <= N <= 5 }"
kernel: {file: f.c}
arrays: {B: {storage: memory}}
schedule: >-
  [N] -> { S0[i] -> [0, i, 0, 0]; S1[i] -> [1, i, 0, 1]; S2[i] -> [1, i, 1, 2];
  S3[i] -> [2, i, 0, 3] }
"""


def test_the_greatest_point() -> None:
    assert lexmax(Set("{ [0, 5]; [2, i] : 0 <= i < 4 }")).is_equal(Set("{ [2, 3] }"))


def test_a_program_of_which_isl_finds_no_last_read_at_first(tmp_path: Path) -> None:
    (tmp_path / "f.c").write_text(KERNEL)
    plan = plan_storage(load_text(tmp_path, DESIGN)).plan
    assert plan.arrays["A"].mapping.cells == 6
