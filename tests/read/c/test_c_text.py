"""The text of trees of C: what is printed is read as the tree that it is of."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlsmem.read.c import tree
from hlsmem.read.c.c_text import text_of
from hlsmem.read.c.clang.reader import read_file
from hlsmem.read.c.expression_parser import NoExpressionError, parsed_expression
from hlsmem.read.c.operations import assigned, binary, conditional, indexed, unary
from hlsmem.read.c.tree import INT, Array, Number, Pointer, Void
from hlsmem.read.design_folder import Folder
from tests.families import by_default

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
NAMES = st.sampled_from(["a", "b2", "_c"]).map(lambda one: tree.ID(one, INT))
NUMBERS = st.sampled_from(["0", "12", "3u", "0x1F", "4ul", "1.5f"]).map(parsed_expression)


def wider(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    calls = st.builds(tree.FuncCall, st.sampled_from(["f", "g"]), st.lists(inner, max_size=3))
    return st.one_of(
        st.builds(binary, st.sampled_from(BINARY), inner, inner),
        st.builds(unary, st.sampled_from("-+!~*&"), inner),
        st.builds(conditional, inner, inner, inner),
        st.builds(indexed, NAMES, inner),
        calls.map(lambda one: replace(one, args=tuple(one.args), type=INT)),
    )


EXPRESSIONS = st.recursive(NAMES | NUMBERS, wider, max_leaves=12)


def parts(node: Any) -> Any:
    """A tree as its classes and fields, types among them, without its places."""
    if isinstance(node, tuple):
        return tuple(map(parts, node))
    if not isinstance(node, tree.Node):
        return node
    fields = (one for one in tree.fields_of(type(node)) if one != "place")  # type: ignore[arg-type]
    return type(node).__name__, *(parts(getattr(node, one)) for one in fields)


@given(EXPRESSIONS, st.booleans())
def test_what_is_printed_is_read_as_it_was(node: Any, has_few: bool) -> None:
    assert parts(parsed_expression(text_of(node, has_few=has_few))) == parts(node)


# Functions, which clang parses.

ELEMENTS = tree.ID("A", Array(INT, tree.Constant("16", INT)))
COUNTERS = st.sampled_from(["i", "n"]).map(lambda one: tree.ID(one, INT))
INSIDE = st.recursive(
    COUNTERS,
    lambda inner: st.one_of(
        st.builds(binary, st.sampled_from("+-*&|^"), inner, inner),
        st.builds(unary, st.sampled_from("-~"), inner),
        st.builds(indexed, st.just(ELEMENTS), inner),
        st.builds(conditional, st.builds(binary, st.just("<"), inner, inner), inner, inner),
    ),
    max_leaves=6,
)
TESTS = st.builds(binary, st.sampled_from(["<", "<=", "==", "!="]), COUNTERS, INSIDE)


def block(items: list[Any]) -> tree.Compound:
    return tree.Compound(tuple(items))


def loop(test: Any, body: tree.Compound) -> tree.For:
    first = tree.DeclList((tree.Decl("i", INT, init=tree.Constant("0", INT)),))
    return tree.For(first, test, unary("p++", tree.ID("i", INT)), body)


def declaration(value: Any) -> tree.Compound:
    return block([tree.Decl("i", INT, init=value), assigned("=", tree.ID("n", INT), value)])


TARGETS = st.builds(indexed, st.just(ELEMENTS), INSIDE)
SIMPLE = st.builds(assigned, st.sampled_from(["=", "+=", "*="]), TARGETS | COUNTERS, INSIDE)


def nested(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    blocks = st.lists(inner, min_size=1, max_size=3).map(block)
    return st.one_of(
        st.builds(tree.If, TESTS, blocks, blocks | st.none()),
        st.builds(loop, TESTS, blocks),
        st.builds(tree.While, TESTS, blocks),
        INSIDE.map(declaration),
    )


BODIES = st.lists(st.recursive(SIMPLE, nested, max_leaves=5), min_size=1, max_size=3).map(block)


@settings(max_examples=by_default(40, 400), deadline=None)
@given(body=BODIES)
def test_a_printed_function_is_read_as_it_was(
    body: tree.Compound, tmp_path_factory: pytest.TempPathFactory
) -> None:
    parameters = (tree.Decl("i", INT), tree.Decl("n", INT), tree.Decl("A", ELEMENTS.type))
    made = tree.FuncDef("f", Void(), parameters, body)
    folder = tmp_path_factory.mktemp("printed")
    (folder / "k.c").write_text(text_of(made))
    (found,) = read_file(Folder(folder), "k.c", None).parsed.tree.ext
    assert text_of(found) == text_of(made)
    assert parts(found.body) == parts(made.body)


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
