"""Broken input through the command line: one line a problem, a place, the right exit code."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from hlsmem.cli.main import main
from hlsmem.mapping.methods import methods
from tests.cli.planted import plant_verb

METHODS = ", ".join(method.name for method in methods(compared=True))

DESIGN = """\
hlsmem: 1
name: demo
params: {N: 8}
context: "[N] -> { : N >= 3 }"
kernel: {file: demo.c, function: demo}
"""
KERNEL = """\
#define N 8
void demo(const int in[N], int out[N])
{
    int t[N];
#pragma scop
    for (int i = 0; i < N; i++) {
        t[i] = in[i];
        if (i >= 1)
            out[i] = t[i - 1] + t[i];
    }
#pragma endscop
}
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a design that is fine."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "design.yaml").write_text(DESIGN)
    (tmp_path / "demo.c").write_text(KERNEL)
    return tmp_path


def messages(capsys: pytest.CaptureFixture[str]) -> list[str]:
    """The messages, without the source lines shown below them."""
    text = capsys.readouterr().err
    return [line for line in text.splitlines() if not line.startswith(" ")]


def test_the_design_is_fine_as_it_stands(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", "design.yaml"]) == 0
    assert "| t     | int32 |        8 |     2 | " in capsys.readouterr().out
    assert Path("build/demo/plan.json").is_file()


@dataclass(frozen=True)
class Broken:
    """A replacement in the design or in the kernel, the arguments, the messages expected."""

    expected: list[str]
    design: tuple[str, str] = ("", "")
    kernel: tuple[str, str] = ("", "")
    arguments: tuple[str, ...] = ()


BROKEN = {
    "malformed YAML": Broken(
        design=("params: {N: 8}", "params: {N: 8"),
        expected=[
            "design.yaml:4:8: not valid YAML: expected ',' or '}', but got ':'; "
            "check indentation, brackets and quotes; isl text needs quotes around it"
        ],
    ),
    "unknown keys, both reported": Broken(
        design=("context:", "kontext:"),
        arguments=("--set", "plan.methd=lattice"),
        expected=[
            "--set plan.methd=lattice: unknown key 'methd' in plan; did you mean 'method'?",
            "design.yaml:4:1: unknown key 'kontext'; did you mean 'context'?",
        ],
    ),
    "duplicate key": Broken(
        design=("name: demo", "name: demo\nname: again"),
        expected=["design.yaml:3:1: key 'name' stands here twice; keep one of the two"],
    ),
    "bad isl text": Broken(
        design=("N >= 3 }", "N >== 3 }"),
        expected=[
            "design.yaml:4:22: context has 'N >== 3', which isl cannot read; "
            "write it as in { S[i,j] -> A[i,2j+1] : 0 <= i < 8 and j mod 2 = 0 }"
        ],
    ),
    "non-affine subscript": Broken(
        kernel=("t[i] = in[i];", "t[i * i] = in[i];"),
        expected=[
            "demo.c:7:11: non-affine expression: 'i * i' multiplies two values that are no "
            "constants; use sums of loop variables and params with constant factors, or move "
            "it out of the region"
        ],
    ),
    "undefined parameter": Broken(
        kernel=("i < N; i++", "i < M; i++"),
        expected=[
            "demo.c:6:25: 'M' is not declared; declare it, or define it: -D in kernel.cflags, or "
            "its header by `--include DIR`"
        ],
    ),
    "parameter nobody knows": Broken(
        arguments=("--param", "M=3"),
        expected=["--param M=3: the design has no parameter 'M'; the parameters are: N"],
    ),
    "N outside the context": Broken(
        arguments=("--param", "N=2"),
        expected=[
            "--param N=2: N=2 is outside of the context '[N] -> { : N >= 3 }'; "
            "choose other values, or change the context"
        ],
    ),
    "a statement whose name is too long for files": Broken(
        kernel=("t[i] = in[i];", f"{'s' * 300}: t[i] = in[i];"),
        expected=[
            "cannot write 'build/demo': File name too long; files are named by the design, its"
            " arrays and statements: use shorter names"
        ],
    ),
    "N beyond 32 bits": Broken(
        arguments=("--param", f"N={10**23}"),
        expected=[
            f"--param N={10**23}: N={10**23} does not fit in 32 bits; choose a smaller value"
        ],
    ),
    "read of an undefined element": Broken(
        kernel=("t[i] = in[i];", "if (i >= 1) t[i] = in[i];"),
        expected=[
            "demo.c:9:22: 't' is read before any statement writes it; begin with t[..] = {0} "
            "where it is declared; else add it to live_in or write it first"
        ],
    ),
    "read outside the array": Broken(
        kernel=("if (i >= 1)", "if (i >= 0)"),
        expected=[
            "demo.c:9:22: 'S1' reads t[-1], but the extents of 't' are [8] at N=8; "
            "correct the subscript, the domain or the extents"
        ],
    ),
    "unknown method": Broken(
        arguments=("--method", "magic"),
        expected=[f"unknown method 'magic'; use one of: auto, {METHODS}"],
    ),
    "bad --param": Broken(
        arguments=("--param", "N=many", "--param", "7"),
        expected=[
            "--param N=many: not NAME=INTEGER; write it like --param N=64",
            "--param 7: not NAME=INTEGER; write it like --param N=64",
        ],
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_broken_input_is_named_and_nothing_is_written(
    case: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = BROKEN[case]
    (folder / "design.yaml").write_text(replaced(DESIGN, broken.design))
    (folder / "demo.c").write_text(replaced(KERNEL, broken.kernel))
    assert main(["plan", "design.yaml", *broken.arguments]) == 2
    assert messages(capsys) == broken.expected
    assert not Path("build").exists()


def replaced(text: str, replacement: tuple[str, str]) -> str:
    assert replacement[0] in text
    return text.replace(*replacement, 1)


def test_a_missing_design(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", "absent.yaml"]) == 2
    assert messages(capsys) == ["there is no file 'absent.yaml'; check the name"]


def test_a_foreign_folder_is_left_alone(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "mine").mkdir()
    (folder / "mine" / "thesis.txt").write_text("years of work")
    assert main(["plan", "design.yaml", "-o", "mine"]) == 2
    assert messages(capsys) == [
        "'mine' is a folder with other content: it has no plan.json of hlsmem; "
        "choose another folder with -o, or empty it"
    ]
    assert [file.name for file in (folder / "mine").iterdir()] == ["thesis.txt"]


def test_a_place_that_cannot_be_written(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", "design.yaml", "-o", "demo.c/out"]) == 2
    assert messages(capsys) == [
        "cannot write 'demo.c/out': File exists; choose another folder with -o"
    ]


def test_check_without_a_plan(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "nowhere"]) == 2
    assert messages(capsys) == [
        "nowhere/plan.json cannot be read; run `hlsmem plan DESIGN -o nowhere` first"
    ]


def test_a_missing_compiler_is_exit_3(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["plan", "design.yaml", "-o", "out"]) == 0
    capsys.readouterr()
    monkeypatch.setenv("PATH", "/nonexistent")
    monkeypatch.delenv("CC", raising=False)
    assert main(["check", "out", "--only", "host"]) == 3
    printed = capsys.readouterr().out
    assert "no C compiler for the checks: none of cc, gcc, clang is on PATH" in printed
    assert "`apt-get install gcc libc6-dev` brings what they need." in printed


def test_a_bug_of_ours_is_one_line_and_a_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(**_: str) -> int:
        raise RuntimeError("planted")

    plant_verb(monkeypatch, "schema", broken)
    assert main(["schema"]) == 70
    (message,) = messages(capsys)
    assert message.startswith("hlsmem: a bug of ours (RuntimeError); please report it with ")
    file = Path(message.split()[-1])
    assert "planted" in file.read_text()
    file.unlink()


def test_an_interrupt_is_exit_130(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(**_: str) -> int:
        raise KeyboardInterrupt

    plant_verb(monkeypatch, "schema", interrupted)
    assert main(["schema"]) == 130
    assert messages(capsys) == ["interrupted"]


# A job in the background ignores interrupts from the start; a program of the user's does not.
EARLY = """\
import os, signal, sys

signal.signal(signal.SIGINT, signal.default_int_handler)

class Finder:
    def find_spec(self, name, *_):
        if name == "hlsmem.core.errors":
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Finder())
from hlsmem.cli.main import run
run()
"""


def test_an_interrupt_while_the_program_is_loaded_is_quiet_too() -> None:
    done = subprocess.run([sys.executable, "-c", EARLY], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (130, "interrupted\n")


def test_wrong_usage_is_exit_2(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["plan"])
    assert left.value.code == 2
    assert "DESIGN" in capsys.readouterr().err


def test_an_array_may_come_after_the_options(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "design.yaml", "--param", "N=9", "t"]) == 0
    assert capsys.readouterr().out.startswith("t: 2 words, optimal")


def test_a_full_disk_behind_the_output() -> None:
    command = [sys.executable, "-m", "hlsmem", "plan", "design.yaml", "-o", "out"]
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == (
        "hlsmem: cannot write the output: No space left on device"
    )


@pytest.mark.parametrize("beats", ["0", "-3", "many", "", "1e6"])
def test_beats_are_a_number_or_all(beats: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["check", "nowhere", "--beats", beats])
    assert left.value.code == 2
    told = f"argument --beats: {beats!r} is no number of beats; use 1 or more, or all"
    assert capsys.readouterr().err.rstrip().endswith(told)


@pytest.mark.long
def test_checking_a_relative_folder_simulates(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", "design.yaml", "-o", "build/out"]) == 0
    assert main(["check", "build/out", "--only", "rtl"]) == 0
    assert "predicted = measured" in capsys.readouterr().out
