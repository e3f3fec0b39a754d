"""Trees of C files: what is written comes back as it stands, and all of it compiles."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from hlsmem.check.c_trees.file_trees import file_tree
from hlsmem.check.c_trees.written_text import text_of
from tests.families import by_default

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


def test_the_texts_of_kernels_compile(tmp_path: Path) -> None:
    assert len(KERNELS) > 140
    for number, file in enumerate(KERNELS[:: by_default(7, 1)]):
        given = re.search(r"kernel\.cflags=\[(.*)\]", file.read_text().partition("\n")[0])
        cflags = given[1].split(",") if given else []
        tree, includes = file_tree(file.parent, file.name, cflags=cflags)
        text = "\n".join([*includes, text_of(tree)])
        (tmp_path / f"{file.stem}_{number}.c").write_text(text)
    command = ["gcc", "-std=gnu99", "-fsyntax-only", "-w", *map(str, tmp_path.glob("*.c"))]
    assert subprocess.run(command, capture_output=True, text=True, check=False).stderr == ""


def printed_by(folder: Path, name: str, text: str) -> str:
    """What the function `forms` of a C file prints."""
    caller = "void forms(void);\nint main(void)\n{\n    forms();\n}\n"
    (folder / f"{name}.c").write_text(text)
    (folder / "caller.c").write_text(caller)
    command = ["gcc", "-std=gnu99", "-w", f"{name}.c", "caller.c", "-o", name, "-lm"]
    subprocess.run(command, cwd=folder, check=True)
    return subprocess.run([folder / name], capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("name", ["plain", "macros"])
def test_the_text_of_the_tree_does_what_the_file_does(name: str, tmp_path: Path) -> None:
    file = Path(__file__).parent / "forms" / f"{name}.c"
    tree, includes = file_tree(file.parent, file.name)
    own = printed_by(tmp_path, "own", "\n".join([*includes, text_of(tree)]))
    assert own.count("\n") == 8
    assert own == printed_by(tmp_path, "given", file.read_text())


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
