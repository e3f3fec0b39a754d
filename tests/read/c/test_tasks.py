"""What runs side by side in DATAFLOW regions."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.network.processes import processes_of, selftimed_processes
from hlsmem.program.model import Program
from tests.steps import load

FUNCTIONS = """\
static int last(int a[8]) { a[0] = 1; return a[7]; }
static void fill(int a[8]) { for (int i = 0; i < 8; i++) a[i] = i; }
static void both(int a[8], int b[8]) { fill(a); fill(b); }
static void region(int a[8], int b[8]) {
#pragma HLS DATAFLOW
    fill(a);
    fill(b);
}
static void flat(int a[8], int b[8]) {
#pragma HLS inline
    fill(a);
    fill(b);
}
"""

BODIES = {
    "calls": ("D fill(a); fill(b); both(c, d);", ["fill", "fill_2", "both"]),
    "loops, labels and statements": (
        "D for (int i = 0; i < 8; i++) a[i] = i;\n"
        "second: for (int i = 0; i < 8; i++) b[i] = i;\nc[0] = 1;",
        ["loop_17", "second", "line_19"],
    ),
    "values": ("D fill(c); int x = last(a); b[0] = x;", ["fill", "last", "line_17", "line_17_2"]),
    "blocks and inlined calls are none": (
        "D { fill(a); } flat(b, c);",
        ["fill", "fill_2", "fill_3"],
    ),
    "regions of tasks": ("D fill(c); region(a, b);", ["fill", "fill_2", "fill_3"]),
    "a region beside other text": ("fill(c); region(a, b);", ["top", "fill", "fill_2"]),
    "the body of a loop": (
        "for (int r = 0; r < 2; r++) {\nD fill(a); both(b, c); }",
        ["fill", "both"],
    ),
    "no region": ("fill(a); fill(b);", ["top"]),
}


def program_of(folder: Path, body: str, setting: str = "kernel.function=top") -> Program:
    head = "void top(int a[8], int b[8], int c[8], int d[8]) {\n"
    text = f"{FUNCTIONS}{head}{body}\n}}\n".replace("D ", "\n#pragma HLS DATAFLOW\n", 1)
    (folder / "f.c").write_text(text, encoding="utf-8")
    found = load(folder / "f.c", settings=["kernel.function=top", setting]).input
    assert isinstance(found, Program)
    return found


@pytest.mark.parametrize("kind", BODIES)
def test_items_of_regions_are_tasks(tmp_path: Path, kind: str) -> None:
    body, names = BODIES[kind]
    program = program_of(tmp_path, body)
    assert [one.name for one in processes_of(program, "given")] == names
    ignored = program_of(tmp_path, body, "kernel.pragmas=ignore")
    assert [one.name for one in processes_of(ignored, "given")] == ["top"]
    assert len(selftimed_processes(ignored)) == len(ignored.statements)


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("calls", ["fill", "fill_2", "both"]),
        ("regions of tasks", ["fill", "region"]),
        ("a region beside other text", ["top"]),
        ("the body of a loop", ["fill", "both"]),
    ],
)
def test_what_runs_by_itself_is_an_outermost_task(
    tmp_path: Path, kind: str, names: list[str]
) -> None:
    program = program_of(tmp_path, BODIES[kind][0])
    assert [one.name for one in selftimed_processes(program)] == names


def test_runs_of_a_loop_overlap_and_those_of_a_call_do_not(tmp_path: Path) -> None:
    for body, runs, apart in (
        ("for (int r = 0; r < 2; r++) {\nD fill(a); fill(b); }", 2, 0),
        ("for (int r = 0; r < 2; r++) region(a, b);", 2, 2),
        ("region(a, b);", 0, 0),
    ):
        program = program_of(tmp_path, body)
        first, second = (p for p in processes_of(program, "given") if p.name != "top")
        task = first.beside(second)
        assert task is not None
        assert (task.runs, task.apart) == (runs, apart)
