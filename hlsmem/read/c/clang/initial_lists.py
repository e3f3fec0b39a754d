"""Lists of first values, with braces or without, as lists of C and as objects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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

Path = tuple[int, ...]
"""The positions of members and elements on the way to a part of an object."""


def initial_list(frame: FunctionFrame, cursor: Any, kind: tree.Type) -> Any:
    """Return a list of initial values for an array or a struct, or the one of a number."""
    if not isinstance(kind, (tree.Array, tree.Struct)):
        below = _items(cursor)
        return _initial(frame, below[0], kind) if below else constant(frame, 0, tree.INT, cursor)
    values: dict[Path, Any] = {}
    _fill(frame, values, (), kind, cursor)
    return _built(frame, _by_part(values), kind, cursor)


def _items(cursor: Any) -> list[Any]:
    return [one for one in cursor.get_children() if one.kind.is_expression()]


def _fill(
    frame: FunctionFrame, values: dict[Path, Any], base: Path, kind: tree.Type, cursor: Any
) -> None:
    """Note the values of a list in braces by the parts that they are for (C11 6.7.9).

    A value goes to the part that it names, else to the one behind the last; one without braces
    for an array or a struct to the first number in it.
    """
    for known in [one for one in values if one[: len(base)] == base]:
        del values[known]
    path: Path | None = (0,)
    for one in _items(cursor):
        names, value = _designated(one)
        path = _named(names, kind, one) if names else path
        if path is None:
            return  # clang warns of values for which there is no part
        own = _part_at(kind, path)
        if value.kind.name == "INIT_LIST_EXPR" and isinstance(own, (tree.Array, tree.Struct)):
            _fill(frame, values, (*base, *path), own, value)
        else:
            while isinstance(own, (tree.Array, tree.Struct)) and not _is_whole(value, own):
                path = (*path, 0)
                own = _part_at(kind, path)
            values[(*base, *path)] = value
        path = _next(kind, path)


def _is_whole(value: Any, kind: tree.Type) -> bool:
    """True for a value that is an array or a struct itself."""
    if clang_types.number_kind(value.type) is not None:
        return False
    own = clang_types.kind_name(clang_types.referred(value.type).get_canonical())
    return not isinstance(kind, tree.Array) or own in clang_types.ARRAYS


def _designated(cursor: Any) -> tuple[list[Any], Any]:
    """The members and positions that an item names, and its value: `.taps[2] = 1`."""
    below = list(cursor.get_children())
    if cursor.kind.name != "UNEXPOSED_EXPR" or len(below) < 2:
        return [], cursor
    return below[:-1], below[-1]


def _named(names: Sequence[Any], kind: tree.Type, cursor: Any) -> Path:
    path: Path = ()
    for one in names:
        own = _part_at(kind, path)
        position: Any
        if isinstance(own, tree.Struct):
            members = [member.name for member in own.members]
            position = members.index(one.spelling) if one.spelling in members else None
        else:
            position = clang_types.value_of(one)
        if not isinstance(position, int):
            raise Refused(cursor, "this list names a part that is not known", "write its position")
        path = (*path, position)
    return path


def _part_at(kind: tree.Type, path: Path) -> tree.Type:
    for position in path:
        if isinstance(kind, tree.Struct):
            kind = kind.members[position].type
        else:
            assert isinstance(kind, tree.Array)
            kind = kind.element
    return kind


def _count(kind: tree.Type) -> int | None:
    """The number of parts; None where an extent is a name."""
    if isinstance(kind, tree.Struct):
        return len(kind.members)
    is_known = isinstance(kind, tree.Array) and isinstance(kind.extent, tree.Constant)
    return int(kind.extent.value.rstrip("ul")) if is_known else None  # type: ignore[union-attr]


def _next(kind: tree.Type, path: Path) -> Path | None:
    """The part behind one; None behind the last."""
    while path:
        *above, last = path
        count = _count(_part_at(kind, tuple(above)))
        if count is None or last + 1 < count:
            return (*above, last + 1)
        path = tuple(above)
    return None


_Parts = dict[int, Any]
"""What is known of the parts of an object by their positions: a value, or that of their parts."""


def _by_part(values: Mapping[Path, Any]) -> _Parts:
    found: _Parts = {}
    for (*above, last), value in values.items():
        inner = found
        for position in above:
            inner = inner.setdefault(position, {})
        inner[last] = value
    return found


def _built(frame: FunctionFrame, parts: Any, kind: tree.Type, cursor: Any) -> Any:
    """The value of a type of which some parts have values, all others zeros."""
    if parts is None:
        return zero_of(frame, kind, cursor)
    if not isinstance(parts, dict):
        return _initial(frame, parts, kind)
    place = frame.place(cursor)
    if isinstance(kind, tree.Struct):
        members = [
            _built(frame, parts.get(position), one.type, cursor)
            for position, one in enumerate(kind.members)
        ]
        return Object(kind, tuple(members), place)
    assert isinstance(kind, tree.Array)
    count = 1 + max(parts, default=-1)
    made = [_built(frame, parts.get(position), kind.element, cursor) for position in range(count)]
    if is_split(kind):
        return _transposed(frame, made, kind, cursor)
    if not made:  # {} is all zeros, which C99 writes with one
        made = [_first_zero(frame, kind, cursor)]
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


def unnamed_object(frame: FunctionFrame, cursor: Any) -> Any:
    """Return an object of C without a name: `(struct pixel){1, 2, 3}`."""
    from hlsmem.read.c.clang.parameters import kept  # arguments are expressions

    below = [one for one in cursor.get_children() if one.kind.name == "INIT_LIST_EXPR"]
    made = initial_list(frame, below[-1], frame.type_of(cursor.type, cursor))
    return kept(frame, made, "list", cursor) if isinstance(made, tree.InitList) else made
