"""The text of a typed tree: C whose tokens know where the user wrote what they stand for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c import tree
from hlsmem.read.c.clang.types_in_c import is_wide, limbs_in
from hlsmem.read.c.preprocess import Token
from hlsmem.read.c.syntax import COUNTER
from hlsmem.read.c.tree import SourceRange

_BINARY = {
    operator: level
    for level, operators in enumerate(
        ("||", "&&", "|", "^", "&", "== !=", "< <= > >=", "<< >>", "+ -", "* / %"), start=4
    )
    for operator in operators.split()
}
_ASSIGNMENT, _CONDITIONAL, _UNARY, _POSTFIX, _PRIMARY = 2, 3, 15, 16, 17
_MIXED = {  # operators under which people write parentheses that C does not ask for
    ("||", "&&"),
    *((outer, inner) for outer in "|^&" for inner in ("|", "^", "&", "<<", ">>", "+", "-")),
    *((outer, inner) for outer in ("<<", ">>") for inner in "+-"),
}
_C_TYPES = {
    (1, False): "_Bool",
    (8, True): "signed char",
    (8, False): "unsigned char",
    (16, True): "short",
    (16, False): "unsigned short",
    (32, True): "int",
    (32, False): "unsigned",
    (64, True): "long",
    (64, False): "unsigned long",
    (128, True): "__int128",
    (128, False): "unsigned __int128",
}


@dataclass(frozen=True, slots=True)
class Piece:
    """A token with its place, or white space without one."""

    text: str
    place: SourceRange | None = None


def text_of(node: object) -> str:
    """Return C for an expression, a statement, a function or a unit.

    >>> one = tree.Constant("1", tree.INT, SourceRange("k.cpp", 1, 1))
    >>> total = tree.BinaryOp("+", one, one, tree.INT, one.place)
    >>> text_of(tree.BinaryOp("*", total, one, tree.INT, one.place))
    '(1 + 1) * 1'
    """
    return "".join(piece.text for piece in pieces_of(node))


def tokens_of(pieces: Iterable[Piece]) -> tuple[str, tuple[Token, ...]]:
    """Return the text, and its tokens with their places in it and in the user's files."""
    texts: list[str] = []
    tokens: list[Token] = []
    line = column = 1
    for piece in pieces:
        texts.append(piece.text)
        if piece.place is not None:
            at = piece.place
            tokens.append(Token(piece.text, line, column, at.file, at.line, at.column, at.length))
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
            yield from _expression(node, 0)
        case _:
            yield from _statement(node, 0)


# Types and declarations.


def base_name(kind: tree.Type) -> str:
    """Return the name of a type in C that is no array and no pointer.

    >>> base_name(tree.Number(12, False, exact=True)), base_name(tree.LONG)
    ('ap_uint_12', 'long')
    """
    match kind:
        case tree.Void():
            return "void"
        case tree.Float(bits):
            return "float" if bits == 32 else "double"
        case tree.Number(exact=True):
            return f"ap_{'' if kind.signed else 'u'}int_{kind.bits}"
        case tree.Number(is_bool=True):
            return "_Bool"
        case tree.Number():
            return _C_TYPES[kind.bits, kind.signed]
        case tree.Struct(name):
            return f"struct {name}"
        case tree.Counter():
            return COUNTER
        case _:
            raise TypeError(kind)


def _declarator(kind: tree.Type, name: str, place: SourceRange) -> tuple[tree.Type, list[Piece]]:
    """The innermost type of a declaration, and the tokens behind its name."""
    inner = [Piece(name, place)] if name else []
    while True:
        match kind:
            case tree.Array(element, extent, restrict):
                if inner and inner[0].text == "*":
                    inner = [Piece("(", place), *inner, Piece(")", place)]
                size = [] if extent is None else list(_expression(extent, 0))
                size = [Piece("restrict", place)] if restrict else size
                inner += [Piece("[", place), *size, Piece("]", place)]
                # The extent of the outermost dimension stands first: elements follow.
                kind = element
            case tree.Pointer(element, restrict):
                star = [Piece("*", place)]
                if restrict:
                    star += [Piece("restrict", place), Piece(" ")]
                inner = [*star, *inner]
                kind = element
            case tree.Number() if is_wide(kind):  # the limbs of a word are its last dimension
                limbs = tree.Constant(str(limbs_in(kind)), tree.INT, place)
                kind = tree.Array(tree.UNSIGNED_LONG, limbs)
            case _:
                return kind, inner


def _declaration(one: tree.Decl) -> Iterator[Piece]:
    for word in one.storage:
        yield Piece(word, one.place)
        yield Piece(" ")
    kind, rest = _declarator(one.type, one.name, one.place)
    if one.const or _is_to_const(one.type):
        yield Piece("const", one.place)
        yield Piece(" ")
    yield from _words(base_name(kind), one.place)
    yield Piece(" ")
    yield from rest
    if one.init is not None:
        yield Piece(" = ")
        yield from _expression(one.init, _ASSIGNMENT)


def _is_to_const(kind: tree.Type) -> bool:
    return isinstance(kind, tree.Pointer) and kind.const


def _words(text: str, place: SourceRange) -> Iterator[Piece]:
    for position, word in enumerate(text.split(" ")):
        if position:
            yield Piece(" ")
        yield Piece(word, place)


# Expressions.


def level_of(node: tree.Expression) -> int:
    """Return the precedence of the operator that an expression ends in; greater binds closer."""
    match node:
        case tree.Assignment():
            return _ASSIGNMENT
        case tree.TernaryOp():
            return _CONDITIONAL
        case tree.BinaryOp(op):
            return _BINARY[op]
        case tree.UnaryOp(op):
            return _POSTFIX if op.startswith("p") else _UNARY
        case tree.Cast():
            return _UNARY
        case tree.ArrayRef() | tree.StructRef() | tree.FuncCall():
            return _POSTFIX
        case tree.Constant(value):
            return _UNARY if value.startswith("-") else _PRIMARY
        case _:
            return _PRIMARY


def _expression(node: tree.Expression, least: int) -> Iterator[Piece]:
    """The tokens of an expression, in parentheses where it binds less than `least`."""
    if level_of(node) < least:
        yield Piece("(", node.place)
        yield from _bare(node)
        yield Piece(")", node.place)
    else:
        yield from _bare(node)


def _bare(node: tree.Expression) -> Iterator[Piece]:
    at = node.place
    match node:
        case tree.ID(text) | tree.Constant(text):
            yield Piece(text, at)
        case tree.UnaryOp(op, expr) if op.startswith("p"):
            yield from _expression(expr, _POSTFIX)
            yield Piece(op[1:], at)
        case tree.UnaryOp(op, expr):
            yield Piece(op, at)
            inner = list(_expression(expr, _UNARY))
            if inner[0].text[0] == op[0]:  # - -x is no --x
                yield Piece(" ")
            yield from inner
        case tree.BinaryOp(op, left, right):
            own = _BINARY[op]
            yield from _operand(op, left, own)
            yield Piece(" ")
            yield Piece(op, at)
            yield Piece(" ")
            yield from _operand(op, right, own + 1)
        case tree.TernaryOp(cond, iftrue, iffalse):
            yield from _expression(cond, _CONDITIONAL + 1)
            yield Piece(" ? ")
            yield from _expression(iftrue, _CONDITIONAL)
            yield Piece(" : ")
            yield from _expression(iffalse, _CONDITIONAL)
        case tree.ArrayRef(base, subscript):
            yield from _expression(base, _POSTFIX)
            yield Piece("[", at)
            yield from _expression(subscript, 0)
            yield Piece("]", at)
        case tree.StructRef(base, field, arrow):
            yield from _expression(base, _POSTFIX)
            yield Piece("->" if arrow else ".", at)
            yield Piece(field, at)
        case tree.FuncCall(name, args):
            yield Piece(name, at)
            yield Piece("(", at)
            yield from _joined(args, _ASSIGNMENT)
            yield Piece(")", at)
        case tree.Cast(expr, kind):
            innermost, rest = _declarator(kind, "", at)
            yield Piece("(", at)
            yield from _words(_name_in_cast(innermost), at)
            yield from rest
            yield Piece(")", at)
            yield Piece(" ")
            yield from _expression(expr, _UNARY)
        case tree.Assignment(op, lvalue, rvalue):
            yield from _expression(lvalue, _UNARY)
            yield Piece(" ")
            yield Piece(op, at)
            yield Piece(" ")
            yield from _expression(rvalue, _ASSIGNMENT)
        case tree.InitList(exprs):
            yield Piece("{", at)
            yield from _joined(exprs, _ASSIGNMENT)
            yield Piece("}", at)


def _name_in_cast(kind: tree.Type) -> str:
    """The name of a type; where C stores a number in an integer of its size, that integer's."""
    if isinstance(kind, tree.Number) and not kind.is_bool:
        return _C_TYPES.get((kind.bits, kind.signed)) or base_name(kind)
    return base_name(kind)


def _operand(op: str, node: tree.Expression, least: int) -> Iterator[Piece]:
    if isinstance(node, tree.BinaryOp) and (op, node.op) in _MIXED and op != node.op:
        least = _PRIMARY
    yield from _expression(node, least)


def _joined(nodes: Sequence[tree.Expression], least: int) -> Iterator[Piece]:
    for position, one in enumerate(nodes):
        if position:
            yield Piece(", ")
        yield from _expression(one, least)


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
    yield from _expression(condition, 0)
    yield Piece(")", place)


def _statement(node: object, depth: int) -> Iterator[Piece]:
    match node:
        case tree.Compound():
            yield from _block(node, depth)
        case tree.Decl():
            yield from _declaration(node)
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
            yield from _expression(expr, _CONDITIONAL)
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
                yield from _expression(expr, 0)
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
            yield from _expression(node, 0)  # type: ignore[arg-type]
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
                    yield from _declaration(one)
                    continue
                yield Piece(", ")
                _, rest = _declarator(one.type, one.name, one.place)
                yield from rest
                if one.init is not None:
                    yield Piece(" = ")
                    yield from _expression(one.init, _ASSIGNMENT)
        case None:
            pass
        case first:
            yield from _expression(first, 0)
    yield Piece(";", at)
    if node.cond is not None:
        yield Piece(" ")
        yield from _expression(node.cond, 0)
    yield Piece(";", at)
    steps = node.next if isinstance(node.next, tuple) else (node.next,)
    written = [one for one in steps if one is not None]
    if written:
        yield Piece(" ")
        yield from _joined(written, _ASSIGNMENT)
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
            yield from _declaration(declared)
            yield Piece(";", struct.place)
        yield Piece("\n};\n")
    for variable in node.variables:
        yield from _declaration(variable)
        yield Piece(";", variable.place)
        yield Piece("\n")
    for function in node.functions:
        yield from _function(function)


def _function(node: tree.FuncDef) -> Iterator[Piece]:
    for word in node.storage:
        yield Piece(word, node.place)
        yield Piece(" ")
    base, rest = _declarator(node.returns, "", node.place)
    yield from _words(base_name(base), node.place)
    yield Piece(" ")
    yield from rest
    yield Piece(node.name, node.place)
    yield Piece("(", node.place)
    if not node.parameters:
        yield Piece("void", node.place)
    for position, one in enumerate(node.parameters):
        if position:
            yield Piece(", ")
        yield from _declaration(one)
    yield Piece(")", node.place)
    yield _line(0)
    yield from _block(node.body, 0)
    yield Piece("\n")
