"""Calls: functions of C for instances of functions and methods, and bodies put in their place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum, auto
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c import headers, tree
from hlsmem.read.c.clang import clang_types, exact_numbers
from hlsmem.read.c.clang.arithmetic import NUMBERS, Slice, arithmetic
from hlsmem.read.c.clang.copies import copied, declared_object, kept_object
from hlsmem.read.c.clang.declared import array_type, mentions, text_at
from hlsmem.read.c.clang.expressions import (
    FunctionName,
    as_type,
    constant,
    converted,
    expression,
)
from hlsmem.read.c.clang.library import library
from hlsmem.read.c.clang.lowering import NESTING, FunctionFrame, Refused
from hlsmem.read.c.clang.objects import (
    Object,
    address_of,
    dereferenced,
    element_type,
    has_effect,
    is_plain,
    is_split,
    is_target,
    leaves_of,
    names_of,
    variable,
    with_leaves,
)
from hlsmem.read.c.clang.printed import text_of
from hlsmem.read.c.clang.streams import parameters_of_stream, passed_stream, stream_method
from hlsmem.read.c.clang.types_in_c import is_wide
from hlsmem.read.c.tree import Expression, SourceRange

_OPERATORS = {
    "()": "call", "[]": "at", "+": "plus", "-": "minus", "*": "times", "/": "over",
    "%": "modulo", "<": "less", ">": "greater", "<=": "at_most", ">=": "at_least",
    "==": "equals", "!=": "differs", "=": "assign", "<<": "left", ">>": "right", "&": "and",
    "|": "or", "^": "xor", "!": "not", "~": "complement", "++": "next", "--": "previous",
    "+=": "add", "-=": "subtract", "*=": "multiply", "->": "arrow", "&&": "both", "||": "either",
}  # fmt: skip


class Passing(Enum):
    """The way in which an argument is passed; an object by that of each of its members."""

    VALUE = auto()
    ADDRESS = auto()
    ARRAY = auto()
    STREAM = auto()
    FUNCTION = auto()
    OBJECT = auto()
    OBJECT_BY_VALUE = auto()


_INTRINSIC = ("hlsmem", "hlsmem::fifo", *(f"hlsmem::{name}" for name in NUMBERS))
_CALLED = ("FUNCTION_DECL", "CXX_METHOD", "CONSTRUCTOR", "CONVERSION_FUNCTION")


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a function of C++: how it is passed, and its type."""

    cursor: Any
    way: Passing
    type: tree.Type
    name: str


def call(frame: FunctionFrame, cursor: Any) -> Any:
    """Return the call in C, or what the function's body says in its place."""
    known = cursor.referenced
    if known is not None and isinstance(frame.bound.get(known.hash), FunctionName):
        known = frame.bound[known.hash].cursor
    if known is None or known.kind.name not in _CALLED:
        raise Refused(cursor, "what is called is not known here", "call a function by its name")
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
        return _without_body(frame, cursor, known)
    if known.is_virtual_method() and not _is_certain(cursor):
        what = f"the virtual call of '{known.spelling}' through a pointer or reference is not read"
        raise Refused(cursor, what, "call the method of a variable of its class")
    single = single_expression(body)
    if single is not None and _is_put_in_place(known, definition):
        return _in_place(frame, cursor, definition, single)
    return _called(frame, cursor, definition, body)


def is_of_language(known: Any) -> bool:
    """Return True for a constructor or assignment that the class does not write itself."""
    return bool(known.is_default_method()) or known.location == known.semantic_parent.location


def intrinsic(frame: FunctionFrame, cursor: Any, known: Any) -> Any:
    """Return an operation of the classes that the reader knows."""
    parent = clang_types.qualified_name(known.semantic_parent)
    if parent == "hlsmem::fifo":
        return stream_method(frame, cursor, known)
    return arithmetic(frame, cursor, known)


def body_of(definition: Any) -> Any | None:
    """Return the block of a function; None where there is none."""
    for one in definition.get_children():
        if one.kind.name == "COMPOUND_STMT":
            return one
    return None


def single_expression(body: Any) -> Any | None:
    """Return the expression that is all that a body returns or computes; else None."""
    items = [one for one in body.get_children() if one.kind.name != "NULL_STMT"]
    if len(items) != 1:
        return None
    if items[0].kind.name == "RETURN_STMT":
        return next(iter(items[0].get_children()), None)
    return items[0] if items[0].kind.is_expression() else None


def object_of(cursor: Any) -> Any | None:
    """Return the expression of the object whose method is called; None for that of `this`."""
    for one in cursor.get_children():
        if _names_method(one):
            return next((c for c in one.get_children() if c.kind.is_expression()), None)
        break
    return None


def _names_method(cursor: Any) -> bool:
    """True for the method behind an object, not for a member that is an operand."""
    known = cursor.referenced if cursor.kind.name == "MEMBER_REF_EXPR" else None
    return known is not None and known.kind.name in ("CXX_METHOD", "CONVERSION_FUNCTION")


def arguments_of(cursor: Any, known: Any) -> tuple[Any | None, list[Any]]:
    """Return the object, for a method that is called as an operator, and the other arguments."""
    given = list(cursor.get_arguments())
    is_method = known.kind.name in ("CXX_METHOD", "CONVERSION_FUNCTION")
    first = next(iter(cursor.get_children()), None)
    named = first is not None and _names_method(first)
    if is_method and not named and not known.is_static_method() and given:
        return given[0], given[1:]
    return (object_of(cursor) if is_method else None), given


# Parameters.


def parameters_of(
    frame: FunctionFrame, definition: Any, *, in_place: bool = False
) -> list[Parameter]:
    """Return the parameters of a function with the ways in which they are passed.

    A body that is put `in_place` has the arguments themselves.
    """
    found = []
    written = [one for one in definition.get_arguments() if one is not None]
    for position, one in enumerate(written):
        if clang_types.is_function(one.type):
            found.append(Parameter(one, Passing.FUNCTION, tree.Void(), one.spelling))
            continue
        if in_place and clang_types.is_reference(one.type):
            found.append(Parameter(one, Passing.OBJECT, tree.Void(), one.spelling))
            continue
        kind = array_type(frame, one)
        name = one.spelling or f"unused_{position}"
        found.append(Parameter(one, _way(one, kind), kind, name))
    return found


def _way(parameter: Any, kind: tree.Type) -> Passing:
    if clang_types.is_lambda(parameter.type):
        raise Refused(parameter, "a lambda as an argument is not read", "call it where it is")
    if isinstance(kind, tree.Stream) and not clang_types.is_reference(parameter.type):
        what = f"the stream '{parameter.spelling}' is not passed by reference"
        raise Refused(parameter, what, "write & in front of its name")
    is_by_reference = (
        clang_types.is_reference(parameter.type)
        and not clang_types.referred(parameter.type.get_canonical()).is_const_qualified()
    )
    if isinstance(kind, tree.Pointer) and clang_types.is_reference(parameter.type):
        what = f"the pointer '{parameter.spelling}' is passed by reference"
        raise Refused(parameter, what, "pass the pointer itself")
    return _way_of(kind, is_by_reference=is_by_reference)


def _way_of(kind: tree.Type, *, is_by_reference: bool) -> Passing:
    match kind:
        case tree.Struct():
            return Passing.OBJECT if is_by_reference else Passing.OBJECT_BY_VALUE
        case tree.Stream() | tree.Array() if is_split(kind):
            return Passing.OBJECT
        case tree.Stream():
            return Passing.STREAM
        case tree.Array() | tree.Pointer():
            return Passing.ARRAY
        case _:
            return Passing.ADDRESS if is_by_reference else Passing.VALUE


def argument(frame: FunctionFrame, cursor: Any, parameter: Parameter) -> list[Expression]:
    """Return what is passed for a parameter: one expression a variable of C."""
    match parameter.way:
        case Passing.VALUE:
            made = converted(frame, cursor, parameter.type)
            return passed(frame, made, cursor, by_value=True)
        case Passing.ADDRESS:
            node = expression(frame, cursor)
            if not is_target(node):
                node = kept(frame, node, parameter.name, cursor)
            if node.type != parameter.type and isinstance(node.type, tree.Number):
                what = f"'{parameter.name}' is a reference to a number of another type"
                raise Refused(cursor, what, "pass a variable of its type")
            return passed(frame, node, cursor)
        case Passing.OBJECT:
            node = expression(frame, cursor)
            if not is_target(node):
                node = kept_object(frame, node, parameter.name, cursor)
            return passed(frame, node, cursor)
        case Passing.OBJECT_BY_VALUE:
            return passed(frame, expression(frame, cursor), cursor, by_value=True)
        case Passing.FUNCTION:
            return []
        case Passing.ARRAY | Passing.STREAM:
            return passed(frame, expression(frame, cursor), cursor)


def passed(
    frame: FunctionFrame, node: Any, cursor: Any, *, by_value: bool = False
) -> list[Expression]:
    """Return the arguments for an object, an array, a stream or a number by reference."""
    place = frame.place(cursor)
    found: list[Expression] = []
    if isinstance(node, tree.InitList):
        return [kept(frame, node, "list", cursor)]
    if isinstance(node, tree.UnaryOp) and isinstance(node.expr, Object):
        what = "a pointer to an object is not read"
        raise Refused(cursor, what, "pass the object by reference")
    if isinstance(node.type, (tree.Array, tree.Pointer)) and not isinstance(node, Object):
        return [node]  # an array of structs of the planned function's own parameters, too
    for leaf in leaves_of(node):
        if is_wide(leaf.type):  # an array of limbs; one by value is a copy
            is_name = not by_value and is_target(leaf)
            found.append(leaf if is_name else kept(frame, leaf, "word", cursor))
            continue
        match leaf.type:
            case tree.Stream():
                found += passed_stream(frame, leaf, cursor)
            case tree.Array() if isinstance(leaf, tree.InitList):
                found.append(kept(frame, leaf, "list", cursor))
            case tree.Array() | tree.Pointer():
                found.append(leaf)
            case _:
                found.append(leaf if by_value else address_of(leaf, place))
    return found


def kept(frame: FunctionFrame, node: Any, wanted: str, cursor: Any) -> tree.ID:
    """Return a variable that has the value of an expression, assigned in front."""
    place = frame.place(cursor)
    if is_wide(node.type) and not isinstance(node, tree.InitList):
        declared = tree.Decl(frame.new_name(wanted), node.type, place)
        target = variable(declared, place)
        copy = exact_numbers.word_assignments(target, exact_numbers.value_of(node), place)
        frame.front += [declared, *copy]
        return target
    declared = tree.Decl(frame.new_name(wanted), node.type, place, node)
    frame.front.append(declared)
    return variable(declared, place)


def given_to(
    cursor: Any, given: Sequence[Any], parameters: Sequence[Parameter]
) -> Iterable[tuple[Any, Parameter]]:
    """Return the arguments with their parameters; defaults are those of the declaration."""
    for position, parameter in enumerate(parameters):
        one = given[position] if position < len(given) else None
        is_default = one is None or (
            one.kind.name == "UNEXPOSED_EXPR" and not list(one.get_children())
        )
        if not is_default:
            yield one, parameter
            continue
        below = [c for c in parameter.cursor.get_children() if c.kind.is_expression()]
        if not below:
            what = f"'{parameter.name}' has no value in this call"
            raise Refused(cursor, what, "pass one")
        yield below[-1], parameter


# Calls of functions in C.


def _without_body(frame: FunctionFrame, cursor: Any, known: Any) -> Any:
    name = known.spelling
    if known.kind.name == "CXX_METHOD" and name == "operator=":  # of a class that has none
        return _assigned_object(frame, cursor, known)
    arguments = list(cursor.get_arguments())
    kind = frame.type_of(cursor.type, cursor)
    if name == "assert":
        frame.lowering.headers.add("assert.h")
        args = tuple(expression(frame, one) for one in arguments)
        return tree.FuncCall("assert", args, tree.Void(), frame.place(cursor))
    if name in headers.PURE_FUNCTIONS:
        frame.lowering.headers.add("stdlib.h" if name in ("abs", "labs", "llabs") else "math.h")
        made = [
            as_type(expression(frame, one), frame.type_of(one.type, one), one) for one in arguments
        ]
        return tree.FuncCall(name, tuple(made), kind, frame.place(cursor))
    if headers.is_of_a_header(name):
        args = tuple(expression(frame, one) for one in arguments)
        return tree.FuncCall(name, args, kind, frame.place(cursor))
    if frame.lowering.source.file_of(known) and known.kind.name == "FUNCTION_DECL":
        parameters = parameters_of(frame, known)
        passed: list[Expression] = []
        for one, parameter in given_to(cursor, arguments, parameters):
            passed += argument(frame, one, parameter)
        return tree.FuncCall(name, tuple(passed), kind, frame.place(cursor))
    what = f"'{known.spelling}' has no body here"
    raise Refused(cursor, what, "write a function, or name its file with kernel.sources")


def _assigned_object(frame: FunctionFrame, cursor: Any, known: Any) -> Any:
    """The assignment of the language itself: member by member."""
    target, (source,) = arguments_of(cursor, known)
    node = expression(frame, target)
    if isinstance(node.type, tree.Stream):
        raise Refused(cursor, "a stream is assigned to another", "pass it by reference")
    frame.front += copied(frame, node, expression(frame, source), cursor)
    return node


def _is_certain(cursor: Any) -> bool:
    """Return True where the class of an object is that of a variable."""
    one = object_of(cursor)
    while one is not None and one.kind.name in ("UNEXPOSED_EXPR", "PAREN_EXPR"):
        one = next(iter(one.get_children()), None)
    if one is None or one.kind.name != "DECL_REF_EXPR":
        return False
    return not clang_types.is_reference(one.referenced.type)


def _is_put_in_place(known: Any, definition: Any) -> bool:
    """Return True for a function whose one expression stands in place of its calls."""
    if clang_types.is_reference(definition.result_type):
        return True
    if clang_types.kind_name(definition.result_type.get_canonical()) == "POINTER":
        return True
    parent = known.semantic_parent
    of_stream = parent.kind.is_declaration() and clang_types.stream_of(parent.type) is not None
    if of_stream:
        return True
    return any(
        clang_types.stream_of(one.type) is not None for one in definition.get_arguments() if one
    )


def called_name(definition: Any) -> str:
    """Return the name of an instance as a user would write it.

    Template arguments that are numbers stand in angle brackets.
    """
    count = max(definition.get_num_template_arguments(), 0)
    shown = []
    for position in range(count):
        kind = definition.get_template_argument_kind(position).name
        if kind == "INTEGRAL":
            shown.append(str(definition.get_template_argument_value(position)))
        elif kind == "TYPE":
            shown.append(clang_types.name_of_type(definition.get_template_argument_type(position)))
    name = str(definition.spelling)
    return f"{name}<{', '.join(shown)}>" if shown else name


def function_name(definition: Any, receiver: tree.Type | None) -> str:
    """Return the wanted name of a function in C."""
    name = str(definition.spelling)
    if name.startswith("operator"):
        sign = name.removeprefix("operator").strip()
        name = _OPERATORS.get(sign, "convert")
    else:
        name = clang_types.c_name(called_name(definition))
    struct = None if receiver is None else element_type(receiver)
    if isinstance(struct, tree.Struct):
        name = f"{struct.name}_{name}"
    return name


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
    environment = environment_of(frame, cursor, definition, pairs, receiver)
    is_constant = receiver is not None and definition.is_const_method()
    arguments: list[Expression] = []
    if receiver is not None:
        arguments += passed(frame, receiver, cursor, by_value=is_constant)
    whole: set[int] = set()
    for position, (one, parameter) in enumerate(pairs):
        may_be_whole = isinstance(parameter.type, (tree.Array, tree.Stream))
        if parameter.way is Passing.OBJECT and may_be_whole:
            is_whole = not isinstance(expression(frame, one), Object)
            whole |= {position} if is_whole else set()  # as the planned function has them
        arguments += argument(frame, one, parameter)
    captured: list[tuple[Any, Any]] = []
    if receiver is None and clang_types.is_lambda(definition.semantic_parent.type):
        captured = captured_by(frame, definition)
        for _, outer in captured:
            arguments += passed(frame, outer, cursor)
    functions: dict[int, Any] = {
        parameter.cursor.hash: expression(frame, one)
        for one, parameter in pairs
        if parameter.way is Passing.FUNCTION
    }
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
    )
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
        if not _returns_receiver(body):
            what = f"'{definition.spelling}' returns a reference and has several statements"
            raise Refused(cursor, what, "return the value, or write it in one statement")
        frame.front.append(tree.FuncCall(function.name, tuple(arguments), tree.Void(), place))
        return receiver
    if result is not None:
        frame.front.append(tree.FuncCall(function.name, tuple(arguments), tree.Void(), place))
        return result
    return tree.FuncCall(function.name, tuple(arguments), function.returns, place)


def used_arguments(
    frame: FunctionFrame, function: tree.FuncDef, arguments: Sequence[Expression]
) -> list[Expression]:
    """Return the arguments whose parameters the function in C has; effects of others stay."""
    positions = frame.lowering.used_parameters[function.name]
    used = set(positions)
    for position, one in enumerate(arguments):
        if position not in used and has_effect(one):
            frame.front.append(one)
    return [arguments[position] for position in positions]


def _returns_receiver(body: Any) -> bool:
    """True for a method that returns *this, and nowhere anything else."""
    found = [one for one in body.walk_preorder() if one.kind.name == "RETURN_STMT"]
    return all(
        any(below.kind.name == "CXX_THIS_EXPR" for below in one.walk_preorder())
        and not any(below.kind.name == "MEMBER_REF_EXPR" for below in one.walk_preorder())
        for one in found
    )


def environment_of(
    frame: FunctionFrame,
    cursor: Any,
    definition: Any,
    pairs: Sequence[tuple[Any, Parameter]],
    receiver: Any,
) -> Mapping[str, Expression]:
    """Return what template parameters stand for, those that are sizes with names alone."""
    if not (frame.lowering.symbolic):
        return {}
    found: dict[str, Expression] = {}
    if isinstance(receiver, Object):
        found.update(frame.lowering.environments.get(receiver.struct.name, {}))
    template = library().template_of(definition)
    if template is None:
        return found
    wanted = [
        one.spelling
        for one in template.get_children()
        if one.kind.name in ("TEMPLATE_NON_TYPE_PARAMETER", "TEMPLATE_TYPE_PARAMETER")
    ]
    callee = next(iter(cursor.get_children()), None)
    while callee is not None and callee.kind.name == "UNEXPOSED_EXPR":
        callee = next(iter(callee.get_children()), None)
    if callee is not None:
        explicit = [
            one
            for one in callee.get_children()
            if one.kind.is_expression() and one.kind.name != "MEMBER_REF_EXPR"
        ]
        numbers = [
            one.spelling
            for one in template.get_children()
            if one.kind.name == "TEMPLATE_NON_TYPE_PARAMETER"
        ]
        for name, one in zip(numbers, explicit, strict=False):
            if mentions(frame, one):
                found[name] = expression(frame, one)
    for one, parameter in pairs:
        if isinstance(parameter.type, tree.Array):
            node = expression(frame, one)
            _unify(frame, parameter.cursor, node.type, wanted, found)
    return found


def _unify(
    frame: FunctionFrame,
    parameter: Any,
    given: tree.Type,
    wanted: Sequence[str],
    found: dict[str, Expression],
) -> None:
    """Add the parameters that are extents of an array to what they stand for."""
    after = [
        one
        for one in parameter.get_children()
        if one.kind.is_expression() and one.location.offset > parameter.location.offset
    ]
    for one in reversed(after):
        if not isinstance(given, tree.Array):
            return
        name = text_at(frame, one)
        if name in wanted and given.extent is not None and _has_name(given.extent):
            found.setdefault(name, given.extent)
        given = given.element


def _has_name(node: Expression) -> bool:
    match node:
        case tree.ID():
            return True
        case tree.BinaryOp(_, left, right):
            return _has_name(left) or _has_name(right)
        case tree.UnaryOp(_, expr) | tree.Cast(expr):
            return _has_name(expr)
        case _:
            return False


def instance(
    frame: FunctionFrame,
    cursor: Any,
    definition: Any,
    body: Any,
    receiver: Any,
    environment: Mapping[str, Expression],
    captured: Sequence[tuple[Any, Any]] = (),
    whole: frozenset[int] = frozenset(),
    functions: Mapping[int, FunctionName] | None = None,
) -> tree.FuncDef:
    """Return the function in C of an instance, lowered where it is called first.

    `whole` are the positions of arguments that are arrays of structs, `functions` those that are
    functions.
    """
    lowering = frame.lowering
    bound = tuple(sorted((name, text_of(one)) for name, one in environment.items()))
    own = receiver.type if receiver is not None else None
    is_split_receiver = isinstance(receiver, Object)
    named = tuple(one.cursor.get_usr() for one in (functions or {}).values())
    key = (definition.get_usr(), definition.hash, own, is_split_receiver, bound, whole, named)
    if key in lowering.functions:
        return lowering.functions[key]
    if key in lowering.under_way or len(lowering.under_way) > NESTING:
        what = f"'{definition.spelling}' calls itself"
        raise Refused(cursor, what, "write a loop, or end it with if constexpr")
    through = ((called_name(definition), frame.place(cursor)), *frame.through)
    wanted = "lambda" if captured else function_name(definition, own)
    name = lowering.name_for(("function", key), wanted)
    lowering.under_way.append(key)
    try:
        made = lowered_function(
            lowering,
            definition,
            body,
            name,
            through,
            receiver,
            environment,
            captured,
            whole,
            functions,
        )
    finally:
        lowering.under_way.pop()
    lowering.functions[key] = made
    return made


def lowered_function(
    lowering: Any,
    definition: Any,
    body: Any,
    name: str,
    through: tuple[tuple[str, SourceRange], ...] = (),
    receiver: Any = None,
    environment: Mapping[str, Expression] | None = None,
    captured: Sequence[tuple[Any, Any]] = (),
    whole: frozenset[int] = frozenset(),
    functions: Mapping[int, FunctionName] | None = None,
    *,
    is_top: bool = False,
) -> tree.FuncDef:
    """Return a function of C++ as one of C.

    The planned one keeps its structs, and its streams are arrays without counters.
    """
    from hlsmem.read.c.clang.lowered_statements import function_body

    frame = FunctionFrame(lowering=lowering, function=definition, through=through)
    frame.environment = environment or {}
    place = frame.place(definition)
    declared = _Declared(frame, place, is_top)
    if receiver is not None:
        by_value = definition.kind.name != "CONSTRUCTOR" and definition.is_const_method()
        frame.receiver = declared.object("", receiver.type, by_value=by_value)
    frame.bound.update(functions or {})
    for position, one in enumerate(parameters_of(frame, definition)):
        if one.way is Passing.FUNCTION:
            continue
        declared.place = frame.place(one.cursor)
        here = frame.new_name(one.name)
        constant = is_to_constant(one.cursor)
        match one.way:
            case Passing.OBJECT | Passing.OBJECT_BY_VALUE if is_top or position in whole:
                node = declared.struct(here, one.type, is_reference=one.way is Passing.OBJECT)
            case Passing.OBJECT | Passing.OBJECT_BY_VALUE:
                frame.locals.discard(here)
                by_value = one.way is Passing.OBJECT_BY_VALUE
                node = declared.object(here, one.type, by_value=by_value, const=constant)
            case Passing.VALUE:
                node = declared.leaf(here, one.type, by_value=True, const=constant)
            case _:
                node = declared.leaf(here, one.type, by_value=False, const=constant)
        frame.bound[one.cursor.hash] = node
    declared.place = place
    for known, outer in captured:
        if isinstance(outer, Object) or not is_split(outer.type):
            node = declared.object(known.spelling, outer.type, by_value=False)
        else:
            node = declared.struct(frame.new_name(known.spelling), outer.type, is_reference=True)
        frame.bound[known.hash] = node
    frame.returns = frame.type_of(definition.result_type, definition)
    returns = frame.returns
    if clang_types.is_reference(definition.result_type):
        returns = frame.returns = tree.Void()
    elif isinstance(returns, tree.Struct) or is_wide(returns):
        if is_top:
            what = f"'{definition.spelling}' returns an object"
            raise Refused(definition, what, "return it through a reference")
        frame.result = declared.object("result", returns, by_value=False)
        returns = tree.Void()
    if definition.kind.name == "CONSTRUCTOR":
        from hlsmem.read.c.clang.classes import constructor_statements

        declared.first += constructor_statements(frame, definition)
    block = function_body(frame, body, [*frame.front, *declared.first])
    if is_top:
        return tree.FuncDef(name, returns, tuple(declared.found), block, place, ())
    used = names_of(block)
    positions = [k for k, one in enumerate(declared.found) if one.name in used]
    lowering.used_parameters[name] = positions
    kept_ones = tuple(declared.found[k] for k in positions)
    return tree.FuncDef(name, returns, kept_ones, block, place)


class _Declared:
    """The parameters of a function in C as they are found, and what its body declares first."""

    def __init__(self, frame: FunctionFrame, place: SourceRange, is_top: bool) -> None:
        self.frame, self.place, self.is_top = frame, place, is_top
        self.found: list[tree.Decl] = []
        self.first: list[tree.Statement] = []

    def object(self, name: str, kind: tree.Type, *, by_value: bool, const: bool = False) -> Any:
        """Declare a parameter for each member of an object."""

        def made(own: str, leaf: tree.Type) -> Any:
            own = self.frame.new_name(own.removeprefix("_"))
            return self.leaf(own, leaf, by_value=by_value, const=const)

        return with_leaves(kind, made, name)

    def leaf(self, name: str, kind: tree.Type, *, by_value: bool, const: bool) -> Any:
        """Declare a parameter for a number, an array or a stream of such."""
        at = self.place
        match kind:
            case tree.Stream():
                added, counters = parameters_of_stream(
                    self.frame, name, kind, at, is_top=self.is_top
                )
                self.found += added
                self.first += counters
                return tree.ID(name, kind, at)
            case tree.Array() | tree.Pointer():
                made = tree.Decl(name, kind, at, const=const)
            case _ if by_value or is_wide(kind):
                made = tree.Decl(name, kind, at, const=const)
            case _:
                # A port is reached through nothing else, nor is what a call refers to.
                own = tree.Pointer(kind, restrict=True, const=const)
                made = tree.Decl(name, own, at)
                self.found.append(made)
                return tree.UnaryOp("*", variable(made, at), kind, at)
        self.found.append(made)
        return variable(made, at)

    def struct(self, name: str, kind: tree.Type, *, is_reference: bool) -> Any:
        """Declare a parameter that keeps its structs."""
        at = self.place
        self.frame.lowering.kept_structs.add(element_type(kind))
        if isinstance(kind, tree.Stream):
            return self.leaf(name, kind, by_value=False, const=False)
        if isinstance(kind, tree.Struct) and is_reference:
            made = tree.Decl(name, tree.Pointer(kind, restrict=True), at)
            self.found.append(made)
            return tree.UnaryOp("*", variable(made, at), kind, at)
        made = tree.Decl(name, kind, at)
        self.found.append(made)
        return variable(made, at)


def is_to_constant(parameter: Any) -> bool:
    """Return True for a parameter through which nothing is written: its elements are const."""
    kind = clang_types.referred(parameter.type)
    while True:
        # The canonical type of an array may have lost the const of its elements.
        own = kind if clang_types.kind_name(kind) in clang_types.ARRAYS else kind.get_canonical()
        name = clang_types.kind_name(own)
        if name == "POINTER":
            kind = own.get_pointee()
        elif own.is_const_qualified() or kind.is_const_qualified():
            return True
        elif name in clang_types.ARRAYS:
            kind = own.get_array_element_type()
        else:
            return False


# Bodies in place of calls.


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
    target, given = arguments_of(cursor, definition)
    through = ((called_name(definition), frame.place(cursor)), *frame.through)
    if len(through) > NESTING:
        raise Refused(cursor, f"'{definition.spelling}' calls itself", "write a loop")
    inner = FunctionFrame(lowering=frame.lowering, function=definition, through=through)
    inner.front, inner.locals, inner.returns = frame.front, frame.locals, frame.returns
    inner.streams, inner.environment = frame.streams, frame.environment
    inner.steady = frame.steady
    inner.receiver = receiver_of(frame, cursor, definition, target)
    if inner.receiver is None and clang_types.is_lambda(definition.semantic_parent.type):
        inner.bound.update(frame.bound)
        inner.receiver = frame.receiver
    for one, parameter in given_to(cursor, given, parameters_of(frame, definition, in_place=True)):
        if parameter.way is not Passing.VALUE:
            node = expression(frame, one)
            if isinstance(node, Object) and has_effect(node):
                node = kept_object(frame, node, parameter.name, one)
        else:
            node = converted(frame, one, parameter.type)
            count = uses(single, parameter.cursor)
            if not is_plain(node) and (count > 1 or (has_effect(node) and len(given) > 1)):
                node = kept(frame, node, parameter.name, one)
        inner.bound[parameter.cursor.hash] = node
    returns = definition.result_type
    node = expression(inner, single)
    if (
        clang_types.is_reference(returns)
        or clang_types.kind_name(returns.get_canonical()) == "VOID"
    ):
        return node
    return as_type(node, frame.type_of(returns, cursor), single)


def uses(cursor: Any, variable_cursor: Any) -> int:
    """Return how often a variable is named in a text."""
    count = 0
    for one in cursor.walk_preorder():
        if one.kind.name == "DECL_REF_EXPR" and one.referenced is not None:
            count += one.referenced.hash == variable_cursor.hash
    return count


# Lambdas.


def captured_by(frame: FunctionFrame, definition: Any) -> list[tuple[Any, Expression]]:
    """Return the variables around a lambda that it names, with what they are where it is called."""
    copies = frame.lowering.copies.get(definition.semantic_parent.hash, {})
    found: dict[int, tuple[Any, Expression]] = {}
    body = body_of(definition)
    for one in body.walk_preorder() if body is not None else ():
        known = one.referenced if one.kind.name == "DECL_REF_EXPR" else None
        if known is None or known.hash not in frame.bound:
            continue
        if isinstance(frame.bound[known.hash], FunctionName):
            continue
        found.setdefault(known.hash, (known, copies.get(known.hash, frame.bound[known.hash])))
    return list(found.values())


def copied_by(frame: FunctionFrame, lambda_: Any) -> list[tuple[Any, Any]]:
    """Return the variables around a lambda expression that it captures by value."""
    source = frame.lowering.source
    name = source.file_of(lambda_)
    if not name:
        return []
    text = source.encoded[name][lambda_.extent.start.offset :].decode(errors="replace")
    listed = [one.strip() for one in text[1 : text.index("]")].split(",")]
    if any("=" in one and one != "=" for one in listed):
        what = "a capture with a value of its own is not read"
        raise Refused(lambda_, what, "declare a variable in front")
    by_value = "=" in listed
    found: dict[int, tuple[Any, Any]] = {}
    for one in lambda_.walk_preorder():
        known = one.referenced if one.kind.name in ("DECL_REF_EXPR", "VARIABLE_REF") else None
        if known is None or known.hash not in frame.bound or clang_types.is_lambda(known.type):
            continue
        is_copied = known.spelling in listed or (by_value and f"&{known.spelling}" not in listed)
        node = frame.bound[known.hash]
        if is_copied and not isinstance(node, FunctionName):
            found.setdefault(known.hash, (known, node))
    return list(found.values())
