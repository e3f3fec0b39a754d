"""Objects with members that are references: they stand for what they refer to.

Such an object is no variable: its members are the objects themselves, and copies of the numbers
that its constructor takes.
"""

from __future__ import annotations

from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.clang import clang_types
from hlsmem.read.c.clang.call_cursors import body_of
from hlsmem.read.c.clang.copies import kept_object
from hlsmem.read.c.clang.declared import initial_value
from hlsmem.read.c.clang.expressions import as_type, expression
from hlsmem.read.c.clang.lowering import FunctionFrame, Refused
from hlsmem.read.c.clang.objects import Object, is_target
from hlsmem.read.c.clang.parameters import kept


def view(inner: FunctionFrame, cursor: Any, definition: Any) -> Object:
    """Return the object that a constructor makes; its parameters are bound in the frame `inner`."""
    body = body_of(definition)
    if body is None or list(body.get_children()):
        what = f"'{definition.spelling}' has a reference, and its constructor does more than set it"
        raise Refused(cursor, what, "set the members in front of its body")
    kind = inner.type_of(cursor.type, cursor)
    assert isinstance(kind, tree.Struct)
    listed = _listed(definition)
    parts = []
    for one in clang_types.fields_of(cursor.type):
        first = listed.get(one.spelling) or initial_value(one)
        if first is None:
            what = f"the constructor of '{definition.spelling}' leaves '{one.spelling}' open"
            raise Refused(cursor, what, "set the member in front of its body")
        node = expression(inner, first)
        if clang_types.is_reference(one.type):
            if not is_target(node):
                what = f"the member '{one.spelling}' refers to a value"
                raise Refused(first, what, "declare a variable")
        else:
            node = _copied(inner, as_type(node, inner.type_of(one.type, one), first), one)
        parts.append(node)
    return Object(kind, tuple(parts), inner.place(cursor))


def _copied(frame: FunctionFrame, node: Any, field: Any) -> Any:
    if isinstance(node, Object) or isinstance(node.type, (tree.Array, tree.Struct)):
        return kept_object(frame, node, field.spelling, field)
    return kept(frame, node, field.spelling, field)


def _listed(definition: Any) -> dict[str, Any]:
    """The values that a constructor gives to members, by their names."""
    found: dict[str, Any] = {}
    wanted = ""
    for one in definition.get_children():
        if one.kind.name == "MEMBER_REF":
            wanted = one.spelling
        elif one.kind.is_expression() and wanted:
            found[wanted] = one
            wanted = ""
    return found
