"""Constructors: functions that set the members of an object."""

from __future__ import annotations

from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.clang import types
from hlsmem.read.c.clang.declared import initial_value
from hlsmem.read.c.clang.expressions import (
    as_type,
    base_of,
    converted,
    expression,
    initial_list,
)
from hlsmem.read.c.clang.lowering import Frame, Refused
from hlsmem.read.c.clang.objects import address_of, member_of, variable
from hlsmem.read.c.tree import Expression, Statement


def construct_into(
    frame: Frame, target: Expression, kind: tree.Type, first: Any
) -> tuple[Expression | None, list[Statement]]:
    """Return the initial value of an object in C, or the statements that make it."""
    call = _constructor_call(first)
    if call is None:
        if first.kind.name == "INIT_LIST_EXPR":
            return initial_list(frame, first, kind), []
        return expression(frame, first), []
    known = call.referenced
    arguments = list(call.get_arguments())
    if known.is_copy_constructor() or known.is_move_constructor():
        if _is_members_alone(known):
            inner = _constructor_call(arguments[0])
            if inner is not None:
                return construct_into(frame, target, kind, arguments[0])
            return as_type(frame, expression(frame, arguments[0]), kind, first), []
    if isinstance(kind, tree.Array):
        made = _constructed_elements(frame, target, kind, call)
        return None, made
    return None, constructor_call(frame, target, call)


def _constructor_call(cursor: Any) -> Any | None:
    """The call of a constructor that an expression is, through what stands around it."""
    while cursor.kind.name in ("UNEXPOSED_EXPR", "CXX_FUNCTIONAL_CAST_EXPR", "PAREN_EXPR"):
        below = [one for one in cursor.get_children() if one.kind.is_expression()]
        if not below:
            return None
        cursor = below[-1]
    if cursor.kind.name != "CALL_EXPR" or cursor.referenced is None:
        return None
    known = cursor.referenced
    is_own = known.kind.name == "CONSTRUCTOR" and not (
        types.intrinsic_of(known.semantic_parent.type)
    )
    return cursor if is_own else None


def _is_members_alone(known: Any) -> bool:
    """True for a constructor of the language itself, which copies member by member."""
    return bool(known.is_default_method()) or known.location == known.semantic_parent.location


def constructed(frame: Frame, cursor: Any) -> Expression:
    """Return an object that a constructor makes in an expression: a variable in front."""
    kind = frame.type_of(cursor.type, cursor)
    known = cursor.referenced
    arguments = list(cursor.get_arguments())
    is_copy = known.is_copy_constructor() or known.is_move_constructor()
    if is_copy and _is_members_alone(known):
        return expression(frame, arguments[0])
    if isinstance(kind, tree.Stream):
        raise Refused(cursor, "a stream in an expression is not read", "declare it")
    if not isinstance(kind, tree.Struct):
        return converted(frame, arguments[0], kind)
    if not kind.members:
        return tree.ID("nothing", kind, frame.place(cursor))
    place = frame.place(cursor)
    declared = tree.Decl(frame.new_name("made"), kind, place)
    frame.front.append(declared)
    target = variable(declared, place)
    frame.front += constructor_call(frame, target, cursor)
    return target


def _constructed_elements(
    frame: Frame, target: Expression, kind: tree.Array, call: Any
) -> list[Statement]:
    """The constructor of each element of an array."""
    place = frame.place(call)
    if isinstance(kind.element, tree.Stream):
        raise Refused(call, "an array of streams is not read", "give each a name of its own")
    inner: tree.Type = kind
    subscripts = []
    node = target
    while isinstance(inner, tree.Array):
        index = tree.Decl(frame.new_name("i"), tree.INT, place, tree.Constant("0", tree.INT, place))
        subscripts.append((index, inner.extent))
        node = tree.ArrayRef(node, variable(index, place), inner.element, place)
        inner = inner.element
    made: list[Statement] = constructor_call(frame, node, call)
    if not made:
        return []
    for index, extent in reversed(subscripts):
        assert extent is not None
        counter = variable(index, place)
        test = tree.BinaryOp("<", counter, extent, tree.BOOL, place)
        step = tree.UnaryOp("++", counter, tree.INT, place)
        made = [tree.For((index,), test, step, tree.Compound(tuple(made), place), place)]
    return made


def constructor_call(frame: Frame, target: Expression, call: Any) -> list[Statement]:
    """Return the statements by which a constructor makes an object."""
    from hlsmem.read.c.clang.calls import argument, body_of, given_to, instance, parameters_of

    known = call.referenced
    definition = known.get_definition() or known
    body = body_of(definition)
    if body is None:
        return _members_alone(frame, target, call)
    parameters = parameters_of(frame, definition)
    passed = [address_of(target, frame.place(call))]
    for one, parameter in given_to(frame, call, list(call.get_arguments()), parameters):
        passed += argument(frame, one, parameter)
    if _does_nothing(definition, body, target):
        return []
    function = instance(frame, call, definition, body, target, _environment(frame, target))
    return [tree.FuncCall(function.name, tuple(passed), tree.Void(), frame.place(call))]


def _environment(frame: Frame, target: Expression) -> Any:
    kind = target.type
    if not isinstance(kind, tree.Struct):
        return {}
    return frame.lowering.environments.get(kind.name, {})


def _does_nothing(definition: Any, body: Any, target: Expression) -> bool:
    """True for a constructor with an empty body that sets no member."""
    if list(body.get_children()):
        return False
    listed = any(one.kind.name == "MEMBER_REF" for one in definition.get_children())
    fields = types.fields_of(definition.semantic_parent.type)
    return not listed and not any(initial_value(one) is not None for one in fields)


def _members_alone(frame: Frame, target: Expression, call: Any) -> list[Statement]:
    """The initial values that the members have in the class, where no constructor is written."""
    return member_values(frame, target, call.referenced.semantic_parent.type, {})


def member_values(
    frame: Frame, target: Expression, kind: Any, listed: dict[str, Any]
) -> list[Statement]:
    """Return the assignments of initial values to members, in the order of the class.

    `listed` are the values that a constructor gives by the names of members.
    """
    found: list[Statement] = []
    for one in types.fields_of(kind):
        first = listed.get(one.spelling) or initial_value(one)
        if first is None:
            continue
        inner = frame.type_of(one.type, one)
        if isinstance(inner, tree.Stream):
            continue
        place = frame.place(first)
        member = member_of(target, one.spelling, inner, place)
        if isinstance(inner, (tree.Struct, tree.Array)):
            if isinstance(inner, tree.Array):
                found += _array_values(frame, member, inner, first)
                continue
            value, made = construct_into(frame, member, inner, first)
            if value is not None and not isinstance(value, tree.InitList):
                found.append(tree.Assignment("=", member, value, inner, place))
            elif isinstance(value, tree.InitList):
                found += _listed(member, value)
            found += made
            continue
        if first.kind.name == "INIT_LIST_EXPR":
            value = initial_list(frame, first, inner)
        elif first.kind.name == "CALL_EXPR" and not list(first.get_arguments()):
            continue
        else:
            value = converted(frame, first, inner)
        found.append(tree.Assignment("=", member, value, inner, place))
    return found


def _array_values(
    frame: Frame, member: Expression, kind: tree.Array, first: Any
) -> list[Statement]:
    call = _constructor_call(first)
    if call is not None:
        return _constructed_elements(frame, member, kind, call)
    if first.kind.name != "INIT_LIST_EXPR":
        return []  # numbers without values
    made = initial_list(frame, first, kind)
    return _listed(member, made) if isinstance(made, tree.InitList) else []


def _listed(member: Expression, made: tree.InitList) -> list[Statement]:
    """Assignments of the values of a list, zeros where it ends."""
    place = made.place
    kind = member.type
    found: list[Statement] = []
    zero = tree.Constant("0", tree.INT, place)
    if isinstance(kind, tree.Array):
        extent = kind.extent
        count = int(extent.value.rstrip("ul")) if isinstance(extent, tree.Constant) else 0
        parts: list[Expression] = [
            tree.ArrayRef(member, tree.Constant(str(k), tree.INT, place), kind.element, place)
            for k in range(count)
        ]
    else:
        assert isinstance(kind, tree.Struct)
        parts = [member_of(member, one.name, one.type, place) for one in kind.members]
    for position, part in enumerate(parts):
        value: Expression = made.exprs[position] if position < len(made.exprs) else zero
        if isinstance(part.type, (tree.Array, tree.Struct)):
            inner = value if isinstance(value, tree.InitList) else tree.InitList((), part.type, place)
            found += _listed(part, inner)
        else:
            found.append(tree.Assignment("=", part, value, part.type, place))
    return found


def constructor_statements(frame: Frame, definition: Any) -> list[Statement]:
    """Return what a constructor does in front of its body: bases, then members."""
    assert frame.receiver is not None
    listed: dict[str, Any] = {}
    found: list[Statement] = []
    wanted: str | None = None
    for one in definition.get_children():
        match one.kind.name:
            case "MEMBER_REF":
                wanted = one.spelling
            case "TYPE_REF" | "TEMPLATE_REF":
                wanted = None
            case "COMPOUND_STMT":
                break
            case _ if one.kind.is_expression():
                if wanted is not None:
                    listed[wanted] = one
                    wanted = None
                    continue
                call = _constructor_call(one)
                if call is not None:
                    kind = frame.type_of(call.type, call)
                    if isinstance(kind, tree.Struct) and kind.members:
                        part = base_of(frame.receiver, kind, call, frame)
                        found += constructor_call(frame, part, call)
    found += member_values(frame, frame.receiver, definition.semantic_parent.type, listed)
    return found
