"""Lists in braces: the numbers that a compiler stores."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from hlsmem.read.c.clang.reader import read_file
from hlsmem.read.design_folder import Folder

TYPE = "struct in { int a; int b[2]; };"
# A list, with the number of its rows and the numbers of each.
LISTS = {
    "int t[2][4] = {1, 2, {3}, 4}": (2, "[0]", "[1]", "[2]", "[3]"),
    "int t[2][4] = {1, 2, 3, 4, {5, 6}}": (2, "[0]", "[1]", "[2]", "[3]"),
    "int t[2][2][2] = {1, 2, 3, 4, {{5}, 6}}": (2, "[0][0]", "[0][1]", "[1][0]", "[1][1]"),
    "int t[2][4] = {[0] = {1, 2}, [0] = {3}}": (2, "[0]", "[1]", "[2]", "[3]"),
    "int t[2][4] = {[0][1] = 5, 6, 7, 8}": (2, "[0]", "[1]", "[2]", "[3]"),
    "int t[6] = {[3] = 1, 2, [0] = 3, 4}": (6, ""),
    "int t[] = {[5] = 3, 4}": (7, ""),
    "int t[][2] = {1, 2, 3}": (2, "[0]", "[1]"),
    "struct in t[3] = {1, 2, 3, 4, {5, 6}, [1].b = {7}}": (3, ".a", ".b[0]", ".b[1]"),
    "struct in t[] = {{1, {2, 3}}, {.b = {[1] = 4}}, 5, 6}": (3, ".a", ".b[0]", ".b[1]"),
    "struct in t[2] = {[1] = {1, 2, 3}, [1] = {.b[1] = 9}}": (2, ".a", ".b[0]", ".b[1]"),
    "struct in t[2] = {[1] = {1, 2, 3}, [1].b[1] = 9}": (2, ".a", ".b[0]", ".b[1]"),
}


@pytest.mark.parametrize("text", LISTS)
def test_a_list_has_the_numbers_that_a_compiler_stores(text: str, tmp_path: Path) -> None:
    rows, *parts = LISTS[text]
    stores = [f"out[{len(parts)} * i + {k}] = t[i]{part};" for k, part in enumerate(parts)]
    count = rows * len(parts)
    body = f"{{ {text}; for (int i = 0; i < {rows}; i++) {{ {' '.join(stores)} }} }}"
    source = f"{TYPE}\nvoid f(int out[{count}]) {body}\n"
    (tmp_path / "k.c").write_text(source)
    made = read_file(Folder(tmp_path), "k.c", None).parsed.text
    main = f"int main(void) {{ int out[{count}]; f(out); for (int i = 0; i < {count}; i++) "
    main += 'printf("%d ", out[i]); return 0; }\n'
    assert printed(tmp_path, "made", made + main) == printed(tmp_path, "user", source + main)


def printed(folder: Path, name: str, text: str) -> str:
    source = folder / f"{name}.c"
    source.write_text(f"#include <stdio.h>\n{text}")
    subprocess.run(["gcc", "-w", str(source), "-o", str(folder / name)], check=True)
    return subprocess.run([folder / name], check=True, capture_output=True, text=True).stdout
