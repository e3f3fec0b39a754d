"""Assignments and initialisers of whole structs: assignments of all their members, in order.

Structs with bytes between their members are left, as compilers copy those bytes too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from hlsmem.read.c import c_ast
from hlsmem.read.c.initializer_lists import (
    Layout,
    SourceLocation,
    Step,
    UnfitListError,
    UnknownValueError,
    first_extent,
    layout_of,
    values_in,
)
from hlsmem.read.c.names import identifiers
from hlsmem.read.c.normal.box_nests import nest
from hlsmem.read.c.normal.functions.scoped_statements import with_statements
from hlsmem.read.c.normal.rewrite_unit import Unit
from hlsmem.read.c.refusal import Refusal
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
from hlsmem.read.c.types import stored_bytes


def copy_members(unit: Unit) -> Unit:
    """The unit whose region assigns numbers where it assigned structs."""
    seen = [one for one in unit.tree.ext if not isinstance(one, c_ast.FuncDef)] + [unit.function]
    if not any(isinstance(node, c_ast.Struct) for one in seen for node in nodes_of(one)):
        return unit
    taken = set(identifiers(unit.function))
    copied: list[Any] = []

    def replaced(node: Any, scope: Scope) -> list[Any] | None:
        match node:
            case c_ast.Assignment(op="="):
                found = _assigned(node.lvalue, node.rvalue, scope, taken, unit)
            case c_ast.Decl(init=c_ast.InitList()) if not is_constant(node) and not node.storage:
                found = _initial(node, unit, scope, taken)
            case c_ast.Decl() if node.init is not None and not is_constant(node):
                target = name(node.name, node.coord)
                values = _assigned(target, node.init, scope, taken, unit)
                found = None if values is None else [changed(node, init=None), *values]
            case _:
                return None
        if found is not None:
            copied.append(node)
        return found

    found = with_statements(unit, replaced)
    return replace(found, copies=True) if copied else found


def _assigned(
    target: Any, value: Any, scope: Scope, taken: set[str], unit: Unit
) -> list[Any] | None:
    """The assignments of all members; None where no structs are assigned."""
    shape = _shape(target, scope)
    if shape is None or shape.extents or not shape.members or shape != _shape(value, scope):
        return None
    if _layout(shape, scope) is None:
        if not _is_of_numbers(shape):
            return None
        why = "is a whole struct that is copied, with bytes between its members"
        remedy = "assign its members one by one, or use types of one size"
        unit.refuse(Refusal.OTHER, value, why, remedy)
        return []
    return list(_members(target, value, shape, taken))


def _initial(node: Any, unit: Unit, scope: Scope, taken: set[str]) -> list[Any] | None:
    """A struct, or an array of them, and the assignments that its initialiser stands for.

    None where the variable has no structs, or it is not known what its initialiser names.
    """
    place = name(node.name, node.coord)
    shape = _shape(place, scope)
    if shape is None or not shape.members:
        return None
    layout = layout_of(shape, scope)
    try:
        values = values_in(node.init, layout, scope)
    except UnfitListError as error:
        unit.refuse(Refusal.OTHER, error.node, error.why, error.remedy)
        return [changed(node, init=None)]
    except UnknownValueError:
        return None
    plain = changed(node, init=None)
    if layout.extents and layout.size is None:
        count = integer(first_extent(values), node.coord)
        shape = replace(shape, extents=(count, *shape.extents[1:]))
        layout = layout_of(shape, scope)
        plain = changed(plain, type=changed(node.type, dim=count))
    return None if layout.numbers is None else [plain, *_given(place, shape, layout, values, taken)]


def _given(
    place: Any, shape: Shape, layout: Layout, values: Mapping[SourceLocation, Any], taken: set[str]
) -> list[Any]:
    """Assignments for a list in braces, in its order: the values that it names, zeros for all else.

    Of arrays the zeros come first, as loops over all elements.
    """
    if layout.is_number:
        return [c_ast.Assignment("=", place, values.get((), integer(0)), place.coord)]
    named: dict[Step, dict[SourceLocation, Any]] = {}
    for at, value in values.items():
        named.setdefault(at[0], {})[at[1:]] = value
    if layout.extents and not layout.members:
        return _given_array(place, shape, layout, values, taken)
    found: list[Any] = []
    if layout.extents:
        inner_shape, inner_layout = replace(shape, extents=shape.extents[1:]), layout.part(0)

        def zeros(subscripts: list[Any]) -> Any:
            own = element(fresh(place), subscripts)
            inside = taken | {subscript.name for subscript in subscripts}
            return block(_given(own, inner_shape, inner_layout, {}, inside), place.coord)

        if len(named) < (layout.size or 0):
            found.append(nest([shape.extents[0]], taken, zeros, place.coord))
        for step, inner in named.items():
            own = element(fresh(place), [integer(int(step), place.coord)])
            found += _given(own, inner_shape, inner_layout, inner, taken)
        return found
    members = dict(shape.members)
    for field in [*named, *(one for one in members if one not in named)]:
        own = c_ast.StructRef(fresh(place), ".", name(str(field), place.coord), place.coord)
        inner = named.get(field, {})
        found += _given(own, members[str(field)], layout.part(field), inner, taken)
    return found


def _given_array(
    place: Any, shape: Shape, layout: Layout, values: Mapping[SourceLocation, Any], taken: set[str]
) -> list[Any]:
    def zero(subscripts: list[Any]) -> Any:
        return c_ast.Assignment("=", element(fresh(place), subscripts), integer(0), place.coord)

    assigned = [
        c_ast.Assignment(
            "=",
            element(fresh(place), [integer(int(one), place.coord) for one in at]),
            value,
            place.coord,
        )
        for at, value in values.items()
    ]
    if len(values) == layout.numbers:
        return assigned
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
        target, value = places
        yield c_ast.Assignment("=", target, value, target.coord)


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


def _is_of_numbers(shape: Shape) -> bool:
    if shape.members:
        return all(_is_of_numbers(member) for _, member in shape.members)
    return shape.scalar is not None


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
        size = stored_bytes(shape.scalar)
        return number * size, size
    offset, widest = 0, 1
    for _, member in shape.members:
        found = _layout(member, scope)
        if found is None or offset % found[1]:
            return None
        offset, widest = offset + found[0], max(widest, found[1])
    return None if offset % widest else (number * offset, widest)
