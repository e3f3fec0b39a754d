"""Initial values of local arrays as assignments: zeros as loops, others one by one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pycparser import c_ast

from hlsmem.read.c.names import identifiers
from hlsmem.read.c.normal.unit import Unit
from hlsmem.read.c.trees import (
    block,
    changed,
    declaration,
    fresh,
    integer,
    is_constant,
    items_of,
    name,
    rewrite,
)

# Initial values that are written down one by one.
VALUE_LIMIT = 256


def assign_initial_values(unit: Unit) -> Unit:
    """The unit whose region declares no array with initial values, but constant tables."""
    taken = set(identifiers(unit.function))

    def replaced(node: Any) -> Any | None:
        if isinstance(node, c_ast.Compound):
            old = items_of(node)
            new = _block(old, taken, replaced)
            same = len(old) == len(new) and all(a is b for a, b in zip(old, new, strict=True))
            return node if same else changed(node, block_items=new)
        return None

    return unit.with_region(lambda items: _block(items, taken, replaced))


def _block(items: list[Any], taken: set[str], replaced: Any) -> list[Any]:
    found: list[Any] = []
    for item in items:
        values = _assignments(item, taken) if _is_initialised(item) else None
        if values is None:
            found.append(rewrite(item, replaced))
        else:
            found += [changed(item, type=_sized(item), init=None), *values]
    return found


def _is_initialised(node: Any) -> bool:
    return (
        isinstance(node, c_ast.Decl)
        and isinstance(node.type, c_ast.ArrayDecl)
        and isinstance(node.init, c_ast.InitList)
        and "static" not in node.storage
        and not is_constant(node)
    )


def _extents(node: Any) -> list[Any]:
    kind, found = node.type, []
    while isinstance(kind, c_ast.ArrayDecl):
        found.append(kind.dim)
        kind = kind.type
    return found


def _sized(node: Any) -> Any:
    """The type of a declaration, with as many elements as values where none are named."""
    if node.type.dim is not None:
        return node.type
    return changed(node.type, dim=integer(len(node.init.exprs), node.coord))


def _assignments(node: Any, taken: set[str]) -> list[Any] | None:
    """Statements that give an array its initial values; None where they are not understood."""
    extents = _extents(node)
    if any(extent is None for extent in extents[1:]):
        return None
    values = node.init.exprs or []
    if len(values) <= 1 and all(_is_zero(one) for one in values) and extents[0] is not None:
        return [_zeros(node, extents, taken)]
    if len(extents) > 1 or len(values) > VALUE_LIMIT:
        return None
    if any(isinstance(one, (c_ast.InitList, c_ast.NamedInitializer)) for one in values):
        return None
    assigned = [_assigned(node, [integer(k)], one) for k, one in enumerate(values)]
    if extents[0] is None:
        return assigned
    # What the list leaves out is 0; the values behind it follow.
    return [_zeros(node, extents, taken, first=len(values)), *assigned]


def _is_zero(node: Any) -> bool:
    if isinstance(node, c_ast.InitList):
        return all(map(_is_zero, node.exprs or []))
    return isinstance(node, c_ast.Constant) and node.value in ("0", "0.0", "0.0f", "0.f", "0.")


def _zeros(node: Any, extents: list[Any], taken: set[str], first: int = 0) -> Any:
    counters = list(_counters(len(extents), taken))
    body = _assigned(node, [name(one, node.coord) for one in counters], integer(0, node.coord))
    pairs = list(zip(counters, extents, strict=True))
    for level, (counter, extent) in reversed(list(enumerate(pairs))):
        start = integer(first if level == 0 else 0, node.coord)
        kind = c_ast.TypeDecl(None, [], None, c_ast.IdentifierType(["int"]))
        body = c_ast.For(
            c_ast.DeclList([declaration(kind, counter, start, node.coord)], node.coord),
            c_ast.BinaryOp("<", name(counter, node.coord), fresh(extent, node.coord), node.coord),
            c_ast.UnaryOp("p++", name(counter, node.coord), node.coord),
            body,
            node.coord,
        )
    return block([body], node.coord)


def _counters(count: int, taken: set[str]) -> Iterator[str]:
    for level in range(count):
        own, number = f"i{level}", 2
        while own in taken:
            own, number = f"i{level}_{number}", number + 1
        yield own


def _assigned(node: Any, subscripts: list[Any], value: Any) -> Any:
    place = name(node.name, node.coord)
    for one in subscripts:
        place = c_ast.ArrayRef(place, one, node.coord)
    return c_ast.Assignment("=", place, value, node.coord)
