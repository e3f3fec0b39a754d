"""Kernels of several files: each is a file by itself, whatever names they share."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.check import run_checks
from hlsmem.core.errors import InputError
from hlsmem.emit.output_folder import write_folder
from hlsmem.program.model import Program
from tests.families import by_default
from tests.plans import plan_storage, whole_files
from tests.steps import load

PIPE = Path(__file__).parent / "files" / "design.yaml"


def refused(folder: Path, **files: str) -> str:
    """What is said against a design of `top` and the files given by their stems."""
    for name, text in files.items():
        (folder / f"{name}.c").write_text(text)
    others = ", ".join(f"{name}.c" for name in files if name != "top")
    kernel = f"{{file: top.c, function: top, sources: [{others}]}}"
    (folder / "design.yaml").write_text(f"hlsmem: 1\nname: pipe\nkernel: {kernel}\n")
    with pytest.raises(InputError) as caught:
        load(folder / "design.yaml")
    return str(caught.value).replace(f"{folder}/", "")


def test_files_that_share_names_and_a_header_are_followed(tmp_path: Path) -> None:
    """Both files have a `weight`, a `sum_t`, a `struct taps` and a `ROUND` of their own."""
    planning = plan_storage(load(PIPE))
    assert {n: one.cells for n, one in planning.folded.mappings.items() if n == "t"} == {"t": 49}
    write_folder(tmp_path / "out", whole_files(planning))
    checks = by_default(("reading",), ("reading", "proof", "replay", "host"))
    verdicts = run_checks(tmp_path / "out", only=checks).verdicts
    assert {one.check for one in verdicts} == set(checks)
    assert [one for one in verdicts if not one.fine] == []


def test_a_header_stands_once_in_normal_form() -> None:
    program = load(PIPE).input
    assert isinstance(program, Program)
    assert program.kernel is not None
    normal = program.kernel.normal
    assert normal.count("int clamp(") == 1
    assert {source.name for source in program.kernel.sources} == {
        "top.c",
        "blur.c",
        "vert.c",
        "pipe.h",
    }


TOP = """void g(int *a);
void top(int a[8])
{
    int t[8];
    for (int i = 0; i < 8; i++)
        t[i] = a[i];
    g(t);
    for (int i = 0; i < 8; i++)
        a[i] = t[i];
}
"""


def test_a_function_with_two_bodies_is_refused(tmp_path: Path) -> None:
    body = "void g(int *a) { a[0] = 1; }\n"
    assert refused(tmp_path, top=TOP, one=body, two=body) == (
        "two.c:1:6: 'g' has a body in two files; keep one of them, or declare them static"
    )


def test_a_variable_that_all_files_see_is_refused(tmp_path: Path) -> None:
    body = "int last[8];\nvoid g(int *a) { for (int i = 0; i < 8; i++) last[i] = a[i]; }\n"
    assert refused(tmp_path, top=TOP, one=body) == (
        "one.c:1:5: 'last' is a variable of 'one.c' that other files can see;"
        " declare it static there, or pass it as a parameter"
    )


def test_a_function_that_no_file_has_is_named(tmp_path: Path) -> None:
    message = refused(tmp_path, top=TOP, one="static void g(int *a) { a[0] = 1; }\n")
    assert "'g' is not in this file" in message
    assert "kernel.sources" in message


def test_files_that_are_not_there_are_named_all_at_once(tmp_path: Path) -> None:
    (tmp_path / "top.c").write_text(TOP)
    names = "[one.c, ../two.c, top.c]"
    kernel = f"{{file: top.c, sources: {names}}}"
    (tmp_path / "design.yaml").write_text(f"hlsmem: 1\nname: pipe\nkernel: {kernel}\n")
    with pytest.raises(InputError) as caught:
        load(tmp_path / "design.yaml")
    assert [one.source_location.column for one in caught.value.problems if one.source_location] == [
        33,
        40,
        50,
    ]
    assert "is named twice" in str(caught.value)


def test_what_stands_in_another_file_is_told_there(tmp_path: Path) -> None:
    body = "void g(int *a)\n{\n    goto end;\nend:\n    a[0] = 1;\n}\n"
    assert refused(tmp_path, top=TOP, one=body).startswith("one.c:3:5: complex control flow")
