"""C that runs tiles of any size: all sizes and origins leave what the program leaves."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from math import prod
from pathlib import Path

import pytest

from hlsmem.emit.output_folder import write_folder
from hlsmem.planner.output_files import output_files
from hlsmem.planner.planning_sequence import plan_design
from tests.families import by_default
from tests.steps import load

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"

# As examples/e1, with all values in `out` too.
E1 = """\
hlsmem: 1
name: e1
params: {m: 9, n: 4}
context: "[m, n] -> { : m >= 4 and n >= 4 }"
arrays:
  A: {type: int32, extents: [m, n]}
  out: {type: int32, extents: [m, n], storage: external}
network:
  e1:
    statements:
      S:
        domain: "[m, n] -> { S[i, j] : 0 <= i < m and 0 <= j < n }"
        schedule: "[m, n] -> { S[i, j] -> [i, j] }"
        reads:
          - "[m, n] -> { S[i, j] -> A[i - 1, j - 2] : i >= 1 and j >= 2 }"
          - "[m, n] -> { S[i, j] -> A[i - 1, j] : i >= 1 }"
          - "[m, n] -> { S[i, j] -> A[i - 1, j + 1] : i >= 1 and j < n - 1 }"
        writes: ["[m, n] -> { S[i, j] -> A[i, j] }", "[m, n] -> { S[i, j] -> out[i, j] }"]
        body: "A = out = 3*a0 + 2*a1 + a2 + 1"
plan: {schedules: tiled, bands: [{kind: tiled, rows: [i, i + j]}]}
host: {tiled: true}
"""
HEAT = """\
#define N 5
#define T 4
void heat(const int start[N][N], int end[T][N][N])
{
    int a[T][N][N];
#pragma scop
    for (int t = 0; t < T; t++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                if (t == 0)
Load:               a[t][i][j] = start[i][j];
                else if (i >= 1 && i < N - 1 && j >= 1 && j < N - 1)
Step:               a[t][i][j] = a[t - 1][i][j] + 2 * a[t - 1][i - 1][j] + 3 * a[t - 1][i + 1][j]
                        + 5 * a[t - 1][i][j - 1] + 7 * a[t - 1][i][j + 1];
                else
Edge:               a[t][i][j] = a[t - 1][i][j] + 1;
Store:          end[t][i][j] = a[t][i][j];
            }
#pragma endscop
}
"""
HEAT_DESIGN = """\
hlsmem: 1
name: heat
params: {N: 5, T: 4}
kernel: {file: heat.c, function: heat}
plan: {schedules: tiled, bands: [{kind: tiled, rows: [t, t + i, t + j]}]}
host: {tiled: true}
"""
# Runs tilings of all sizes and origins, and counts those that leave something else.
MAIN = """\
#include <stdio.h>
#include <string.h>
#include "{name}.h"
static long extent[] = {{{extents}}};
{arrays}
static void fill(void)
{{
    unsigned char *p = (unsigned char *){first};
    for (size_t i = 0; i < sizeof {first}; i++)
        p[i] = i % 4 ? 0 : (unsigned char)(i * 37 + 11);
}}
int main(void)
{{
    enum {{ ROWS = sizeof extent / sizeof *extent }};
    long size[ROWS], origin[ROWS], runs = 0, wrong = 0;
    static {last_type} expected{last_extents};
    fill();
    {name}({arguments});
    memcpy(expected, {last}, sizeof expected);
    for (int k = 0; k < ROWS; k++)
        size[k] = 1, origin[k] = 0;
    for (;;) {{
        memset({last}, 0x5a, sizeof {last});
        fill();
        {name}_tiled({arguments}{comma}size, origin);
        runs++;
        wrong += memcmp(expected, {last}, sizeof expected) != 0;
        int k = 0;
        while (k < ROWS && ++origin[k] == size[k]) {{
            origin[k] = 0;
            if (++size[k] <= extent[k])
                break;
            size[k++] = 1;
        }}
        if (k == ROWS)
            break;
    }}
    printf("%ld of %ld\\n", wrong, runs);
    return 0;
}}
"""


def planned(folder: Path, design: str, kernels: dict[str, str]) -> Path:
    for name, text in {"design.yaml": design, **kernels}.items():
        (folder / name).write_text(text)
    write_folder(folder / "out", output_files(plan_design(load(folder / "design.yaml"))))
    return folder / "out" / "host"


def wrong(
    host: Path, name: str, arrays: Sequence[tuple[str, str]], extents: Sequence[int], *flags: str
) -> tuple[int, int]:
    """Tilings that leave something else in the last array, and how many there are."""
    first, (last, last_extents) = arrays[0], arrays[-1]
    text = MAIN.format(
        name=name,
        extents=", ".join(map(str, extents)),
        arrays="\n".join(f"static int {array}{sizes};" for array, sizes in arrays),
        first=first[0],
        last=last,
        last_type="int",
        last_extents=last_extents,
        arguments=", ".join(array for array, _ in arrays),
        comma=", ",
    )
    (host / "main.c").write_text(text)
    command = ["gcc", "-std=c99", "-O1", "-Wall", "-Wextra", "-Werror", *flags]
    command += ["-o", "main", "main.c", f"{name}.c"]
    subprocess.run(command, cwd=host, check=True)
    environment = {**os.environ, "OMP_NUM_THREADS": "4"}
    done = subprocess.run(
        ["./main"], cwd=host, check=True, capture_output=True, text=True, env=environment
    )
    found, total = done.stdout.split(" of ")
    return int(found), int(total)


def with_modulus(host: Path, text: str) -> None:
    file = host / "e1.c"
    source = file.read_text()
    assert "3 * E1_n - 4" in source
    file.write_text(source.replace("3 * E1_n - 4", text))


E1_ARRAYS = [("out", "[9][4]")]


@pytest.mark.few("serial")
@pytest.mark.parametrize("flags", [(), ("-fopenmp",)], ids=["serial", "parallel"])
def test_every_tiling_of_example_1(tmp_path: Path, flags: Sequence[str]) -> None:
    """Golden: of 3510 tilings 2909 fail with a cell less, and 1700 with one more."""
    host = planned(tmp_path, E1, {})
    assert wrong(host, "e1", E1_ARRAYS, (9, 12), *flags) == (0, 3510)
    with_modulus(host, "3 * E1_n - 5")
    failing, total = wrong(host, "e1", E1_ARRAYS, (9, 12), *flags)
    assert total == 3510
    assert failing == 2909 or (flags and failing > 1000)


def test_a_cell_more_is_not_enough_either(tmp_path: Path) -> None:
    host = planned(tmp_path, E1, {})
    with_modulus(host, "3 * E1_n - 3")
    source = (host / "e1.h").read_text()
    (host / "e1.h").write_text(source.replace("3 * E1_n - 4", "3 * E1_n - 3"))
    assert wrong(host, "e1", E1_ARRAYS, (9, 12)) == (1700, 3510)


@pytest.mark.long
@pytest.mark.parametrize("flags", [(), ("-fopenmp",)], ids=["serial", "parallel"])
def test_tiles_of_three_rows(tmp_path: Path, flags: Sequence[str]) -> None:
    host = planned(tmp_path, HEAT_DESIGN, {"heat.c": HEAT})
    arrays = [("start", "[5][5]"), ("end", "[4][5][5]")]
    extents = by_default((4, 5, 5), (4, 8, 8)) if not flags else (4, 3, 4)
    total = prod(extent * (extent + 1) // 2 for extent in extents)
    assert wrong(host, "heat", arrays, extents, *flags) == (0, total)


def test_rows_of_several_nests_behind_each_other(tmp_path: Path) -> None:
    kernel = (EXAMPLES / "jacobi_tiles" / "jacobi_tiles.c").read_text()
    design = (EXAMPLES / "jacobi_tiles" / "design.yaml").read_text()
    host = planned(tmp_path, design, {"jacobi_tiles.c": kernel})
    text = (host / "jacobi_tiles.c").read_text()
    assert text.count("#pragma omp parallel for") == 2
    arrays = [("start", "[12]"), ("end", "[12]")]
    assert wrong(host, "jacobi_tiles", arrays, (9, 12)) == (0, 45 * 78)


def test_sizes_below_one_leave_a_row_whole(tmp_path: Path) -> None:
    host = planned(tmp_path, E1, {})
    (host / "whole.c").write_text(
        """\
#include <limits.h>
#include <string.h>
#include "e1.h"
int main(void)
{
    static int expected[9][4], found[9][4];
    const long sizes[][2] = {{0, -3}, {LONG_MIN, LONG_MAX}, {5, 0}, {LONG_MAX, LONG_MAX}};
    const long origins[][2] = {{7, 7}, {-1, LONG_MAX - 3}, {-12, 3}, {LONG_MAX - 4, -5}};
    e1(expected);
    for (int k = 0; k < 4; k++) {
        memset(found, 0x5a, sizeof found);
        e1_tiled(found, sizes[k], origins[k]);
        if (memcmp(expected, found, sizeof found))
            return k + 1;
    }
    return 0;
}
"""
    )
    command = ["gcc", "-std=c99", "-fsanitize=undefined", "-fno-sanitize-recover=all"]
    subprocess.run([*command, "-o", "whole", "whole.c", "e1.c"], cwd=host, check=True)
    assert subprocess.run(["./whole"], cwd=host).returncode == 0


def test_the_header_names_rows_sizes_and_origins(tmp_path: Path) -> None:
    host = planned(tmp_path, E1, {})
    header, page = (host / "e1.h").read_text(), (host / "README.md").read_text()
    for text in (header, page):
        assert "e1_tiled(int32_t out[E1_m][E1_n], const long size[2], const long origin[2])" in text
    assert "Cut are the rows i; i + j" in header
    assert "`e1_tiled` and `e1_tiled_ws` do the same tile by tile" in page
