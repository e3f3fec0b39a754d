"""The numbers of hls/include against fractions of Python, and against vendors' own headers."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from hlsmem.core.data_files import resource_folder
from tests.families import by_default
from tests.hls.expected_numbers import expected
from tests.hls.number_programs import Line, Set, built, drawn_lines, drawn_sets, mode_sets, printed
from tests.hls.numbers import Kind

INCLUDE = resource_folder("hls") / "include"
VENDORS = os.environ.get("HLSMEM_VENDOR_HEADERS", "")
SIZES = "sizes 1 1 2 4 8 16 16 128"


def program(folder: Path, sets: Sequence[Set], compiler: str, *options: str) -> Path:
    return built(folder, sets, [compiler, "-std=gnu++14", "-O0", *options, "-I", str(INCLUDE)])


def read(line: str) -> tuple[str, ...] | tuple[str, float]:
    """A line that was printed; floating-point numbers by their value."""
    name, _, value = line.rpartition(" ")
    return (name, float.fromhex(value)) if "0x" in value else (name, value)


def faults(sets: Sequence[Set], lines: Sequence[Line], found: Sequence[list[str]]) -> list[str]:
    """What differs from the definition."""
    wrong = []
    for line, given in zip(lines, found, strict=True):
        wanted = expected(sets[line.which], line)
        for one, other in zip(given, wanted, strict=True):
            if read(one) != read(other):
                wrong.append(f"{sets[line.which].text} {line.text}: {one}, not {other}")
    return wrong


def check(folder: Path, sets: Sequence[Set], compiler: str, *options: str, each: int) -> None:
    lines = drawn_lines(len(sets), sets, each)
    sizes, found = printed(program(folder, sets, compiler, *options), lines)
    assert sizes == SIZES
    assert faults(sets, lines, found) == []


def test_values_are_those_of_fractions(tmp_path: Path) -> None:
    """An integer with a product of 86 bits and a sum of 151, and fixed point; in `make test-all`
    Algorithmic C and every rounding, too."""
    wide, fixed, algorithmic, _ = drawn_sets(6, 4, widest=150)
    sets = [wide, fixed, *by_default([], [algorithmic, *mode_sets(1)[::5]])]
    check(tmp_path, sets, "g++", each=40)


@pytest.mark.long
@pytest.mark.parametrize(
    ("compiler", "standard"), [("clang++", "c++17"), ("g++", "gnu++20"), ("g++", "gnu++14")]
)
def test_values_with_every_compiler(tmp_path: Path, compiler: str, standard: str) -> None:
    seed = len(compiler + standard)
    sets = [*drawn_sets(seed, 8, widest=200), *drawn_sets(seed + 9, 4, widest=900)]
    checked = ("-fsanitize=undefined", "-fno-sanitize-recover=all")
    check(tmp_path, [*sets, *mode_sets(seed)], compiler, f"-std={standard}", *checked, each=60)


CUTS = """
extern "C" { int cuts; void hlsmem_cut() { cuts++; } }
static int counted() { int found = cuts; cuts = 0; return found; }
int main() {
    ap_int<8> a = 100;
    ap_uint<12> b = 4095;
    ap_fixed<8, 4> c = 1.5;
    std::cout << counted();
    a = 200;
    std::cout << counted();
    b = a * b;
    std::cout << counted();
    ap_int<64> d = b * a;
    std::cout << counted();
    d = 1LL << 40;
    std::cout << counted() << ' ' << a << ' ' << b << ' ' << c * a << ' ' << ap_uint<70>(d) << c;
}
"""
NATIVE = """
template <class A, class B> struct same { static constexpr bool value = false; };
template <class A> struct same<A, A> { static constexpr bool value = true; };
static_assert(same<ap_int<12>, short>::value && same<ap_uint<8>, unsigned char>::value, "");
static_assert(same<ac_int<33>, long long>::value && sizeof(ap_uint<65>) == 16, "");
int top(ap_int<9> a, ap_fixed<8, 4> b) { return a + (b * a).to_int(); }
"""


@pytest.mark.long
@pytest.mark.parametrize("compiler", ["clang++", "g++"])
def test_integers_of_c_and_cuts(tmp_path: Path, compiler: str) -> None:
    text = '#include "ap_fixed.h"\n#include "ac_int.h"\n#include <iostream>\n'
    (tmp_path / "cuts.cpp").write_text(text + CUTS)
    (tmp_path / "native.cpp").write_text(text + NATIVE)
    command = [compiler, "-std=gnu++14", "-Wall", "-Wextra", "-Werror", "-I", str(INCLUDE)]
    native = [*command, "-DHLSMEM_NATIVE", "-fsyntax-only", "native.cpp"]
    subprocess.run(native, cwd=tmp_path, check=True)
    subprocess.run([*command, "-DHLSMEM_CUTS", "cuts.cpp", "-o", "cuts"], cwd=tmp_path, check=True)
    out = subprocess.run([tmp_path / "cuts"], capture_output=True, text=True, check=True).stdout
    assert out == "00101 -56 56 -84 10995116277761.5"


def is_fault_of_vendor(one: Set, line: Line, name: str) -> bool:
    """True where the vendor's open headers are known not to compute the number.

    AMD's compare and divide numbers of different signs as C does, make 1 of a double between
    -0.5 and 0, and take integers of numbers without a bit before the point from nowhere.
    """
    if name in ("compare", "/", "%", "a < short", "unsigned == a"):
        return min(line.a.stored, line.b.stored, Kind(16, True).cut(line.n)) < 0
    if name == "from double":
        return one.t.places is None and -0.5 < line.d < 0
    return (
        name in ("to ap_int", "to_int", "to int", "to_uint", "to_int64")
        and one.a.bits <= one.a.point
    )


@pytest.mark.skipif(not VENDORS, reason="HLSMEM_VENDOR_HEADERS names no folder")
@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
def test_values_are_those_of_vendors(tmp_path: Path, seed: int) -> None:
    sets = [*drawn_sets(seed, 8), *mode_sets(seed)]
    lines = drawn_lines(seed, sets, 60)
    theirs = tmp_path / "vendor"
    theirs.mkdir()
    include = [option for one in VENDORS.split(":") for option in ("-I", one)]
    vendor = built(theirs, sets, ["g++", "-std=gnu++14", "-O0", "-DVENDOR", *include])
    sizes, found = printed(program(tmp_path, sets, "g++"), lines)
    their_sizes, wanted = printed(vendor, lines)
    assert sizes == their_sizes
    differing = [
        f"{sets[line.which].text} {line.text}: {one}, not {other}"
        for line, ours, vendors in zip(lines, found, wanted, strict=True)
        for one, other in zip(ours, vendors, strict=True)
        if one != other and not is_fault_of_vendor(sets[line.which], line, one.rsplit(" ", 4)[0])
    ]
    assert differing == []
