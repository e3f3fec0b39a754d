"""The reader of C++: clang works in a copy of the process, whose limit of memory is its own."""

from __future__ import annotations

import resource
from pathlib import Path

import pytest

from hlsmem.core.errors import InputError
from hlsmem.polyhedra import limits
from hlsmem.read.c.clang import reader
from hlsmem.read.c.clang.reader import read_file
from hlsmem.read.c.clang.reader_process import ReaderEndedError
from hlsmem.read.design import load
from hlsmem.read.design_folder import Folder

_TOP = "void top(const int in[4], int out[4]) { for (int i = 0; i < 4; i++) out[i] = in[i]; }\n"


@pytest.mark.parametrize("copies", [True, False])
def test_the_process_keeps_its_limit_of_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, copies: bool
) -> None:
    monkeypatch.setattr(limits, "copies", copies)
    (tmp_path / "k.cpp").write_text(_TOP)
    before = resource.getrlimit(resource.RLIMIT_AS)
    reading = read_file(Folder(tmp_path), "k.cpp", None)
    assert "out[i] = in[i];" in reading.parsed.text
    assert resource.getrlimit(resource.RLIMIT_AS) == before


@pytest.mark.parametrize(
    ("function", "what"),
    [
        ("f", "'f' is a template"),
        ("lost", "there is no function 'lost' in 'k.cpp'"),
    ],
)
def test_a_top_that_is_none_is_refused(tmp_path: Path, function: str, what: str) -> None:
    text = "template <int K> void f(int a[K]) { a[0] = K; }\n" + _TOP
    (tmp_path / "k.cpp").write_text(text)
    with pytest.raises(InputError, match=what):
        read_file(Folder(tmp_path), "k.cpp", function)


def test_an_instance_of_a_template_is_a_top(tmp_path: Path) -> None:
    text = "namespace n { template <int K> void f(int a[K]) { a[0] = K; } }\n"
    (tmp_path / "k.cpp").write_text(text)
    reading = read_file(Folder(tmp_path), "k.cpp", "n::f<16>")
    assert "void f_16(int a[16])" in reading.parsed.text
    assert reading.head is not None
    assert reading.head.called == "n::f<16>"


_IMAGE = """
struct Image {
    int rows, used;
    unsigned char data[64];
    Image() : rows(8), used(0) {}
    void write(int i, unsigned char x) { data[i] = x; used++; }
};
void top(Image &from, Image &to)
{
    for (int i = 0; i < from.rows; i++) {
        to.write(i, from.data[i] + 1);
        to.data[from.rows - i] = 0;
    }
}
"""


def test_members_of_an_object_are_parameters(tmp_path: Path) -> None:
    (tmp_path / "k.cpp").write_text(_IMAGE)
    reading = read_file(Folder(tmp_path), "k.cpp", "top")
    text = reading.parsed.text
    head = text[text.index("void top(") :].partition(")")[0]
    assert "int from_rows, int * restrict from_used, unsigned char from_data[64]" in head
    assert "i < from_rows" in text
    assert reading.head is not None
    assert reading.head.objects == ("from", "to")


def test_a_struct_without_constructors_stays_one_parameter(tmp_path: Path) -> None:
    (tmp_path / "k.cpp").write_text(_IMAGE.replace("    Image() : rows(8), used(0) {}\n", ""))
    reading = read_file(Folder(tmp_path), "k.cpp", "top")
    assert "struct Image * restrict from" in reading.parsed.text
    assert reading.head is not None
    assert reading.head.objects == ()


def test_sizes_stay_names_in_a_folder_that_is_named_from_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "k.cpp").write_text("#define N 4\n" + _TOP.replace("4", "N"))
    monkeypatch.chdir(tmp_path)
    reading = read_file(Folder(Path("out")), "k.cpp", None, symbolic=["N"])
    assert "i < N" in reading.parsed.text


def test_tables_that_are_constexpr_are_constant(tmp_path: Path) -> None:
    text = """
    template <typename T> struct weights { static constexpr int row[2] = {1, 3}; };
    void f(int x[4])
    {
        static constexpr int own[2][2] = {{1, 2}, {3, 4}};
        for (int i = 0; i < 4; i++)
            x[i] = weights<int>::row[i % 2] + own[0][i % 2];
    }
    """
    (tmp_path / "k.cpp").write_text(text)
    found = read_file(Folder(tmp_path), "k.cpp", None).parsed.text
    assert "static const int row[2] = {1, 3};" in found
    assert "static const int own[2][2] = {{1, 2}, {3, 4}};" in found


def test_a_text_that_ends_clang_is_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    readings = []

    def ended(*arguments: object) -> None:
        readings.append(arguments)
        raise ReaderEndedError

    monkeypatch.setattr(reader, "in_copy", ended)
    (tmp_path / "k.cpp").write_text(_TOP)
    with pytest.raises(InputError, match=r"k.cpp:1:1: clang ends while it reads 'k.cpp'"):
        load(tmp_path / "k.cpp")
    assert len(readings) == 1


def test_an_object_without_a_name_has_that_of_its_class(tmp_path: Path) -> None:
    text = """
    template <class T> struct Pair {
        T at[2];
        Pair(T x) { at[0] = at[1] = x; }
        T sum(int k) const { return at[k] + at[1 - k]; }
    };
    void f(int x[4])
    {
        for (int i = 0; i < 4; i++)
            x[i] = Pair<int>(x[i]).sum(0);
    }
    """
    (tmp_path / "k.cpp").write_text(text)
    found = read_file(Folder(tmp_path), "k.cpp", None).parsed.text
    assert "Pair_at" in found
    assert "made" not in found
