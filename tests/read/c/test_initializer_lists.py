"""Lists in braces against what gcc makes of them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from hlsmem.read.c import c_ast
from hlsmem.read.c.initializer_lists import UnknownValueError, first_extent, layout_of, values_in
from hlsmem.read.c.parsed_text import tree_of
from hlsmem.read.c.symbols import Scope, Variable, constant_integer, declare

TYPE = "struct in { int a; int b[2]; };"

LISTS = [
    "int t[2][4] = {1, 2, {3}, 4}",
    "int t[2][2][2] = {1, 2, 3, 4, {{5}, 6}}",
    "int t[2][4] = {[0] = {1, 2}, [0] = {3}}",
    "int t[6] = {[3] = 1, 2, [0] = 3, 4}",
    "int t[] = {[5] = 3, 4}",
    "int t[][2] = {1, 2, 3}",
    "struct in t[3] = {1, 2, 3, 4, {5, 6}, [1].b = {7}}",
    "struct in t[] = {{1, {2, 3}}, {.b = {[1] = 4}}, 5, 6}",
    "struct in t[2] = {[1] = {1, 2, 3}, [1] = {.b[1] = 9}}",
    "int t = {{7}}",
]


@pytest.mark.parametrize("text", LISTS)
def test_a_list_names_the_numbers_that_a_compiler_stores(text: str, tmp_path: Path) -> None:
    scope = Scope(is_file=True)
    variable = None
    for node in tree_of(f"{TYPE} {text};").ext:
        variable = declare(node, scope, "file")
    assert isinstance(variable, Variable)
    layout = layout_of(variable.shape, scope)
    values = values_in(variable.initial, layout, scope)
    found = {
        "".join(f"[{one}]" if isinstance(one, int) else f".{one}" for one in at): value
        for at, value in values.items()
    }
    lines = [TYPE, "#include <stdio.h>", f"int main(void) {{ static {text};", "int sum = 0;"]
    numbers = {at: constant_integer(value, scope) for at, value in found.items()}
    lines += [f"if (t{at} != {number}) return 1;" for at, number in numbers.items()]
    # Nothing else is there: all other numbers are 0.
    lines += ["for (unsigned k = 0; k < sizeof t / sizeof(int); k++) sum += ((int *)&t)[k];"]
    lines += ['printf("%d %d", (int)(sizeof t), sum); return 0; }']
    source = tmp_path / "list.c"
    source.write_text("\n".join(lines))
    compiled = ["gcc", "-w", str(source), "-o", str(tmp_path / "list")]
    subprocess.run(compiled, check=True)
    ran = subprocess.run([tmp_path / "list"], check=True, capture_output=True, text=True)
    size, total = map(int, ran.stdout.split())
    assert total == sum(constant_integer(one, scope) or 0 for one in values.values())
    if variable.shape.extents and variable.shape.extents[0] is None:
        rows = first_extent(values)
        row = layout.part(0).numbers
        assert row is not None
        assert size == 4 * rows * row


def test_what_follows_a_place_inside_of_a_row_is_not_guessed() -> None:
    node = tree_of("int t[2][4] = {[0][1] = 5, 6};").ext[0]
    assert isinstance(node.init, c_ast.InitList)
    scope = Scope(is_file=True)
    variable = declare(node, scope, "file")
    assert variable is not None
    with pytest.raises(UnknownValueError):
        values_in(node.init, layout_of(variable.shape, scope), scope)
