"""The sizes at which the host check runs C: inside all arrays, and short."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.check.host_runs import host_sizes
from hlsmem.check.host_runs.host_sizes import MOST_INSTANCES, is_light, sizes_of
from hlsmem.program.model import Program
from tests.plans import plan_c
from tests.steps import load

# Where M is larger than N it leaves `in`.
KERNEL = """
void f(int N, int M, const int in[N], int out[M])
{
    int t[M];
    for (int i = 0; i < M; i++)
        t[i] = in[i];
    for (int i = 0; i < M; i++)
        out[i] = t[M - 1 - i];
}
"""
FOUR = """
void f(int N, int K, const int in[N][N], const int w[K][K], int out[N][N])
{
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++)
            for (int i = 0; i < K; i++)
                for (int j = 0; j < K; j++)
                    out[y][x] += w[i][j] * in[y][x];
}
"""


def program_of(folder: Path, text: str, **values: int) -> Program:
    (folder / "f.c").write_text(text)
    found = load(folder / "f.c", parameters=values, settings=["schedule=text"]).input
    assert isinstance(found, Program)
    return found


def test_small_sizes_stay_inside_all_arrays(tmp_path: Path) -> None:
    (tmp_path / "f.c").write_text(KERNEL)
    found = plan_c(load(tmp_path / "f.c", parameters={"N": 9, "M": 8}))
    assert found.program is not None
    first, *small = sizes_of(found.program, found.plan)
    assert first == {"N": 9, "M": 8}
    assert small[:2] == [{"N": 1, "M": 1}, {"N": 7, "M": 3}]


@pytest.mark.parametrize(("n", "m", "light"), [(70, 70, True), (70, 69, True), (70, 71, False)])
def test_an_access_beyond_an_array_is_not_run(tmp_path: Path, n: int, m: int, light: bool) -> None:
    assert is_light(program_of(tmp_path, KERNEL, N=9, M=8), {"N": n, "M": m}) is light


def test_a_run_of_many_instances_is_not_light(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its arrays are small: 523 rows of 523 elements, in a nest of four loops."""
    monkeypatch.setattr(host_sizes, "MOST_INSTANCES", MOST_INSTANCES)
    program = program_of(tmp_path, FOUR, N=8, K=3)
    assert is_light(program, {"N": 523, "K": 3})
    assert not is_light(program, {"N": 523, "K": 523})
