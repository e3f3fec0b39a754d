"""What clang refuses: its first error in the form of all messages, at the user's line."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.cli.command import problem_text
from hlsmem.core.errors import InputError, Problem
from hlsmem.read.c.clang.reader import read_file
from hlsmem.read.design import changed, load
from hlsmem.read.design_folder import Folder


def refused(folder: Path, text: str) -> Problem:
    """The one problem of a function of C++."""
    (folder / "k.cpp").write_text(text)
    with pytest.raises(InputError) as caught:
        read_file(Folder(folder), "k.cpp", None)
    (problem,) = caught.value.problems
    return problem


def test_a_number_is_named_by_its_bits(tmp_path: Path) -> None:
    text = "#include <ap_fixed.h>\nvoid f(ap_fixed<16, 4> x[8])\n{\n    x[0].nothing();\n}\n"
    problem = refused(tmp_path, text)
    number = "a number of 16 bits, 4 of them in front of the point"
    assert str(problem) == f"k.cpp:4:10: C++: no member named 'nothing' in {number}; correct it"


def test_other_errors_are_counted(tmp_path: Path) -> None:
    problem = refused(tmp_path, "void f(int x[8])\n{\n    x[0] = x;\n    x[1] = x;\n}\n")
    assert problem.what.startswith("C++: incompatible pointer to integer")
    assert [note.text for note in problem.notes] == ["and 1 more error"]


@pytest.mark.parametrize("include", ['"sizes.h"', "<deep/in/sizes.h>"])
def test_a_missing_header_is_named_where_a_name_is_unknown(tmp_path: Path, include: str) -> None:
    text = f"#include {include}\nvoid f(int x[8])\n{{\n    x[0] = LOST;\n}}\n"
    name = include.strip('"<>')
    message = f"k.cpp:4:12: '{name}' is not found; add its folder with --include"
    assert str(refused(tmp_path, text)) == message
    (tmp_path / "k.cpp").write_text(text.replace("LOST", "0"))
    assert read_file(Folder(tmp_path), "k.cpp", None).parsed.text


def test_errors_in_headers_stand_where_they_are_used(tmp_path: Path) -> None:
    text = "#include <ap_int.h>\nvoid f(int x[8])\n{\n    ap_uint<2000> wide = x[0];\n}\n"
    problem = refused(tmp_path, text)
    assert problem.what == "a number has 1 to 1024 bits"
    assert problem.source_location is not None
    assert problem.source_location.line == 4


def test_a_variable_stands_where_it_is_used_and_not_where_it_is_declared(tmp_path: Path) -> None:
    text = """struct Row {
    int own[4];
    void shift(int (&other)[4])
    {
        own[0] = other[0] +
                 other[5];
    }
};
void f(int x[4])
{
    Row row = {{0}};
    row.shift(row.own);
    x[0] = row.own[0];
}
"""
    (tmp_path / "k.cpp").write_text(text)
    with pytest.raises(InputError) as caught:
        load(tmp_path / "k.cpp")
    (problem,) = caught.value.problems
    assert ":6:18: 'S4' reads row_own[5], but" in str(problem)
    last = problem_text(problem).splitlines()[-1]
    assert last.endswith("k.cpp:12:5: in shift, called from here")


def test_what_follows_from_a_variable_that_is_not_read_is_not_said(tmp_path: Path) -> None:
    text = """
    #include <hls_np_channel.h>
    void f(hls::stream<int> &in, int out[8])
    {
        hls::split::load_balance<int, 2> lanes;
        lanes.in.write(in.read());
        out[0] = lanes.out[0].read() + lanes.out[1].read();
    }
    """
    problem = refused(tmp_path, text)
    assert problem.what.startswith("which stream of a channel of load balance is taken depends on")


def test_a_header_that_is_missing_and_one_that_ours_stands_for_have_remarks(
    tmp_path: Path,
) -> None:
    text = '#include "sizes.h"\n#include "ap_int.h"\nvoid f(ap_int<9> x[8])\n{\n    x[0] = 1;\n}\n'
    (tmp_path / "k.cpp").write_text(text)
    (tmp_path / "ap_int.h").write_text("#error a copy of the user's\n")
    assert [str(one) for one in read_file(Folder(tmp_path), "k.cpp", None).parsed.remarks] == [
        "k.cpp:1:10: 'sizes.h' is not found, and counts as empty; add its folder with --include",
        "k.cpp:2:10: 'ap_int.h' is not read: the header of hlsmem is; leave it out, or go on",
    ]


@pytest.mark.parametrize("name", ["ap_int.h", "third/ap_int.h"])
def test_a_copy_of_a_header_stays_one_in_a_copy_of_the_design(tmp_path: Path, name: str) -> None:
    text = f'#include "{name}"\r\nvoid f(ap_int<9> x[8])\r\n{{\r\n    x[0] = 1;\r\n}}\r\n'
    (tmp_path / "k.cpp").write_text(text)
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("#error a copy of the user's\r\n")
    first = load(tmp_path / "k.cpp")
    again = changed(first, ["kernel.function=f"])
    for one in (first, again):
        assert one.program is not None
        assert [str(note) for note in one.program.notes] == [
            f"k.cpp:1:10: '{name}' is not read: the header of hlsmem is; leave it out, or go on"
        ]
    [copy] = [one for one in again.sources if one.name == name]
    assert copy.text == "#include <ap_int.h>\n"


def test_memories_that_answer_when_they_like_are_refused_by_name(tmp_path: Path) -> None:
    text = """#include <tapa.h>
void copy(tapa::async_mmap<int> &x, int n) { x.write_data.write(n); }
void f(tapa::mmaps<int, 2> x, int n) { tapa::task().invoke<tapa::join, 2>(copy, x, n); }
"""
    problem = refused(tmp_path, text)
    assert problem.what == "what an 'async_mmap' gives depends on when it is asked"
    assert problem.source_location is not None
    assert problem.source_location.line == 3
