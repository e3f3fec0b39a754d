"""Sizes of tiles from caches: the table of the paper, recomputed in exact rationals."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from hlsmem.program.model import Program
from hlsmem.schedule_search.block_sizes import tile_of
from hlsmem.schedule_search.caches import Machine
from hlsmem.schedule_search.loop_blocks import nest_of
from hlsmem.schedule_search.loop_times import Times
from tests.emit.c.plans import program_of, read_design

SIZES = [
    (128, 32, 4, 2, "1", 4096),
    (128, 32, 4, 2, "9/10", 3684),
    (128, 32, 4, 3, "1", 2728),
    (128, 32, 4, 4, "1", 2048),
    (128, 32, 4, 3, "9/10", 2456),
    (128, 32, 4, 1, "9/10", 7372),  # the paper prints 7368
    (256, 32, 2, 3, "9/10", 4912),
    (512, 32, 4, 2, "9/10", 3680),
    (512, 32, 4, 1, "9/10", 7360),
    (512, 32, 8, 2, "1", 2048),
    (256, 32, 8, 3, "9/10", 1228),
    (512, 48, 4, 3, "4/5", 3264),
    (128, 32, 4, 2, "1/10000", 4),  # one register, where the formula says none
]


@pytest.mark.parametrize(("bits", "kib", "size", "loads", "rho", "tile"), SIZES)
def test_the_tile_of_the_first_cache(
    bits: int, kib: int, size: int, loads: int, rho: str, tile: int
) -> None:
    machine = Machine(l1_kib=kib, simd_bits=bits, rho=Fraction(rho))
    assert machine.vector_tile(size, loads) == tile


@pytest.mark.parametrize(("first", "second", "tile"), [(32, 256, 8), (32, 1024, 32), (64, 32, 1)])
def test_the_tile_of_the_second_cache(first: int, second: int, tile: int) -> None:
    assert Machine(l1_kib=first, l2_kib=second).outer_tile == tile


def program_in(folder: Path, text: str) -> Program:
    settings = 'params: {N: 512}\ncontext: "[N] -> { : N >= 9 }"'
    return program_of(read_design(folder, text, settings))


PAPER = Machine(l1_kib=32, l2_kib=256, simd_bits=128)


def test_the_blocks_of_correlation_have_three_sizes(tmp_path: Path) -> None:
    """Three elements to centre and reduce, two to accumulate, one to set a row to zero; in the
    order in which b is innermost."""
    times = Times.of(program_in(tmp_path, CORRELATION))
    tiles = [tile_of(times, one, PAPER) for one in times.program.statements]
    assert tiles == [2456, 7372, 3684]


CORRELATION = """
#define N 512
void f(float data[N][N], float symmat[N][N], const float mean[N], const float stddev[N])
{
#pragma scop
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            data[i][j] = (data[i][j] - mean[j]) / stddev[j];
    for (int a = 0; a < N - 1; a++) {
        for (int b = a + 1; b < N; b++)
            symmat[a][b] = 0.0f;
        for (int i = 0; i < N; i++)
            for (int b = a + 1; b < N; b++)
                symmat[a][b] += data[i][a] * data[i][b];
    }
#pragma endscop
}
"""
SUM = """
#define N 512
void f(const float a[N][N], const float b[N][N], const float c[N][N], float d[N][N])
{
#pragma scop
    for (int i = 0; i < N; i++)
        for (int k = 0; k < N; k++)
            for (int j = 2; j < N; j++)
                d[i][j] += BODY;
#pragma endscop
}
"""


@pytest.mark.parametrize(
    ("body", "loads"),
    [
        ("a[i][k]*b[k][j]", 2),
        ("a[i][k]*b[k][j] + a[k][i]*c[k][j]", 3),
        ("a[i][k]*b[k][j] + a[k][i]*c[k][j] + b[i][k]*a[k][j]", 4),
        ("b[k][j] + b[k][j - 1] + b[k][j - 2]", 2),  # within a register of each other
        ("b[k][j] + b[i][j]", 3),  # two rows
        ("a[i][k]", 1),
    ],
)
def test_references_that_move_with_the_loop_are_loaded_anew(
    tmp_path: Path, body: str, loads: int
) -> None:
    times = Times.of(program_in(tmp_path, SUM.replace("BODY", body)))
    (one,) = times.program.statements
    assert nest_of(times, one) is not None
    assert tile_of(times, one, PAPER) == PAPER.vector_tile(4, loads)
