"""Declarations: arrays with extents that keep names, initial values, constants of the file."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.clang import clang_types
from hlsmem.read.c.clang.library import library, walked
from hlsmem.read.c.clang.lowering import FunctionFrame, Refused
from hlsmem.read.c.refusal import Refusal
from hlsmem.read.suffixes import is_cxx


def array_type(frame: FunctionFrame, cursor: Any) -> tree.Type:
    """Return the type of a variable, parameter or member; extents keep the names of sizes.

    A parameter that is an array is one here, not a pointer.
    """
    kind = clang_types.referred(cursor.type)
    levels: list[tuple[int | None, tree.Expression | None]] = []
    declaration = cursor
    while True:
        sizes, kind, is_variable, is_open = _sizes(kind)
        rank = len(sizes) - is_open
        names = _named_extents(frame, declaration, rank, is_variable=is_variable)
        levels += zip(sizes, [None, *names] if is_open else names, strict=True)
        if clang_types.kind_name(kind.get_canonical()) not in clang_types.ARRAYS:
            break
        declaration = kind.get_declaration()  # a name of an array type
        if declaration.kind.name not in ("TYPEDEF_DECL", "TYPE_ALIAS_DECL"):
            kind = kind.get_canonical()
            continue
        kind = declaration.underlying_typedef_type
    is_pointer = clang_types.kind_name(kind.get_canonical()) == "POINTER"
    target = kind.get_canonical().get_pointee() if is_pointer else kind
    if target.is_volatile_qualified() and not is_cxx(frame.lowering.source.main):
        what = f"{Refusal.OTHER.value}: '{cursor.spelling}' is volatile"
        raise Refused(cursor, what, "drop volatile")
    if clang_types.kind_name(target.get_canonical()) == clang_types.LONG_DOUBLE:
        what = "the type long double is not read"
        raise Refused(cursor, what, "take float or double")
    found = class_type(frame, cursor, frame.type_of(kind, cursor))
    for extent, name in reversed(levels):
        number = None if extent is None else frame.lowering.integer(extent, cursor)
        found = tree.Array(found, name or number)
    if isinstance(found, tree.Array) and clang_types.is_restrict_array(cursor):
        return replace(found, restrict=True)
    return found


def _sizes(kind: Any) -> tuple[list[int | None], Any, bool, bool]:
    """The extents of an array, the type behind them, whether one is a value at run time, and
    whether the first is left open."""
    sizes: list[int | None] = []
    is_variable, is_first_open = False, clang_types.kind_name(kind) == "INCOMPLETEARRAY"
    while clang_types.kind_name(kind) in clang_types.ARRAYS:
        is_variable |= clang_types.kind_name(kind) == "VARIABLEARRAY"
        is_open = clang_types.kind_name(kind) != "CONSTANTARRAY"
        sizes.append(None if is_open else kind.get_array_size())
        kind = kind.get_array_element_type()
    return sizes, kind, is_variable, is_first_open


def class_type(frame: FunctionFrame, cursor: Any, kind: tree.Type) -> tree.Type:
    """Return the struct of a class instance whose template arguments keep names of sizes."""
    if not isinstance(kind, tree.Struct) or not frame.lowering.symbolic:
        return kind
    return frame.lowering.named_instance(frame, cursor, kind)


def _named_extents(
    frame: FunctionFrame, cursor: Any, rank: int, *, is_variable: bool
) -> list[tree.Expression | None]:
    """The extents as expressions where they have names of sizes, the outermost first.

    Those of an array that `is_variable` have names of variables, which a caller does not know.
    """
    from hlsmem.read.c.clang.expressions import expression

    def lowered(one: Any) -> Any:
        if not mentions(frame, one):
            if not is_variable:
                return None
            number = clang_types.value_of(one)
            if isinstance(number, int):
                return frame.lowering.integer(number, one)
        try:
            return expression(frame, one)
        except Refused:
            if is_variable:
                return None
            raise

    nothing: list[tree.Expression | None] = [None] * rank
    if not frame.lowering.symbolic and not is_variable:
        return nothing
    initial = initial_value(cursor)
    after = [
        one
        for one in cursor.get_children()
        if one.kind.is_expression()
        and one.location.offset >= cursor.location.offset  # equal inside of one macro
        and (initial is None or one != initial)
    ][:rank]
    if len(after) != rank:
        return nothing
    # clang has the innermost first.
    return [lowered(one) for one in reversed(after)]


def mentions(frame: FunctionFrame, cursor: Any) -> bool:
    """Return True for an expression that has a size which stays a name."""
    symbolic, environment = frame.lowering.symbolic, frame.environment
    if not symbolic:
        return False
    for one in walked(cursor):
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
    """Return True for a variable that is const or constexpr, not by reference.

    Of a constexpr array the array itself is const, else its elements are.
    """
    kind = cursor.type
    while not (kind.is_const_qualified() or kind.get_canonical().is_const_qualified()):
        if clang_types.kind_name(kind) not in clang_types.ARRAYS:
            return False
        kind = kind.get_array_element_type()
    return True
