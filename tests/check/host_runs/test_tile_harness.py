"""The host check of a tile: its function against the instances of the tile in the original."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.check.host_runs.host_check import check_host
from hlsmem.check.rebuilt.rebuilt_program import arranged
from hlsmem.core.verdict import Status, Verdict
from hlsmem.emit.output_folder import write_folder
from hlsmem.plan import Plan
from hlsmem.planner.planning_sequence import plan_design
from hlsmem.program.options import Design
from tests.plans import whole_files
from tests.steps import load

# A tile anywhere: its place is two parameters that the kernel does not have.
DESIGN = """hlsmem: 1
name: kernel
params: {N: 12, R: 1, S: 1}
context: "[N, R, S] -> { : N = 12 and 0 <= R <= 2 and 0 <= S <= 2 }"
kernel: {file: kernel.c}
schedule: >
  { P[y,x] -> [floor(y/4), floor(x/4), x, 0, y]; C[y,x] -> [floor(y/4), floor(x/4), x, 1, y] }
plan: {tile: "[R, S] -> { [row, column] : row = R and column = S }"}
"""
KERNEL = """
#define N 12
void blur(const int in[N][N + 2], int out[N][N])
{
    int blurx[N][N];
#pragma scop
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++) {
P:          blurx[y][x] = in[y][x] + in[y][x + 1] + in[y][x + 2];
            if (y >= 2)
C:              out[y - 2][x] = blurx[y - 2][x] + blurx[y - 1][x] + blurx[y][x];
        }
#pragma endscop
}
"""
# A sum that comes into the tile and leaves it: what is read first is not in its cells.
SUM = """
#define N 12
void sums(const int in[N][N], int out[N])
{
    int t[N];
#pragma scop
    for (int i = 0; i < N; i++)
Z:      t[i] = 0;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
A:          t[i] += in[i][j];
    for (int i = 0; i < N; i++)
C:      out[i] = t[i];
#pragma endscop
}
"""
SUM_DESIGN = """hlsmem: 1
name: kernel
params: {N: 12}
context: "[N] -> { : N = 12 }"
kernel: {file: kernel.c}
schedule: >
  { Z[i] -> [0, 0, 0, i]; A[j,i] -> [1, floor(j/4), i, j]; C[i] -> [2, 0, 0, i] }
plan: {tile: "{ [k, part] : k = 1 and part = 1 }"}
"""


def written(folder: Path, kernel: str, design: str) -> tuple[Path, Design, Plan]:
    """The OUT of a design, and what it was made of."""
    folder.mkdir()
    (folder / "kernel.c").write_text(kernel)
    (folder / "design.yaml").write_text(design)
    planning = plan_design(load(folder / "design.yaml"))
    files: dict[str, str | bytes] = {**whole_files(planning)}
    write_folder(folder / "out", files)
    return folder / "out", planning.design, planning.plan


def check(out: Path, design: Design, plan: Plan) -> tuple[Verdict, ...]:
    return check_host(out, design, arranged(design.input), plan)


def failure(out: Path, design: Design, plan: Plan) -> str:
    (verdict,) = [v for v in check(out, design, plan) if v.status is not Status.PASS]
    assert verdict.status is Status.FAIL
    return verdict.detail


@pytest.fixture(scope="module")
def blur(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Design, Plan]:
    return written(tmp_path_factory.mktemp("tile") / "blur", KERNEL, DESIGN)


@pytest.mark.dear
def test_a_tile_is_a_function_of_its_own(blur: tuple[Path, Design, Plan]) -> None:
    out, design, plan = blur
    header = (out / "host/kernel.h").read_text()
    head = "int blurx[BLUR_TILE_N][BLUR_TILE_N], int R, int S, void *BLUR_TILE_RESTRICT ws);"
    assert head in " ".join(header.split())
    verdicts = check(out, design, plan)
    first, *rest = [one.detail for one in verdicts]
    assert first.startswith("bit-equal to the original at N=12, R=1, S=1; N=12, R=0, S=0; ")
    assert "clean under address and undefined sanitizers" in rest
    assert {one.status for one in verdicts} == {Status.PASS, Status.NOT_JUDGED}


FAULTS = {
    "the last row is dropped": ("y <= 4 * R + 3; y++", "y <= 4 * R + 2; y++"),
    "the first row is dropped": ("if (R >= 1) {", "if (R >= 2) {"),
    "a wrong origin": ("int x = 4 * S;", "int x = 4 * S + 1;"),
    "the origin of another tile": ("int x = 4 * S;", "int x = 4 * R;"),
    "an operand from outside that the tile makes": (
        "hlsmem_blurx_cells[hlsmem_blurx_cell(R, S, y - 1, x)]",
        "blurx[y - 1][x]",
    ),
    "what leaves stays": ("blurx[y][x] = hlsmem_blurx_cells", "int kept = hlsmem_blurx_cells"),
    "what does not leave": (
        "int y = 4 * R + 2; y <= 4 * R + 3",
        "int y = 4 * R + 1; y <= 4 * R + 3",
    ),
}


@pytest.mark.few(1)
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_in_a_tile_shows(
    tmp_path: Path, blur: tuple[Path, Design, Plan], fault: str
) -> None:
    out, design, plan = blur
    old, new = FAULTS[fault]
    files: dict[str, str | bytes] = {
        str(file.relative_to(out)): file.read_bytes() for file in out.rglob("*") if file.is_file()
    }
    text = (out / "host/kernel.c").read_text()
    assert old in text
    write_folder(tmp_path / "out", files | {"host/kernel.c": text.replace(old, new)})
    detail = failure(tmp_path / "out", design, plan)
    assert detail.startswith("blur_tile() at N=12")


def test_a_sum_comes_into_the_tile_and_leaves_it(tmp_path: Path) -> None:
    out, design, plan = written(tmp_path / "sum", SUM, SUM_DESIGN)
    text = (out / "host/kernel.c").read_text()
    assert "= t[i] + in[i][" in text
    assert [one for one in check(out, design, plan) if one.status is Status.FAIL] == []


def test_where_there_is_no_function_the_header_says_why(tmp_path: Path) -> None:
    kernel = KERNEL.replace("#pragma endscop", "#pragma endscop\n    out[0][0] = 7;")
    out, design, plan = written(tmp_path / "around", kernel, DESIGN)
    header = (out / "host/kernel.h").read_text()
    reason = "blur() has C around its region, which is no part of a tile"
    assert f"/* There is no function of the tile: {reason}. */" in header
    assert "#define BLURX_CELL(y, x)" in header
    (verdict,) = check(out, design, plan)
    assert verdict.status is Status.SKIPPED
