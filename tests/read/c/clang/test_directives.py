"""Pragmas that name members, and text that only simulations have."""

from __future__ import annotations

from pathlib import Path

from hlsmem.read.c.clang.reader import read_file
from hlsmem.read.design import load
from hlsmem.read.design_folder import Folder


def as_c(folder: Path, text: str) -> str:
    """The C of a function of C++."""
    (folder / "k.cpp").write_text(text)
    return read_file(Folder(folder), "k.cpp", None).parsed.text


def test_a_member_is_named_as_its_variable_and_an_object_as_all_of_its(tmp_path: Path) -> None:
    text = """
    struct Two { int a[4]; struct { int b[4]; } in; };
    void f(int x[4])
    {
        Two two, other;
    #pragma HLS BIND_STORAGE variable = two.in.b type = RAM_2P
    #pragma HLS ARRAY_PARTITION variable=other dim=1
    #pragma HLS ARRAY_PARTITION variable=x dim=1
        for (int i = 0; i < 4; i++) {
            two.a[i] = two.in.b[i] = other.a[i] = other.in.b[i] = x[i];
            x[3 - i] = two.a[i] + two.in.b[i] + other.a[i] + other.in.b[i];
        }
    }
    """
    found = [one for one in as_c(tmp_path, text).splitlines() if "#pragma" in one]
    assert [one.strip() for one in found] == [
        "#pragma HLS BIND_STORAGE variable = two_in_b type = RAM_2P",
        "#pragma HLS ARRAY_PARTITION variable=other_a dim=1",
        "#pragma HLS ARRAY_PARTITION variable=other_in_b dim=1",
        "#pragma HLS ARRAY_PARTITION variable=x dim=1",
    ]


def test_simulations_print_and_open_files_and_hardware_does_not(tmp_path: Path) -> None:
    text = """
    #include <iostream>
    #include <iomanip>
    void f(int x[4])
    {
        std::cout << std::setw(3) << x[0] << std::endl;
    #ifndef __SYNTHESIS__
        throw x;
    #endif
        x[0] = x[1];
    }
    """
    body = as_c(tmp_path, text).partition("{")[2]
    assert body.split() == ["x[0]", "=", "x[1];", "}"]


def test_pragmas_of_the_members_of_an_object_are_of_different_arrays(tmp_path: Path) -> None:
    text = """
    struct two { int a[4]; int b[4]; };
    void f(int x[4])
    {
        two own;
    #pragma HLS ARRAY_PARTITION variable=own dim=1
        for (int i = 0; i < 4; i++)
            own.a[i] = own.b[i] = x[i];
        for (int i = 0; i < 4; i++)
            x[3 - i] = own.a[i] + own.b[i];
    }
    """
    (tmp_path / "k.cpp").write_text(text)
    kernel = load(tmp_path / "k.cpp").program.kernel
    assert kernel is not None
    found = [one.array for one in kernel.pragmas if one.name == "ARRAY_PARTITION"]
    assert found == ["own_a", "own_b"]
