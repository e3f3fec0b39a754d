"""Files as clang parses them: macros at values, headers of the system, pragmas."""

from __future__ import annotations

from pathlib import Path

from hlsmem.check.c_trees.file_trees import file_tree
from hlsmem.check.c_trees.written_text import text_of
from tests.check.c_trees.test_file_trees import written


def test_macros_have_their_values_wherever_they_are_defined(tmp_path: Path) -> None:
    (tmp_path / "sizes.h").write_text(
        "#pragma once\n#ifndef M\n#define M 4 /* rows,\n columns */\n#endif\n"
    )
    text = (
        '#include "sizes.h"\n/*\n#define N 1 */\n#define N \\\n 64\n#undef K\n#if N > 8\n'
        "#define WIDE 1\n#endif\nint t[N][M + K][WIDE];\n"
    )
    (tmp_path / "k.c").write_text(text)
    values = {"N": 9, "M": 7, "K": 2, "not_there": 3}
    tree, includes = file_tree(tmp_path, "k.c", cflags=["-D", "K=5"], values=values)
    assert text_of(tree) == "int t[9][7 + 2][1];\n"
    assert includes == ()
    (declaration,) = tree.ext
    assert str(declaration.place) == "k.c:10"


def test_headers_of_the_system_stay_with_the_compiler(tmp_path: Path) -> None:
    (tmp_path / "own.h").write_text("#include <stdlib.h>\n#include <nowhere/at_all.h>\nint own;\n")
    (tmp_path / "k.c").write_text(
        "#include <math.h>\n#if 0\n#include <stdio.h>\n#endif\n#include <own.h>\n"
        "#include <math.h>\ndouble root(double x) { return sqrt(x); }\n"
        "int main(int n, char **words) { struct option own; return getopt_long(own, optarg); }\n"
    )
    tree, includes = file_tree(tmp_path, "k.c", cflags=["-I."])
    assert includes == (
        "#include <math.h>",
        "#include <stdlib.h>",
        "#include <nowhere/at_all.h>",
    )
    assert " ".join(text_of(tree).split()) == "int own; double root(double x) { return sqrt(x); }"


def test_pragmas_stand_where_they_stood(tmp_path: Path) -> None:
    text = (
        "#pragma GCC one\nvoid k(int n)\n{\n#pragma two\n int i;\n/*\n#pragma gone\n*/\n"
        "#if 0\n#pragma gone\n#endif\n for (i = 0; i < n; i++)\n#pragma HLS three \\\n more\n"
        "  i++;\n#pragma unroll\n while (i) { i--;\n#pragma four\n }\n"
        " if (i) i = 1; else\n#pragma five\n i = 2;\n"
        ' _Pragma("six=\\"x\\"") i = 3;\n#pragma seven\n}\n'
    )
    assert written(tmp_path, text) == (
        "#pragma GCC one void k(int n) { #pragma two int i; for (i = 0; i < n; i++) { "
        "#pragma HLS three more i++; } #pragma unroll while (i) { i--; #pragma four } "
        'if (i) i = 1; else { #pragma five i = 2; } #pragma six="x" i = 3; #pragma seven }'
    )
