"""Expressions as they are written: conversions that C makes by itself are left out."""

from __future__ import annotations

import re
from itertools import pairwise
from math import isinf
from typing import Any

from hlsmem.check.c_trees import written_c
from hlsmem.check.c_trees.clang_file import NotUnderstood, SourceLine
from hlsmem.check.c_trees.clang_functions import children_of, clang
from hlsmem.check.c_trees.type_trees import Types
from hlsmem.read.c import tree

_SUFFIXES = {
    "INT": "",
    "UINT": "U",
    "LONG": "L",
    "ULONG": "UL",
    "LONGLONG": "LL",
    "ULONGLONG": "ULL",
}
_LONG_DOUBLE = re.compile(r"[0-9.](?:[0-9a-fA-FxX.]|[eEpP][+-]?)*[lL]")
_VARIADIC = "__va_list_tag"


def expression(cursor: Any, at: SourceLine) -> Any:
    """Return an expression at a place. Raises NotUnderstood."""
    cursor = _operand(cursor)
    match cursor.kind.name:
        case "DECL_REF_EXPR":
            return tree.ID(cursor.spelling, place=at)
        case "UNEXPOSED_EXPR":
            return _unknown(cursor, at)
        case "ARRAY_SUBSCRIPT_EXPR":
            base, subscript = children_of(cursor)
            return tree.ArrayRef(expression(base, at), expression(subscript, at), place=at)
        case "BINARY_OPERATOR":
            return _binary(cursor, at)
        case "COMPOUND_ASSIGNMENT_OPERATOR":
            left, right = (expression(one, at) for one in children_of(cursor))
            return _operation(clang().binary_operator(cursor), left, right, at)
        case "UNARY_OPERATOR":
            (inner,) = children_of(cursor)
            op = clang().unary_operator(cursor)
            if op == "?":
                raise not_understood("this operator", at)
            own = expression(inner, at)
            return own if op == "__extension__ " else tree.UnaryOp(op, own, place=at)
        case "CONDITIONAL_OPERATOR":
            cond, iftrue, iffalse = (expression(one, at) for one in children_of(cursor))
            return tree.TernaryOp(cond, iftrue, iffalse, place=at)
        case "INTEGER_LITERAL" | "FLOATING_LITERAL" | "CHARACTER_LITERAL":
            return _number(cursor, at)
        case "IMAGINARY_LITERAL":
            (inner,) = children_of(cursor)
            return tree.Constant(f"{_number(inner, at).value}i", tree.Float(64), place=at)
        case "STRING_LITERAL":
            return tree.Constant(cursor.spelling, tree.TEXT, place=at)
        case "CALL_EXPR":
            called, *given = (expression(one, at) for one in children_of(cursor))
            return written_c.FuncCall(
                called, tree.ExprList(tuple(given), place=at) if given else None, at
            )
        case "MEMBER_REF_EXPR":
            return _member(cursor, at)
        case "CSTYLE_CAST_EXPR":
            *parts, inner = children_of(cursor)
            return written_c.Cast(
                Types(expression, at).typename(cursor.type, parts), expression(inner, at), at
            )
        case "CXX_UNARY_EXPR":
            return _size(cursor, at)
        case "INIT_LIST_EXPR":
            return tree.InitList(tuple(_listed(one, at) for one in children_of(cursor)), place=at)
        case "COMPOUND_LITERAL_EXPR":
            *parts, inner = children_of(cursor)
            kind = Types(expression, at).typename(cursor.type, parts)
            return written_c.CompoundLiteral(kind, expression(inner, at), at)
    raise not_understood("this expression", at)


def not_understood(what: str, at: SourceLine) -> NotUnderstood:
    """Return the refusal of something at a place."""
    return NotUnderstood(f"{at}: {what} is not understood")


def _operand(cursor: Any) -> Any:
    """An expression without parentheses and conversions that C makes by itself.

    For those clang has no kind. They are at the place of their one operand; besides them only
    `va_arg` has one, which may seem to stand there in a macro.
    """
    while True:
        word = cursor.kind.name
        inside = children_of(cursor) if word in ("PAREN_EXPR", "UNEXPOSED_EXPR") else []
        if len(inside) != 1 or not inside[0].kind.is_expression():
            return cursor
        (inner,) = inside
        if word == "UNEXPOSED_EXPR" and (inner.extent != cursor.extent or _is_next(cursor, inner)):
            return cursor
        cursor = inner


def _is_next(cursor: Any, inner: Any) -> bool:
    """True if a list of variable arguments is made anything but a list."""
    is_list = _VARIADIC in inner.type.get_canonical().spelling
    return is_list and _VARIADIC not in cursor.type.get_canonical().spelling


def _unknown(cursor: Any, at: SourceLine) -> Any:
    """What clang has no kind for: offsetof, whose value is known."""
    value = clang().value(cursor)
    if isinstance(value, int) and cursor.type.get_canonical().kind.name in _SUFFIXES:
        return _integer(value, cursor.type, at)
    raise not_understood("this expression", at)


def _binary(cursor: Any, at: SourceLine) -> Any:
    """An operation on two operands; a sum of many terms, which nests to the left, in one loop."""
    behind: list[tuple[str, Any]] = []
    while cursor.kind.name == "BINARY_OPERATOR":
        left, right = children_of(cursor)
        behind.append((clang().binary_operator(cursor), right))
        cursor = _operand(left)
    found = expression(cursor, at)
    for op, right in reversed(behind):
        found = _operation(op, found, expression(right, at), at)
    return found


def _operation(op: str, left: Any, right: Any, at: SourceLine) -> Any:
    if op == "?":
        raise not_understood("this operator", at)
    if op == ",":
        first = left.exprs if isinstance(left, tree.ExprList) else (left,)
        return tree.ExprList((*first, right), place=at)
    if op.endswith("=") and op not in ("==", "!=", "<=", ">="):
        return tree.Assignment(op, left, right, place=at)
    return tree.BinaryOp(op, left, right, place=at)


def _number(cursor: Any, at: SourceLine) -> tree.Constant:
    value, kind = clang().value(cursor), cursor.type.kind.name
    if isinstance(value, int):
        return _integer(value, cursor.type, at)
    if isinstance(value, float) and kind in ("FLOAT", "DOUBLE"):
        text = "1e9999" if isinf(value) else repr(value)
        bits = 32 if kind == "FLOAT" else 64
        return tree.Constant(text + "f" * (kind == "FLOAT"), tree.Float(bits), place=at)
    # The value of a long double is not to be had; in a macro its text is not either.
    token = next(iter(cursor.get_tokens()), None)
    if token is not None and _LONG_DOUBLE.fullmatch(token.spelling):
        return tree.Constant(token.spelling, tree.Float(128), place=at)
    raise not_understood(f"this number of the type '{cursor.type.spelling}'", at)


def _integer(value: int, kind: Any, at: SourceLine) -> tree.Constant:
    own = kind.get_canonical()
    made = tree.Number(8 * own.get_size(), not own.kind.name.startswith("U"))
    return tree.Constant(f"{value}{_SUFFIXES.get(own.kind.name, '')}", made, place=at)


def _member(cursor: Any, at: SourceLine) -> tree.StructRef:
    """A member; on the way there may be members that have no names."""
    (base,) = children_of(cursor)
    while base.kind.name == "MEMBER_REF_EXPR" and not base.spelling:
        (base,) = children_of(base)
    is_pointer = base.type.get_canonical().kind.name == "POINTER"
    return tree.StructRef(expression(base, at), cursor.spelling, is_pointer, place=at)


def _size(cursor: Any, at: SourceLine) -> Any:
    """The size of an expression where it has that value, else the value: a type has no cursor."""
    value, parts = clang().value(cursor), children_of(cursor)
    if len(parts) == 1 and parts[0].kind.is_expression():
        kind = parts[0].type.get_canonical()
        is_of_it = kind.kind.name == "VARIABLEARRAY" if value is None else kind.get_size() == value
        if is_of_it:
            return tree.UnaryOp("sizeof", expression(parts[0], at), place=at)
    if isinstance(value, int):
        return _integer(value, cursor.type, at)
    raise not_understood("a size that depends on variables", at)


def _listed(cursor: Any, at: SourceLine) -> Any:
    """A value in braces; one that is named has no type."""
    if cursor.kind.name != "UNEXPOSED_EXPR" or cursor.type.kind.name != "VOID":
        return expression(cursor, at)
    *places, value = children_of(cursor)
    positions = [one.kind.name != "MEMBER_REF" for one in places]
    if any(both == (True, True) for both in pairwise(positions)):
        tokens = [one.spelling for one in cursor.get_tokens()]
        if tokens[:1] not in (["["], ["."]) or "..." in tokens:
            raise not_understood("a range of elements", at)
    names = tuple(
        written_c.ArrayDesignator(expression(one, at), at)
        if is_position
        else tree.ID(one.spelling, place=at)
        for one, is_position in zip(places, positions, strict=True)
    )
    return written_c.NamedInitializer(names, expression(value, at), at)
