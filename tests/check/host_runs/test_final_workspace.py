"""Of five C files for one plan only the one that follows it passes the host check.

All of them but one give the right results. What C does besides them shows in the workspace, in
its static objects and in its frames.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from hlsmem.check import run_checks
from hlsmem.check.c_runs.c_building import FoundDifferent
from hlsmem.check.host_runs.host_bench import Bench
from hlsmem.check.host_runs.host_check import check_host, memory_verdicts
from hlsmem.core.verdict import Status, Verdict
from hlsmem.emit.output_folder import write_folder
from hlsmem.tools.find import C_COMPILER, find
from tests.check.host_runs.test_host_check import SMALL_TOO, planned
from tests.emit.c.plans import host_files, program_of, read_design
from tests.holdings import cells_in
from tests.plans import plan_c, plan_storage, whole_files, with_host
from tests.steps import load

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"

HEAD = """#include "kernel.h"
#if BLUR_N < 3
#error "blur: the plan holds for N >= 3 only"
#endif
size_t blur_ws_bytes(void) { return BLUR_WS_BYTES; }
void blur_ws(const int in[BLUR_N][BLUR_N + 2], int out[BLUR_N][BLUR_N], void *ws)
{
    int *const blurx = ws;
%s
    for (int y = 0; y < BLUR_N; y++)
        for (int x = 0; x < BLUR_N; x++) {
            %s = in[y][x] + in[y][x + 1] + in[y][x + 2];
            if (y >= 2)
                out[y - 2][x] = %s + %s + %s;
        }
}
void blur(const int in[BLUR_N][BLUR_N + 2], int out[BLUR_N][BLUR_N])
{
    int ws[BLUR_WS_BYTES / sizeof(int) + 3 * BLUR_N];
    blur_ws(in, out, ws);
}
"""
PLAN = "blurx[(BLUR_N * (%s) + x) % (2 * BLUR_N + 1)]"


def in_row(row: str) -> str:
    return PLAN.replace("%s", row)


def text(cell: str, declared: str = "    (void)blurx;") -> str:
    """C for the whole, with the cell of row %s in column x."""
    rows = [cell.replace("%s", row) for row in ("y", "y - 2", "y - 1", "y")]
    return HEAD % (declared, *rows)


def verdicts(folder: Path, source: str | None) -> list[Verdict]:
    out, design, plan = planned(folder, settings=SMALL_TOO)
    if source is not None:
        (out / "host" / "kernel.c").write_text(source)
    return list(check_host(out, design, program_of(design), plan))


@pytest.mark.needs("clang")
@pytest.mark.few("generated")
@pytest.mark.parametrize("source", [None, text(PLAN)], ids=["generated", "by hand"])
def test_c_that_follows_the_plan(tmp_path: Path, source: str | None) -> None:
    found = verdicts(tmp_path, source)
    assert {one.status for one in found} == {Status.PASS}, found
    assert found[1].detail == "it does not compile at N=2, which the plan excludes"
    assert found[2].detail == (
        "exactly the plan's 33 cells of the workspace are written, and hold its values at the end"
    )
    assert found[3].detail == (
        "no static object and no frame holds an array that is folded; a stack of 256 KiB will do"
    )
    # 15 rows of 16 values are loaded later, in 14 rows of instances that load two; by hand
    # the last row is stored too, and the third loaded.
    many = 15 * 16 + 14 * 16 * 2 if source is None else 16 * 16 + 14 * 16 * 3
    assert found[4].detail == (
        f"{many} loads and stores of the workspace, each in its step and in the cell that the"
        " plan has for it"
    )
    assert found[5].detail.startswith("the same under ")


def plants(text: str, *changes: tuple[str, str]) -> str:
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


HAND = text(PLAN)
STORE = f"            {in_row('y')} = in"


@pytest.mark.few("loaded in vain", "stored in part")
@pytest.mark.needs("clang")
@pytest.mark.parametrize(
    ("source", "told"),
    [
        (
            plants(HAND, (STORE, f"            {in_row('y')} = x;\n{STORE}")),
            "bytes 0 to 3 are stored; the plan has blurx[0][1], which P[0, 1] stores, in bytes 4",
        ),
        (
            plants(
                HAND,
                (
                    "            if (y >= 2)",
                    "            int v = blurx[x]; (void)v;\n            if (y >= 2)",
                ),
            ),
            "bytes 0 to 3 are loaded; the plan has blurx[0][1]",
        ),
        (
            plants(HAND, (STORE, f"            ((char *)&{in_row('y')})[1] = 0;\n{STORE}")),
            "bytes 1 to 1 are stored; the plan has blurx[0][0], which P[0, 0] stores, in bytes 0",
        ),
        (
            plants(HAND, ("int *const blurx = ws;", "int *const blurx = ws; blurx[3] = 7;")),
            "bytes 12 to 15 are stored; the plan has blurx[0][0]",
        ),
        (
            plants(HAND, ("    }\n}\nvoid blur(", "    }\n    blurx[5] += 0;\n}\nvoid blur(")),
            "bytes 20 to 23 of the workspace are loaded beyond the plan",
        ),
    ],
    ids=["stored twice", "loaded in vain", "stored in part", "stored before", "loaded after"],
)
def test_accesses_that_the_plan_has_not(tmp_path: Path, source: str, told: str) -> None:
    """Results and what is left in the workspace are the plan's."""
    (one,) = verdicts(tmp_path, source)
    assert one.status is Status.FAIL
    assert told in one.detail


@pytest.mark.few(1)
@pytest.mark.parametrize(("words", "sizes"), [("+ 1", "has 136 bytes at N=16"), ("- 1", "stops")])
def test_a_workspace_of_another_size(tmp_path: Path, words: str, sizes: str) -> None:
    out, design, plan = planned(tmp_path, settings=SMALL_TOO)
    header = out / "host" / "kernel.h"
    text = header.read_text()
    assert text.count("2 * BLUR_N + 1") == 1
    header.write_text(text.replace("2 * BLUR_N + 1", f"2 * BLUR_N + 1 {words}"))
    (one,) = check_host(out, design, program_of(design), plan)
    assert one.status is Status.FAIL
    assert sizes in one.detail


STATIC = "    static int whole[BLUR_N][BLUR_N];\n    (void)blurx;"


@pytest.mark.few("unfolded", "modulus minus one")
@pytest.mark.parametrize(
    ("source", "told"),
    [
        (text("whole[%s][x]", STATIC), "the workspace is left alone at N=16"),
        (
            text("blurx[(%s) % 3 * BLUR_N + x]"),
            "stops: something was written outside the workspace",
        ),
        (
            text("blurx[(2 * (2 * BLUR_N + 1) + (%s) - 2 * x) % (2 * BLUR_N + 1)]"),
            "N=16: cell 1 of blurx does not hold blurx[",
        ),
        (text(PLAN.replace("+ 1)]", ")]")), "the original gives"),
    ],
    ids=["unfolded", "three rows", "another lattice", "modulus minus one"],
)
def test_c_that_does_not(tmp_path: Path, source: str, told: str) -> None:
    (one,) = verdicts(tmp_path, source)
    assert one.status is Status.FAIL
    assert told in one.detail


@pytest.mark.few("volatile")
@pytest.mark.parametrize(
    ("declared", "told"),
    [
        ("    static int whole[BLUR_N][BLUR_N];", "the object whole"),
        ("    volatile int whole[BLUR_N][BLUR_N];", "the frame of blur_ws() grows by "),
    ],
)
def test_other_storage_beside_the_cells(tmp_path: Path, declared: str, told: str) -> None:
    """It writes the plan's cells too, and reads those of its own."""
    source = text(PLAN, f"{declared}\n    (void)blurx;")
    source = source.replace(
        "            if (y", f"            whole[y][x] = {in_row('y')};\n            if (y"
    )
    source = source.replace(in_row("y - 1"), "whole[y - 1][x]")
    (one,) = verdicts(tmp_path, source)
    assert one.status is Status.FAIL
    assert one.detail.startswith(told)


def test_c_without_cells_has_no_workspace_to_compare(tmp_path: Path) -> None:
    kernel = "void f(int a[8]) { for (int i = 1; i < 8; i++) a[i] = a[i - 1] + a[i]; }"
    out, design, plan = planned(tmp_path, kernel, "order: sequential", {})
    assert not plan.arrays
    found = check_host(out, design, program_of(design), plan)
    assert [one.status for one in found if one.status is not Status.PASS] == []


def test_results_that_are_no_numbers(tmp_path: Path) -> None:
    kernel = """
#define N 8
void f(const float in[N], float out[N])
{
    float t[N];
#pragma scop
    for (int i = 0; i < N; i++)
        t[i] = in[i] / (in[i] - in[i]);
    for (int i = 0; i < N; i++)
        out[i] = t[N - 1 - i];
#pragma endscop
}
"""
    out, design, plan = planned(tmp_path, kernel, "order: sequential", {})
    (one,) = check_host(out, design, program_of(design), plan)
    assert one.status is Status.NOT_JUDGED
    assert not one.fine
    assert one.detail.startswith("the original gives out[0] = ")
    assert one.detail.endswith(
        " at input 1, which proves nothing; give its inputs ranges:"
        ' host.inputs: {NAME: ["-1", "1"]}'
    )


@pytest.mark.dear
@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("float", "in[i] < 2.0f || in[i] > 3.0f ? in[i] / 0.0f : in[i]"),
        ("int", "in[i] / ((in[i] >= 2 && in[i] <= 3) ? 1 : 0)"),
    ],
)
def test_inputs_from_a_range(kind: str, value: str, tmp_path: Path) -> None:
    kernel = f"""
#define N 8
void f(const {kind} in[N], {kind} out[N])
{{
    {kind} t[N];
#pragma scop
    for (int i = 0; i < N; i++)
        t[i] = {value};
    for (int i = 0; i < N; i++)
        out[i] = t[N - 1 - i];
#pragma endscop
}}
"""
    settings = 'params: {N: 8}\nhost: {inputs: {in: ["2", "3"]}}'
    out, design, plan = planned(tmp_path, kernel, settings, {})
    found = check_host(out, design, program_of(design), plan)
    assert {one.status for one in found if not one.remedy} == {Status.PASS}, found


OWN = """
#define N 16
void f(const float in[N][N], float out[N][N])
{
    float t[N][N];
#pragma scop
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++) {
            t[y][x] = in[y][x] + 1;
            if (y >= 1 && x >= 2)
                out[y][x] = t[y - 1][x] + t[y][x - 2];
        }
#pragma endscop
}
"""


def test_storage_is_watched_where_c_has_an_order_of_its_own(tmp_path: Path) -> None:
    """No array may be as large as `t`, also for arguments that overlap."""
    design = read_design(
        tmp_path,
        OWN.replace("float t", "static float t"),
        'params: {N: 16}\ncontext: "[N] -> { : N >= 4 }"\nschedule: text',
    )
    plan = with_host(plan_storage(design)).plan
    assert plan.host_order is not None
    out, work = tmp_path / "out", tmp_path / "work"
    for folder in (out / "host", out / "design", work):
        folder.mkdir(parents=True)
    for name, text in host_files(design, plan).items():
        (out / name).write_text(text)
    for source in design.sources:
        (out / "design" / source.name).write_text(source.text)
    program = program_of(design)
    bench = Bench(compiler=find(C_COMPILER), out=out, work=work, program=program, plan=plan)
    pair = bench.build({"N": 16})
    (verdict,) = memory_verdicts(bench, pair, program)
    assert verdict.detail.startswith("no static object and no frame holds an array that is folded")
    line, file = "    float *const t = (float *)ws;\n", out / "host/kernel.c"
    text = file.read_text()
    assert line in text
    for declared, told in (
        ("static float t[F_N][F_N];", "the object t has 1024 bytes, as many as t before"),
        ("volatile float t[F_N][F_N];", "the frame of f_ws() grows by "),
    ):
        own = f"    {{ {declared} ((volatile float *)t)[0] = 0; }}\n"
        file.write_text(text.replace(line, f"{line}{own}"))
        with pytest.raises(FoundDifferent, match=re.escape(told)):
            memory_verdicts(bench, pair, program)


@pytest.mark.long
def test_an_array_called_as_the_workspace(tmp_path: Path) -> None:
    kernel = """
#define N 8
void f(const int in[N], int out[N])
{
    int ws[N];
#pragma scop
    for (int i = 0; i < N; i++)
        ws[i] = in[i];
    for (int i = 1; i < N; i++)
        out[i] = ws[i - 1] + ws[i];
#pragma endscop
}
"""
    out, design, plan = planned(tmp_path, kernel, "params: {N: 8}\norder: sequential", {})
    found = check_host(out, design, program_of(design), plan)
    assert [one.detail for one in found if one.status is Status.FAIL] == []


@pytest.mark.dear
def test_places_of_arrays_are_held_where_data_decide_on_a_load(tmp_path: Path) -> None:
    """`product > 0 ? product : 0` loads or does not; what is stored, and where, is known."""
    sizes = {"N": 4, "M": 3, "P": 2}
    design = load(EXAMPLES / "matmul_relu" / "design.yaml", parameters=sizes)
    files = whole_files(plan_c(design))
    write_folder(tmp_path, files)
    told = "the plan's 6 cells of the workspace are written, and hold its values at the end"
    assert f"exactly {told}" in [one.detail for one in run_checks(tmp_path, ("host",)).verdicts]
    document = json.loads(files["plan.json"])
    one, other = (cells_in(array) for array in document["arrays"].values())
    one["at"], other["at"] = other["at"], one["at"]
    (tmp_path / "plan.json").write_text(json.dumps(document))
    (verdict,) = run_checks(tmp_path, ("host",)).verdicts
    assert verdict.status is Status.FAIL
    assert " does not hold " in verdict.detail
