"""The bytes of objects, which sizeof gives."""

from __future__ import annotations

from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.clang import clang_types
from hlsmem.read.c.clang.constants_in_c import constant
from hlsmem.read.c.clang.expressions import expression
from hlsmem.read.c.clang.lowering import FunctionFrame, Refused
from hlsmem.read.c.clang.types_in_c import is_wide
from hlsmem.read.c.tree import Expression, stored_bits


def size_of(frame: FunctionFrame, cursor: Any) -> Expression:
    """Return what sizeof gives; that of an array whose extents are names is a formula."""
    below = [one for one in cursor.get_children() if one.kind.is_expression()]
    kind = None
    if below and clang_types.kind_name(below[-1].type.get_canonical()) in clang_types.ARRAYS:
        before, frame.front = frame.front, []  # the operand is not computed
        kind = expression(frame, below[-1]).type
        frame.front = before
    if isinstance(kind, tree.Array) and (made := _array_size(kind, frame.place(cursor))):
        return made
    found = clang_types.value_of(cursor)
    if found is None:
        raise Refused(cursor, "this size is not known", "write the number")
    return constant(frame, found, frame.type_of(cursor.type, cursor), cursor)


def _array_size(kind: tree.Array, place: tree.SourceRange) -> Expression | None:
    """The bytes of an array with extents that are names; None for others."""
    sizes: list[Expression] = []
    element: tree.Type = kind
    while isinstance(element, tree.Array):
        if element.extent is None:
            return None
        sizes.append(element.extent)
        element = element.element
    if all(isinstance(one, tree.Constant) for one in sizes):
        return None
    if not isinstance(element, (tree.Number, tree.Float)) or is_wide(element):
        return None
    own = tree.UNSIGNED_LONG
    count = max(8, stored_bits(element.bits)) // 8
    made: Expression = tree.Constant(f"{count}ul", own, place)
    for one in sizes:
        made = tree.BinaryOp("*", tree.Cast(one, own, place), made, own, place)
    return made
