"""Trees of C files: what is written comes back as it stands, and all of it compiles."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from hlsmem.check.c_trees.file_trees import file_tree
from hlsmem.check.c_trees.parsed_file import NotUnderstood
from hlsmem.read.c import c_ast
from hlsmem.read.c.c_text import text_of

ROOT = Path(__file__).parents[3]
KERNELS = [
    *sorted((ROOT / "tests" / "read" / "c" / "constructs").glob("*.c")),
    *sorted((ROOT / "tests" / "read" / "c" / "idioms").glob("*.c")),
    *sorted((ROOT / "examples").glob("*/*.c")),
    *sorted((ROOT / "tests" / "check" / "kernels").glob("*.c")),
]


def written(tmp_path: Path, text: str, **values: int) -> str:
    """The text of the tree of a file, in one line."""
    (tmp_path / "k.c").write_text(text)
    tree, _ = file_tree(tmp_path, "k.c", values=values)
    return " ".join(text_of(tree).split())


def compiled(text: str, compiler: str = "gcc") -> subprocess.CompletedProcess[str]:
    command = [compiler, "-std=gnu99", "-fsyntax-only", "-w", "-xc", "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False)


def test_the_text_of_every_kernel_compiles() -> None:
    assert len(KERNELS) > 140
    for file in KERNELS:
        given = re.search(r"kernel\.cflags=\[(.*)\]", file.read_text().partition("\n")[0])
        cflags = given[1].split(",") if given else []
        tree, includes = file_tree(file.parent, file.name, cflags=cflags)
        found = compiled("\n".join([*includes, text_of(tree)]))
        assert found.returncode == 0, (file, found.stderr)


# Statements of one function whose text is the same, as the printer writes it.
SAME = """
int i, j = 2, *p = &j, t[4][3], *const q[2] = {p, 0};
const volatile int *r = p;
static int calls = 0;
struct point { int x; struct { int y; }; unsigned int few : 3; } a, *b = &a;
struct point c = {.x = 1, .few = 2};
int u[] = {[1] = 5, [2] = 6}, v[2][2] = {[1][0] = 7};
union { int whole; float real; } both;
enum { FIRST, SECOND = 5 } which = SECOND;
int (*f)(int, float *) = 0, (*table[2])(void);
char letters[] = "a\\"b\\n";
struct point *made = &(struct point){1, {2}, 3};
for (;;) break;
for (i = 0;; i++) { break; }
for (; i < 3;) i++;
for (int k = 0, m = 3; k < m; k++, m--) continue;
while (i > 3) i /= 2;
do { i++; } while (i < 3);
switch (i) { case 1: case 2: i = 3; break; default: i = 4; }
if (i) j = 1; else if (j) i = 1; else ;
first: t[1][2] = i ? j : 3;
if (!i) goto first;
(void) t[i][j];
i = (j, *p);
i = (int) sizeof(t[0]) + (int) sizeof(t);
b->x = a.y + b->few + (*b).x;
*(p + i) = -(-j);
i = ~i & 3 | 4 ^ j << 1 >> 1;
j = f(i, (float *) 0) + table[1]();
i = j = 4;
i <<= 1, j %= 2;
j++; --i;
i = 1.5 + 0.5f + 3U + 4UL + 1e-9 > 2LL && j || !i;
"""


def test_statements_come_back_as_they_are_written(tmp_path: Path) -> None:
    text = f"int k(int n, int w[n][n])\n{{{SAME}return n; }}\n"
    once = written(tmp_path, text)
    assert compiled(once).returncode == 0
    for part in (
        "int *const q[2] = {p, 0};".replace("*const", "* const"),
        "const volatile int *r = p;",
        "struct { int y; }; unsigned int few : 3; } a, *b = &a;",
        "struct point c = {.x = 1, .few = 2};",
        "int u[] = {[1] = 5, [2] = 6};",
        "int v[2][2] = {[1][0] = 7};",
        "union { int whole; float real; } both;",
        "enum { FIRST, SECOND = 5 } which = SECOND;",
        "int (*f)(int, float *) = 0;",
        "int (*table[2])(void);",
        'char letters[] = "a\\"b\\n";',
        "for (;;) break;",
        "for (i = 0;; i++)",
        "for (; i < 3;) i++;",
        "for (int k = 0, m = 3; k < m; k++, m--) continue;",
        "case 1: case 2: i = 3; break; default: i = 4; }",
        "first: t[1][2] = (i) ? (j) : (3);",
        "goto first;",
        "i = (j, *p);",
        "sizeof(t[0])",
        "b->x = (a.y + b->few) + (*b).x;".replace("(*b)", "(*b)"),
        "i = j = 4;".replace("j = 4", "(j = 4)"),
        "int k(int n, int w[n][n])",
    ):
        assert part in once, part
    assert written(tmp_path, once) == once


def test_what_stands_in_macros_is_expanded(tmp_path: Path) -> None:
    text = (
        "#include <stdint.h>\n#include <stdbool.h>\n#include <assert.h>\n#include <math.h>\n"
        "#define SCALE 0.25f\n#define EACH(i, n) for (int i = 0; i < (n); i++)\n"
        "#define PUT(x, y) do { x = (y); } while (0)\n"
        "void k(int8_t a[3], bool b)\n{\n EACH(i, 3) PUT(a[i], a[i] * SCALE);\n"
        ' assert(b == true && "told");\n a[0] = INT8_MAX + isnan(NAN); }\n'
    )
    once = written(tmp_path, text)
    assert "void k(int8_t a[3], _Bool b)" in once
    assert "for (int i = 0; i < 3; i++) do { a[i] = a[i] * 0.25f; } while (0);" in once
    assert 'assert((b == 1) && "told");' in once
    assert 'a[0] = 127 + __builtin_isnan(__builtin_nanf(""));' in once


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
    assert str(declaration.coord) == "k.c:10"


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


REFUSED = {
    "return ({ n; });": "k.c:3: this expression is not understood",
    "return n ?: 2;": "k.c:3: this expression is not understood",
    "return _Generic(n, int: 1);": "k.c:3: this expression is not understood",
    'asm("nop");': "k.c:3: this statement is not understood",
    "switch (n) { case 1 ... 3: n = 2; }": "k.c:3: this statement is not understood",
    "int a[] = {[0 ... 2] = 1};": "k.c:3: a range of elements is not understood",
    "int a[] = FILLED;": "k.c:3: a range of elements is not understood",
    "return sizeof(int[n]);": "k.c:3: a size that depends on variables is not understood",
    "__typeof__(n) m;": "k.c:3: the type 'typeof (n)' is not understood",
    "WITHOUT_STEP n++;": "k.c:3: a header of a loop that a macro has written in part",
    "return va_arg(list, int);": "k.c:3: this expression is not understood",
    "return NEXT;": "k.c:3: this expression is not understood",
    "return TENTH;": "k.c:3: this number of the type 'long double' is not understood",
    "return m;": "k.c:3: use of undeclared identifier 'm'",
}


@pytest.mark.parametrize("statement", REFUSED)
def test_what_is_not_understood_is_refused_with_its_place(statement: str, tmp_path: Path) -> None:
    text = f"#include <stdarg.h>\nint k(int n, va_list list)\n{{ {statement}\n}}\n"
    macros = (
        "-DFILLED={[0 ... 2] = 1}",
        "-DWITHOUT_STEP=for (int i = 0; i < 3; )",
        "-DNEXT=va_arg(list, int)",
        "-DTENTH=0.1L",
    )
    (tmp_path / "k.c").write_text(text)
    with pytest.raises(NotUnderstood) as refusal:
        file_tree(tmp_path, "k.c", cflags=macros)
    assert str(refusal.value).startswith(REFUSED[statement])


def test_what_nests_too_deeply_is_refused_and_never_cut_off(tmp_path: Path) -> None:
    for depth, is_understood in ((60, True), (600, False)):
        (tmp_path / "k.c").write_text(f"int k(int n) {{ return {'- ~' * depth}n; }}\n")
        if is_understood:
            tree, _ = file_tree(tmp_path, "k.c")
            assert text_of(tree).count("~") == depth
        else:
            with pytest.raises(NotUnderstood) as refusal:
                file_tree(tmp_path, "k.c")
            assert str(refusal.value) == "k.c:1: its expressions or blocks nest too deeply"


def test_a_sum_of_many_terms_is_read_in_their_order(tmp_path: Path) -> None:
    terms = [f"a[{position}]" for position in range(1500)]
    (tmp_path / "k.c").write_text(f"int k(int a[1500]) {{ return {' + '.join(terms)}; }}\n")
    tree, _ = file_tree(tmp_path, "k.c")
    (returned,) = tree.ext[0].body.block_items
    node, found = returned.expr, []
    while isinstance(node, c_ast.BinaryOp):
        found.append(node.right.subscript.value)
        node = node.left
    assert [node.subscript.value, *reversed(found)] == [str(one) for one in range(1500)]
