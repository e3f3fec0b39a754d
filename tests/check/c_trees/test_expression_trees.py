"""Expressions: what is not understood is refused, and nothing is left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.check.c_trees.clang_file import NotUnderstood
from hlsmem.check.c_trees.file_trees import file_tree
from hlsmem.check.c_trees.written_text import text_of
from hlsmem.read.c import tree

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
            root, _ = file_tree(tmp_path, "k.c")
            assert text_of(root).count("~") == depth
        else:
            with pytest.raises(NotUnderstood) as refusal:
                file_tree(tmp_path, "k.c")
            assert str(refusal.value) == "k.c:1: its expressions or blocks nest too deeply"


def test_a_sum_of_many_terms_is_read_in_their_order(tmp_path: Path) -> None:
    terms = [f"a[{position}]" for position in range(1500)]
    (tmp_path / "k.c").write_text(f"int k(int a[1500]) {{ return {' + '.join(terms)}; }}\n")
    root, _ = file_tree(tmp_path, "k.c")
    (returned,) = root.ext[0].body.block_items
    node, found = returned.expr, []
    while isinstance(node, tree.BinaryOp):
        found.append(node.right.subscript.value)
        node = node.left
    assert [node.subscript.value, *reversed(found)] == [str(one) for one in range(1500)]
