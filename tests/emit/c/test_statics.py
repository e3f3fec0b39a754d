"""Static variables keep their values from call to call, whichever code runs."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from hlsmem.core.errors import InputError
from hlsmem.emit.c.c_syntax import RESERVED
from tests.emit.c.plans import Rows, plan_by_hand, read_design
from tests.emit.c.running import emitted

KERNEL = """
int sums(int n, const int in[n])
{
    static int calls = 4;
    static struct { int kept[3], last; } past;
    static int line[40];
    int t[n];
#pragma scop
    for (int i = 0; i < n; i++) {
        line[i] = in[i];
        t[i] = line[i] + calls;
    }
    calls++;
    past.last = past.kept[2];
    for (int i = 0; i < 3; i++)
        past.kept[i] = t[i] + past.last;
#pragma endscop
    return past.kept[0] + 10 * past.kept[2] + calls;
}
"""
MAIN = """
#include <stdio.h>
int sums(int n, const int in[n]);
int main(void)
{
    int in[9] = {3, 1, 4, 1, 5, 9, 2, 6, 5};
    for (int n = 3; n < 10; n++)
        printf("%d ", sums(n, in));
    return 0;
}
"""
FOLDS: dict[str, Rows] = {"t": [(["1"], "n")], "line": [(["0"], "1")]}
SETTINGS = 'params: {n: 8}\ncontext: "[n] -> { : n >= 3 }"'


def results(folder: Path, source: str) -> str:
    """What seven calls return, of seven sizes."""
    (folder / "main.c").write_text(MAIN)
    command = ["cc", "-std=c99", "-Wall", "-Werror", "-Wno-unknown-pragmas", "main.c", source]
    subprocess.run([*command, "-o", "main"], cwd=folder, check=True)
    return subprocess.run(["./main"], cwd=folder, check=True, capture_output=True, text=True).stdout


def test_the_folded_function_and_the_original_share_them(tmp_path: Path) -> None:
    design = read_design(tmp_path, KERNEL, SETTINGS)
    files = emitted(design, plan_by_hand(design, FOLDS, scope="values"))
    for name, text in files.items():
        (tmp_path / f"folded_{name}").write_text(text.replace('"kernel.h"', '"folded_kernel.h"'))
    assert "if (n != 8)" in files["kernel.c"]
    assert "line[40]" not in files["kernel.c"]  # both have it in the workspace
    assert results(tmp_path, "folded_kernel.c") == results(tmp_path, "kernel.c")


def test_they_stay_in_the_function_where_it_is_the_only_one(tmp_path: Path) -> None:
    kernel = KERNEL.replace("int n, const", "const").replace("int sums", "#define n 8\nint sums")
    design = read_design(tmp_path, kernel, SETTINGS)
    text = emitted(design, plan_by_hand(design, FOLDS))["kernel.c"]
    assert "    static int calls = 4;" in text
    assert "line[40]" not in text
    assert f"{RESERVED}static_" not in text


def test_another_variable_of_the_name_is_refused(tmp_path: Path) -> None:
    kernel = KERNEL.replace("return past", "{ int calls = 3; past.last = calls; }\n    return past")
    design = read_design(tmp_path, kernel, SETTINGS)
    with pytest.raises(InputError, match="two variables called 'calls', one of them static"):
        emitted(design, plan_by_hand(design, FOLDS, scope="values"))
