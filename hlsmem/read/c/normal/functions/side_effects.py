"""Side effects as statements: `a[i++] = *p++` steps its variables behind the assignment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.normal.rewrite_unit import Unit
from hlsmem.read.c.normal.scalars.ssa import STEPS
from hlsmem.read.c.rewritten_text import moved
from hlsmem.read.c.trees import block, changed, items_of, nodes_of, rewrite


def separate_effects(unit: Unit) -> Unit:
    """The unit without steps of variables inside expressions, and without commas.

    A variable that is stepped and used besides in one expression stays: C gives no order.
    """
    return unit.with_region(_block)


def _block(items: Sequence[Any]) -> list[Any]:
    found: list[Any] = []
    for item in items:
        found += _statement(item)
    return found


def _inner(node: Any) -> Any:
    if node is None:
        return None
    found = _statement(node)
    return found[0] if len(found) == 1 else block(found, node.place)


def _statement(node: Any) -> list[Any]:
    match node:
        case tree.Compound():
            return [changed(node, block_items=_block(items_of(node)))]
        case tree.ExprList():
            return _block(node.exprs)
        case tree.If():
            before, condition, after = _split(node.cond)
            then, otherwise = _inner(node.iftrue), _inner(node.iffalse)
            if after:
                then = block([*after, *items_of(then)], node.place)
                otherwise = block([*after, *items_of(otherwise)], node.place)
            return [*before, changed(node, cond=condition, iftrue=then, iffalse=otherwise)]
        case tree.While():
            return _while(node)
        case tree.DoWhile():
            return [_do(node)]
        case tree.Switch():
            return [changed(node, stmt=_inner(node.stmt))]
        case tree.For():
            return _for(node)
        case tree.Case() | tree.Default():
            return [changed(node, stmts=_block(node.stmts))]
        case tree.Label():
            *before, last = _statement(node.stmt)
            return [*before, changed(node, stmt=last)]
        case tree.Assignment():
            before, value, after = _split(node.rvalue)
            ahead, target, behind = _split(node.lvalue)
            if (before or after or ahead or behind) and not _clash(node):
                return [
                    *before,
                    *ahead,
                    changed(node, lvalue=target, rvalue=value),
                    *after,
                    *behind,
                ]
        case tree.Decl() if node.init is not None and not isinstance(node.init, tree.InitList):
            before, value, after = _split(node.init)
            if before or after:
                return [*before, changed(node, init=value), *after]
        case tree.UnaryOp(op="++" | "--" | "p++" | "p--") if not isinstance(node.expr, tree.ID):
            before, target, after = _split(node.expr)
            if (before or after) and not _clash(node.expr):
                return [*before, changed(node, expr=target), *after]
    return [node]


def _while(node: Any) -> list[Any]:
    """The steps of a condition: those before the test also at the end of each iteration."""
    before, condition, after = _split(node.cond)
    body = _inner(node.stmt)
    if not before and not after:
        return [changed(node, stmt=body)]
    if _jumps(body) and before:
        return [changed(node, stmt=body)]
    items = [*after, *items_of(body), *before]
    return [*before, changed(node, cond=condition, stmt=block(items, node.place)), *after]


def _do(node: Any) -> Any:
    """The steps ahead of a condition at the end of each iteration, `do .. while (--n)`."""
    before, condition, after = _split(node.cond)
    body = _inner(node.stmt)
    if not before or after or _jumps(body):
        return changed(node, stmt=body)
    return changed(node, cond=condition, stmt=block([*items_of(body), *before], node.place))


def _for(node: Any) -> list[Any]:
    """A loop whose condition steps a variable is one with `while`."""
    if node.cond is None or not _split(node.cond)[0] + _split(node.cond)[2]:
        return [changed(node, stmt=_inner(node.stmt))]
    if _jumps(node.stmt):
        return [changed(node, stmt=_inner(node.stmt))]
    first = [] if node.init is None else [node.init]
    if isinstance(node.init, tree.DeclList):
        first = list(node.init.decls)
    last = [] if node.next is None else [node.next]
    inside = block([*items_of(node.stmt), *last], node.place)
    loop = tree.While(node.cond, inside, node.place)
    return [block(_block([*first, loop]), node.place)]


def _jumps(node: Any) -> bool:
    return any(isinstance(part, tree.Continue) for part in nodes_of(node))


def _split(node: Any) -> tuple[list[Any], Any, list[Any]]:
    """Steps ahead of an expression, the expression without them, and steps behind it."""
    before: list[Any] = []
    after: list[Any] = []
    if not any(_is_step(part) for part in nodes_of(node)) or _clash(node):
        return before, node, after

    def replaced(part: Any) -> Any | None:
        if isinstance(part, tree.TernaryOp) or getattr(part, "op", "") in ("&&", "||"):
            return part  # what may not happen is no statement
        if _is_step(part):
            (after if part.op.startswith("p") else before).append(moved(part, node))
            return part.expr
        return None

    return before, rewrite(node, replaced), after


def _is_step(node: Any) -> bool:
    return isinstance(node, tree.UnaryOp) and node.op in STEPS and isinstance(node.expr, tree.ID)


def _clash(node: Any) -> bool:
    """True if a variable is stepped and used besides."""
    parts = list(nodes_of(node))
    stepped = [part.expr.name for part in parts if _is_step(part)]
    uses = [part.name for part in parts if isinstance(part, tree.ID)]
    return any(uses.count(one) > 1 for one in stepped)
