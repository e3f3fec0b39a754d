"""Structs in the spellings of C and C++: the generated C compiles by itself."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.emit.c.compiling import compiled

_ELEMENTS = """void f@(const px in[8][9], int out[8][9]) {
    int g[8][9];
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 9; x++) {
            g[y][x] = in[y][x].r * 7 + in[y][x].g;
            if (y > 0 && x > 0) out[y][x] = g[y][x] + g[y - 1][x - 1];
        }
}
"""
_LOCAL = """void f@(const int in[32], int out[32]) {
    for (int i = 0; i < 32; i++) {
        px c;
        c.r = in[i];
        c.g = 1;
        out[i] = c.r + c.g;
    }
}
"""
_COPIED = """static int sum(px c) { return c.r + c.g; }
void f@(const px in[32], px out[32]) {
    px t[32];
    for (int i = 0; i < 32; i++) t[i] = in[i];
    for (int i = 0; i < 32; i++) {
        px c = t[31 - i];
        c.r += sum(in[i]);
        out[i] = c;
    }
}
"""
_BOTH = (
    "typedef struct px px;\nstruct px { short r, g; };",
    "typedef struct px { short r, g; } px;",
    "typedef struct { short r, g; } px;",
    "struct pixel { short r, g; };\ntypedef struct pixel px;",
    "typedef struct pixel px;\nstruct pixel { short r, g; };",
    "struct px { short r, g; };\ntypedef struct px px;",
    "#define PX struct px\nPX { short r, g; } first_of_all;\ntypedef PX px;",
)
_CXX = (
    "struct px { short r, g; };",
    "struct px;\nstruct px { short r; short g; };",
    "struct pixel { short r, g; };\nusing px = pixel;",
    "using px = struct pixel { short r, g; };",
    "typedef struct pixel { short r, g; } px;\nstatic pixel one = {1, 2};",
    "struct inner { short r; };\nstruct px { inner a; short r, g; };",
    "struct px { short r, g; } first_of_all;",
    "const int K = 2;\nstruct px { short r, g; short more[K]; };",
    "typedef struct px px;\ntypedef struct px px;\nstruct px { short r, g; };",
)
_BODIES = (_ELEMENTS, _LOCAL, _COPIED)
_TAGS = [re.sub(r"\bpx\b", "struct px", body) for body in _BODIES]
_BRACES = """struct px { short r, g; };
void f@(const int in[32], int out[32]) {
    for (int i = 0; i < 32; i++) {
        px c{1, 2};
        px d{};
        c.r = in[i];
        d.g = c.r;
        out[i] = c.r + c.g + d.r + d.g;
    }
}
"""
_SOURCES = [
    *((f"{one}\n{body}", "c") for one in _BOTH for body in _BODIES),
    *((f"{one}\n{body}", "cpp") for one in (*_BOTH, *_CXX) for body in _BODIES),
    *(
        (f"struct px {{ short r, g; }};\n{body}", suffix)
        for body in _TAGS
        for suffix in ["c", "cpp"]
    ),
    (_BRACES, "cpp"),
]
_GROUPS = [_SOURCES[k::30] for k in range(30)]


@pytest.mark.few(1)
@pytest.mark.parametrize("group", range(30))
def test_structs_in_many_spellings(group: int, tmp_path: Path) -> None:
    compiled(tmp_path, _GROUPS[group])
