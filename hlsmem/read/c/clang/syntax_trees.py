"""Typed trees as the syntax trees of C that the normal form is made of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from hlsmem.read.c import c_ast, tree, trees
from hlsmem.read.c.c_text import text_of
from hlsmem.read.c.clang.types_in_c import is_wide, limbs_in
from hlsmem.read.c.constants import literal_of

_IN_C = (8, 16, 32, 64, 128)


# Declarations.


def function_tree(node: tree.FuncDef) -> c_ast.FuncDef:
    """Return a function with its body."""
    return c_ast.FuncDef(
        node.name,
        type_tree(node.returns),
        tuple(map(declaration_tree, node.parameters)),
        _statement(node.body),
        node.storage,
        node.place,
    )


def struct_tree(node: tree.Struct) -> c_ast.StructDef:
    """Return a struct with its members."""
    members = (c_ast.Decl(o.name, type_tree(o.type), place=node.place) for o in node.members)
    return c_ast.StructDef(node.name, tuple(members), node.place)


def declaration_tree(one: tree.Decl) -> c_ast.Decl:
    """Return the declaration of a variable."""
    is_to_const = isinstance(one.type, tree.Pointer) and one.type.const
    initial = None if one.init is None else expression_tree(one.init)
    return c_ast.Decl(
        one.name, type_tree(one.type), initial, one.storage, one.const or is_to_const, one.place
    )


def type_tree(kind: tree.Type) -> tree.Type:
    """Return a type; of a wide word the limbs, which are its last dimension."""
    match kind:
        case tree.Array(element, extent, restrict):
            size = None if extent is None else expression_tree(extent)
            return tree.Array(type_tree(element), size, restrict)
        case tree.Pointer(element, restrict):
            return tree.Pointer(type_tree(element), restrict)
        case tree.Number() if is_wide(kind):
            limbs: Any = c_ast.Constant(str(limbs_in(kind)), tree.INT)
            return tree.Array(tree.UNSIGNED_LONG, limbs)
        case tree.Struct(members=members):
            own = tuple(tree.Member(one.name, type_tree(one.type)) for one in members)
            return replace(kind, members=own)
    return kind


def _type_of_cast(kind: tree.Type) -> tree.Type:
    """A type; where C stores a number in an integer of its size, that integer."""
    if isinstance(kind, tree.Number) and kind.exact and not kind.is_bool and kind.bits in _IN_C:
        return tree.Number(kind.bits, kind.signed)
    return type_tree(kind)


# Expressions.


def expression_tree(node: tree.Expression) -> Any:
    """Return an expression."""
    at = node.place
    match node:
        case tree.ID(name):
            return c_ast.ID(name, at)
        case tree.Constant(value, kind):
            return c_ast.Constant(value, _literal_type(value, kind), at)
        case tree.UnaryOp(op, expr):
            return c_ast.UnaryOp(op, expression_tree(expr), at)
        case tree.BinaryOp(",", left, right):
            return c_ast.ExprList((expression_tree(left), expression_tree(right)), at)
        case tree.BinaryOp(op, left, right):
            return c_ast.BinaryOp(op, expression_tree(left), expression_tree(right), at)
        case tree.TernaryOp(cond, iftrue, iffalse):
            parts = map(expression_tree, (cond, iftrue, iffalse))
            return c_ast.TernaryOp(*parts, at)  # type: ignore[call-arg]
        case tree.ArrayRef(base, subscript):
            return c_ast.ArrayRef(expression_tree(base), expression_tree(subscript), at)
        case tree.StructRef(base, field, arrow):
            return c_ast.StructRef(expression_tree(base), field, arrow, at)
        case tree.FuncCall(name, args):
            return c_ast.FuncCall(name, _all(args), at)
        case tree.Cast(expr, kind):
            return c_ast.Cast(expression_tree(expr), _type_of_cast(kind), at)
        case tree.Assignment(op, lvalue, rvalue):
            return c_ast.Assignment(op, expression_tree(lvalue), expression_tree(rvalue), at)
        case tree.InitList(exprs):
            return c_ast.InitList(_all(exprs), at)


def _all(nodes: Iterable[tree.Expression]) -> tuple[Any, ...]:
    return tuple(map(expression_tree, nodes))


def _literal_type(value: str, kind: tree.Type) -> tree.Type:
    """The type of a literal in C, which its text says."""
    found = literal_of(value)
    return kind if found is None else found[1]


# Statements.


def _statement(node: Any) -> Any:
    at = node.place
    match node:
        case tree.Compound(items):
            return c_ast.Compound(tuple(map(_statement, items)), at)
        case tree.Decl():
            return declaration_tree(node)
        case tree.If(cond, iftrue, iffalse):
            if iffalse is not None and not isinstance(iftrue, tree.Compound):
                iftrue = tree.Compound((iftrue,), at)  # an else is that of the nearest if
            other = None if iffalse is None else _statement(iffalse)
            return c_ast.If(expression_tree(cond), _statement(iftrue), other, at)
        case tree.For():
            return _for(node)
        case tree.While(cond, stmt):
            return c_ast.While(expression_tree(cond), _statement(stmt), at)
        case tree.DoWhile(cond, stmt):
            return c_ast.DoWhile(expression_tree(cond), _statement(stmt), at)
        case tree.Switch(cond, stmt):
            return c_ast.Switch(expression_tree(cond), _cases(_statement(stmt)), at)
        case tree.Case(expr, stmts):
            return c_ast.Case(expression_tree(expr), tuple(map(_statement, stmts)), at)
        case tree.Default(stmts):
            return c_ast.Default(tuple(map(_statement, stmts)), at)
        case tree.Label(name, stmt):
            return c_ast.Label(name, _statement(stmt), at)
        case tree.Return(expr):
            return c_ast.Return(None if expr is None else expression_tree(expr), at)
        case tree.Break():
            return c_ast.Break(at)
        case tree.Continue():
            return c_ast.Continue(at)
        case tree.Pragma(string):
            return c_ast.Pragma(string, at)
        case tree.EmptyStatement():
            return c_ast.EmptyStatement(at)
    return expression_tree(node)


def _cases(body: Any) -> Any:
    """The block of a switch in which each label has the statements up to the next one."""
    if not isinstance(body, c_ast.Compound):
        return body
    items: list[Any] = []
    pending = list(body.block_items)[::-1]
    while pending:
        one = pending.pop()
        if isinstance(one, (c_ast.Case, c_ast.Default)):  # clang has the first statement below
            items.append(trees.changed(one, stmts=()))
            pending += one.stmts[::-1]
        elif items and isinstance(items[-1], (c_ast.Case, c_ast.Default)):
            items[-1] = trees.changed(items[-1], stmts=(*items[-1].stmts, one))
        else:
            items.append(one)
    return trees.changed(body, block_items=items)


def _for(node: tree.For) -> c_ast.For:
    at = node.place
    match node.init:
        case None:
            first = None
        case tuple(declared):
            first = c_ast.DeclList(tuple(map(declaration_tree, declared)), at)
        case expression:
            first = expression_tree(expression)
    steps: Sequence[Any] = node.next if isinstance(node.next, tuple) else (node.next,)
    written = _all(one for one in steps if one is not None)
    step = None if not written else written[0] if len(written) == 1 else c_ast.ExprList(written, at)
    cond = None if node.cond is None else expression_tree(node.cond)
    return c_ast.For(first, cond, step, _statement(node.stmt), at)


def text_in_c(node: Any) -> str:
    """Return an expression, a statement or a function as C; equal texts are equal trees.

    >>> one = tree.Constant("1", tree.INT, tree.SourceRange("k.cpp", 1, 1))
    >>> total = tree.BinaryOp("+", one, one, tree.INT, one.place)
    >>> text_in_c(tree.BinaryOp("*", total, one, tree.INT, one.place))
    '(1 + 1) * 1'
    """
    made = function_tree(node) if isinstance(node, tree.FuncDef) else _statement(node)
    return text_of(made, has_few=True)
