"""The text of a typed tree: C whose tokens know where the user wrote what they stand for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from hlsmem.core.source_location import SourceLocation
from hlsmem.read.c import tree
from hlsmem.read.c.clang.expression_texts import (
    ASSIGNMENT,
    CONDITIONAL,
    Piece,
    base_name,
    declaration_pieces,
    declarator,
    expression_pieces,
    joined_pieces,
    word_pieces,
)
from hlsmem.read.c.preprocess import Token
from hlsmem.read.c.tree import SourceRange

Through = tuple[tuple[str, SourceRange], ...]
Calls = tuple[tuple[str, SourceLocation], ...]


def text_of(node: object) -> str:
    """Return C for an expression, a statement, a function or a unit.

    >>> one = tree.Constant("1", tree.INT, SourceRange("k.cpp", 1, 1))
    >>> total = tree.BinaryOp("+", one, one, tree.INT, one.place)
    >>> text_of(tree.BinaryOp("*", total, one, tree.INT, one.place))
    '(1 + 1) * 1'
    """
    return "".join(piece.text for piece in pieces_of(node))


def tokens_of(
    pieces: Iterable[Piece], calls: Callable[[Through], Calls] = lambda _through: ()
) -> tuple[str, tuple[Token, ...]]:
    """Return the text, and its tokens with their places in it and in the user's files."""
    texts: list[str] = []
    tokens: list[Token] = []
    line = column = 1
    for piece in pieces:
        texts.append(piece.text)
        if piece.place is not None:
            at = piece.place
            called = calls(at.through) if at.through else ()
            tokens.append(
                Token(piece.text, line, column, at.file, at.line, at.column, at.length, called)
            )
        newlines = piece.text.count("\n")
        if newlines:
            line += newlines
            column = len(piece.text) - piece.text.rfind("\n")
        else:
            column += len(piece.text)
    return "".join(texts), tuple(tokens)


def pieces_of(node: object) -> Iterator[Piece]:
    """Return the tokens of a tree and the white space between them."""
    match node:
        case tree.Unit():
            yield from _unit(node)
        case tree.FuncDef():
            yield from _function(node)
        case (
            tree.ID()
            | tree.Constant()
            | tree.UnaryOp()
            | tree.BinaryOp()
            | tree.TernaryOp()
            | tree.ArrayRef()
            | tree.StructRef()
            | tree.FuncCall()
            | tree.Cast()
            | tree.Assignment()
            | tree.InitList()
        ):
            yield from expression_pieces(node, 0)
        case _:
            yield from _statement(node, 0)


# Statements.


def _line(depth: int) -> Piece:
    return Piece("\n" + "    " * depth)


def _body(node: tree.Statement, depth: int) -> Iterator[Piece]:
    """The statement behind a header: a block on its line, others on one of their own."""
    if isinstance(node, tree.Compound):
        yield Piece(" ")
        yield from _block(node, depth)
    else:
        yield _line(depth + 1)
        yield from _statement(node, depth + 1)


def _block(node: tree.Compound, depth: int) -> Iterator[Piece]:
    yield Piece("{", node.place)
    for one in node.block_items:
        yield _line(depth + 1)
        yield from _statement(one, depth + 1)
    yield _line(depth)
    yield Piece("}", node.place)


def _header(word: str, condition: tree.Expression, place: SourceRange) -> Iterator[Piece]:
    yield Piece(word, place)
    yield Piece(" ")
    yield Piece("(", place)
    yield from expression_pieces(condition, 0)
    yield Piece(")", place)


def _statement(node: object, depth: int) -> Iterator[Piece]:
    match node:
        case tree.Compound():
            yield from _block(node, depth)
        case tree.Decl():
            yield from declaration_pieces(node)
            yield Piece(";", node.place)
        case tree.If(cond, iftrue, iffalse, place):
            yield from _header("if", cond, place)
            braced = iftrue
            if iffalse is not None and not isinstance(iftrue, tree.Compound):
                braced = tree.Compound((iftrue,), place)  # an else is that of the nearest if
            yield from _body(braced, depth)
            if iffalse is not None:
                yield Piece(" ")
                yield Piece("else", place)
                yield from _body(iffalse, depth)
        case tree.For():
            yield from _for(node, depth)
        case tree.While(cond, stmt, place):
            yield from _header("while", cond, place)
            yield from _body(stmt, depth)
        case tree.DoWhile(cond, stmt, place):
            yield Piece("do", place)
            yield from _body(stmt, depth)
            yield Piece(" ")
            yield from _header("while", cond, place)
            yield Piece(";", place)
        case tree.Switch(cond, stmt, place):
            yield from _header("switch", cond, place)
            yield from _body(stmt, depth)
        case tree.Case() | tree.Default() | tree.Label():
            yield from _labelled(node, depth)
        case _:
            yield from _simple(node)


def _labelled(node: tree.Case | tree.Default | tree.Label, depth: int) -> Iterator[Piece]:
    match node:
        case tree.Case(expr, stmts, place):
            yield Piece("case", place)
            yield Piece(" ")
            yield from expression_pieces(expr, CONDITIONAL)
            yield Piece(":", place)
        case tree.Default(stmts, place):
            yield Piece("default", place)
            yield Piece(":", place)
        case tree.Label(name, stmt, place):
            yield Piece(name, place)
            yield Piece(":", place)
            stmts = (stmt,)
    for one in stmts:
        yield _line(depth + 1)
        yield from _statement(one, depth + 1)


def _simple(node: object) -> Iterator[Piece]:
    match node:
        case tree.Return(expr, place):
            yield Piece("return", place)
            if expr is not None:
                yield Piece(" ")
                yield from expression_pieces(expr, 0)
        case tree.Break(place):
            yield Piece("break", place)
        case tree.Continue(place):
            yield Piece("continue", place)
        case tree.Pragma(string, place):
            yield Piece("#", place)
            yield Piece("pragma", place)
            yield Piece(f" {string}")
            return
        case tree.EmptyStatement(place):
            pass
        case _:
            place = node.place  # type: ignore[attr-defined]
            yield from expression_pieces(node, 0)  # type: ignore[arg-type]
    yield Piece(";", place)


def _for(node: tree.For, depth: int) -> Iterator[Piece]:
    at = node.place
    yield Piece("for", at)
    yield Piece(" ")
    yield Piece("(", at)
    match node.init:
        case tuple(declared):
            for position, one in enumerate(declared):
                if not position:
                    yield from declaration_pieces(one)
                    continue
                yield Piece(", ")
                _, rest = declarator(one.type, one.name, one.place)
                yield from rest
                if one.init is not None:
                    yield Piece(" = ")
                    yield from expression_pieces(one.init, ASSIGNMENT)
        case None:
            pass
        case first:
            yield from expression_pieces(first, 0)
    yield Piece(";", at)
    if node.cond is not None:
        yield Piece(" ")
        yield from expression_pieces(node.cond, 0)
    yield Piece(";", at)
    steps = node.next if isinstance(node.next, tuple) else (node.next,)
    written = [one for one in steps if one is not None]
    if written:
        yield Piece(" ")
        yield from joined_pieces(written, ASSIGNMENT)
    yield Piece(")", at)
    yield from _body(node.stmt, depth)


# Files.


def _unit(node: tree.Unit) -> Iterator[Piece]:
    for struct in node.structs:
        yield Piece("struct", struct.place)
        yield Piece(" ")
        yield Piece(struct.name, struct.place)
        yield Piece(" {")
        for member in struct.members:
            yield _line(1)
            declared = tree.Decl(member.name, member.type, struct.place)
            yield from declaration_pieces(declared)
            yield Piece(";", struct.place)
        yield Piece("\n};\n")
    for variable in node.variables:
        yield from declaration_pieces(variable)
        yield Piece(";", variable.place)
        yield Piece("\n")
    for function in node.functions:
        yield from _function(function)


def _function(node: tree.FuncDef) -> Iterator[Piece]:
    for word in node.storage:
        yield Piece(word, node.place)
        yield Piece(" ")
    base, rest = declarator(node.returns, "", node.place)
    yield from word_pieces(base_name(base), node.place)
    yield Piece(" ")
    yield from rest
    yield Piece(node.name, node.place)
    yield Piece("(", node.place)
    if not node.parameters:
        yield Piece("void", node.place)
    for position, one in enumerate(node.parameters):
        if position:
            yield Piece(", ")
        yield from declaration_pieces(one)
    yield Piece(")", node.place)
    yield _line(0)
    yield from _block(node.body, 0)
    yield Piece("\n")
