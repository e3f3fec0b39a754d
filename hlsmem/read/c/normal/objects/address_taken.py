"""Variables whose address is taken as arrays of one element: what they hold lies in memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.normal.rewrite_unit import Unit
from hlsmem.read.c.operations import assigned, indexed
from hlsmem.read.c.tree import Array, Pointer, Type
from hlsmem.read.c.trees import changed, integer, name, nodes_of_body, rewrite

Names = frozenset[str]


def place_addressed(unit: Unit) -> Unit:
    """The unit in which only elements of arrays have their address taken.

    A name may be that of several variables, each in a block of its own.
    """
    if not any(map(_addressed, nodes_of_body(unit.function))):
        return unit
    block = unit.function.body
    return unit.with_function(changed(unit.function, body=_placed(block, _chosen(block, Names()))))


def _placed(block: Any, chosen: Names) -> Any:
    """A block, or loop, with elements in place of the variables that are chosen in it."""

    def replaced(node: Any) -> Any | None:
        match node:
            case tree.Compound() | tree.For() if node is not block:
                return _placed(node, _chosen(node, chosen))
            case tree.Decl() if node.name in chosen:
                kind = Array(node.type, integer(1, node.place))
                plain = changed(node, type=kind, init=None)
                if node.init is None:
                    return plain
                if "static" in node.storage:
                    return changed(plain, init=tree.InitList((node.init,), kind, node.place))
                value = rewrite(node.init, replaced)
                first = assigned("=", _element(node.name, kind, node.place), value, node.place)
                return [plain, first]
            case tree.ID() if node.name in chosen:
                return _element(node.name, Array(node.type, None), node.place)
        return None

    return rewrite(block, replaced)


def _element(own: str, kind: Type, place: Any) -> Any:
    return indexed(name(own, kind, place), integer(0, place), place)


def _chosen(block: Any, outside: Names) -> Names:
    """The variables that become arrays in a block or loop: its own, and of those around it."""
    own = _declared(block)
    if not own:
        return outside
    addressed = Names().union(*(_addresses(one) for one in block))
    places = {
        one.name
        for one in own
        if isinstance(block, tree.Compound) and not isinstance(one.type, (Array, Pointer))
    }
    return (outside - {one.name for one in own}) | (addressed & places)


def _declared(node: Any) -> list[Any]:
    """Declarations of a block, or of the head of a loop."""
    match node:
        case tree.Compound():
            items: Sequence[Any] = node.block_items
        case tree.For(init=tree.DeclList(decls=declared)):
            items = declared
        case _:
            items = ()
    return [one for one in items if isinstance(one, tree.Decl)]


def _addresses(node: Any) -> Names:
    """The variables from outside of a node whose address is taken in it."""
    if _addressed(node):
        return Names([node.expr.name])
    found = Names().union(*(_addresses(one) for one in node))
    return found - {one.name for one in _declared(node)} if found else found


def _addressed(node: Any) -> bool:
    return isinstance(node, tree.UnaryOp) and node.op == "&" and isinstance(node.expr, tree.ID)
