"""Paths of host C that ordinary calls do not take: faults planted there are found."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.check import run_checks
from hlsmem.check.host_runs import host_check as host
from hlsmem.check.host_runs import unusual_calls
from hlsmem.check.host_runs.host_check import LEVELS, seldom_taken
from hlsmem.check.host_runs.unusual_calls import _ways as ways
from hlsmem.core.verdict import Status
from hlsmem.tools.sandbox import obstacle
from tests.check.host_runs.test_host_check import check, edit, failure, planned
from tests.emit.c.plans import Rows
from tests.plans import plan_c, put, whole_files
from tests.steps import load

# As example/blur: the loop over x stores in place, and so is there twice.
ROWS: dict[str, Rows] = {"blurx": [(["1", "0"], "2"), (["0", "1"], "N")]}
OTHERWISE = "        } else {\n"


@pytest.fixture(autouse=True)
def _with_seldom_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host, "seldom_taken", seldom_taken)
    monkeypatch.setattr(unusual_calls, "_ways", ways)
    monkeypatch.setattr(host, "LEVELS", LEVELS[:1])


def test_an_out_that_programs_of_the_check_alone_see(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a sandbox /tmp holds OUT or a copy of it, and nothing else."""
    reason = obstacle()
    if reason is not None:
        pytest.skip(f"no sandbox here: {reason}")
    monkeypatch.setenv("HLSMEM_TRUST", "")
    assert all(one.status is Status.PASS for one in check(*planned(tmp_path, folds=ROWS)))


def otherwise(out: Path, old: str, new: str) -> None:
    """Change the loops for arguments that overlap."""
    text = (out / "host" / "kernel.c").read_text()
    before, found, after = text.partition(OTHERWISE)
    assert found
    assert old in after
    (out / "host" / "kernel.c").write_text(before + found + after.replace(old, new, 1))


def test_both_paths_are_run(tmp_path: Path) -> None:
    verdicts = check(*planned(tmp_path, folds=ROWS))
    details = [one.detail for one in verdicts if one.status is Status.PASS]
    assert (
        "its loops for arguments that overlap are bit-equal to the original, and to its other loops"
        " one by one in 40 calls with such arguments"
    ) in details
    assert "the same with its workspace from malloc, which it frees; without, it aborts" in details


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("+ hlsmem_P_value;", "- hlsmem_P_value;"),
        ("hlsmem_C_0 + hlsmem_C_1", "hlsmem_C_0 + hlsmem_C_0"),
        ("x < BLUR_N; x++", "x < BLUR_N - 1; x++"),
        (" = hlsmem_P_value;\n            }", " = hlsmem_C_0;\n            }"),
    ],
    ids=["sign", "operand", "loop", "cell"],
)
def test_a_fault_in_loops_for_arguments_that_overlap(tmp_path: Path, old: str, new: str) -> None:
    out, design, plan = planned(tmp_path, folds=ROWS)
    otherwise(out, old, new)
    detail = failure(out, design, plan)
    assert detail.startswith("on paths that ordinary calls do not take blur() at N=16, input 1: ")


def test_loops_that_store_before_they_read(tmp_path: Path) -> None:
    """With arguments that are apart that is no fault."""
    out, design, plan = planned(tmp_path, folds=ROWS)
    loop = "            for (int x = 0; x < BLUR_N; x++) {\n"
    ahead = "                const int ahead = x + 1 < BLUR_N ? in[y][x + 3] : 0;\n"
    text = (out / "host" / "kernel.c").read_text()
    before, found, after = text.partition(OTHERWISE + loop)
    assert found
    after = after.replace(
        "in[y][x] + in[y][x + 1] + in[y][x + 2]", "in[y][x] + in[y][x + 1] + next"
    )
    after = after.replace("            }\n", "                next = ahead;\n            }\n", 1)
    begun = f"{OTHERWISE}            int next = in[y][2];\n{loop}{ahead}"
    (out / "host" / "kernel.c").write_text(before + begun + after)
    assert failure(out, design, plan).startswith("its loops by -O3 are not right with ")


def test_a_test_that_calls_arguments_apart_that_overlap(tmp_path: Path) -> None:
    out, design, plan = planned(tmp_path, folds=ROWS)
    edit(out, "return (uintptr_t)a_end <= (uintptr_t)b ||", "return 1 ||")
    assert failure(out, design, plan).startswith("its loops by -O3 are not right with ")


def test_loops_that_ask_otherwise_are_no_pass(tmp_path: Path) -> None:
    out, design, plan = planned(tmp_path, folds=ROWS)
    edit(out, "const int hlsmem_apart =", "int hlsmem_apart; hlsmem_apart =")
    assert failure(out, design, plan) == (
        "host/kernel.c does not set hlsmem_apart as generated C does"
    )


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("malloc(BLUR_WS_BYTES + 63u)", "malloc(BLUR_WS_BYTES)", "heap-buffer-overflow"),
        ("malloc(BLUR_WS_BYTES + 63u)", "malloc(64u)", "heap-buffer-overflow"),
        ("    free(block);\n", "", "the workspace from malloc() is not freed"),
        ("free(block)", "free(hlsmem_first_line(block))", "free() of what malloc() did not"),
        ("hlsmem_first_line(block)", "hlsmem_first_line(NULL)", "null pointer"),
        ("        abort();", "        ;", "does not abort where malloc() has no memory"),
        ("        abort();", "        return;", "does not abort where malloc() has no memory"),
    ],
    ids=["line", "size", "kept", "freed", "place", "abort", "return"],
)
def test_a_fault_in_the_workspace_from_malloc(
    tmp_path: Path, old: str, new: str, told: str
) -> None:
    out, design, plan = planned(tmp_path)
    edit(out, old, new)
    assert told in failure(out, design, plan)


@pytest.mark.dear
def test_a_workspace_that_never_is_from_malloc_is_not_judged(tmp_path: Path) -> None:
    out, design, plan = planned(tmp_path)
    edit(out, "BLUR_WS_BYTES <= BLUR_STACK_BYTES", "BLUR_WS_BYTES <= 65536u")
    (verdict,) = [one for one in check(out, design, plan) if "malloc" in one.detail]
    assert (verdict.status, verdict.detail) == (
        Status.NOT_JUDGED,
        "malloc is not called where BLUR_STACK_BYTES is 0",
    )


@pytest.mark.dear
def test_accesses_that_some_instances_have_alone(tmp_path: Path) -> None:
    """The first row reads no row above it: there is no distance at which the two would meet."""
    (tmp_path / "f.c").write_text(
        "#define W 6\n#define H 5\nstatic int t[H][W];\n"
        "void f(const int in[H][W], int out[H][W]) {\n"
        "  for (int y = 0; y < H; y++) for (int x = 0; x < W; x++)\n"
        "    t[y][x] = y >= 1 && y < H - 1 ? in[y-1][x] + in[y+1][x] : in[y][x];\n"
        "  for (int y = 0; y < H; y++) for (int x = 0; x < W; x++)\n"
        "    out[y][x] = y >= 1 ? t[y][x] + t[y-1][x] : t[y][x];\n}\n"
    )
    design = load(tmp_path / "f.c", settings=["host.alias=stop"])
    put(tmp_path / "out", whole_files(plan_c(design)))
    verdicts = run_checks(tmp_path / "out", only=("host",)).verdicts
    assert all(one.fine for one in verdicts), verdicts
    told = "where arguments overlap it says so and stops, and else not"
    assert any(told in one.detail for one in verdicts)
