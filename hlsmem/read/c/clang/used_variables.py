"""Names of variables that expressions and statements use."""

from __future__ import annotations

import re

from hlsmem.read.c import tree
from hlsmem.read.c.clang.objects import Node, children_of
from hlsmem.read.c.tree import Expression


def names_in(node: Node) -> set[str]:
    """Return the names of variables in an expression."""
    if isinstance(node, tree.ID):
        return {node.name}
    return {name for one in children_of(node) for name in names_in(one)}


def base_name_of(node: Expression) -> str:
    """Return the variable that an element or member is of; empty for none."""
    while isinstance(node, (tree.ArrayRef, tree.StructRef)):
        node = node.name
    if isinstance(node, tree.UnaryOp) and node.op == "*":
        return base_name_of(node.expr)
    return node.name if isinstance(node, tree.ID) else ""


def names_of(statement: tree.Statement | None) -> set[str]:
    """Return the names of variables that a statement uses; of a pragma all of its words."""
    match statement:
        case None | tree.Break() | tree.Continue() | tree.EmptyStatement():
            return set()
        case tree.Decl(init=init):
            extents = names_in_extents(statement.type)
            return extents | (names_in(init) if init is not None else set())
        case tree.Compound(items):
            return {name for one in items for name in names_of(one)}
        case tree.If(cond, iftrue, iffalse):
            return names_in(cond) | names_of(iftrue) | names_of(iffalse)
        case tree.For(init, cond, step, stmt):
            return set[str]().union(*map(names_of, (init, cond, step, stmt)))
        case tree.DeclList(decls):
            return set[str]().union(*map(names_of, decls))
        case tree.While(cond, stmt) | tree.DoWhile(cond, stmt) | tree.Switch(cond, stmt):
            return names_in(cond) | names_of(stmt)
        case tree.Case(expr, stmts):
            return names_in(expr) | {name for one in stmts for name in names_of(one)}
        case tree.Default(stmts):
            return {name for one in stmts for name in names_of(one)}
        case tree.Label(stmt=stmt):
            return names_of(stmt)
        case tree.Return(expr):
            return set() if expr is None else names_in(expr)
        case tree.Pragma(text):
            return set(re.findall(r"\w+", text))
        case _:
            return names_in(statement)


def names_in_extents(kind: tree.Type) -> set[str]:
    found: set[str] = set()
    while isinstance(kind, (tree.Array, tree.Pointer)):
        if isinstance(kind, tree.Array) and kind.extent is not None:
            found |= names_in(kind.extent)
        kind = kind.element
    return found
