"""Local arrays with an initialiser: loops that write zeros, or copy a table in front of the region.

Values that are computed are assigned one by one, behind zeros where the list leaves elements out.

Tables are const arrays of numbers, one of each name: they may stand in loops, and in functions
that are called many times.
"""

from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.c_text import text_of
from hlsmem.read.c.initializer_lists import UnknownValueError, elements_of
from hlsmem.read.c.names import identifiers
from hlsmem.read.c.normal.box_nests import nest
from hlsmem.read.c.normal.functions.scoped_statements import with_statements
from hlsmem.read.c.normal.rewrite_unit import Unit
from hlsmem.read.c.operations import assigned
from hlsmem.read.c.symbols import Scope, constant_integer
from hlsmem.read.c.syntax import find_region
from hlsmem.read.c.tree import Array
from hlsmem.read.c.trees import (
    changed,
    element,
    fresh,
    integer,
    is_constant,
    items_of,
    name,
    nodes_of,
    nodes_of_body,
    rewrite,
    rewrite_statements,
)
from hlsmem.read.design_names import free_name


def assign_initial_values(unit: Unit) -> Unit:
    """The unit whose region declares no array with numbers, and no constant table."""
    if not any(isinstance(node, tree.InitList) for node in nodes_of_body(unit.function)):
        return unit
    unit = _with_tables(_with_copies(_with_values(unit)))
    taken = set(identifiers(unit.function))

    def replaced(node: Any) -> Any | None:
        if isinstance(node, tree.Compound):
            return changed(node, block_items=_block(items_of(node), taken, replaced))
        return None

    return unit.with_region(lambda items: _block(items, taken, replaced))


def _block(items: list[Any], taken: set[str], replaced: Any) -> list[Any]:
    found: list[Any] = []
    for item in items:
        if _is_initialised(item) and _is_zero(item.init):
            found += [changed(item, init=None), _zeros(item, _extents(item), taken)]
        else:
            found.append(rewrite_statements(item, replaced))
    return found


def _has_values(node: Any) -> bool:
    """True if a node declares an automatic array with an initialiser."""
    return (
        isinstance(node, tree.Decl)
        and isinstance(node.type, Array)
        and isinstance(node.init, tree.InitList)
        and "static" not in node.storage
    )


def _is_initialised(node: Any) -> bool:
    return _has_values(node) and not is_constant(node) and None not in _extents(node)


def _extents(node: Any) -> list[Any]:
    kind, found = node.type, []
    while isinstance(kind, Array):
        found.append(kind.extent)
        kind = kind.element
    return found


def _is_zero(node: Any) -> bool:
    if isinstance(node, tree.InitList):
        return len(node.exprs) <= 1 and all(map(_is_zero, node.exprs))
    return isinstance(node, tree.Constant) and node.value in ("0", "0.0", "0.0f", "0.f", "0.")


def _zeros(node: Any, extents: list[Any], taken: set[str]) -> Any:
    def cleared(subscripts: list[Any]) -> Any:
        place = element(name(node.name, node.type, node.place), subscripts)
        return assigned("=", place, integer(0, node.place), node.place)

    return nest(extents, taken, cleared, node.place)


# Arrays that begin with what is computed.


def _with_values(unit: Unit) -> Unit:
    """The unit that assigns the elements of arrays whose lists hold more than numbers."""
    taken = set(identifiers(unit.function))
    computed: list[Any] = []

    def replaced(node: Any, scope: Scope) -> list[Any] | None:
        if not _has_values(node):
            return None
        is_of_numbers = _is_of_numbers(node)
        if is_of_numbers and is_constant(node):
            return None
        sizes = [constant_integer(one, scope) if one else None for one in _extents(node)]
        try:
            values = dict(elements_of(node.init, len(sizes)))
        except UnknownValueError:
            return None
        if _extents(node)[0] is None and values:
            sizes[0] = count = len(node.init.exprs)
            whole = changed(node.type, extent=integer(count, node.place))
            node = changed(node, type=whole)
        elif is_of_numbers:
            return None
        counts = [one for one in sizes if one is not None]
        if len(counts) < len(sizes):
            return None
        if is_of_numbers:
            return [node]
        computed.append(node)
        plain = changed(node, init=None, const=False)
        zeros = [] if len(values) == prod(counts) else [_zeros(node, _extents(node), taken)]
        others = [
            assigned("=", _at(node, place), value, value.place) for place, value in values.items()
        ]
        return [plain, *zeros, *others]

    found = with_statements(unit, replaced)
    return replace(found, copies=True) if computed else found


def _at(node: Any, place: tuple[int, ...]) -> Any:
    subscripts = [integer(one, node.place) for one in place]
    return element(name(node.name, node.type, node.place), subscripts)


# Arrays that begin with other numbers.


def _with_copies(unit: Unit) -> Unit:
    """The unit whose arrays of other numbers than zeros begin as copies of constant tables."""
    taken = set(identifiers(unit.function))
    known: dict[str, str] = {}

    def replaced(node: Any, _: Scope) -> list[Any] | None:
        if not _is_initialised(node) or _is_zero(node.init) or not _is_of_numbers(node):
            return None
        text = text_of(changed(node, name=""))
        if text not in known:
            known[text] = free_name(f"{node.name}_first", taken)
        table = changed(node, name=known[text], const=True)

        def copied(subscripts: list[Any]) -> Any:
            target, value = [
                element(name(one, node.type, node.place), [*map(fresh, subscripts)])
                for one in (node.name, known[text])
            ]
            return assigned("=", target, value, node.place)

        copy = nest(_extents(node), taken, copied, node.place)
        return [table, changed(node, init=None), copy]

    found = with_statements(unit, replaced)
    return replace(found, copies=True) if known else found


# Tables.


def _with_tables(unit: Unit) -> Unit:
    """The unit with its tables of constants in front of the region."""
    region = find_region(unit.function, unit.source)
    declared: dict[str, list[Any]] = {}
    for node in nodes_of(unit.function):
        if isinstance(node, tree.Decl) and node.name:
            declared.setdefault(node.name, []).append(node)
    inside = {id(node) for item in region.statements for node in nodes_of(item)}
    tables = {
        own: found[0]
        for own, found in declared.items()
        if all(id(one) in inside and _is_table(one) for one in found)
        and len({text_of(one) for one in found}) == 1
    }
    if not tables:
        return unit
    gone = {id(one) for own in tables for one in declared[own]}
    unit = unit.with_region(
        lambda items: [
            rewrite(one, lambda node: [] if id(node) in gone else None)
            for one in items
            if id(one) not in gone
        ]
    )
    body = unit.function.body
    body = changed(body, block_items=[*tables.values(), *body.block_items])
    return unit.with_function(changed(unit.function, body=body))


def _is_table(node: Any) -> bool:
    """True if an array is const, and initialised by numbers alone."""
    return _has_values(node) and is_constant(node) and _is_of_numbers(node)


def _is_of_numbers(node: Any) -> bool:
    """True if neither the extents nor the values of an array name anything."""
    return not any(
        isinstance(part, (tree.ID, tree.FuncCall))
        for one in (node.init, node.type)
        for part in nodes_of(one)
    )
