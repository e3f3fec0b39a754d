"""Branches that data decide: a value chosen by `?`, or assignments that a condition guards.

`if (c) x = a; else x = b;` is `x = c ? a : b` where both are the same place. Of other branches
the condition is kept in a variable, which guards each of their assignments by itself: loops
inside of them run in any case, and do nothing where it does not hold. So do loops that a `break`
on data ends.
"""

from __future__ import annotations

from typing import Any

from pycparser import c_ast

from hlsmem.read.c import names
from hlsmem.read.c.normal.data import data_names, holds_data
from hlsmem.read.c.normal.scoped import with_statements
from hlsmem.read.c.normal.unit import Unit
from hlsmem.read.c.symbols import Scope, Variable
from hlsmem.read.c.trees import (
    block,
    both,
    changed,
    declaration,
    fresh,
    integer,
    is_assertion,
    items_of,
    name,
    negation,
    text_of,
)


def guard_assignments(unit: Unit) -> Unit:
    """The unit whose branches on data are values or guards of one assignment each."""
    state = _State(unit)
    return with_statements(unit, state.replaced)


class _NotGuardedError(Exception):
    """A statement that cannot be guarded, such as a jump."""


class _State:
    def __init__(self, unit: Unit) -> None:
        self.taken = set(names.identifiers(unit.function))
        self.data = data_names(unit.function)
        self.going: list[str] = []

    def replaced(self, node: Any, scope: Scope) -> list[Any] | None:
        if isinstance(node, c_ast.For) and _breaks(node.stmt):
            return self.ended(node)
        if not isinstance(node, c_ast.If) or not self.is_data(node.cond):
            return None
        merged = self.merged(node, scope)
        if merged is not None:
            return [merged]
        if node.iffalse is None and _is_assignment(_only(node.iftrue)):
            return None
        try:
            return [block(self.guarded_branch(node, None), node.coord)]
        except _NotGuardedError:
            return None

    def ended(self, node: Any) -> list[Any] | None:
        """A loop that data may end: it runs on, and does nothing any more."""
        if not isinstance(node.init, c_ast.DeclList) or self.is_data(node.cond or integer(1)):
            return None
        try:
            return [block(self.going_on(node, integer(1, node.coord)), node.coord)]
        except _NotGuardedError:
            return None

    def going_on(self, node: Any, guard: Any) -> list[Any]:
        """A loop that data may end, which begins where `guard` holds."""
        flag = self.free("going")
        self.going.append(flag)
        try:
            body = block(self.guarded(node.stmt, name(flag, node.coord)), node.coord)
        finally:
            self.going.pop()
        kind = c_ast.TypeDecl(None, [], None, c_ast.IdentifierType(["int"]))
        begins = declaration(kind, flag, guard, node.coord)
        return [begins, changed(node, stmt=body)]

    def is_data(self, node: Any) -> bool:
        return holds_data(node, self.data)

    def merged(self, node: Any, scope: Scope) -> Any | None:
        """One assignment of a value that is chosen, in the type of its place."""
        then, otherwise = _only(node.iftrue), _only(node.iffalse)
        for one in (then, otherwise):
            if not isinstance(one, c_ast.Assignment) or one.op != "=":
                return None
            if isinstance(one.rvalue, c_ast.Assignment):
                return None
        if text_of(then.lvalue) != text_of(otherwise.lvalue):
            return None
        base = then.lvalue
        while isinstance(base, c_ast.ArrayRef):
            base = base.name
        symbol = scope.find(base.name) if isinstance(base, c_ast.ID) else None
        if not isinstance(symbol, Variable) or symbol.shape.scalar is None:
            return None
        kind = symbol.declaration.type
        while isinstance(kind, (c_ast.ArrayDecl, c_ast.PtrDecl)):
            kind = kind.type
        plain = c_ast.TypeDecl(declname=None, quals=[], align=None, type=kind.type)
        typename = c_ast.Typename(name=None, quals=[], align=None, type=plain)
        values = [c_ast.Cast(typename, one.rvalue, node.coord) for one in (then, otherwise)]
        chosen = c_ast.TernaryOp(node.cond, *values, node.coord)
        return c_ast.Assignment("=", then.lvalue, chosen, then.coord)

    def guarded_branch(self, node: Any, outer: Any) -> list[Any]:
        """The statements of a branch on data, each under its own guard, and that of `outer`."""
        flag = self.free("when")
        kind = c_ast.TypeDecl(None, [], None, c_ast.IdentifierType(["int"]))
        test = both(fresh(outer) if outer is not None else None, _truth(node.cond))
        found = [declaration(kind, flag, test, node.coord)]
        found += self.guarded(node.iftrue, name(flag, node.coord))
        if node.iffalse is not None:
            fails = both(
                fresh(outer) if outer is not None else None, negation(name(flag, node.coord))
            )
            found += self.guarded(node.iffalse, fails)
        return found

    def guarded(self, node: Any, guard: Any) -> list[Any]:
        match node:
            case c_ast.Compound():
                inner = [one for item in items_of(node) for one in self.guarded(item, guard)]
                return [changed(node, block_items=inner)]
            case c_ast.Decl() if node.init is not None:
                if not isinstance(node.type, c_ast.TypeDecl):
                    raise _NotGuardedError
                then = c_ast.Assignment("=", name(node.name, node.coord), node.init, node.coord)
                return [changed(node, init=None), *self.guarded(then, guard)]
            case c_ast.Decl() | c_ast.EmptyStatement() | c_ast.Pragma():
                return [node]
            case c_ast.Label():
                return [changed(node, stmt=block(self.guarded(node.stmt, guard), node.coord))]
            case c_ast.Break() if self.going:
                end = c_ast.Assignment(
                    "=", name(self.going[-1], node.coord), integer(0, node.coord), node.coord
                )
                return [c_ast.If(fresh(guard, node.coord), end, None, node.coord)]
            case c_ast.FuncCall() if self.going and is_assertion(node):
                flag = name(self.going[-1], node.coord)
                failed = c_ast.ExprList([node, integer(0, node.coord)], node.coord)
                end = c_ast.Assignment("=", flag, failed, node.coord)
                return [c_ast.If(fresh(guard, node.coord), end, None, node.coord)]
            case c_ast.For():
                if self.is_data(node.cond or integer(1)):
                    raise _NotGuardedError
                if _breaks(node.stmt):
                    if not isinstance(node.init, c_ast.DeclList):
                        raise _NotGuardedError
                    return [block(self.going_on(node, fresh(guard, node.coord)), node.coord)]
                return [changed(node, stmt=block(self.guarded(node.stmt, guard), node.coord))]
            case c_ast.If() if self.is_data(node.cond):
                return [block(self.guarded_branch(node, guard), node.coord)]
            case c_ast.If():
                then = block(self.guarded(node.iftrue, guard), node.coord)
                otherwise = node.iffalse
                if otherwise is not None:
                    otherwise = block(self.guarded(otherwise, guard), node.coord)
                return [changed(node, iftrue=then, iffalse=otherwise)]
            case _ if _is_assignment(node):
                return [c_ast.If(fresh(guard, node.coord), node, None, node.coord)]
        raise _NotGuardedError

    def free(self, wanted: str) -> str:
        found, number = wanted, 2
        while found in self.taken:
            found, number = f"{wanted}_{number}", number + 1
        self.taken.add(found)
        self.data |= {found}
        return found


def _breaks(node: Any) -> bool:
    """Whether a `break` in a loop's body leaves that loop."""
    if isinstance(node, (c_ast.For, c_ast.While, c_ast.DoWhile, c_ast.Switch)):
        return False
    return isinstance(node, c_ast.Break) or any(map(_breaks, node))


def _truth(node: Any) -> Any:
    """A condition as 0 or 1."""
    if isinstance(node, c_ast.BinaryOp) and node.op in _TRUTHS:
        return node
    if isinstance(node, c_ast.UnaryOp) and node.op == "!":
        return node
    return c_ast.BinaryOp("!=", node, integer(0, node.coord), node.coord)


_TRUTHS = ("<", "<=", ">", ">=", "==", "!=", "&&", "||")


def _is_assignment(node: Any) -> bool:
    if isinstance(node, c_ast.UnaryOp):
        return node.op in ("++", "--", "p++", "p--")
    return isinstance(node, c_ast.Assignment) and not isinstance(node.rvalue, c_ast.Assignment)


def _only(node: Any) -> Any:
    """The only statement of a block, itself of one."""
    while isinstance(node, c_ast.Compound) and len(items_of(node)) == 1:
        node = items_of(node)[0]
    return node
