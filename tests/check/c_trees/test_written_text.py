"""The text of C as users write it."""

from __future__ import annotations

from typing import Any

from hlsmem.check.c_trees import written_c
from hlsmem.check.c_trees.written_text import text_of
from hlsmem.read.c import tree
from hlsmem.read.c.tree import INT


def declared(kind: Any) -> written_c.Decl:
    return written_c.Decl("x", [], ["static"], [], kind, None, None)


def test_declarators_are_read_from_the_name_outwards() -> None:
    name = written_c.TypeDecl("x", ["const"], written_c.IdentifierType(["unsigned", "char"]))
    four = tree.Constant("4", INT)
    rows = written_c.ArrayDecl(written_c.ArrayDecl(name, four, []), None, ["restrict"])
    assert text_of(declared(rows)) == "static const unsigned char x[restrict ][4]"
    pointer = written_c.PtrDecl(["restrict"], written_c.ArrayDecl(name, four, []))
    assert text_of(declared(pointer)) == "static const unsigned char (* restrict x)[4]"
