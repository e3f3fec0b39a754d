"""Loops over all elements of a flat array, `k < h*w`, as nests over its rows and columns."""

from __future__ import annotations

from typing import Any

from hlsmem.read.c import names, tree
from hlsmem.read.c.constants import integer_literal
from hlsmem.read.c.normal.box_nests import counters
from hlsmem.read.c.normal.rewrite_unit import Unit
from hlsmem.read.c.operations import binary, unary
from hlsmem.read.c.trees import (
    declaration,
    fresh,
    integer,
    name,
    nodes_of,
    rewrite,
    rewrite_statements,
    used_names,
)


def nest_flat_loops(unit: Unit) -> Unit:
    """The unit whose loops from 0 to a product of parameters are nests, the last factor inside.

    A factor that subscripts multiply by is the length of rows: it comes behind those that are
    not. Parameters have to be at least 1, or the product of two negative ones would be iterations.
    """
    body = unit.function.body
    headers = [_header(node) for node in nodes_of(body) if isinstance(node, tree.For)]
    if not any(isinstance(one[2], (tree.BinaryOp, tree.ID)) for one in headers if one):
        return unit
    assigned = names.assigned_names(unit.function)
    products = {
        node.name: node.init
        for node in nodes_of(body)
        if isinstance(node, tree.Decl) and node.init is not None and node.name not in assigned
    }
    multiplied = _multiplied(body)
    taken = set(names.identifiers(unit.function))

    def replaced(node: Any) -> Any | None:
        header = _header(node) if isinstance(node, tree.For) else None
        if header is None:
            return None
        counter, kind, end = header
        if isinstance(end, tree.ID) and end.name in products:
            end = products[end.name]
        factors = _factors(end)
        own = {one.name for one in factors if isinstance(one, tree.ID)}
        if len(own) < 2 or not own <= unit.least.keys():
            return None
        if counter in names.assigned_names(node.stmt):
            return None
        if not all(isinstance(one, tree.ID) or _positive(one) for one in factors):
            return None
        factors.sort(key=lambda one: getattr(one, "name", "") in multiplied or _positive(one))
        return _nest(node, counter, kind, factors, taken, replaced)

    found = unit.with_region(lambda items: [rewrite_statements(item, replaced) for item in items])
    if found is unit:
        return unit
    unused = set(products) & used_names(body) - used_names(found.function.body)

    def without(node: Any) -> Any | None:
        return [] if isinstance(node, tree.Decl) and node.name in unused else None

    return found.with_function(rewrite(found.function, without))


def _nest(
    node: Any, counter: str, kind: Any, factors: list[Any], taken: set[str], inner: Any
) -> Any:
    own = counters(len(factors), taken, counter)
    taken |= set(own)
    place = name(own[0], kind, node.place)
    for one, factor in zip(own[1:], factors[1:], strict=True):
        place = binary("*", place, fresh(factor, node.place), node.place)
        place = binary("+", place, name(one, kind, node.place), node.place)

    def used(part: Any) -> Any | None:
        is_counter = isinstance(part, tree.ID) and part.name == counter
        return fresh(place, part.place) if is_counter else None

    found = rewrite_statements(rewrite(node.stmt, used), inner)
    for one, factor in reversed(list(zip(own, factors, strict=True))):
        start = declaration(kind, one, integer(0, node.place), node.place)
        found = tree.For(
            tree.DeclList((start,), node.place),
            binary("<", name(one, kind, node.place), fresh(factor, node.place), node.place),
            unary("p++", name(one, kind, node.place), node.place),
            found,
            node.place,
        )
    return found


def _header(node: Any) -> tuple[str, Any, Any] | None:
    """Counter, type and end of `for (int k = 0; k < END; k++)`; None for any other loop."""
    match node:
        case tree.For(
            init=tree.DeclList([tree.Decl(name=own, type=kind, init=tree.Constant("0"))]),
            cond=tree.BinaryOp(op="<" | "!=", left=tree.ID(name=tested), right=end),
            next=tree.UnaryOp(op="++" | "p++", expr=tree.ID(name=stepped)),
        ) if own == tested == stepped:
            return own, kind, end
    return None


def _factors(node: Any) -> list[Any]:
    if isinstance(node, tree.BinaryOp) and node.op == "*":
        return [*_factors(node.left), *_factors(node.right)]
    return [node]


def _positive(node: Any) -> bool:
    found = integer_literal(node) if isinstance(node, tree.Constant) else None
    return found is not None and found[0] > 0


def _multiplied(body: Any) -> frozenset[str]:
    """Names by which subscripts multiply."""
    products = (
        part
        for node in nodes_of(body)
        if isinstance(node, tree.ArrayRef)
        for part in nodes_of(node.subscript)
        if isinstance(part, tree.BinaryOp) and part.op == "*"
    )
    return frozenset(
        one.name for part in products for one in (part.left, part.right) if isinstance(one, tree.ID)
    )
