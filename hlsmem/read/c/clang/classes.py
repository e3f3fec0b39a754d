"""Constructors: functions that set the members of an object."""

from __future__ import annotations

from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.clang import clang_types
from hlsmem.read.c.clang.call_cursors import body_of, is_of_language
from hlsmem.read.c.clang.calls import frame_in_place
from hlsmem.read.c.clang.copies import copied, counted, declared_object
from hlsmem.read.c.clang.declared import initial_value
from hlsmem.read.c.clang.expressions import converted, expression
from hlsmem.read.c.clang.initial_lists import initial_list, zero_of
from hlsmem.read.c.clang.instances import instance
from hlsmem.read.c.clang.lowering import FunctionFrame, Refused
from hlsmem.read.c.clang.objects import Object, element_of, element_type, is_streams, member_of
from hlsmem.read.c.clang.parameters import Passing, argument, given_to, parameters_of, passed
from hlsmem.read.c.clang.passed_arguments import used_arguments
from hlsmem.read.c.clang.used_variables import names_in
from hlsmem.read.c.clang.views import view
from hlsmem.read.c.tree import Expression, Statement

_CHANNEL = (
    "which stream of a channel of load balance is taken depends on when it is asked",
    "take one of round robin, or hand the elements on in a loop",
)
_UNREAD = {
    "hls": (
        "a task runs as long as its streams have elements",
        "call its function in a loop with a known end",
    ),
    "hls::split": _CHANNEL,
    "hls::merge": _CHANNEL,
}
"""Classes of shipped headers without bodies, by their namespaces: what they are, what to do."""


def constructor_of(cursor: Any) -> Any | None:
    """Return the call of a constructor that an expression is, through what stands around it.

    Constructors of numbers are conversions.
    """
    while cursor.kind.name in ("UNEXPOSED_EXPR", "CXX_FUNCTIONAL_CAST_EXPR", "PAREN_EXPR"):
        below = [one for one in cursor.get_children() if one.kind.is_expression()]
        if not below:
            return None
        cursor = below[-1]
    if cursor.kind.name != "CALL_EXPR" or cursor.referenced is None:
        return None
    known = cursor.referenced
    is_own = known.kind.name == "CONSTRUCTOR" and not (
        clang_types.intrinsic_of(known.semantic_parent.type)
    )
    return cursor if is_own else None


def _copied_from(call: Any) -> Any | None:
    """The object that a constructor of the language copies or moves; else None."""
    known = call.referenced
    is_copy = known.is_copy_constructor() or known.is_move_constructor()
    return next(iter(call.get_arguments())) if is_copy and is_of_language(known) else None


def constructed(frame: FunctionFrame, cursor: Any) -> Any:
    """Return an object that a constructor makes in an expression: a variable in front."""
    source = _copied_from(cursor)
    if source is not None:
        return expression(frame, source)
    if clang_types.is_view(cursor.type):
        known = cursor.referenced
        definition = known.get_definition() or known
        return view(frame_in_place(frame, cursor, definition), cursor, definition)
    kind = frame.type_of(cursor.type, cursor)
    if isinstance(element_type(kind), tree.Struct) and isinstance(kind, tree.Struct):
        place = frame.place(cursor)
        if not list(cursor.get_arguments()) and is_of_language(cursor.referenced):
            has_values = any(initial_value(one) for one in clang_types.fields_of(cursor.type))
            if not has_values:
                return zero_of(frame, kind, cursor)
        called = cursor.referenced.semantic_parent.spelling  # what messages can name it by
        declared, target = declared_object(frame, called or "made", kind, place)
        frame.front += declared
        made = constructor_call(frame, target, cursor)
        if not made:  # copied as it is, it may have parts assigned
            frame.sliced |= names_in(target)
        frame.front += made
        return target
    if isinstance(kind, tree.Stream):
        raise Refused(cursor, "a stream in an expression is not read", "declare it")
    return converted(frame, next(iter(cursor.get_arguments())), kind)


def values_into(frame: FunctionFrame, target: Any, kind: tree.Type, first: Any) -> list[Statement]:
    """Return the statements that give an object or array its first values."""
    call = constructor_of(first)
    if call is not None:
        source = _copied_from(call)
        if source is None:
            return _constructed_elements(frame, target, kind, call)
        return values_into(frame, target, kind, source)
    if first.kind.name == "INIT_LIST_EXPR":
        made = initial_list(frame, first, kind)
    elif (
        first.kind.name == "CALL_EXPR"
        and not list(first.get_arguments())
        and (first.referenced is not None and first.referenced.kind.name == "CONSTRUCTOR")
    ):
        return []  # numbers without values
    elif isinstance(kind, (tree.Struct, tree.Array)):
        made = expression(frame, first)
    else:
        made = converted(frame, first, kind)
    before = list(frame.front)
    frame.front.clear()
    return [*before, *copied(frame, target, made, first)]


def _constructed_elements(
    frame: FunctionFrame, target: Any, kind: tree.Type, call: Any
) -> list[Statement]:
    """The constructor of an object, or of each element of an array."""
    if not isinstance(kind, tree.Array):
        return constructor_call(frame, target, call)
    if is_streams(kind):
        return []
    place = frame.place(call)
    if kind.extent is None:
        raise Refused(call, "an array without extents has a constructor", "give it an extent")

    def element(index: Expression) -> list[Statement]:
        return _constructed_elements(frame, element_of(target, index, place), kind.element, call)

    made = counted(frame, kind.extent, element, place)
    return [made] if isinstance(made.stmt, tree.Compound) and made.stmt.block_items else []


def constructor_call(frame: FunctionFrame, target: Any, call: Any) -> list[Statement]:
    """Return the statements by which a constructor makes an object."""
    known = call.referenced
    definition = known.get_definition() or known
    body = body_of(definition)
    if isinstance(target.type, tree.Stream):
        return []
    if is_of_language(known):
        return member_values(frame, target, known.semantic_parent.type, {})
    unread = _UNREAD.get(clang_types.qualified_name(known.semantic_parent).rpartition("::")[0])
    if body is None and unread is not None:
        raise Refused(call, *unread)
    if body is None:
        what = f"the constructor of '{known.spelling}' has no body here"
        raise Refused(call, what, "write one, or assign the members")
    if _does_nothing(definition, body):
        return []
    before = frame.front
    frame.front = []
    arguments = passed(frame, target, call)
    functions: dict[int, Any] = {}
    for one, parameter in given_to(
        call, list(call.get_arguments()), parameters_of(frame, definition)
    ):
        node = expression(frame, one)
        arguments += argument(frame, node, parameter, one)
        if parameter.way is Passing.FUNCTION:
            functions[parameter.cursor.hash] = node
    environment = (
        frame.lowering.environments.get(target.struct.name, {})
        if isinstance(target, Object)
        else {}
    )
    function = instance(frame, call, definition, body, target, environment, functions=functions)
    arguments = used_arguments(frame, function, arguments)
    front, frame.front = frame.front, before
    called = tree.FuncCall(function.name, tuple(arguments), tree.Void(), frame.place(call))
    return [*front, called]


def _does_nothing(definition: Any, body: Any) -> bool:
    """True for a constructor with an empty body that sets no member."""
    if list(body.get_children()):
        return False
    if any(one.kind.is_expression() for one in definition.get_children()):
        return False
    fields = clang_types.fields_of(definition.semantic_parent.type)
    return all(initial_value(one) is None for one in fields)


def member_values(
    frame: FunctionFrame, target: Any, kind: Any, listed: dict[str, Any]
) -> list[Statement]:
    """Return the assignments of first values to members, in the order of the class.

    `listed` are the values that a constructor gives by the names of members; others have those of
    the class.
    """
    found: list[Statement] = []
    for one in clang_types.fields_of(kind):
        first = listed.get(one.spelling) or initial_value(one)
        kind = frame.type_of(one.type, one)
        if first is None or isinstance(kind, tree.Stream) or is_streams(kind):
            continue
        member = member_of(target, one.spelling, kind, frame.place(one))
        found += values_into(frame, member, member.type, first)
    return found


def constructor_statements(frame: FunctionFrame, definition: Any) -> list[Statement]:
    """Return what a constructor does in front of its body: bases, then members."""
    listed: dict[str, Any] = {}
    found: list[Statement] = []
    wanted: str | None = None
    for one in definition.get_children():
        if one.kind.name == "MEMBER_REF":
            wanted = one.spelling
        elif one.kind.name == "COMPOUND_STMT":
            break
        elif one.kind.is_reference():
            wanted = None
        elif one.kind.is_expression() and wanted is not None:
            listed[wanted] = one
            wanted = None
        elif one.kind.is_expression():
            call = constructor_of(one)
            if call is not None:
                found += constructor_call(frame, frame.receiver, call)
    found += member_values(frame, frame.receiver, definition.semantic_parent.type, listed)
    return found
