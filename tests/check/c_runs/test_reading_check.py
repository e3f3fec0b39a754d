"""The check `reading`: normal forms that load or store otherwise than the user's file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from hlsmem.check import run_checks
from hlsmem.check.c_runs import reading_check as reading
from hlsmem.check.c_runs.reading_check import check_reading
from hlsmem.cli.main import main
from hlsmem.core.verdict import Status
from hlsmem.emit.output_folder import write_folder
from hlsmem.planner.plan_assembly import Planning
from hlsmem.program.model import Program
from tests.check.subjects import others_than
from tests.plans import files_of, plan_storage, whole_files
from tests.steps import load

KERNEL = """
#define N 8
static int row(const int *t, int x) { return t[x] + t[x + 1]; }
static void load(const int in[N][N], int y, int *t)
{
    for (int x = 0; x < N; x++)
        *t++ = in[y][x] + 1;
}
void f(const int in[N][N], int out[N][N])
{
    int t[N][N] = {{0}};
    int y = 0, p = 0;
    while (y < N) {
        load(in, y, t[y]);
        for (int x = 0; x < N - 1; x++, p++) {
            if (y == 3)
                continue;
            if (x == 5)
                break;
            out[y][x] = row(t[y], x) + t[p / N][x];
        }
        p = 0;
        y++;
    }
}
"""

# What a wrong rewrite would leave: a piece of normal.c and what stands there instead.
FAULTS = {
    "a read one row up": ("t[y][(int) x] +", "t[(y + 7) % 8][x] +"),
    "a read one element back": ("((int) x) + 1]", "((int) x)]"),
    "a write one element on": ("out[y][x] =", "out[y][x + 1] ="),
    "a row less": ("y < 8; y += 1", "y < 7; y += 1"),
    "a break one turn early": ("(x == 5)))", "(x == 4)))"),
    "a loop one turn shorter": ("x < (8 - 1)", "x < (8 - 5)"),
    "no continue": ("if (y == 3)", "if (y == 9)"),
    "columns the other way round": (" t[y][x] = in[y][x]", " t[y][7 - x] = in[y][7 - x]"),
    "the value of another element": ("= in[y][x] + 1", "= in[y][x ^ 1] + 1"),
    "zeros left out": ("t[i0][i1] = 0;", ";"),
    "a row of zeros less": ("i0 < 8", "i0 < 7"),
    "a running index a turn late": ("t[x / 8][x]", "t[(x + 8) / 8][x]"),
    "a row pointer not stepped": (" t[y][x] =", " t[y][0] ="),
    "an element written twice": (" t[y][x] =", " t[y][x] = 0, t[y][x] ="),
    "an element read twice": ("= in[y][x] + 1", "= in[y][x] + 1 + 0 * in[y][x]"),
    "statements in the other order": ("y = 0; y < 8; y += 1", "y = 7; y >= 0; y -= 1"),
}

CALLS = """
#include <string.h>
#define N 8
void f(const int in[N][N], int out[N][N])
{
    int t[N][N], row[N];
    memset(row, 0, sizeof row);
    memcpy(t, in, sizeof t);
    for (int y = 1; y < N; y++) {
        memcpy(out[y], t[N - y], (N - 2) * sizeof(int));
        for (int x = N - 2; x < N; x++)
            out[y][x] = row[x];
        memcpy(&row[1], &in[y][1], (N - 1) * sizeof row[0]);
    }
}
"""

FAULTS_OF_CALLS = {
    "a row of a picture not copied": ("i0 < N; i0++)\n      for", "i0 < 7; i0++)\n      for"),
    "a picture copied with rows and columns": ("= in[i0][i1]", "= in[i1][i0]"),
    "an element of a row too many": ("i0 < (N - 2)", "i0 < (N - 1)"),
    "an element copied to the next": ("row[1 + i0] = in", "row[(2 + i0) % 8] = in"),
    "a row copied from its end": ("out[y][i0] = t[N - y][i0]", "out[y][5 - i0] = t[N - y][5 - i0]"),
    "a row not cleared": ("row[i0] = 0;", ";"),
}
EVERY_FAULT = [
    *((KERNEL, name, *fault) for name, fault in FAULTS.items()),
    *((CALLS, name, *fault) for name, fault in FAULTS_OF_CALLS.items()),
]


def planned(folder: Path, text: str = KERNEL) -> Planning:
    (folder / "f.c").write_text(text)
    return plan_storage(load(folder / "f.c"))


@pytest.mark.needs("clang")
def test_a_kernel_that_was_rewritten_loads_and_stores_as_the_users(tmp_path: Path) -> None:
    write_folder(tmp_path / "out", whole_files(planned(tmp_path)))
    (verdict,) = run_checks(tmp_path / "out", only=("reading",)).verdicts
    assert verdict.status is Status.PASS
    assert verdict.detail.endswith("at its fixed sizes, 3 inputs")


@pytest.mark.needs("clang")
def test_a_kernel_that_only_returns_a_value_stores_nothing(tmp_path: Path) -> None:
    text = "unsigned f(const unsigned char in[8]) {\n  unsigned v = 1;\n  int i = 0;\n"
    text += "  while (i < 8) v = v * 3 + in[i++];\n  return v;\n}\n"
    write_folder(tmp_path / "out", whole_files(planned(tmp_path, text)))
    (verdict,) = run_checks(tmp_path / "out", only=("reading",)).verdicts
    assert (verdict.status, verdict.fine) == (Status.SKIPPED, True)
    assert verdict.detail.startswith("nothing is stored")


@pytest.mark.needs("clang")
def test_the_command_reports_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_folder(tmp_path / "out", whole_files(planned(tmp_path)))
    assert main(["check", str(tmp_path / "out"), "--only", "reading", "--only", "proof"]) == 0
    told = capsys.readouterr().out
    assert f"Passed: proof, reading; not run: {others_than('proof', 'reading')}." in told


@pytest.mark.few("a break", "zeros left out", "the value of")
@pytest.mark.needs("clang")
@pytest.mark.parametrize(
    ("text", "old", "new"),
    [pytest.param(text, *fault, id=name) for text, name, *fault in EVERY_FAULT],
)
def test_a_wrong_normal_form_is_found(tmp_path: Path, text: str, old: str, new: str) -> None:
    planning = planned(tmp_path, text)
    given = planning.design.input
    assert isinstance(given, Program)
    assert given.kernel is not None
    assert given.kernel.normal.count(old) == 1
    kernel = replace(given.kernel, normal=given.kernel.normal.replace(old, new))
    design = replace(planning.design, input=replace(given, kernel=kernel))
    (tmp_path / "out" / "design").mkdir(parents=True)
    (tmp_path / "out" / "design" / "f.c").write_text(text)
    (tmp_path / "out" / "design" / "normal.c").write_text(kernel.normal)
    (verdict,) = check_reading(tmp_path / "out", design, planning.plan)
    assert verdict.status is Status.FAIL
    assert verdict.detail.startswith("normal.c differs from your files: ")


def test_normal_c_on_disk_is_what_is_planned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    planning = planned(tmp_path)
    write_folder(tmp_path / "out", whole_files(planning))
    file = tmp_path / "out" / "design" / "normal.c"
    file.write_text(file.read_text().replace("+ 1", "+ 2"))
    monkeypatch.setattr(reading, "find", lambda _: None)
    (verdict,) = check_reading(tmp_path / "out", planning.design, planning.plan)
    assert verdict.status is Status.FAIL
    assert verdict.detail.startswith("design/normal.c:")
    assert verdict.detail.endswith(", which is the normal form of the design")


def test_asked_for_by_name_it_needs_clang(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_folder(tmp_path / "out", whole_files(planned(tmp_path)))
    monkeypatch.setenv("CLANG", str(tmp_path / "missing"))
    found = run_checks(tmp_path / "out", only=("reading",))
    (verdict,) = found.verdicts
    assert (verdict.status, found.exit_code) == (Status.SKIPPED, 3)
    assert verdict.remedy == "apt-get install clang"
    beside = run_checks(tmp_path / "out", only=("reading", "source"))
    assert beside.exit_code == 3
    assert replace(beside, asked=()).exit_code == 0


def test_a_kernel_that_was_not_rewritten_is_read_as_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "find", lambda _: pytest.fail("nothing is to be run"))
    write_folder(tmp_path, files_of(Path("examples/blur/design.yaml"), {"N": 8}))
    (verdict,) = run_checks(tmp_path, only=("reading",)).verdicts
    assert (verdict.status, verdict.detail) == (Status.PASS, "the kernel is read as written")
    file = tmp_path / "design" / "normal.c"
    file.write_text(file.read_text().replace("y >= 2", "y >= 1"))
    (verdict,) = run_checks(tmp_path, only=("reading",)).verdicts
    assert verdict.status is Status.FAIL
    assert verdict.detail == (
        "design/normal.c:15: 'if (y >= 1)' for 'if (y >= 2)', which is the normal form of the"
        " design"
    )


POINTED = """
static void next(int row[8], int *column, int x)
{
    row[*column] = x;
    *column = *column == 7 ? 0 : *column + 1;
}
void f(const int in[16], int out[16])
{
    int row[8], column = 0;
    for (int i = 0; i < 16; i++) {
        next(row, &column, in[i]);
        out[i] = row[i % 8];
    }
}
"""


@pytest.mark.needs("clang")
@pytest.mark.parametrize("fault", [False, True])
def test_numbers_behind_pointers_are_variables(fault: bool, tmp_path: Path) -> None:
    (tmp_path / "k.c").write_text(POINTED)
    out = tmp_path / "out"
    command = ["plan", str(tmp_path / "k.c"), "-o", str(out), "--set", "kernel.function=f"]
    assert main(command) == 0
    if fault:
        (out / "design" / "k.c").write_text(POINTED.replace("== 7 ? 0", "== 6 ? 0"))
    assert main(["check", str(out), "--only", "reading"]) == int(fault)


SLICED = """
#include <ap_int.h>
static ap_uint<24> turned(ap_uint<24> x) { return (x(7, 0), x.range(23, 8)); }
void f(const ap_uint<24> in[16], ap_uint<24> out[16])
{
    for (int i = 1; i < 16; i++)
        out[i] = turned(in[i]) ^ in[i - 1];
}
"""


@pytest.mark.needs("clang")
@pytest.mark.parametrize("fault", [False, True])
def test_numbers_whose_bits_are_taken_are_objects(
    fault: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "k.cpp").write_text(SLICED)
    out = tmp_path / "out"
    assert main(["plan", str(tmp_path / "k.cpp"), "-o", str(out)]) == 0
    if fault:
        (out / "design" / "k.cpp").write_text(SLICED.replace("^ in", "& in"))
    assert main(["check", str(out), "--only", "reading"]) == int(fault)
    told = capsys.readouterr().out
    assert fault or "bytes of arguments, since objects of classes are loaded" in told
