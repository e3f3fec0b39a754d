"""Declarations: arrays with extents that keep names, initial values, constants of the file."""

from __future__ import annotations

import re
from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.clang import clang_types
from hlsmem.read.c.clang.library import library
from hlsmem.read.c.clang.lowering import FunctionFrame


def array_type(frame: FunctionFrame, cursor: Any) -> tree.Type:
    """Return the type of a variable, parameter or member; extents keep the names of sizes.

    A parameter that is an array is one here, not a pointer.
    """
    kind = clang_types.referred(cursor.type)
    if clang_types.kind_name(kind) == "DECAYED":
        kind = cursor.type
    if clang_types.kind_name(kind) not in clang_types.ARRAYS:
        written = kind
        if clang_types.kind_name(kind.get_canonical()) not in clang_types.ARRAYS:
            return class_type(frame, cursor, frame.type_of(written, cursor))
        kind = kind.get_canonical()
    extents: list[int | None] = []
    element = kind
    while clang_types.kind_name(element) in clang_types.ARRAYS:
        is_open = clang_types.kind_name(element) != "CONSTANTARRAY"
        extents.append(None if is_open else element.get_array_size())
        element = element.get_array_element_type()
        if clang_types.kind_name(element) not in clang_types.ARRAYS and (
            clang_types.kind_name(element.get_canonical()) in clang_types.ARRAYS
        ):
            element = element.get_canonical()
    found = class_type(frame, cursor, frame.type_of(element, cursor))
    named = _named_extents(frame, cursor, len(extents))
    for extent, name in zip(reversed(extents), reversed(named), strict=True):
        number = None if extent is None else frame.lowering.integer(extent, cursor)
        found = tree.Array(found, name or number)
    return found


def class_type(frame: FunctionFrame, cursor: Any, kind: tree.Type) -> tree.Type:
    """Return the struct of a class instance whose template arguments keep names of sizes."""
    if not isinstance(kind, tree.Struct) or not frame.lowering.symbolic:
        return kind
    return frame.lowering.named_instance(frame, cursor, kind)


def _named_extents(frame: FunctionFrame, cursor: Any, rank: int) -> list[tree.Expression | None]:
    """The extents as expressions where they have names of sizes, the outermost first."""
    from hlsmem.read.c.clang.expressions import expression

    nothing: list[tree.Expression | None] = [None] * rank
    if not frame.lowering.symbolic:
        return nothing
    initial = initial_value(cursor)
    after = [
        one
        for one in cursor.get_children()
        if one.kind.is_expression()
        and one.location.offset > cursor.location.offset
        and (initial is None or one != initial)
    ][:rank]
    if len(after) != rank:
        return nothing
    # clang has the innermost first.
    return [expression(frame, one) if mentions(frame, one) else None for one in reversed(after)]


def mentions(frame: FunctionFrame, cursor: Any) -> bool:
    """Return True for an expression that has a size which stays a name."""
    symbolic, environment = frame.lowering.symbolic, frame.environment
    if not symbolic:
        return False
    for one in cursor.walk_preorder():
        if one.kind.name != "DECL_REF_EXPR":
            continue
        if one.spelling in symbolic or (
            not one.spelling and environment and text_at(frame, one) in environment
        ):
            return True
        known = one.referenced
        if known is not None and known.kind.name == "VAR_DECL" and is_constant(known):
            first = initial_value(known)
            if first is not None and first != one and mentions(frame, first):
                return True
    return False


def text_at(frame: FunctionFrame, cursor: Any) -> str:
    """Return the word that the user wrote where a cursor stands; empty elsewhere."""
    source = frame.lowering.source
    at = cursor.location
    name = "" if at.file is None else source.names.get(at.file.name, "")
    if not name:
        return ""
    line = source.lines[name][at.line - 1].encode()[at.column - 1 :].decode(errors="ignore")
    word = re.match(r"\w+", line)
    return word[0] if word else ""


def initial_value(cursor: Any) -> Any | None:
    """Return the initial value of a variable or member; None where it has none."""
    if cursor.kind.name == "VAR_DECL":
        found = library().functions.clang_Cursor_getVarDeclInitializer(cursor)
        return found if found is not None and found.kind.is_expression() else None
    if cursor.kind.name != "FIELD_DECL":
        return None
    template = library().template_of(cursor)
    own = [one for one in cursor.get_children() if one.kind.is_expression()]
    after = [one for one in own if one.location.offset > cursor.location.offset]
    rank, kind = 0, (template or cursor).type
    while (
        clang_types.kind_name(kind) in clang_types.ARRAYS
        or clang_types.kind_name(kind) == "DEPENDENTSIZEDARRAY"
    ):
        rank, kind = rank + 1, kind.get_array_element_type()
    return after[rank] if len(after) > rank else None


def is_constant(cursor: Any) -> bool:
    """Return True for a variable that is const or constexpr, not by reference."""
    kind = cursor.type
    while clang_types.kind_name(kind) in clang_types.ARRAYS:
        kind = kind.get_array_element_type()
    return bool(kind.is_const_qualified() or kind.get_canonical().is_const_qualified())
