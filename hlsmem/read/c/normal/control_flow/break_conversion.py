"""`break` on indices: a condition of the loop, which then ends an iteration later or in this one.

A loop goes on from an iteration to the next only where the iteration before did not leave it. The
`break` stands last on its way (`jumps`), and the conditions on that way are on loop variables and
parameters alone, but for data that would have left the loop themselves: these stay.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.constants import integer_literal
from hlsmem.read.c.names import assigned_names
from hlsmem.read.c.normal.rewrite_unit import Unit
from hlsmem.read.c.normal.scalars.data_variables import data_names, holds_data
from hlsmem.read.c.normal.scalars.linear_sums import simplified
from hlsmem.read.c.operations import binary
from hlsmem.read.c.tree import Type
from hlsmem.read.c.trees import (
    both,
    changed,
    fresh,
    integer,
    items_of,
    name,
    negation,
    nodes_of,
    nodes_of_body,
    rewrite,
    rewrite_statements,
)


def settle_breaks(unit: Unit) -> Unit:
    """The unit whose loops of `for` test what made them break."""
    if not any(isinstance(node, tree.Break) for node in nodes_of_body(unit.function)):
        return unit
    data = data_names(unit.function)

    def replaced(node: Any) -> Any | None:
        if not isinstance(node, tree.For):
            return None
        return _loop(changed(node, stmt=rewrite_statements(node.stmt, replaced)), data)

    return unit.with_region(lambda items: [rewrite_statements(item, replaced) for item in items])


def _loop(node: Any, data: frozenset[str]) -> Any:
    ways = list(_ways(node.stmt, None, True, data))
    counter = _header(node)
    if not ways or counter is None:
        return node
    own, first, step = counter
    varying = assigned_names(node.stmt) | {
        one.name for one in nodes_of(node.stmt) if isinstance(one, tree.Decl)
    }
    condition, settled = node.cond, set[int]()
    for one, way, at_once in ways:
        if way is None:
            return node
        calls = any(isinstance(part, tree.FuncCall) for part in nodes_of(way))
        if calls or holds_data(way, data | varying):
            continue
        stays = negation(fresh(way))
        if not at_once:
            begins = binary(
                "==", name(own, _type_of_counter(node.init), way.place), fresh(first), way.place
            )
            stays = binary("||", begins, rewrite(stays, _before(own, step)), way.place)
        condition = both(condition, stays)
        settled.add(id(one))
    if not settled:
        return node
    return changed(node, cond=condition, stmt=_without(node.stmt, settled))


def _ways(
    node: Any, condition: Any, at_once: bool, data: frozenset[str]
) -> Iterator[tuple[Any, Any, bool]]:
    """Each `break` of a loop's body, its condition, and whether nothing runs ahead of it."""
    if isinstance(node, tree.Break):
        yield node, condition, at_once
    elif isinstance(node, tree.If):
        yield from _ways(node.iftrue, both(condition, node.cond), at_once, data)
        if node.iffalse is not None:
            # Data that leave the loop leave it, whatever stands behind.
            fails = None
            if not (_leaves(node.iftrue) and holds_data(node.cond, data)):
                fails = negation(node.cond)
            more = both(condition, fails)
            yield from _ways(node.iffalse, more, at_once and fails is not None, data)
    elif isinstance(node, tree.Compound):
        for item in items_of(node):
            yield from _ways(item, condition, at_once, data)
            at_once = False
    elif isinstance(node, tree.Label):
        yield from _ways(node.stmt, condition, at_once, data)


def _leaves(node: Any) -> bool:
    """True if a branch ends with `break` on every path."""
    while isinstance(node, tree.Compound) and node.block_items:
        node = node.block_items[-1]
    return isinstance(node, tree.Break)


def _type_of_counter(first: Any) -> Type:
    """The type of the variable that the header of a loop begins with."""
    return (first.decls[0] if isinstance(first, tree.DeclList) else first).type


def _header(node: Any) -> tuple[str, Any, int] | None:
    """The variable of a loop, its first value, and its step where that is a literal."""
    match node.init:
        case tree.DeclList(decls=[tree.Decl(name=own, init=first)]):
            pass
        case tree.Assignment(op="=", lvalue=tree.ID(name=own), rvalue=first):
            pass
        case _:
            return None
    sizes = {"++": 1, "p++": 1, "--": -1, "p--": -1}
    match node.next:
        case tree.UnaryOp(op=op, expr=tree.ID(name=stepped)) if op in sizes and stepped == own:
            return str(own), first, sizes[op]
        case tree.Assignment(op="+=" | "-=" as op, lvalue=tree.ID(name=stepped)) if stepped == own:
            sign = 1 if op == "+=" else -1
            amount = node.next.rvalue
            if isinstance(amount, tree.UnaryOp) and amount.op == "-":
                sign, amount = -sign, amount.expr
            literal = integer_literal(amount) if isinstance(amount, tree.Constant) else None
            return None if literal is None else (str(own), first, sign * literal[0])
    return None


def _before(own: str, step: int) -> Any:
    """A rewriting of expressions to what they were one iteration before."""

    def replaced(node: Any) -> Any | None:
        if isinstance(node, tree.ID) and node.name == own:
            sign = "-" if step > 0 else "+"
            size = integer(abs(step), node.place)
            return binary(sign, node, size, node.place)
        if isinstance(node, tree.BinaryOp) and node.op in ("+", "-"):
            left, right = rewrite(node.left, replaced), rewrite(node.right, replaced)
            return simplified(binary(node.op, left, right, node.place))
        return None

    return replaced


def _without(node: Any, settled: Set[int]) -> Any:
    """A loop's body without those of its `break`s."""

    def replaced(part: Any) -> Any | None:
        if isinstance(part, (tree.For, tree.While, tree.DoWhile, tree.Switch)):
            return part
        if id(part) in settled:
            return tree.EmptyStatement(part.place)
        return None

    return rewrite(node, replaced)
