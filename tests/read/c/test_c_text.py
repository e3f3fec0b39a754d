"""The text of trees of C: what is printed is read as the tree that it is of."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlsmem.read.c import tree
from hlsmem.read.c.c_text import text_of
from hlsmem.read.c.expression_parser import NoExpressionError, parsed_expression
from hlsmem.read.c.tree import INT, Array, Number, Pointer

BINARY = [
    "||",
    "&&",
    "|",
    "^",
    "&",
    "==",
    "!=",
    "<",
    ">",
    "<=",
    ">=",
    "<<",
    ">>",
    "+",
    "-",
    "*",
    "/",
    "%",
]
NAMES = st.sampled_from(["a", "b2", "_c"]).map(tree.ID)
NUMBERS = st.sampled_from(["0", "12", "3u", "0x1F", "4ul"]).map(lambda one: tree.Constant(one, INT))


def wider(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(
        st.builds(tree.BinaryOp, st.sampled_from(BINARY), inner, inner),
        st.builds(tree.UnaryOp, st.sampled_from("-+!~*&"), inner),
        st.builds(tree.TernaryOp, inner, inner, inner),
        st.builds(tree.ArrayRef, NAMES, inner),
        st.builds(tree.FuncCall, st.sampled_from(["f", "g"]), st.lists(inner, max_size=3)),
    )


EXPRESSIONS = st.recursive(NAMES | NUMBERS, wider, max_leaves=12)


@given(EXPRESSIONS, st.booleans())
def test_what_is_printed_is_read_as_it_was(node: Any, has_few: bool) -> None:
    again = parsed_expression(text_of(node, has_few=has_few))
    assert text_of(again) == text_of(node)


@pytest.mark.parametrize(
    ("text", "few"),
    [
        ("a + 1 - b", "a + 1 - b"),
        ("a - (b - 1)", "a - (b - 1)"),
        ("a % 2 * 5", "(a % 2) * 5"),
        ("a & b == 1", "a & (b == 1)"),
        ("x ? y : z ? 1 : 2", "x ? y : (z ? 1 : 2)"),
    ],
)
def test_few_parentheses_are_those_that_readers_want(text: str, few: str) -> None:
    assert text_of(parsed_expression(text), has_few=True) == few


def test_types_are_written_from_the_name_outwards() -> None:
    number, four = Number(8, False), tree.Constant("4", INT)
    row: Any = Array(number, four)  # type: ignore[arg-type]
    rows = tree.Decl("x", Array(row, None, restrict=True), storage=("static",), const=True)
    assert text_of(rows) == "static const unsigned char x[restrict ][4]"
    pointer = tree.Decl("x", Pointer(row, restrict=True), storage=("static",), const=True)
    assert text_of(pointer) == "static const unsigned char (* restrict x)[4]"
    cast = tree.Cast(tree.ID("x"), Pointer(row))
    assert text_of(cast) == "(unsigned char (*)[4]) x"


@pytest.mark.parametrize("text", ["", "a +", "(a", "a b", "f(a,", "a @ b"])
def test_a_text_that_is_no_expression(text: str) -> None:
    with pytest.raises(NoExpressionError):
        parsed_expression(text)
