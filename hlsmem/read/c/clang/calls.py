"""Calls: of functions in C, or what their bodies say in their place."""

from __future__ import annotations

from typing import Any

from hlsmem.core.rewrites import Inlined
from hlsmem.read.c import tree
from hlsmem.read.c.clang import clang_types
from hlsmem.read.c.clang.arithmetic import NUMBERS, Slice, arithmetic
from hlsmem.read.c.clang.call_cursors import (
    arguments_of,
    body_of,
    called_name,
    is_certain,
    is_of_language,
    returns_receiver,
    single_expression,
    uses,
)
from hlsmem.read.c.clang.captures import captured_by
from hlsmem.read.c.clang.channels import Ends, ends_of, without_ends
from hlsmem.read.c.clang.constants_in_c import constant
from hlsmem.read.c.clang.copies import copied, declared_object, kept_object
from hlsmem.read.c.clang.declared import mentions
from hlsmem.read.c.clang.expressions import as_type, converted, expression
from hlsmem.read.c.clang.instances import instance
from hlsmem.read.c.clang.library_calls import call_without_body
from hlsmem.read.c.clang.lowering import NESTING, FunctionFrame, Refused
from hlsmem.read.c.clang.named_values import called_function
from hlsmem.read.c.clang.objects import (
    Object,
    dereferenced,
    has_effect,
    is_plain,
    is_target,
    points_to_object,
    steps,
)
from hlsmem.read.c.clang.parameters import (
    Passing,
    argument,
    given_to,
    kept,
    parameters_of,
    passed,
    stepped,
)
from hlsmem.read.c.clang.passed_arguments import passed_node, used_arguments
from hlsmem.read.c.clang.streams import stream_method
from hlsmem.read.c.clang.template_sizes import environment_of
from hlsmem.read.c.clang.types_in_c import is_wide
from hlsmem.read.c.tree import Expression

_INTRINSIC = ("hlsmem", "hlsmem::fifo", *(f"hlsmem::{name}" for name in NUMBERS))


_CALLED = ("FUNCTION_DECL", "CXX_METHOD", "CONSTRUCTOR", "CONVERSION_FUNCTION")


def call(frame: FunctionFrame, cursor: Any) -> Any:
    """Return the call in C, or what the function's body says in its place."""
    known = cursor.referenced
    if known is None or known.kind.name not in _CALLED:
        known = called_function(frame, cursor)
    number = (
        clang_types.number_kind(cursor.type) if not clang_types.is_reference(cursor.type) else None
    )
    if isinstance(number, (tree.Number, tree.Float)) and not getattr(number, "exact", False):
        found = clang_types.value_of(cursor)
        if found is not None and not mentions(frame, cursor):
            return constant(frame, found, number, cursor)
    if clang_types.qualified_name(known.semantic_parent) in _INTRINSIC:
        return intrinsic(frame, cursor, known)
    if known.kind.name == "CONSTRUCTOR":
        from hlsmem.read.c.clang.classes import constructed  # classes call methods

        return constructed(frame, cursor)
    definition = known.get_definition() or known
    if known.spelling == "operator=" and is_of_language(known):
        return _assigned_object(frame, cursor, known)
    body = body_of(definition)
    if body is None:
        if known.kind.name == "CXX_METHOD" and known.spelling == "operator=":  # its class has none
            return _assigned_object(frame, cursor, known)
        return call_without_body(frame, cursor, known)
    if known.is_virtual_method() and not is_certain(cursor):
        what = f"the virtual call of '{known.spelling}' through a pointer or reference is not read"
        raise Refused(cursor, what, "call the method of a variable of its class")
    single = single_expression(body)
    if single is not None and _is_put_in_place(known, definition):
        return _in_place(frame, cursor, definition, single)
    return _called(frame, cursor, definition, body)


def intrinsic(frame: FunctionFrame, cursor: Any, known: Any) -> Any:
    """Return an operation of the classes that the reader knows."""
    parent = clang_types.qualified_name(known.semantic_parent)
    if parent == "hlsmem::fifo":
        return stream_method(frame, cursor, known)
    if known.spelling == "dataflow":
        frame.front.append(tree.Pragma("HLS DATAFLOW", frame.place(cursor)))
        return frame.lowering.integer(0, cursor)
    return arithmetic(frame, cursor, known)


def _assigned_object(frame: FunctionFrame, cursor: Any, known: Any) -> Any:
    """The assignment of the language itself: member by member."""
    target, (source,) = arguments_of(cursor, known)
    node = expression(frame, target)
    if isinstance(node.type, tree.Stream):
        raise Refused(cursor, "a stream is assigned to another", "pass it by reference")
    frame.front += copied(frame, node, expression(frame, source), cursor)
    return node


def _is_put_in_place(known: Any, definition: Any) -> bool:
    """Return True for a function whose one expression stands in place of its calls."""
    if clang_types.is_reference(definition.result_type):
        return True
    if clang_types.kind_name(definition.result_type.get_canonical()) == "POINTER":
        return True
    if clang_types.is_part(definition.result_type) or clang_types.is_view(definition.result_type):
        return True
    parent = known.semantic_parent
    of_stream = parent.kind.is_declaration() and clang_types.stream_of(parent.type) is not None
    if of_stream:
        return True
    return any(
        clang_types.stream_of(one.type) is not None for one in definition.get_arguments() if one
    )


def receiver_of(frame: FunctionFrame, cursor: Any, definition: Any, target: Any) -> Any:
    """Return the object of a method's call; None for functions, and for lambdas."""
    if definition.kind.name not in ("CXX_METHOD", "CONVERSION_FUNCTION"):
        return None
    if definition.is_static_method() or clang_types.is_lambda(definition.semantic_parent.type):
        return None
    node = frame.receiver if target is None else expression(frame, target)
    if node is None:
        raise Refused(cursor, "'this' is not known here", "name the object")
    if isinstance(node.type, tree.Pointer):
        node = dereferenced(node, frame.place(cursor))
    if isinstance(node, Slice) or (
        isinstance(node.type, tree.Stream) and not isinstance(node, Object)
    ):
        return node
    if is_target(node):
        return node
    if isinstance(node.type, (tree.Number, tree.Float)):
        return kept(frame, node, "number", cursor) if has_effect(node) else node
    return kept_object(frame, node, "object", cursor)


def _called(frame: FunctionFrame, cursor: Any, definition: Any, body: Any) -> Any:
    target, given = arguments_of(cursor, definition)
    receiver = receiver_of(frame, cursor, definition, target)
    parameters = parameters_of(frame, definition)
    pairs = list(given_to(cursor, given, parameters))
    is_constant = receiver is not None and definition.is_const_method()
    arguments: list[Expression] = []
    if receiver is not None:
        arguments += passed(frame, receiver, cursor, by_value=is_constant)
    whole: set[int] = set()
    pointed: set[int] = set()
    functions: dict[int, Any] = {}
    ends: dict[int, Ends] = {}
    nodes = []
    for position, (one, parameter) in enumerate(pairs):
        node = passed_node(frame, one, parameter)
        if parameter.way is Passing.VALUE and steps(node):
            node = stepped(frame, node, parameter.name, one)
        nodes.append((parameter, node))
        if parameter.way is Passing.ARRAY and points_to_object(node):
            pointed.add(position)
            arguments += passed(frame, node.expr, one)
            continue
        if parameter.way is Passing.FUNCTION:
            functions[parameter.cursor.hash] = node
            continue
        ends[position] = ends_of(node)
        arguments += argument(frame, without_ends(node), parameter, one)
        may_be_whole = isinstance(parameter.type, (tree.Array, tree.Stream))
        if parameter.way is Passing.OBJECT and may_be_whole and not isinstance(node, Object):
            whole.add(position)  # structs as the planned function has them
    environment = environment_of(frame, cursor, definition, nodes, receiver)
    captured: list[tuple[Any, Any]] = []
    if receiver is None and clang_types.is_lambda(definition.semantic_parent.type):
        captured = captured_by(frame, definition)
        for _, outer in captured:
            arguments += passed(frame, outer, cursor)
    function = instance(
        frame,
        cursor,
        definition,
        body,
        receiver,
        environment,
        captured,
        frozenset(whole),
        functions,
        frozenset(pointed),
        {position: found for position, found in ends.items() if found},
    )
    return _with_result(frame, cursor, definition, body, receiver, function, arguments)


def _with_result(
    frame: FunctionFrame,
    cursor: Any,
    definition: Any,
    body: Any,
    receiver: Any,
    function: tree.FuncDef,
    arguments: list[Expression],
) -> Any:
    """The call; an object that it returns is an argument more."""
    place = frame.place(cursor)
    returns = frame.type_of(definition.result_type, definition)
    result: Any = None
    is_large = isinstance(returns, tree.Struct) or is_wide(returns)
    if is_large and not clang_types.is_reference(definition.result_type):
        declared, result = declared_object(frame, "result", returns, place)
        arguments += passed(frame, result, cursor)
        frame.front += declared
    arguments = used_arguments(frame, function, arguments)
    if clang_types.is_reference(definition.result_type):
        if not returns_receiver(body):
            what = f"'{definition.spelling}' returns a reference and has several statements"
            raise Refused(cursor, what, "return the value, or write it in one statement")
        frame.front.append(tree.FuncCall(function.name, tuple(arguments), tree.Void(), place))
        return receiver
    if result is not None:
        frame.front.append(tree.FuncCall(function.name, tuple(arguments), tree.Void(), place))
        return result
    return tree.FuncCall(function.name, tuple(arguments), function.returns, place)


def in_place_of(frame: FunctionFrame, cursor: Any, known: Any) -> Any:
    """Return the one expression of a function with the arguments in it."""
    definition = known.get_definition() or known
    body = body_of(definition)
    single = None if body is None else single_expression(body)
    if single is None:
        raise Refused(cursor, f"'{known.spelling}' of a number is not read", "use operators")
    return _in_place(frame, cursor, definition, single)


def _in_place(frame: FunctionFrame, cursor: Any, definition: Any, single: Any) -> Any:
    """The expression of a body with the arguments in it."""
    inner = frame_in_place(frame, cursor, definition, single)
    returns = definition.result_type
    node = expression(inner, single)
    is_itself = clang_types.is_reference(returns) or clang_types.is_part(returns)
    if is_itself or clang_types.kind_name(returns.get_canonical()) == "VOID":
        return node
    return as_type(node, frame.type_of(returns, cursor), single)


def frame_in_place(
    frame: FunctionFrame, cursor: Any, definition: Any, single: Any = None
) -> FunctionFrame:
    """Return the frame of a body in place of its call, with what its parameters stand for.

    Arguments that are computed are kept where the expression `single` has them more than once, or
    where there is none.
    """
    target, given = arguments_of(cursor, definition)
    through = (Inlined(called_name(definition), frame.place(cursor)), *frame.through)
    if len(through) > NESTING:
        raise Refused(cursor, f"'{definition.spelling}' calls itself", "write a loop")
    inner = FunctionFrame(lowering=frame.lowering, function=definition, through=through)
    inner.front, inner.locals, inner.returns = frame.front, frame.locals, frame.returns
    inner.streams, inner.environment = frame.streams, frame.environment
    inner.steady, inner.sliced = frame.steady, frame.sliced
    inner.waits = frame.waits or cursor.hash in frame.polls
    inner.receiver = receiver_of(frame, cursor, definition, target)
    if inner.receiver is None and clang_types.is_lambda(definition.semantic_parent.type):
        inner.bound.update(frame.bound)
        inner.receiver = frame.receiver
    for one, parameter in given_to(cursor, given, parameters_of(frame, definition, in_place=True)):
        if parameter.way is not Passing.VALUE:
            node = passed_node(frame, one, parameter)
            if isinstance(node, Object) and has_effect(node):
                node = kept_object(frame, node, parameter.name, one)
        else:
            node = converted(frame, one, parameter.type)
            count = 2 if single is None else uses(single, parameter.cursor)
            if not is_plain(node) and (count > 1 or (has_effect(node) and len(given) > 1)):
                node = kept(frame, node, parameter.name, one)
        inner.bound[parameter.cursor.hash] = node
    return inner
