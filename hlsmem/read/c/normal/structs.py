"""Assignments and initialisers of whole structs: assignments of all their members, in order.

Structs with bytes between their members are left, as compilers copy those bytes too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from math import prod
from typing import Any

from pycparser import c_ast

from hlsmem.read.c.first import UnknownValueError, elements_of, plain_items
from hlsmem.read.c.names import identifiers
from hlsmem.read.c.normal.nests import nest
from hlsmem.read.c.normal.scoped import with_statements
from hlsmem.read.c.normal.unit import Unit
from hlsmem.read.c.sizes import is_plain
from hlsmem.read.c.symbols import Scope, Shape, Variable, constant_integer
from hlsmem.read.c.trees import (
    block,
    changed,
    element,
    fresh,
    integer,
    is_constant,
    name,
    nodes_of,
)


def copy_members(unit: Unit) -> Unit:
    """The unit whose region assigns numbers where it assigned structs."""
    seen = [one for one in unit.tree.ext if not isinstance(one, c_ast.FuncDef)] + [unit.function]
    if not any(isinstance(node, c_ast.Struct) for one in seen for node in nodes_of(one)):
        return unit
    taken = set(identifiers(unit.function))
    initialised: list[Any] = []

    def replaced(node: Any, scope: Scope) -> list[Any] | None:
        match node:
            case c_ast.Assignment(op="="):
                return _assigned(node.lvalue, node.rvalue, scope, taken)
            case c_ast.Decl(init=c_ast.InitList()) if not is_constant(node) and not node.storage:
                values = _initial(node, scope, taken)
                if values is None:
                    return None
                initialised.append(node)
                return [changed(node, init=None), *values]
            case c_ast.Decl() if node.init is not None and not is_constant(node):
                found = _assigned(name(node.name, node.coord), node.init, scope, taken)
                return None if found is None else [changed(node, init=None), *found]
        return None

    found = with_statements(unit, replaced)
    return replace(found, copies=True) if initialised else found


def _assigned(target: Any, value: Any, scope: Scope, taken: set[str]) -> list[Any] | None:
    """The assignments of all members; None where no structs without gaps are assigned."""
    shape = _shape(target, scope)
    if shape is None or shape.extents or not shape.members or shape != _shape(value, scope):
        return None
    if _layout(shape, scope) is None:
        return None
    return list(_members(target, value, shape, taken))


def _initial(node: Any, scope: Scope, taken: set[str]) -> list[Any] | None:
    """The assignments that the initialiser of a struct stands for (C99 6.7.8), in its order.

    None where the variable has no structs, or its initialiser is none that `_given` reads.
    """
    place = name(node.name, node.coord)
    shape = _shape(place, scope)
    if shape is None or not shape.members:
        return None
    return _given(place, shape, node.init, scope, taken)


def _given(
    place: Any, shape: Shape, values: Any, scope: Scope, taken: set[str]
) -> list[Any] | None:
    """What a list in braces assigns to a place: what it names, then zeros for all else.

    None where a member is named that is not there, or a struct within is no list of numbers.
    """
    if shape.extents:
        if shape.members:
            return _given_structs(place, shape, values, scope, taken)
        return _given_array(place, shape, values, scope, taken)
    members = dict(shape.members)
    names = [*members]
    given: dict[str, Any] = {}
    items = list(values.exprs or [])
    position = 0
    while items:
        value = items.pop(0)
        if isinstance(value, c_ast.NamedInitializer):
            (designator, *more), value = value.name, value.expr
            if more or getattr(designator, "name", None) not in members:
                return None
            position = names.index(designator.name)
        if position == len(names):
            return None
        member = members[names[position]]
        is_plain_number = not member.extents and not member.members
        if is_plain_number is isinstance(value, c_ast.InitList):
            if is_plain_number:
                return None
            value = _unbraced(value, items, member, _count(member, scope))
            if value is None:
                return None
        given[names[position]] = value
        position += 1
    found: list[Any] = []
    for field in [*given, *(one for one in names if one not in given)]:
        member = members[field]
        own = c_ast.StructRef(fresh(place), ".", name(field, place.coord), place.coord)
        if not member.extents and not member.members:
            value = given.get(field, integer(0))
            found.append(c_ast.Assignment("=", own, value, place.coord))
            continue
        value = given.get(field, c_ast.InitList([], place.coord))
        inner = _given(own, member, value, scope, taken)
        if inner is None:
            return None
        found += inner
    return found


def _unbraced(value: Any, items: list[Any], member: Shape, count: int | None) -> Any | None:
    """The list of a member whose `count` numbers stand without braces: a value, and those behind
    it, which are taken off the items; None where the value is no number of it."""
    if count is None or not _is_number(value, member):
        return None
    row = [value, *islice(plain_items(items), count - 1)]
    del items[: len(row) - 1]
    return c_ast.InitList(row, value.coord)


def _is_number(value: Any, member: Shape) -> bool:
    """Whether what stands without braces is the first number of a member, not all of it."""
    if member.members:
        return isinstance(value, c_ast.Constant)
    return not (isinstance(value, c_ast.Constant) and value.type == "string")


def _count(shape: Shape, scope: Scope) -> int | None:
    """How many numbers a type has; None where that is not known."""
    own = [None if one is None else constant_integer(one, scope) for one in shape.extents]
    inner = [_count(one, scope) for _, one in shape.members] or [1]
    known = [one for one in own if one is not None]
    counts = [one for one in inner if one is not None]
    if len(known) < len(own) or len(counts) < len(inner):
        return None
    return prod(known) * sum(counts)


def _given_structs(
    place: Any, shape: Shape, values: Any, scope: Scope, taken: set[str]
) -> list[Any] | None:
    """What a list assigns to an array of structs: zeros where it leaves some out, then the rest."""
    size = constant_integer(shape.extents[0], scope) if shape.extents[0] else None
    inner = replace(shape, extents=shape.extents[1:])
    count = _count(inner, scope)
    if size is None or count is None:
        return None
    given: dict[int, Any] = {}
    items = list(values.exprs or [])
    position = 0
    while items:
        value = items.pop(0)
        if isinstance(value, c_ast.NamedInitializer):
            (designator, *more), value = value.name, value.expr
            at = constant_integer(getattr(designator, "expr", designator), scope)
            if more or at is None:
                return None
            position = at
        if position >= size:
            return None
        if not isinstance(value, c_ast.InitList):
            value = _unbraced(value, items, inner, count)
            if value is None:
                return None
        given[position] = value
        position += 1
    found: list[Any] = []
    if len(given) < size:

        def zeros(subscripts: list[Any]) -> Any:
            none = c_ast.InitList([], place.coord)
            own = element(fresh(place), subscripts)
            inside = taken | {subscript.name for subscript in subscripts}
            return block(_given(own, inner, none, scope, inside) or [], place.coord)

        found.append(nest([shape.extents[0]], taken, zeros, place.coord))
    for at, value in given.items():
        own = element(fresh(place), [integer(at, place.coord)])
        assigned = _given(own, inner, value, scope, taken)
        if assigned is None:
            return None
        found += assigned
    return found


def _given_array(
    place: Any, shape: Shape, values: Any, scope: Scope, taken: set[str]
) -> list[Any] | None:
    sizes = [None if one is None else constant_integer(one, scope) for one in shape.extents]
    counts = [one for one in sizes if one is not None]
    if shape.members or len(counts) < len(sizes):
        return None
    try:
        found = dict(elements_of(values, sizes, (), scope))
    except UnknownValueError:
        return None
    assigned = [
        c_ast.Assignment(
            "=",
            element(fresh(place), [integer(one, place.coord) for one in at]),
            value,
            place.coord,
        )
        for at, value in found.items()
    ]
    if len(found) == prod(counts):
        return assigned

    def zero(subscripts: list[Any]) -> Any:
        return c_ast.Assignment("=", element(fresh(place), subscripts), integer(0), place.coord)

    return [nest(list(shape.extents), taken, zero, place.coord), *assigned]


def _members(target: Any, value: Any, shape: Shape, taken: set[str]) -> Iterator[Any]:
    for field, member in shape.members:
        places = [
            c_ast.StructRef(fresh(one), ".", name(field, one.coord), one.coord)
            for one in (target, value)
        ]
        if not member.extents:
            yield from _copies(places, member, taken)
            continue

        def body(subscripts: list[Any], places: list[Any] = places, one: Shape = member) -> Any:
            ends = [element(place, [*map(fresh, subscripts)]) for place in places]
            inner = taken | {subscript.name for subscript in subscripts}
            found = list(_copies(ends, replace(one, extents=()), inner))
            return found[0] if len(found) == 1 else block(found)

        yield nest(list(member.extents), taken, body, target.coord)


def _copies(places: list[Any], shape: Shape, taken: set[str]) -> Iterator[Any]:
    if shape.members:
        target, value = places
        yield from _members(target, value, shape, taken)
    else:
        yield c_ast.Assignment("=", *places, places[0].coord)


def _shape(node: Any, scope: Scope) -> Shape | None:
    """The type of a place that can be named again; its qualifiers are left out."""
    match node:
        case c_ast.ID():
            variable = scope.find(node.name)
            if not isinstance(variable, Variable) or variable.shape.volatile:
                return None
            return _plain(variable.shape)
        case c_ast.ArrayRef() if is_plain(node.subscript):
            return _element(_shape(node.name, scope))
        case c_ast.UnaryOp(op="*"):
            return _element(_shape(node.expr, scope))
        case c_ast.StructRef():
            shape = _shape(node.name, scope)
            shape = _element(shape) if node.type == "->" else shape
            if shape is None or shape.extents:
                return None
            member = dict(shape.members).get(node.field.name)
            return None if member is None else _plain(member)
    return None


def _plain(shape: Shape) -> Shape:
    return replace(shape, pointer=False, restrict=False, constant=False)


def _element(shape: Shape | None) -> Shape | None:
    if shape is None or not shape.extents:
        return None
    return replace(shape, extents=shape.extents[1:])


def _layout(shape: Shape, scope: Scope) -> tuple[int, int] | None:
    """Bytes and alignment of a type; None where a struct has gaps, or members of other kinds."""
    number = 1
    for one in shape.extents:
        value = None if one is None else constant_integer(one, scope)
        if value is None:
            return None
        number *= value
    if not shape.members:
        if shape.scalar is None:
            return None
        size = max(1, shape.scalar.bits // 8)
        return number * size, size
    offset, widest = 0, 1
    for _, member in shape.members:
        found = _layout(member, scope)
        if found is None or offset % found[1]:
            return None
        offset, widest = offset + found[0], max(widest, found[1])
    return None if offset % widest else (number * offset, widest)
