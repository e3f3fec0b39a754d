"""The host check finds what is wrong with generated C, and says where.

Faults are planted in the text of OUT/host by hand; the check knows nothing of the emitter.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from hlsmem.check.c_runs.c_harness import prelude
from hlsmem.check.host_runs import host_bench as bench
from hlsmem.check.host_runs.host_check import check_host
from hlsmem.core.errors import ToolError
from hlsmem.core.verdict import Status, Verdict
from hlsmem.emit.output_folder import write_folder
from hlsmem.plan import Plan
from hlsmem.program.options import Design
from tests.emit.c.plans import Rows, host_files, plan_by_hand, program_of, read_design, shaped

BLUR = """
#define N 16
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
# No small sizes, which the check would compile for as well.
PARAMS = 'params: {N: 16}\ncontext: "[N] -> { : N >= 13 }"'
SMALL_TOO = PARAMS.replace("13", "3")
ROWS: dict[str, Rows] = {"blurx": [(["N", "1"], "2*N + 1")]}


def planned(
    folder: Path,
    kernel: str = BLUR,
    settings: str = PARAMS,
    folds: dict[str, Rows] | None = None,
    scope: str = "all-parameters",
) -> tuple[Path, Design, Plan]:
    """An OUT folder with design/ and host/, and what it was made of."""
    design = read_design(folder / "source", kernel, settings)
    plan = shaped(design, plan_by_hand(design, ROWS if folds is None else folds, scope=scope))
    files: dict[str, str | bytes] = {**host_files(design, plan)}
    files |= {f"design/{source.name}": source.text for source in design.sources}
    write_folder(folder / "out", files)
    return folder / "out", design, plan


def edit(out: Path, old: str, new: str, name: str = "kernel.c") -> None:
    file = out / "host" / name
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


def check(out: Path, design: Design, plan: Plan) -> tuple[Verdict, ...]:
    """The verdicts but what a tool is missing for."""
    found = check_host(out, design, program_of(design), plan)
    return tuple(verdict for verdict in found if not verdict.remedy)


def failure(out: Path, design: Design, plan: Plan) -> str:
    """The detail of the one verdict there is, a failure."""
    (verdict,) = [v for v in check(out, design, plan) if v.status is not Status.PASS]
    assert verdict.status is Status.FAIL
    assert not verdict.fine
    return verdict.detail


@pytest.mark.long
@pytest.mark.needs("clang")
@pytest.mark.usefixtures("all_builds")
def test_passes_what_the_emitter_makes(tmp_path: Path) -> None:
    verdicts = check(*planned(tmp_path, settings=SMALL_TOO))
    details = [verdict.detail for verdict in verdicts]
    assert details.pop(7).startswith("the same under ")  # the compilers that are here
    assert "of the workspace" in details.pop(4)
    assert details == [
        "bit-equal to the original at N=16; N=3; N=7, 3 inputs each, both entries",
        "it does not compile at N=2, which the plan excludes",
        "exactly the plan's 33 cells of the workspace are written, and hold its values at the end",
        "no static object and no frame holds an array that is folded; a stack of 256 KiB will do",
        "its loops for arguments that overlap are bit-equal to the original, and to its other loops"
        " one by one in 40 calls with such arguments",
        "the same with its workspace from malloc, which it frees; without, it aborts",
        "clean under address and undefined sanitizers",
        "no warnings from -Wall -Wextra",
    ]
    assert all(verdict.fine for verdict in verdicts)
    assert {(verdict.check, verdict.subject) for verdict in verdicts} == {("host", "kernel")}


@pytest.mark.few("modulus-2", "guard")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("(size_t)(2 * BLUR_N + 1)", "(size_t)(2 * BLUR_N - 1)"),
        ("(size_t)(BLUR_N * y + x)", "(size_t)((BLUR_N - 1) * y + x)"),
        ("hlsmem_blurx_cell(y - 1, 0)", "hlsmem_blurx_cell(y - 1, 1)"),
        ("int x = 0; x < BLUR_N;)", "int x = 1; x < BLUR_N;)"),
        ("int y = 2; y <", "int y = 3; y <"),
        ("hlsmem_blurx_1 -= ", "hlsmem_blurx_1 -= 1 + "),
        ("- hlsmem_blurx_1;", "- hlsmem_blurx_1 + 1u;"),
    ],
    ids=["modulus-2", "coefficient", "operand", "loop", "guard", "turn", "split-too-late"],
)
def test_a_wrong_result_names_an_element(tmp_path: Path, old: str, new: str) -> None:
    out, design, plan = planned(tmp_path)
    edit(out, old, new)
    detail = failure(out, design, plan)
    assert detail.startswith("blur() at N=")
    assert "the original gives" in detail
    assert "out[" in detail


def test_a_modulus_for_one_size(tmp_path: Path) -> None:
    """33 cells at N = 3 leave the workspace."""
    out, design, plan = planned(tmp_path, settings=SMALL_TOO)
    edit(out, "(size_t)(2 * BLUR_N + 1)", "33u")
    assert failure(out, design, plan) == ("blur() at N=7 stops: SIGSEGV")


def test_c_that_does_not_end_where_the_original_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench, "SECONDS", 4.0)
    monkeypatch.setattr(bench, "_SLOWER", 1)
    out, design, plan = planned(tmp_path)
    waits = "while (y == 7) { extern int pause(void); pause(); }\n"
    edit(out, "out[y - 2][x] = ", f"{waits}out[y - 2][x] = ")
    detail = "blur() at N=16 does not end in 4 s, and the original soon does"
    assert failure(out, design, plan) == detail


def test_what_differs_at_another_level_is_found(tmp_path: Path) -> None:
    out, design, plan = planned(tmp_path)
    edit(out, "out[y - 2][x] = ", "out[y - 2][x] =\n#ifndef __OPTIMIZE__\n1 +\n#endif\n")
    detail = failure(out, design, plan)
    assert " -O0: " in detail
    assert detail.count("out[") == 1


def test_the_witness_is_exact(tmp_path: Path) -> None:
    out, design, plan = planned(tmp_path)
    edit(out, "out[y - 2][x] = ", "out[y - 2][x] = (BLUR_N == 16 && y == 7 && x == 9) + ")
    detail = failure(out, design, plan)
    assert detail.startswith("blur() at N=16, input 1: out[5][9] is ")


@pytest.mark.long
def test_a_fault_at_small_sizes_only(tmp_path: Path) -> None:
    out, design, plan = planned(tmp_path, settings=SMALL_TOO)
    edit(out, "out[(BLUR_N - 1) - 2][x] = ", "out[(BLUR_N - 1) - 2][x] = (BLUR_N == 3) + ")
    assert failure(out, design, plan).startswith("blur() at N=3, input 1: out[0][0] is ")


def test_sizes_that_the_plan_excludes_are_refused_by_the_compiler(tmp_path: Path) -> None:
    out, design, plan = planned(tmp_path)
    edit(out, '#error "blur: the plan holds for N >= 13 only"\n', "")
    assert failure(out, design, plan) == ("host/kernel.c compiles at N=12, which the plan excludes")


def test_a_guard_that_lets_one_size_pass(tmp_path: Path) -> None:
    """Above the context as below it."""
    settings = PARAMS.replace("N >= 13", "13 <= N <= 40")
    out, design, plan = planned(tmp_path, settings=settings)
    edit(out, "BLUR_N <= 40", "BLUR_N <= 41")
    assert failure(out, design, plan) == ("host/kernel.c compiles at N=41, which the plan excludes")


def test_a_fault_in_the_entry_with_a_workspace_only(tmp_path: Path) -> None:
    out, design, plan = planned(tmp_path)
    edit(
        out,
        "bytes[BLUR_WS_BYTES <= BLUR_STACK_BYTES ? BLUR_WS_BYTES : 1u]",
        "bytes[BLUR_WS_BYTES + 64]",
    )
    edit(
        out,
        "int *const blurx = (int *)ws;",
        "int *const blurx = (int *)ws;\n    blurx[2 * BLUR_N + 1] = 0;",
    )
    assert failure(out, design, plan) == (
        "blur_ws() at N=16 stops: something was written outside the workspace"
    )


def test_a_frame_beyond_a_small_stack(tmp_path: Path) -> None:
    """It holds no array that is folded, and no more at other sizes."""
    out, design, plan = planned(tmp_path)
    edit(
        out,
        "int *const blurx = (int *)ws;",
        "int *const blurx = (int *)ws;\n    volatile char large[1 << 19]; large[0] = 0;",
    )
    detail = "blur() with a stack of 256 KiB stops: SIGSEGV"
    assert failure(out, design, plan) == detail


def test_a_write_past_a_parameter(tmp_path: Path) -> None:
    out, design, plan = planned(tmp_path)
    edit(
        out,
        "int *const blurx = (int *)ws;",
        "int *const blurx = (int *)ws;\n    out[BLUR_N][0] = 1;",
    )
    assert failure(out, design, plan) == ("blur() at N=16 stops: something was written outside out")


def test_a_read_past_a_parameter_is_found_by_the_sanitizers(tmp_path: Path) -> None:
    out, design, plan = planned(tmp_path)
    edit(
        out,
        "int *const blurx = (int *)ws;",
        "int *const blurx = (int *)ws;\n    volatile int seen = in[BLUR_N][0];\n    (void)seen;",
    )
    detail = failure(out, design, plan)
    assert detail.startswith("blur() at N=16 stops: ")
    assert "AddressSanitizer: heap-buffer-overflow" in detail


def test_memory_that_is_read_before_it_is_written(tmp_path: Path) -> None:
    """The workspace holds rubbish at first: results must not depend on it."""
    out, design, plan = planned(tmp_path)
    edit(
        out,
        "int *const blurx = (int *)ws;",
        "int *const blurx = (int *)ws;\n    out[BLUR_N - 1][0] = blurx[2];",
    )
    assert ": out[15][0] is " in failure(out, design, plan)


def test_c_that_does_not_compile(tmp_path: Path) -> None:
    out, design, plan = planned(tmp_path)
    edit(out, "int *const blurx = (int *)ws;", "int *const blurx = ws")
    detail = failure(out, design, plan)
    assert detail.startswith("host/kernel.c does not compile: host/kernel.c:")
    assert "error: expected" in detail


def test_a_file_that_is_missing(tmp_path: Path) -> None:
    out, design, plan = planned(tmp_path)
    (out / "host" / "kernel.h").unlink()
    assert failure(out, design, plan) == "host/kernel.h cannot be read"


def test_a_warning(tmp_path: Path) -> None:
    out, design, plan = planned(tmp_path)
    edit(out, "int *const blurx = (int *)ws;", "int *const blurx = (int *)ws;\n    int left_over;")
    detail = failure(out, design, plan)
    assert detail.startswith("-Wall -Wextra: host/kernel.c:")
    assert "unused variable" in detail


@pytest.mark.dear
def test_a_warning_that_the_original_draws_too(tmp_path: Path) -> None:
    kernel = BLUR.replace("{\n    int blurx", "{\n    int unused_by_the_user;\n    int blurx")
    verdicts = check(*planned(tmp_path, kernel))
    assert all(verdict.fine for verdict in verdicts)
    assert verdicts[-1].detail.startswith("warnings as in the original: host/kernel.c:")


@pytest.mark.long
def test_sizes_as_arguments(tmp_path: Path) -> None:
    kernel = BLUR.replace("#define N 16", "").replace("(const int in", "(int N, const int in")
    verdicts = check(*planned(tmp_path, kernel, settings=SMALL_TOO))
    assert verdicts[0].detail.startswith("bit-equal to the original at N=16; N=3; N=7")


def test_the_original_runs_where_the_plan_does_not_hold(tmp_path: Path) -> None:
    out, design, plan = planned(tmp_path, settings=SMALL_TOO, scope="values")
    assert check(out, design, plan)[0].detail == (
        "bit-equal to the original at N=16; N=3; N=7, 3 inputs each, both entries"
    )
    edit(out, "    if (BLUR_N != 16) {", "    if (BLUR_N == -1) {")
    edit(out, "% 33u", "% (size_t)(BLUR_N < 16 ? 5 : 33)")
    assert failure(out, design, plan).startswith("blur() at N=")


def test_the_original_does_not_run_in_a_workspace_of_folded_arrays(tmp_path: Path) -> None:
    kernel = BLUR.replace("#define N 16", "").replace("(const int in", "(int N, const int in")
    out, design, plan = planned(tmp_path, kernel, scope="values")
    edit(out, "if (N != 16)", "if (N != 17)")
    assert " at N=16 stops: " in failure(out, design, plan)


def test_floats_are_compared_as_bits(tmp_path: Path) -> None:
    kernel = """
#define N 8
void f(const float in[N], float out[N])
{
    float t[N];
#pragma scop
    for (int i = 0; i < N; i++)
        t[i] = in[i] * 0.0f;
    for (int i = 0; i < N; i++)
        out[i] = t[N - 1 - i];
#pragma endscop
}
"""
    out, design, plan = planned(tmp_path, kernel, "params: {N: 8}", {})
    edit(out, "in[i] * 0.0f", "0.0f")
    assert "out[" in failure(out, design, plan)
    assert "is 0.0, the original gives -0.0" in failure(out, design, plan)


@pytest.mark.parametrize("name", ["random", "index", "select"])
def test_a_function_may_be_called_as_one_of_the_library(tmp_path: Path, name: str) -> None:
    text = f"#define _GNU_SOURCE\n{prelude(name)}\nextern void {name}(void *, int);\n"
    (tmp_path / "caller.c").write_text(text, encoding="utf-8")
    command = ["cc", "-fsyntax-only", "-w", "caller.c"]
    assert subprocess.run(command, cwd=tmp_path, check=False).returncode == 0


@pytest.mark.dear
def test_a_returned_value(tmp_path: Path) -> None:
    kernel = """
#define N 8
int f(const int in[N], int out[N])
{
    int t[N];
#pragma scop
    for (int i = 0; i < N; i++)
        t[i] = in[i];
    for (int i = 0; i < N; i++)
        out[i] = t[N - 1 - i];
#pragma endscop
    return out[0] + 1;
}
"""
    out, design, plan = planned(tmp_path, kernel, "params: {N: 8}", {})
    edit(out, "return out[0] + 1;", "return out[0] + 2;")
    assert failure(out, design, plan) == (
        "f() at N=8, input 1: the returned value differs from the original"
    )


@pytest.mark.long
def test_planned_parameters_count_where_they_are_live_after(tmp_path: Path) -> None:
    """Temporary values left in a planned parameter are nobody's business."""
    kernel = """
#define N 6
void f(int a[N], int out[N])
{
#pragma scop
    for (int i = 0; i < N; i++)
        a[i] = out[i] + 1;
    for (int i = 0; i < N; i++)
        out[i] = a[N - 1 - i];
#pragma endscop
}
"""
    settings = (
        "params: {N: 6}\narrays: {a: {storage: memory}}\n"
        'live_out: ["[N] -> { out[i] : 0 <= i < N }"]'
    )
    verdicts = check(*planned(tmp_path, kernel, settings, {}))
    assert all(verdict.status is Status.PASS for verdict in verdicts)


def test_an_original_that_does_not_compile_is_no_pass(tmp_path: Path) -> None:
    out, design, plan = planned(tmp_path)
    file = out / "design" / "kernel.c"
    file.write_text(file.read_text().replace("blurx[N][N];", "blurx[N][N]; int missing = gone;"))
    (verdict,) = check(out, design, plan)
    assert verdict.status is Status.NOT_JUDGED
    assert not verdict.fine
    assert verdict.detail.startswith("the original does not compile alone: kernel.c:")


def test_an_original_that_crashes_is_no_pass(tmp_path: Path) -> None:
    kernel = BLUR.replace("out[y - 2][x] =", "out[y - 2][x] = 1 / (N - 16) +")
    (verdict,) = check(*planned(tmp_path, kernel))
    assert verdict.status is Status.NOT_JUDGED
    assert not verdict.fine
    assert verdict.detail.startswith("the original stops: SIG")


def test_a_conflict_set_has_nothing_to_run(tmp_path: Path) -> None:
    out, design, plan = planned(tmp_path)
    (verdict,) = check_host(out, design, None, plan)
    assert verdict.status is Status.SKIPPED
    assert verdict.fine


def test_without_a_compiler_there_is_no_verdict(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, design, plan = planned(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    with pytest.raises(ToolError) as caught:
        check(out, design, plan)
    assert str(caught.value) == (
        "no C compiler for the checks: none of cc, gcc, clang is on PATH and runs; install it"
        " (apt-get install gcc libc6-dev; dnf install gcc; xcode-select --install), or name one in"
        " CC"
    )


@pytest.mark.dear
def test_headers_and_flags_of_the_user(tmp_path: Path) -> None:
    (tmp_path / "source").mkdir()
    (tmp_path / "source" / "scale.h").write_text("#define SCALE 3\ntypedef short sample;\n")
    kernel = """
#include "scale.h"
#include <math.h>
void f(const sample in[N], sample out[N], double weight)
{
    sample t[N];
#pragma scop
    for (int i = 0; i < N; i++)
        t[i] = in[i] * SCALE + BIAS;
    for (int i = 0; i < N; i++)
        out[i] = t[N - 1 - i] + floor(weight);
#pragma endscop
}
"""
    design = read_design(
        tmp_path / "source", kernel, "params: {N: 8}", cflags="-I., -DBIAS=7, -DN=8"
    )
    plan = shaped(design, plan_by_hand(design, {}))
    files: dict[str, str | bytes] = {**host_files(design, plan)}
    files |= {f"design/{source.name}": source.text for source in design.sources}
    write_folder(tmp_path / "out", files)
    verdicts = check(tmp_path / "out", design, plan)
    assert {verdict.status for verdict in verdicts} == {Status.PASS}, verdicts
    assert "N=8; N=1; N=5" in verdicts[0].detail


TILED = PARAMS + "\nplan: {schedules: tiled}\nhost: {tiled: true}"
THREE_ROWS: dict[str, Rows] = {"blurx": [(["1", "0"], "3"), (["0", "1"], "N")]}


@pytest.mark.dear
def test_tiles_of_several_sizes_are_run(tmp_path: Path) -> None:
    first, *_ = check(*planned(tmp_path, settings=TILED, folds=THREE_ROWS))
    assert first.detail == (
        "bit-equal to the original at N=16, 3 inputs each, both entries;"
        " so is every one of 10 tilings"
    )


@pytest.mark.few("corner", "last tile")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("% 3", "% 2"),
        ("row.begin + tile * row.size;", "row.begin + tile * row.size + 1;"),
        ("(last - row.begin) / row.size + 1", "(last - row.begin) / row.size"),
        ("hlsmem_cut(0, BLUR_N - 1, size[1], origin[1])", "hlsmem_cut(0, BLUR_N - 1, 3, 0)"),
    ],
    ids=["two rows", "corner", "last tile", "size"],
)
def test_a_wrong_tile_is_named(tmp_path: Path, old: str, new: str) -> None:
    out, design, plan = planned(tmp_path, settings=TILED, folds=THREE_ROWS)
    edit(out, old, new)
    if new.startswith("hlsmem_cut"):  # other tiles, and right ones: nothing to find
        assert {one.status for one in check(out, design, plan)} == {Status.PASS}
        return
    detail = failure(out, design, plan)
    assert "blur_tiled" in detail or "blur() at" in detail
    assert "the original gives" in detail


def test_tiles_that_are_asked_for_have_to_be_there(tmp_path: Path) -> None:
    out, design, plan = planned(tmp_path, settings=TILED, folds=THREE_ROWS)
    edit(out, "blur_tiled_ws", "blur_tiles_ws", "kernel.h")
    assert failure(out, design, plan) == "host/kernel.h has no blur_tiled_ws()"
