"""Types, declarations and expressions of a typed tree as tokens of C."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c import tree
from hlsmem.read.c.clang.types_in_c import is_wide, limbs_in
from hlsmem.read.c.syntax import COUNTER
from hlsmem.read.c.tree import SourceRange

_BINARY = {
    operator: level
    for level, operators in enumerate(
        ("||", "&&", "|", "^", "&", "== !=", "< <= > >=", "<< >>", "+ -", "* / %"), start=4
    )
    for operator in operators.split()
}
ASSIGNMENT, CONDITIONAL, _UNARY, _POSTFIX, _PRIMARY = 2, 3, 15, 16, 17
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


def declarator(kind: tree.Type, name: str, place: SourceRange) -> tuple[tree.Type, list[Piece]]:
    """The innermost type of a declaration, and the tokens behind its name."""
    inner = [Piece(name, place)] if name else []
    while True:
        match kind:
            case tree.Array(element, extent, restrict):
                if inner and inner[0].text == "*":
                    inner = [Piece("(", place), *inner, Piece(")", place)]
                size = [] if extent is None else list(expression_pieces(extent, 0))
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


def declaration_pieces(one: tree.Decl) -> Iterator[Piece]:
    """Return the tokens of a declaration without its semicolon."""
    for word in one.storage:
        yield Piece(word, one.place)
        yield Piece(" ")
    kind, rest = declarator(one.type, one.name, one.place)
    if one.const or _is_to_const(one.type):
        yield Piece("const", one.place)
        yield Piece(" ")
    yield from word_pieces(base_name(kind), one.place)
    yield Piece(" ")
    yield from rest
    if one.init is not None:
        yield Piece(" = ")
        yield from expression_pieces(one.init, ASSIGNMENT)


def _is_to_const(kind: tree.Type) -> bool:
    return isinstance(kind, tree.Pointer) and kind.const


def word_pieces(text: str, place: SourceRange) -> Iterator[Piece]:
    """Return words with blanks between them, all at one place."""
    for position, word in enumerate(text.split(" ")):
        if position:
            yield Piece(" ")
        yield Piece(word, place)


# Expressions.


def level_of(node: tree.Expression) -> int:
    """Return the precedence of the operator that an expression ends in; greater binds closer."""
    match node:
        case tree.Assignment():
            return ASSIGNMENT
        case tree.TernaryOp():
            return CONDITIONAL
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


def expression_pieces(node: tree.Expression, least: int) -> Iterator[Piece]:
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
            yield from expression_pieces(expr, _POSTFIX)
            yield Piece(op[1:], at)
        case tree.UnaryOp(op, expr):
            yield Piece(op, at)
            inner = list(expression_pieces(expr, _UNARY))
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
            yield from expression_pieces(cond, CONDITIONAL + 1)
            yield Piece(" ? ")
            yield from expression_pieces(iftrue, CONDITIONAL)
            yield Piece(" : ")
            yield from expression_pieces(iffalse, CONDITIONAL)
        case tree.ArrayRef(base, subscript):
            yield from expression_pieces(base, _POSTFIX)
            yield Piece("[", at)
            yield from expression_pieces(subscript, 0)
            yield Piece("]", at)
        case tree.StructRef(base, field, arrow):
            yield from expression_pieces(base, _POSTFIX)
            yield Piece("->" if arrow else ".", at)
            yield Piece(field, at)
        case tree.FuncCall(name, args):
            yield Piece(name, at)
            yield Piece("(", at)
            yield from joined_pieces(args, ASSIGNMENT)
            yield Piece(")", at)
        case tree.Cast(expr, kind):
            innermost, rest = declarator(kind, "", at)
            yield Piece("(", at)
            yield from word_pieces(_name_in_cast(innermost), at)
            yield from rest
            yield Piece(")", at)
            yield Piece(" ")
            yield from expression_pieces(expr, _UNARY)
        case tree.Assignment(op, lvalue, rvalue):
            yield from expression_pieces(lvalue, _UNARY)
            yield Piece(" ")
            yield Piece(op, at)
            yield Piece(" ")
            yield from expression_pieces(rvalue, ASSIGNMENT)
        case tree.InitList(exprs):
            yield Piece("{", at)
            yield from joined_pieces(exprs, ASSIGNMENT)
            yield Piece("}", at)


def _name_in_cast(kind: tree.Type) -> str:
    """The name of a type; where C stores a number in an integer of its size, that integer's."""
    if isinstance(kind, tree.Number) and not kind.is_bool:
        return _C_TYPES.get((kind.bits, kind.signed)) or base_name(kind)
    return base_name(kind)


def _operand(op: str, node: tree.Expression, least: int) -> Iterator[Piece]:
    if isinstance(node, tree.BinaryOp) and (op, node.op) in _MIXED and op != node.op:
        least = _PRIMARY
    yield from expression_pieces(node, least)


def joined_pieces(nodes: Sequence[tree.Expression], least: int) -> Iterator[Piece]:
    """Return the tokens of expressions with commas between them."""
    for position, one in enumerate(nodes):
        if position:
            yield Piece(", ")
        yield from expression_pieces(one, least)
