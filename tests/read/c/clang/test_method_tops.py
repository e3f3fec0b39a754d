"""Methods as the planned function."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.core.errors import InputError
from hlsmem.read.c.clang.reader import read_file
from hlsmem.read.design import load
from hlsmem.read.design_folder import Folder

TEXT = """
namespace filters {
struct Delay {
    int last[2];
    Delay() { last[0] = last[1] = 0; }
    void run(const int in[32], int object[32])
    {
        for (int i = 0; i < 32; i++) {
            object[i] = in[i] + last[1];
            last[1] = last[0];
            last[0] = in[i];
        }
    }
};
}
struct Scaled {
    Scaled(int) {}
    void run(int x[4]) { x[0] = 1; }
};
"""


def test_a_method_is_a_function_that_makes_its_object(tmp_path: Path) -> None:
    (tmp_path / "k.cpp").write_text(TEXT)
    reading = read_file(Folder(tmp_path), "k.cpp", "filters::Delay::run")
    assert "void run_of_Delay(const int in[32], int object[32])" in reading.parsed.text
    assert reading.head is not None
    assert reading.head.called == "filters::Delay::run"
    assert reading.head.expression.startswith("+[](const int in[32], int object[32]) {")
    design = load(tmp_path / "k.cpp", settings=["kernel.function=filters::Delay::run"])
    assert design.program.kernel is not None
    assert design.program.kernel.called == "filters::Delay::run"


def test_a_class_that_makes_no_object_without_arguments_is_refused(tmp_path: Path) -> None:
    (tmp_path / "k.cpp").write_text(TEXT)
    with pytest.raises(InputError, match=r"k.cpp:18:10: 'Scaled' has no constructor without"):
        read_file(Folder(tmp_path), "k.cpp", "Scaled::run")


def test_a_method_is_named_where_its_class_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "k.cpp").write_text(TEXT)
    remedy = "name one that 'k.cpp' defines: 'filters::Delay::run', 'Scaled::run'"
    with pytest.raises(InputError, match=rf"no function 'run' in 'k.cpp'; {remedy}"):
        read_file(Folder(tmp_path), "k.cpp", "run")
