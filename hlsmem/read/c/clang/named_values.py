"""Literals, names and members of C++ as expressions of C."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c import tree
from hlsmem.read.c.clang import clang_types
from hlsmem.read.c.clang.constants_in_c import constant
from hlsmem.read.c.clang.copies import kept_object
from hlsmem.read.c.clang.declared import initial_value, is_constant, mentions, text_at
from hlsmem.read.c.clang.lowering import FunctionFrame, Refused, Unread
from hlsmem.read.c.clang.objects import (
    Object,
    has_effect,
    member_of,
    placed,
)
from hlsmem.read.c.clang.settled import changes_of
from hlsmem.read.c.refusal import Refusal
from hlsmem.read.c.tree import Expression


@dataclass(frozen=True, slots=True)
class FunctionName:
    """A function as an argument: what calls it has it in place of a parameter."""

    cursor: Any


def literal(frame: FunctionFrame, cursor: Any) -> Expression:
    """Return a number of the text."""
    kind = frame.type_of(cursor.type, cursor)
    found = clang_types.value_of(cursor)
    if found is None:
        raise Refused(cursor, "this literal is not read", "take a number")
    made = constant(frame, found, kind, cursor)
    if clang_types.kind_name(cursor.type) == clang_types.LONG_DOUBLE:
        assert isinstance(made, tree.Constant)  # a literal has no sign
        return replace(made, value=f"{made.value}L")
    return made


def truth(frame: FunctionFrame, cursor: Any) -> Expression:
    """Return true or false."""
    found = clang_types.value_of(cursor)
    return constant(frame, int(found or 0), tree.BOOL, cursor)


def name(frame: FunctionFrame, cursor: Any) -> Any:
    """Return what a name stands for: a variable, a number, a function."""
    from hlsmem.read.c.clang.expressions import expression

    known = cursor.referenced
    if not cursor.spelling and clang_types.is_template_value(cursor):
        named = frame.environment.get(text_at(frame, cursor)) if frame.environment else None
        if named is not None:
            return named
        return expression(frame, next(iter(cursor.get_children())))
    if known is None:
        raise Refused(cursor, "this name is not read", "take a variable or a constant")
    if known.hash in frame.lowering.unread:
        raise Unread(cursor)
    bound = frame.bound.get(known.hash)
    if isinstance(bound, FunctionName):
        return bound
    if bound is not None:
        number = number_of_constant(frame, known, bound.type)
        if number is not None and isinstance(bound, tree.ID):
            return constant(frame, number, bound.type, cursor)
        return placed(bound, frame.place(cursor))
    match known.kind.name:
        case "ENUM_CONSTANT_DECL":
            if known.spelling in frame.lowering.symbolic:
                return tree.ID(known.spelling, tree.INT, frame.place(cursor))
            kind = frame.type_of(known.type, cursor)
            return constant(frame, known.enum_value, kind, cursor)
        case "VAR_DECL":
            return _of_file(frame, known, cursor)
        case "NON_TYPE_TEMPLATE_PARAMETER" | "TEMPLATE_NON_TYPE_PARAMETER":
            found = clang_types.value_of(cursor)
            if found is not None:
                return constant(frame, found, frame.type_of(cursor.type, cursor), cursor)
        case "FUNCTION_DECL":
            return FunctionName(known)
        case "CXX_METHOD":
            what = f"the function '{known.spelling}' is used in another way than called"
            raise Refused(cursor, what, "call it")
    raise Refused(cursor, f"'{cursor.spelling}' is not known here", "declare it in front")


def number_of_constant(frame: FunctionFrame, known: Any, kind: tree.Type) -> int | None:
    """Return the number that a constant of a block stands for; None for other variables.

    One whose address is taken, or that a pragma names, stays a variable.
    """
    if known.kind.name != "VAR_DECL" or not isinstance(kind, tree.Number) or kind.exact:
        return None
    first = initial_value(known) if is_constant(known) else None
    if first is None or mentions(frame, first) or changes_of(frame, known.hash):
        return None
    source = frame.lowering.source
    named = re.compile(rf"\b{re.escape(known.spelling)}\b")
    if any(named.search(one.text) for one in source.pragmas.get(source.file_of(known), ())):
        return None
    found = clang_types.value_of(first)
    return found if isinstance(found, int) else None


def member(frame: FunctionFrame, cursor: Any) -> Any:
    """Return a member of an object, or what a class has by that name."""
    from hlsmem.read.c.clang.expressions import expression

    known = cursor.referenced
    if known.kind.name == "VAR_DECL":
        return _of_file(frame, known, cursor)
    if known.kind.name == "ENUM_CONSTANT_DECL":
        return constant(frame, known.enum_value, frame.type_of(known.type, cursor), cursor)
    if known.kind.name != "FIELD_DECL":
        raise Refused(cursor, f"'{known.spelling}' is used without a call", "call it")
    below = list(cursor.get_children())
    if below and below[0].kind.is_expression():
        base = expression(frame, below[0])
    else:
        base = receiver(frame, cursor)
    if isinstance(base, Object) and known.spelling in ("q", "own") and _is_wrapper(known):
        return base
    if isinstance(base.type, tree.Stream):
        return base
    if isinstance(base, Object) and has_effect(base):
        base = kept_object(frame, base, "element", cursor)
    return member_of(base, known.spelling, frame.type_of(known.type, cursor), frame.place(cursor))


def _is_wrapper(field: Any) -> bool:
    """True for the queue in a class that is a stream."""
    return clang_types.intrinsic_of(field.type) in clang_types.QUEUES


def receiver(frame: FunctionFrame, cursor: Any) -> Any:
    """Return the object of the method that is lowered, as used where the cursor is."""
    if frame.receiver is None:
        raise Refused(cursor, "'this' is not known here", "name the object")
    return placed(frame.receiver, frame.place(cursor))


def this(frame: FunctionFrame, cursor: Any) -> Expression:
    """Return the address of the object of a method."""
    node = receiver(frame, cursor)
    return tree.UnaryOp("&", node, tree.Pointer(node.type), frame.place(cursor))


def _of_file(frame: FunctionFrame, known: Any, cursor: Any) -> Any:
    from hlsmem.read.c.clang.file_variables import file_variable  # these have initial expressions

    return file_variable(frame, known, cursor)


def called_function(frame: FunctionFrame, cursor: Any) -> Any:
    """Return the function that a parameter stands for which is called."""
    from hlsmem.read.c.clang.expressions import expression

    first = next(iter(cursor.get_children()), None)
    found = None
    with suppress(Refused):
        found = None if first is None else expression(frame, first)
    if not isinstance(found, FunctionName):
        what = f"{Refusal.FUNCTION_CALL.value}: this calls what a pointer names"
        remedy = "call the function by its name, one of several by if or switch"
        raise Refused(cursor, what, remedy)
    return found.cursor
