"""Lists of first values, with braces or without, as lists of C and as objects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.clang import clang_types
from hlsmem.read.c.clang.constants_in_c import constant
from hlsmem.read.c.clang.lowering import FunctionFrame, Refused
from hlsmem.read.c.clang.objects import (
    Object,
    is_split,
    parts_of,
    type_of_part,
)
from hlsmem.read.c.clang.written_digits import number_in
from hlsmem.read.c.tree import Expression


def initial_list(frame: FunctionFrame, cursor: Any, kind: tree.Type) -> Any:
    """Return a list of initial values for an array or a struct, or the one of a number."""
    from hlsmem.read.c.clang.expressions import converted

    below = [one for one in cursor.get_children() if one.kind.is_expression()]
    place = frame.place(cursor)
    match kind:
        case tree.Array(element) if is_split(kind):
            return _transposed(
                frame, [_initial(frame, one, element) for one in below], kind, cursor
            )
        case tree.Array(element):
            pending = list(below)
            made = []
            while pending:
                made.append(_taken(frame, pending, element, cursor))
        case tree.Struct(members=members):
            return _members(frame, below, kind, members, cursor)
        case _:
            if not below:
                return constant(frame, 0, tree.INT, cursor)
            return converted(frame, below[0], kind)
    if not made:  # {} is all zeros, which C99 writes with one
        made = [_first_zero(frame, kind, cursor)]
    return tree.InitList(tuple(made), kind, place)


def _members(
    frame: FunctionFrame, below: Sequence[Any], kind: tree.Struct, members: Any, cursor: Any
) -> Any:
    """The values of a struct: those of its members in order, zeros behind them."""
    named = dict(one for one in map(_designated, below) if one is not None)
    if named and len(named) < len(below):
        raise Refused(cursor, "a list names some of its members", "name all of them")
    pending = list(below)
    parts = [
        _initial(frame, named[member.name], member.type)
        if member.name in named
        else _taken(frame, [] if named else pending, member.type, cursor)
        for member in members
    ]
    return Object(kind, tuple(parts), frame.place(cursor))


def _designated(cursor: Any) -> tuple[str, Any] | None:
    """The member that a list names, and its value: `.taps = {1, 2}`."""
    if cursor.kind.name != "UNEXPOSED_EXPR":
        return None
    match list(cursor.get_children()):
        case [name, value] if name.kind.name == "MEMBER_REF" and value.kind.is_expression():
            return name.spelling, value
    return None


def _taken(frame: FunctionFrame, pending: list[Any], kind: tree.Type, cursor: Any) -> Any:
    """The next value of a list; that of an array or struct may have no braces of its own."""
    if not pending:
        return zero_of(frame, kind, cursor)
    first = pending[0]
    if isinstance(kind, (tree.Array, tree.Struct)) and first.kind.name != "INIT_LIST_EXPR":
        own = clang_types.kind_name(clang_types.referred(first.type).get_canonical())
        is_number = clang_types.number_kind(first.type) is not None
        if is_number or (isinstance(kind, tree.Array) and own not in clang_types.ARRAYS):
            return _without_braces(frame, pending, kind, cursor)
    return _initial(frame, pending.pop(0), kind)


def _without_braces(frame: FunctionFrame, pending: list[Any], kind: tree.Type, cursor: Any) -> Any:
    place = frame.place(cursor)
    if isinstance(kind, tree.Struct):
        parts = [_taken(frame, pending, one.type, cursor) for one in kind.members]
        return Object(kind, tuple(parts), place)
    assert isinstance(kind, tree.Array)
    count = int(kind.extent.value) if isinstance(kind.extent, tree.Constant) else 0
    made = [_taken(frame, pending, kind.element, cursor) for _ in range(count) if pending]
    if is_split(kind):
        return _transposed(frame, made, kind, cursor)
    return tree.InitList(tuple(made), kind, place)


def zero_of(frame: FunctionFrame, kind: tree.Type, cursor: Any) -> Any:
    """Return the value of a type of which all members and elements are zero."""
    match kind:
        case tree.Struct(members=members):
            parts = tuple(zero_of(frame, one.type, cursor) for one in members)
            return Object(kind, parts, frame.place(cursor))
        case tree.Array():
            if is_split(kind):
                return _transposed(frame, [], kind, cursor)
            return tree.InitList((_first_zero(frame, kind, cursor),), kind, frame.place(cursor))
        case tree.Float():
            return constant(frame, 0.0, kind, cursor)
        case _:
            return constant(frame, 0, tree.INT, cursor)


def _transposed(
    frame: FunctionFrame, elements: Sequence[Any], kind: tree.Array, cursor: Any
) -> Any:
    """A list of objects as one list a member."""
    place = frame.place(cursor)
    element: tree.Type = kind.element
    if not isinstance(element, (tree.Struct, tree.Array)):
        raise Refused(cursor, "this list is not read", "assign the elements")
    if not elements:
        elements = [zero_of(frame, element, cursor)]
    inner: tree.Type = element
    while isinstance(inner, tree.Array):
        inner = inner.element
    assert isinstance(inner, tree.Struct)
    parts: list[Any] = []
    for position, member in enumerate(inner.members):
        made: list[Any] = [parts_of(one)[position] for one in elements]
        own = type_of_part(kind, member.type)
        if any(isinstance(one, Object) for one in made):
            assert isinstance(own, tree.Array)
            parts.append(_transposed(frame, made, own, cursor))
        else:
            parts.append(tree.InitList(tuple(made), own, place))
    return Object(kind, tuple(parts), place)


def _first_zero(frame: FunctionFrame, kind: tree.Type, cursor: Any) -> Expression:
    inner: tree.Type = kind
    while isinstance(inner, (tree.Array, tree.Struct)):
        if isinstance(inner, tree.Struct) and not inner.members:
            break
        inner = inner.element if isinstance(inner, tree.Array) else inner.members[0].type
    if isinstance(inner, tree.Float):
        return constant(frame, 0.0, inner, cursor)
    return constant(frame, 0, tree.INT, cursor)


def _initial(frame: FunctionFrame, cursor: Any, kind: tree.Type) -> Any:
    from hlsmem.read.c.clang.expressions import converted

    if cursor.kind.name == "INIT_LIST_EXPR":
        return initial_list(frame, cursor, kind)
    if isinstance(kind, tree.Number) and kind.exact:  # lists have text without its constructor
        written = number_in([cursor], kind, frame.place(cursor))
        if written is not None:
            return written
    return converted(frame, cursor, kind)
