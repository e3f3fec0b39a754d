"""Headers of vendors in hls/include, and of the standard library in hls/read."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from hlsmem.core.data_files import resource_folder
from hlsmem.read.c.clang.library import library

HLS = resource_folder("hls")
HERE = Path(__file__).parent
READ = ("-nostdinc", "-DHLSMEM_READ", "-I", str(HLS / "include"), "-I", str(HLS / "read"))
STANDARD = ("clang++", "-std=gnu++17", "-w", str(HERE / "standard.cpp"))
STANDARD_TEXT = HERE / "standard.txt"
PARTS = ("hlsmem_values.h", "hlsmem_each_width.h", "hlsmem_mat.h")
"""Files that others include in the midst of something."""

VENDORS = """\
hls::stream 7880400 0 0 597 1
1 2 1 4 1 3 0 5 4
7 8 9 9
ac_channel 7880400 0 0 597 1
1 0
tapa::stream 7880400 0 0 597 1
hls::ap_hs 7880400 0 0 597 1
0 3 10 13 1
2 12
abcdef 7 1 2
15 5
5 23 56 5 84
8 4 -4 10
29 29 -1
11 10
1.41421 8 4
7 8 9 1 2 2 0 3 2 5 4 6 2 2 8 2 9 8
"""
OTHERS = """\
5 9 97 0 3
5 6 7 9 10 11 13 14 15 1 2 6
16 255 6 5
9 4
8
"""


def headers(folder: str) -> list[str]:
    """The headers of a folder by the names that users include."""
    found = (one for one in (HLS / folder).rglob("*") if one.is_file())
    names = sorted(one.relative_to(HLS / folder).as_posix() for one in found)
    return [name for name in names if name not in PARTS]


def printed(folder: Path, *command: str) -> str:
    """What a program prints that a compiler makes."""
    program = folder / "program"
    subprocess.run([*command, "-o", str(program)], check=True)
    return subprocess.run([program], check=True, capture_output=True, text=True).stdout


def said(text: str, language: str) -> list[str]:
    """The errors that the reader's clang has of a text."""
    standard = "-std=gnu++17" if language == "c++" else "-std=gnu17"
    own = (
        library()
        .module.Index.create()
        .parse(
            "user.cpp", args=["-x", language, standard, *READ], unsaved_files=[("user.cpp", text)]
        )
    )
    return [str(one) for one in own.diagnostics if one.severity >= 3]


def is_of_c(name: str) -> bool:
    return name.endswith(".h") and not name.startswith("hlsmem")


@pytest.mark.parametrize("folder", ["include", "read"])
def test_each_header_is_read_alone(folder: str) -> None:
    names = headers(folder)
    assert len(names) > 40
    wrong = {name: said(f"#include <{name}>\n", "c++") for name in names}
    assert {name: one for name, one in wrong.items() if one} == {}


def test_headers_of_c_are_read_as_c() -> None:
    names = [name for name in headers("read") if is_of_c(name)]
    assert said("".join(f"#include <{name}>\n" for name in names), "c") == []


def test_each_header_says_what_it_is() -> None:
    every = [one for one in HLS.rglob("*") if one.is_file()]
    first = {one: one.read_text(encoding="utf-8").splitlines()[0] for one in every}
    assert [one.name for one, line in first.items() if "/* " not in line] == []


@pytest.mark.needs("clang")
@pytest.mark.parametrize("compiler", ["g++", "clang++"])
def test_all_headers_compile_together(tmp_path: Path, compiler: str) -> None:
    # SmartHLS has some names of AMD's for its own classes, and Intel has int8 as others do.
    groups: list[list[str]] = [[], []]
    for name in headers("include"):
        if name not in ("ap_cint.h", "HLS/ac_int.h", "HLS/ac_fixed.h"):
            groups[name.startswith(("hls/", "HLS/"))].append(name)
    for number, group in enumerate(groups):
        text = "".join(f"#include <{name}>\n" for name in group)
        file = tmp_path / f"{number}.cpp"
        file.write_text(text + "int main() {}\n")
        command = [compiler, "-std=gnu++14", "-Wall", "-Werror", "-fsyntax-only", str(file)]
        subprocess.run([*command, "-I", str(HLS / "include")], check=True)


@pytest.mark.parametrize(("name", "expected"), [("vendors", VENDORS), ("other_vendors", OTHERS)])
def test_what_vendors_classes_hold(tmp_path: Path, name: str, expected: str) -> None:
    source = HERE / f"{name}.cpp"
    command = ["g++", "-std=gnu++14", "-O0", "-I", str(HLS / "include"), str(source)]
    assert printed(tmp_path, *command) == expected
    assert said(source.read_text(), "c++") == []


@pytest.mark.needs("clang")
def test_the_standard_library_as_declared_has_its_values(tmp_path: Path) -> None:
    ours = ("-nostdinc", "-nostdinc++", "-I", str(HLS / "read"))
    assert printed(tmp_path, *STANDARD, *ours) == STANDARD_TEXT.read_text()


@pytest.mark.long
def test_the_text_of_its_values_is_that_of_the_system(tmp_path: Path) -> None:
    assert printed(tmp_path, *STANDARD) == STANDARD_TEXT.read_text()


def test_test_benches_beside_a_kernel_are_read() -> None:
    text = (HERE / "bench.cpp").read_text()
    assert said(text, "c++") == []
    assert said(text.replace("rows[3]", "row[3]"), "c++") != []


def test_a_stream_is_as_deep_as_its_type_says() -> None:
    text = "#include <hls_stream.h>\nhls::stream<int, 4> a; hls::stream<int> &b = a;\n"
    assert said(text, "c++") == []
    assert said(f"{text}hls::stream<int, 2> &c = a;\n", "c++") != []


def test_numbers_are_printed_in_digits_of_any_radix(tmp_path: Path) -> None:
    text = """
    #include <ap_int.h>
    #include <iostream>
    int main()
    {
        ap_int<12> a = -300;
        ap_uint<192> w = 1;
        w = (w << 150) - 5;
        std::cout << a.to_string(10) << ' ' << a.to_string(16) << ' ' << a.to_string() << ' '
                  << w.to_string(10) << ' ' << w.to_string(8);
    }
    """
    (tmp_path / "digits.cpp").write_text(text)
    found = printed(tmp_path, "g++", f"-I{HLS / 'include'}", str(tmp_path / "digits.cpp"))
    low, wide = -300 & 0xFFF, (1 << 150) - 5
    assert found.split() == ["-300", f"{low:x}", f"{low:b}", f"{wide}", f"{wide:o}"]
