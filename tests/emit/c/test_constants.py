"""Constants of a file as extents, widths and first values: the generated C compiles by itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.emit.c.compiling import compiled, planned
from tests.steps import load

_COPY = """void f@(const int a[SIZE], int b[2][SIZE / 2]) {
    int t[SIZE];
    for (int i = 0; i < SIZE; i++) t[i] = a[i] * 3;
    for (int i = 0; i < SIZE; i++) b[i & 1][i / 2] = t[SIZE - 1 - i];
}
"""
_INSIDE = """void f@(const int a[16], int b[16]) {
    {declaration}
    int t[SIZE];
    for (int i = 0; i < SIZE; i++) t[i] = a[i] * 3;
    for (int i = 0; i < SIZE; i++) b[i] = t[SIZE - 1 - i];
}
"""
_WIDE = """#include <ap_int.h>
{outside}
void f@(const ap_int<SIZE> a[8], ap_int<SIZE + 4> b[8]) {
    ap_int<SIZE> t[8];
    for (int i = 0; i < 8; i++) t[i] = a[i] + 1;
    for (int i = 0; i < 8; i++) b[i] = t[7 - i];
}
"""
_BOTH = (
    "const static int SIZE = 16;",
    "unsigned const static SIZE = 16;",
    "static int const SIZE = 16;",
    "const int SIZE = 16;",
    "int static const SIZE = 2 * 8;",
    "static const int SIZE = 16;",
    "int const SIZE = 16;",
    "const unsigned int SIZE = 16u;",
    "static const long SIZE = 16;",
    "const unsigned char SIZE = 16;",
    "static const short OTHER = 1, SIZE = 4 << 2;",
    "enum { OTHER = 15, SIZE };",
)
_CXX = (
    "constexpr static int SIZE{16};",
    "const int HALF = 8, SIZE = 2 * HALF;",
    "const int HALF = 8; const int SIZE = HALF << 1;",
    "static constexpr unsigned SIZE = 16;",
    "const int SIZE(16);",
    "inline constexpr int SIZE = true ? 16 : 2;",
    "constexpr long SIZE = 8 * sizeof(short);",
    "using number = unsigned; constexpr number SIZE = 16;",
    "extern const int SIZE = 16;",
)
_STATICS = """const static unsigned N = 4; static const int M = N - 1;
struct row { int v[N]; };
static int kept[N];
const int table[N] = {1, 2, M, 4};
void f@(const row a[8], int b[8]) {
    int t[N] = {1, 2};
    for (int i = 0; i < 8; i++) {
        kept[i % N] = a[i].v[0];
        switch (i) { case M: t[1] = a[i].v[1]; break; default: t[0] = table[i & 3]; }
        b[i] = t[0] + t[1] + kept[(i + N) % N] + a[i].v[M];
    }
}
"""
_ARRAY = """const int N = 8;
typedef int row[N];
void f@(const row a, row b) {
    row t;
    for (int i = 0; i < N; i++) t[i] = a[i] * 3;
    for (int i = 0; i < N; i++) b[i] = t[N - 1 - i];
}
"""


def _sources() -> list[tuple[str, str]]:
    found = []
    for suffix, declarations in (("c", _BOTH), ("cpp", (*_BOTH, *_CXX))):
        for one in declarations:
            found.append((f"{one}\n{_COPY}", suffix))
            if not one.startswith(("extern", "inline", "using", "static const short")):
                found.append((_INSIDE.replace("{declaration}", one), suffix))
    return found


_GROUPS = [_sources()[k::30] for k in range(30)]


@pytest.mark.few(1)
@pytest.mark.parametrize("group", range(30))
def test_constants_are_extents_of_the_generated_files(group: int, tmp_path: Path) -> None:
    compiled(tmp_path, _GROUPS[group])


@pytest.mark.dear
def test_constants_are_widths_first_values_and_cases(tmp_path: Path) -> None:
    sources = [(_STATICS, "cpp"), (_ARRAY, "cpp")]
    for one in (_BOTH[1], _BOTH[10], _BOTH[11], _CXX[0], _CXX[2]):
        sources.append((_WIDE.replace("{outside}", one), "cpp"))
    compiled(tmp_path, sources)
    header = (tmp_path / "out2" / "host" / "k2.h").read_text()
    assert "const f2_ap_int_16 a[8], f2_ap_int_20 b[8]" in header


def test_a_constant_ends_with_its_block(tmp_path: Path) -> None:
    """Two functions have a W each: the second is not that of the first."""
    (host,) = planned(
        tmp_path,
        [
            (
                """#include <ap_int.h>
static int first(int x) { const int W = 7; ap_int<W> y = x; return y; }
void f@(const int a[8], int b[8]) {
    static int const W = 12;
    ap_int<W> t[8];
    for (int i = 0; i < 8; i++) t[i] = first(a[i]);
    for (int i = 0; i < 8; i++) b[i] = t[7 - i];
}
""",
                "cpp",
            )
        ],
    )
    assert "ap_int_12 t[8]" in (host.parent / "design" / "normal.c").read_text()


def test_elements_that_are_cast_have_the_size_that_c_has(tmp_path: Path) -> None:
    (tmp_path / "wide.cpp").write_text(_WIDE.replace("{outside}", _BOTH[0]).replace("@", "0"))
    kernel = load(tmp_path / "wide.cpp").program.kernel
    text = kernel.entry.text
    assert text.count('"C has hlsmem::num<16, 16, true> in short"') == 1
    assert text.count('"C has hlsmem::num<20, 20, true> in int"') == 1
