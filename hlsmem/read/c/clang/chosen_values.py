"""Choices `condition ? a : b`, of numbers and of objects."""

from __future__ import annotations

from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.clang import clang_types, exact_numbers
from hlsmem.read.c.clang.expressions import expression
from hlsmem.read.c.clang.lowering import FunctionFrame, Refused
from hlsmem.read.c.clang.objects import Object, parts_of, variable


def conditional(frame: FunctionFrame, cursor: Any) -> Any:
    """Return the value that a condition chooses, of objects member by member; raises Refused."""
    below = list(cursor.get_children())
    if len(below) != 3:
        raise Refused(cursor, "a choice of two parts is not read", "write condition ? a : b")
    known = clang_types.value_of(below[0])
    if known is not None:
        return expression(frame, below[1] if known else below[2])
    condition = expression(frame, below[0])
    before = len(frame.front)
    then, otherwise = expression(frame, below[1]), expression(frame, below[2])
    if len(frame.front) > before:
        what = "a choice between calls that need statements of their own is not read"
        raise Refused(cursor, what, "use if")
    if isinstance(then, Object) or isinstance(then.type, tree.Struct):
        return _chosen_object(frame, condition, then, otherwise, cursor)
    kind = frame.type_of(cursor.type, cursor)
    if isinstance(kind, tree.Number) and kind.exact:
        first, second = exact_numbers.value_of(then), exact_numbers.value_of(otherwise)
        return exact_numbers.conditional(condition, first, second, kind).node
    return tree.TernaryOp(condition, then, otherwise, kind, frame.place(cursor))


def _chosen_object(
    frame: FunctionFrame, condition: Any, then: Any, otherwise: Any, cursor: Any
) -> Any:
    """A choice between two objects, member by member."""
    place = frame.place(cursor)
    declared = tree.Decl(frame.new_name("chosen"), tree.INT, place, condition)
    frame.front.append(declared)
    test = variable(declared, place)

    def part(a: Any, b: Any) -> Any:
        if isinstance(a, Object) or isinstance(a.type, tree.Struct):
            pairs = zip(parts_of(a), parts_of(b), strict=True)
            return Object(a.type, tuple(part(x, y) for x, y in pairs), place)
        return tree.TernaryOp(test, a, b, a.type, place)

    return part(then, otherwise)
