"""Loops whose bounds are data with promised values: they run as far as these can be.

`for (int i = 0; i < m; i++) S` with values of m from 0 to M is

    for (int i = 0; i < M; i++) { if (i < m) S }

where nothing in the loop writes m: the condition is one on m alone, which stays as it is.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.normal.rewrite_unit import Unit
from hlsmem.read.c.normal.scalars.linear_sums import simplified
from hlsmem.read.c.operations import binary
from hlsmem.read.c.syntax import find_region
from hlsmem.read.c.trees import block, both, changed, formula, fresh, name, nodes_of, rewrite
from hlsmem.read.c.trips import words_of


def run_to_promised(unit: Unit) -> Unit:
    """The unit whose loops that promised values bound run to the greatest of them."""
    if not unit.ranges:
        return unit
    unit = unit.with_function(rewrite(unit.function, _without_pragmas))
    region = find_region(unit.function, unit.source)
    trips = replace(unit.trips, by_label={})
    given = trips.of(block(region.statements), unit.source, unit.problems)

    def replaced(node: Any) -> Any | None:
        if not isinstance(node, tree.For) or id(node) in given:
            return None
        inside = rewrite(node.stmt, replaced)
        node = node if inside is node.stmt else changed(node, stmt=inside)
        return _loop(unit, node)

    return unit.with_region(lambda items: [rewrite(one, replaced) for one in items])


def _without_pragmas(node: Any) -> Any | None:
    """Drop pragmas that promise values: they are for the reader, not for compilers."""
    is_promise = isinstance(node, tree.Pragma) and words_of(node).startswith("values")
    return [] if is_promise else None


def _loop(unit: Unit, node: Any) -> Any:
    match node:
        case tree.For(
            init=tree.DeclList(decls=[tree.Decl(name=own, init=first) as declared]) as head,
            cond=tree.BinaryOp("<" | "<=" | ">" | ">=" as op, tree.ID(counted), last) as test,
            next=tree.UnaryOp(op="++" | "p++" | "--" | "p--" as step),
        ) if own == counted and first is not None:
            pass
        case _:
            return node
    grows = "++" in step
    if grows != (op in ("<", "<=")):
        return node
    asked = [one for one in (first, last) if _is_promised(unit, one)]
    if not asked or any(_is_written(part, node.stmt) for part in asked):
        return node
    begin = _extreme(unit, first, greatest=not grows)
    end = _extreme(unit, last, greatest=grows)
    if begin is None or end is None:
        return node
    guard: Any = None
    if first in asked:
        counter = name(own, declared.type, node.place)
        guard = binary(">=" if grows else "<=", counter, fresh(first), node.place)
    if last in asked:
        guard = both(guard, test)
    inside = tree.If(guard, node.stmt, None, node.place)
    return changed(
        node,
        init=changed(head, decls=[changed(declared, init=simplified(begin))]),
        cond=changed(node.cond, right=simplified(end)),
        stmt=block([inside], node.place),
    )


def _base(node: Any) -> str | None:
    """The variable of an element, or of a variable itself."""
    while isinstance(node, (tree.ArrayRef, tree.StructRef)):
        node = node.name
    return node.name if isinstance(node, tree.ID) else None


def _is_promised(unit: Unit, node: Any) -> bool:
    return any(isinstance(one, tree.ID) and one.name in unit.ranges for one in nodes_of(node))


def _is_written(node: Any, body: Any) -> bool:
    """True if a loop writes a variable or array that its bound reads."""
    read = {one.name for one in nodes_of(node) if isinstance(one, tree.ID)}
    for part in nodes_of(body):
        match part:
            case tree.Assignment(lvalue=place):
                pass
            case tree.UnaryOp(op="++" | "--" | "p++" | "p--" | "&", expr=place):
                pass
            case _:
                continue
        if _base(place) in read:
            return True
    return False


def _extreme(unit: Unit, node: Any, *, greatest: bool) -> Any | None:
    """The least or the greatest value of a bound; None where that is not told."""
    if not _is_promised(unit, node):
        return fresh(node)
    match node:
        case tree.BinaryOp(op="+" | "-" as op):
            left = _extreme(unit, node.left, greatest=greatest)
            right = _extreme(unit, node.right, greatest=greatest == (op == "+"))
            return None if left is None or right is None else changed(node, left=left, right=right)
        case tree.ID() | tree.ArrayRef() | tree.StructRef() if _base(node) in unit.ranges:
            bound = unit.ranges[str(_base(node))][greatest]
            return None if bound.is_rounded() else formula(bound, node.place, unit.type_of)
    return None
