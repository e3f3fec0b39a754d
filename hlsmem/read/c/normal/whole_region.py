"""The region without ceremony: the body of a function that has no scop, several scops as one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, count
from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.names import assigned_names, identifiers
from hlsmem.read.c.normal.rewrite_unit import Unit
from hlsmem.read.c.tree import Array, Float, Number, Pointer
from hlsmem.read.c.trees import (
    assignment,
    block,
    changed,
    declaration,
    is_constant,
    name,
    nodes_of,
    nodes_of_body,
    rewrite,
    used_names,
)


def mark_region(unit: Unit) -> Unit:
    """The unit whose function has one pair of scop pragmas, where that can be had.

    Declarations that begin a body stay in front, and a `return` at its end behind; elements that
    it returns are read within.
    """
    function = unit.function
    pragmas = [node for node in nodes_of_body(function) if _word(node)]
    if not pragmas:
        items = _marked(function, identifiers(unit.tree))
        body = changed(function.body, block_items=items)
        return unit.with_function(changed(function, body=body))
    parent = next((n for n in nodes_of_body(function) if _holds(n, pragmas)), None)
    words = [_word(node) for node in pragmas]
    if len(pragmas) == 2 or parent is None or words != ["scop", "endscop"] * (len(words) // 2):
        return unit
    inner = set(map(id, pragmas[1:-1]))
    return unit.with_function(rewrite(function, lambda node: [] if id(node) in inner else None))


def _word(node: Any) -> str:
    words = node.string.split() if isinstance(node, tree.Pragma) else []
    return words[0] if words and words[0] in ("scop", "endscop") else ""


def _holds(node: Any, pragmas: list[Any]) -> bool:
    items = node.block_items if isinstance(node, tree.Compound) else []
    return all(any(one is item for item in items) for one in pragmas)


def _marked(function: Any, taken: frozenset[str]) -> list[Any]:
    items = list(function.body.block_items)
    back: list[Any] = []
    if items and isinstance(items[-1], tree.Return):
        back = [items.pop()]
        kind = function.returns
        if isinstance(kind, (Number, Float)) and (
            _reads(back[0]) or not any(map(_is_statement, items))
        ):
            own = next(one for one in _results() if one not in taken)
            place = back[0].place
            items.append(assignment(own, kind, back[0].expr, place))
            items.insert(0, declaration(kind, own, None, place))
            back = [tree.Return(name(own, kind, place), place)]
    needed = used_names(block(back))
    assigned = assigned_names(function)
    front: list[Any] = []
    inside: list[Any] = []
    while items and isinstance(items[0], (tree.Decl, tree.Pragma)):
        node = items.pop(0)
        late = used_names(node) & {one.name for one in inside if isinstance(one, tree.Decl)}
        if late or not isinstance(node, tree.Decl):
            inside.append(node)
        elif _stays(node, assigned):
            front.append(node)
        elif node.name in needed:
            front.append(changed(node, init=None))
            inside.append(assignment(node.name, node.type, node.init, node.place))
        else:
            inside.append(node)
    kept, items = _kept(items, needed)
    front += kept
    place = function.body.place
    first, last = (tree.Pragma(text, place) for text in ("scop", "endscop"))
    return [*front, first, *inside, *items, last, *back]


def _reads(back: Any) -> bool:
    """True where a value is that of an element, or of what a pointer points to."""
    return any(
        isinstance(one, tree.ArrayRef) or (isinstance(one, tree.UnaryOp) and one.op == "*")
        for one in nodes_of(back)
    )


def _is_statement(item: Any) -> bool:
    return not isinstance(item, (tree.Decl, tree.Pragma))


def _results() -> Iterator[str]:
    return chain(["result"], (f"result_{k}" for k in count(2)))


def _kept(items: list[Any], needed: frozenset[str]) -> tuple[list[Any], list[Any]]:
    """Declarations of numbers that are `needed` behind, and the items with what is left of them."""
    front: list[Any] = []
    inside: list[Any] = []
    used: frozenset[str] = frozenset()
    for node in items:
        plain = isinstance(node, tree.Decl) and not isinstance(node.type, (Array, Pointer))
        if plain and node.name in needed - used and not node.storage:
            front.append(changed(node, init=None))
            if node.init is not None:
                inside.append(assignment(node.name, node.type, node.init, node.place))
        else:
            inside.append(node)
        used |= used_names(node)
    return front, inside


def _stays(node: Any, assigned: frozenset[str]) -> bool:
    """True if a declaration computes no value."""
    if node.init is None or "static" in node.storage:
        return True
    if isinstance(node.type, Pointer):
        return False
    if isinstance(node.init, tree.InitList):
        return is_constant(node)
    return node.name not in assigned
