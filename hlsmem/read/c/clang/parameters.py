"""Parameters and arguments: how each is passed to a function of C."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum, auto
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c import tree
from hlsmem.read.c.clang import clang_types, exact_numbers
from hlsmem.read.c.clang.copies import kept_object
from hlsmem.read.c.clang.declared import array_type
from hlsmem.read.c.clang.expressions import as_type
from hlsmem.read.c.clang.lowering import FunctionFrame, Refused
from hlsmem.read.c.clang.objects import (
    Object,
    address_of,
    is_split,
    is_target,
    leaves_of,
    variable,
)
from hlsmem.read.c.clang.steady import moves
from hlsmem.read.c.clang.streams import passed_stream
from hlsmem.read.c.clang.types_in_c import is_wide
from hlsmem.read.c.tree import Expression


class Passing(Enum):
    """The way in which an argument is passed; an object by that of each of its members."""

    VALUE = auto()
    ADDRESS = auto()
    ARRAY = auto()
    STREAM = auto()
    FUNCTION = auto()
    LAMBDA = auto()
    OBJECT = auto()
    OBJECT_BY_VALUE = auto()


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a function of C++: how it is passed, and its type."""

    cursor: Any
    way: Passing
    type: tree.Type
    name: str


def parameters_of(
    frame: FunctionFrame, definition: Any, *, in_place: bool = False
) -> list[Parameter]:
    """Return the parameters of a function with the ways in which they are passed.

    A body that is put `in_place` has the arguments themselves.
    """
    return list(each_parameter(frame, definition, in_place=in_place))


def each_parameter(
    frame: FunctionFrame, definition: Any, *, in_place: bool = False
) -> Iterator[Parameter]:
    """Return the parameters one by one: extents name those in front."""
    written = [one for one in definition.get_arguments() if one is not None]
    for position, one in enumerate(written):
        if clang_types.is_function(one.type):
            yield Parameter(one, Passing.FUNCTION, tree.Void(), one.spelling)
            continue
        if clang_types.is_lambda(one.type):
            yield Parameter(one, Passing.LAMBDA, tree.Void(), one.spelling)
            continue
        if in_place and clang_types.is_reference(one.type):
            yield Parameter(one, Passing.OBJECT, tree.Void(), one.spelling)
            continue
        kind = array_type(frame, one)
        name = one.spelling or f"unused_{position}"
        yield Parameter(one, _way(one, kind), kind, name)


def _way(parameter: Any, kind: tree.Type) -> Passing:
    if isinstance(kind, tree.Stream) and not clang_types.is_reference(parameter.type):
        what = f"the stream '{parameter.spelling}' is not passed by reference"
        raise Refused(parameter, what, "write & in front of its name")
    is_by_reference = (
        clang_types.is_reference(parameter.type)
        and not clang_types.referred(parameter.type.get_canonical()).is_const_qualified()
    )
    if isinstance(kind, tree.Pointer) and is_by_reference:
        if moves(parameter, parameter.semantic_parent):
            what = f"the pointer '{parameter.spelling}' is passed by reference, and moves"
            raise Refused(parameter, what, "pass the pointer itself")
        return Passing.ARRAY
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


def argument(
    frame: FunctionFrame, node: Any, parameter: Parameter, cursor: Any
) -> list[Expression]:
    """Return what is passed for a parameter: one expression a variable of C."""
    match parameter.way:
        case Passing.VALUE:
            made = as_type(node, parameter.type, cursor)
            return passed(frame, made, cursor, by_value=True)
        case Passing.ADDRESS:
            if not is_target(node):
                node = kept(frame, node, parameter.name, cursor)
            if node.type != parameter.type and isinstance(node.type, tree.Number):
                what = f"'{parameter.name}' is a reference to a number of another type"
                raise Refused(cursor, what, "pass a variable of its type")
            return passed(frame, node, cursor)
        case Passing.OBJECT:
            if not is_target(node):
                node = kept_object(frame, node, parameter.name, cursor)
            return passed(frame, node, cursor)
        case Passing.OBJECT_BY_VALUE:
            return passed(frame, node, cursor, by_value=True)
        case Passing.FUNCTION | Passing.LAMBDA:
            return []
        case Passing.ARRAY | Passing.STREAM:
            return passed(frame, node, cursor)


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


def stepped(frame: FunctionFrame, node: Any, wanted: str, cursor: Any) -> tree.ID:
    """Return a variable with the value of an expression that steps or assigns, done in front."""
    match node:
        case tree.UnaryOp(op="p++" | "p--", expr=target):
            held = kept(frame, target, wanted, cursor)
            frame.front.append(tree.UnaryOp(node.op[1:], target, node.type, node.place))
            return held
        case tree.UnaryOp(op="++" | "--", expr=target) | tree.Assignment(lvalue=target):
            frame.front.append(node)
            return kept(frame, target, wanted, cursor)
    return kept(frame, node, wanted, cursor)


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
