"""Which function is planned where none is named: what templates and methods call is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.program.model import Program
from hlsmem.read.c.clang.reader import read_file
from hlsmem.read.design_folder import Folder
from tests.steps import load

HELPER = "int twice(int x) { return 2 * x; }\n"
TOP = "void top(int a[8])\n{\n    for (int i = 0; i < 8; i++)\n        a[i] = %s;\n}\n"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("template <typename T> T same(T x) { return twice(x); }\n", "same(i)"),
        (
            "template <int K> struct by { int of(int x) { return twice(x) * K; } };\n",
            "by<3>().of(i)",
        ),
        ("struct plain { int k = 1; int of(int x) { return twice(x) * k; } };\n", "plain().of(i)"),
    ],
)
def test_what_templates_and_methods_call_is_no_top(tmp_path: Path, text: str, value: str) -> None:
    (tmp_path / "k.cpp").write_text(HELPER + text + TOP % value)
    head = read_file(Folder(tmp_path), "k.cpp", None).head
    assert head is not None
    assert head.name == "top"


def test_a_pointer_to_structs_of_arrays_is_passed_on(tmp_path: Path) -> None:
    """Two shapes of a struct are alike by their sizes, wherever these are written."""
    text = (
        "struct word { int at[4]; };\n"
        "static void twice(const word *from, word *to) {\n"
        "    for (int i = 0; i < 8; i++)\n"
        "        for (int k = 0; k < 4; k++)\n"
        "            to[i].at[k] = 2 * from[i].at[k];\n"
        "}\n"
        "void top(const word *in, word *out) {\n"
        "    twice(in, out);\n"
        "}\n"
    )
    (tmp_path / "k.cpp").write_text(text)
    program = load(tmp_path / "k.cpp").input
    assert isinstance(program, Program)
    assert [one.name for one in program.arrays.values()] == ["in_at", "out_at"]
