"""The body of a loop as one list of statements: every variable has a name that no other has.

Blocks inside are opened, and elements of arrays that constants alone choose are variables.
"""

from __future__ import annotations

from itertools import product
from math import prod
from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.symbols import Scope, constant_integer, shape_of
from hlsmem.read.c.tree import Array, Pointer
from hlsmem.read.c.trees import (
    base_of,
    block,
    changed,
    declaration,
    items_of,
    nodes_of,
    rewrite,
    used_names,
)
from hlsmem.read.design_names import free_name

# Elements of an array that become variables, at most.
_MOST_ELEMENTS = 256
STEPS = ("++", "--", "p++", "p--")


class Irregular(Exception):
    """There are other statements than declarations, assignments and branches."""


def straightened(body: Any, scope: Scope, taken: set[str]) -> list[Any]:
    """The statements of a body, in which variables have names of their own, added to `taken`.

    `scope` knows the names around. Raises Irregular.
    """
    return _opened(body, scope, taken, {}, set())


def _opened(
    node: Any, scope: Scope, taken: set[str], known: dict[str, str], declared: set[str]
) -> list[Any]:
    match node:
        case tree.Compound():
            inner = dict(known)
            return [
                one
                for item in items_of(node)
                for one in _opened(item, scope, taken, inner, declared)
            ]
        case tree.Decl(storage=[]) if not isinstance(node.type, Pointer):
            initial = None if node.init is None else _renamed(node.init, known)
            is_free = node.name not in declared and scope.find(node.name) is None
            own = node.name if is_free else free_name(node.name, taken)
            declared.add(own)
            known[node.name] = own
            if own == node.name and initial is node.init:
                return [node]
            return [declaration(node.type, own, initial, node.place, const=node.const)]
        case tree.Label(stmt=tree.Compound() as inside):  # that of a loop
            return _opened(inside, scope, taken, known, declared)
        case tree.If() if (test := constant_integer(node.cond, scope)) is not None:
            way = block(items_of(node.iftrue if test else node.iffalse))
            return _opened(way, scope, taken, known, declared)
        case tree.If():
            parts = {
                key: block(_opened(part, scope, taken, dict(known), declared), part.place)
                for key, part in (("iftrue", node.iftrue), ("iffalse", node.iffalse))
                if part is not None
            }
            made = changed(node, cond=_renamed(node.cond, known), **parts)
            return [] if _is_idle(made) else [made]
        case tree.EmptyStatement():
            return []
        case tree.Assignment() | tree.FuncCall() | tree.Pragma():
            return [_renamed(node, known)]
        case tree.UnaryOp() if node.op in STEPS:
            return [_renamed(node, known)]
    raise Irregular


def _is_idle(node: Any) -> bool:
    """True if a branch does nothing, and its condition neither loads nor calls."""
    if items_of(node.iftrue) or items_of(node.iffalse):
        return False
    return not any(isinstance(one, (tree.ArrayRef, tree.FuncCall)) for one in nodes_of(node.cond))


def _renamed(node: Any, known: dict[str, str]) -> Any:
    def replaced(part: Any) -> Any | None:
        if isinstance(part, tree.ID) and known.get(part.name, part.name) != part.name:
            return changed(part, name=known[part.name])
        return None

    return rewrite(node, replaced)


def with_elements(items: list[Any], scope: Scope, taken: set[str]) -> tuple[list[Any], list[Any]]:
    """The statements with variables in the place of elements, and the arrays that are gone."""
    gone = []
    for array in [one for item in items for one in nodes_of(item)]:
        if isinstance(array, tree.Decl) and isinstance(array.type, Array):
            found = _scattered(array, items, scope, taken)
            if found is not None:
                items = found
                gone.append(array)
    return items, gone


def _scattered(array: Any, items: list[Any], scope: Scope, taken: set[str]) -> list[Any] | None:
    """The statements without an array; None where not all of its elements are known."""
    shape = shape_of(array.type)
    extents = [None if one is None else constant_integer(one, scope) for one in shape.extents]
    sizes = [one for one in extents if one is not None]
    if array.init is not None or shape.scalar is None or len(sizes) < len(extents):
        return None
    elements = list(product(*map(range, sizes))) if prod(sizes) <= _MOST_ELEMENTS else []
    own: dict[tuple[int | None, ...], str] = {}

    def replaced(node: Any) -> Any | None:
        if not isinstance(node, tree.ArrayRef):
            return None
        base = base_of(node)
        if not (isinstance(base, tree.ID) and base.name == array.name):
            return None
        place = element_of(node, scope)
        if place not in elements:
            return None
        if place not in own:
            wanted = "_".join([array.name, *map(str, place)])
            own[place] = wanted if wanted not in taken else free_name(wanted, taken)
            taken.add(own[place])
        return tree.ID(own[place], node.type, node.place)

    made = [item if item is array else rewrite(item, replaced) for item in items]
    if any(item is not array and array.name in used_names(item) for item in made):
        return None
    kind = tree.element_of(array.type)
    variables = [declaration(kind, one, None, array.place) for one in own.values()]

    def declared(node: Any) -> list[Any] | None:
        return variables if node is array else None

    return list(items_of(rewrite(block(made), declared)))


def element_of(node: Any, scope: Scope) -> tuple[int | None, ...]:
    """The subscripts of an element, none of a variable; None for what is no constant."""
    found: list[int | None] = []
    while isinstance(node, tree.ArrayRef):
        found.append(constant_integer(node.subscript, scope))
        node = node.name
    return tuple(found[::-1])
