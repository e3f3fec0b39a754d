"""Loads moved ahead of a call in an expression, where the body of the call stores.

C gives no order of the operands of `a[i] + f(x)`, nor of the arguments of `g(a[i], f(x))`. Many
compilers take them from the left, and so does the normal form: what f stores comes behind what is
read ahead of it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any

from hlsmem.read.c import names, tree
from hlsmem.read.c.rewritten_text import moved
from hlsmem.read.c.tree import Array, Pointer
from hlsmem.read.c.trees import declaration, name, nodes_of, rewrite


def stores(statements: Iterable[Any], kept: Collection[str]) -> bool:
    """True if statements write elements, or variables that are `kept` from call to call."""
    for statement in statements:
        for node in nodes_of(statement):
            match node:
                case tree.Assignment(lvalue=tree.ID()) | tree.UnaryOp(expr=tree.ID()):
                    if any(one.name in kept for one in names.assignments_among([node])):
                        return True
                case tree.Assignment() | tree.UnaryOp(op="++" | "--" | "p++" | "p--"):
                    return True
    return False


def read_ahead(
    node: Any,
    kept: Collection[str],
    declared: Callable[[str], Any | None],
    free: Callable[[str], str],
) -> tuple[list[Any], Any]:
    """Variables that hold what an expression reads of elements, and of variables that are `kept`
    from call to call, and the expression of these.

    `declared` has the declarations of names. Elements of what is not known there, and of structs,
    are read where they stood.
    """
    found: list[Any] = []

    def replaced(part: Any) -> Any | None:
        match part:
            case tree.StructRef() | tree.FuncCall() | tree.UnaryOp(op="&"):
                return part
        if not isinstance(part, tree.ArrayRef) and getattr(part, "name", None) not in kept:
            return None
        base, levels = part, 0
        while isinstance(base, tree.ArrayRef):
            base, levels = base.name, levels + 1
        known = declared(base.name) if isinstance(base, tree.ID) else None
        if known is None:
            return part
        kind = known.type
        while levels and isinstance(kind, (Array, Pointer)):
            kind, levels = kind.element, levels - 1
        if levels or isinstance(kind, (Array, Pointer)):
            return part
        own = free(base.name)
        found.append(moved(declaration(kind, own, part, part.place), node))
        return name(own, kind, part.place)

    return found, rewrite(node, replaced)
