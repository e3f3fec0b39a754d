"""Functions of C for instances of functions, methods, constructors and lambdas."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from hlsmem.core.rewrites import Inlined
from hlsmem.read.c import tree
from hlsmem.read.c.clang import clang_types
from hlsmem.read.c.clang.call_cursors import called_name, function_name, is_to_constant
from hlsmem.read.c.clang.channels import Ends
from hlsmem.read.c.clang.lowered_types import text_in_c
from hlsmem.read.c.clang.lowering import NESTING, FunctionFrame, Refused
from hlsmem.read.c.clang.named_values import FunctionName
from hlsmem.read.c.clang.objects import (
    NoPart,
    Object,
    element_type,
    is_split,
    is_streams,
    variable,
    with_leaves,
)
from hlsmem.read.c.clang.opened_objects import assigned_members, is_opened
from hlsmem.read.c.clang.parameters import Parameter, Passing, each_parameter
from hlsmem.read.c.clang.parsed_sources import Source
from hlsmem.read.c.clang.streams import parameters_of_stream
from hlsmem.read.c.clang.types_in_c import is_wide
from hlsmem.read.c.clang.used_variables import names_in_extents, names_of
from hlsmem.read.c.refusal import Refusal
from hlsmem.read.c.tree import Expression, SourceRange, Through
from hlsmem.read.suffixes import is_cxx

_COMMENT = re.compile(rb"/\*.*?\*/|//[^\n]*", re.DOTALL)
_NO_ENDS: Mapping[int, Ends] = MappingProxyType({})


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
    pointed: frozenset[int] = frozenset(),
    ends: Mapping[int, Ends] = _NO_ENDS,
) -> tree.FuncDef:
    """Return the function in C of an instance, lowered where it is called first.

    `whole` are the positions of arguments that are arrays of structs, `pointed` those that are
    addresses of objects, `functions` those that are functions, `ends` those of channels.
    """
    lowering = frame.lowering
    own = receiver.type if receiver is not None else None
    key = (
        definition.get_usr(),
        definition.hash,
        own,
        isinstance(receiver, Object),
        tuple(sorted((name, text_in_c(one)) for name, one in environment.items())),
        whole,
        tuple(one.cursor.get_usr() for one in (functions or {}).values()),
        pointed,
        tuple(ends.items()),
    )
    if key in lowering.functions:
        return lowering.functions[key]
    if key in lowering.under_way or len(lowering.under_way) > NESTING:
        what = f"{Refusal.FUNCTION_CALL.value}: '{definition.spelling}' calls itself"
        of_cxx = (
            ", or end it with if constexpr" if is_cxx(lowering.source.main) else " in its place"
        )
        raise Refused(cursor, what, f"write a loop{of_cxx}")
    through = (Inlined(called_name(definition), frame.place(cursor)), *frame.through)
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
            pointed,
            ends,
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
    through: Through = (),
    receiver: Any = None,
    environment: Mapping[str, Expression] | None = None,
    captured: Sequence[tuple[Any, Any]] = (),
    whole: frozenset[int] = frozenset(),
    functions: Mapping[int, FunctionName] | None = None,
    pointed: frozenset[int] = frozenset(),
    ends: Mapping[int, Ends] = _NO_ENDS,
    *,
    is_top: bool = False,
    is_shared: bool = False,
) -> tree.FuncDef:
    """Return a function of C++ as one of C.

    The planned one keeps its structs, and its streams are arrays without counters. One that
    `is_shared`, which other files call, keeps parameters that it does not use.
    """
    from hlsmem.read.c.clang.lowered_statements import function_body

    _check_style(lowering.source, definition, body)
    frame = FunctionFrame(lowering=lowering, function=definition, through=through)
    frame.environment = environment or {}
    place = frame.place(definition)
    if not lowering.source.file_of(definition):
        place = replace(place, start=0, stop=0)
    declared = _Declared(frame, place, is_top)
    if receiver is not None:
        by_value = definition.kind.name != "CONSTRUCTOR" and definition.is_const_method()
        frame.receiver = declared.object("", receiver.type, by_value=by_value)
    frame.bound.update(functions or {})
    for position, one in enumerate(each_parameter(frame, definition)):
        if one.way is Passing.LAMBDA:  # its calls name the function themselves
            frame.bound[one.cursor.hash] = tree.ID(one.name, tree.Void(), place)
        elif one.way is not Passing.FUNCTION:
            declared.ends = iter(ends.get(position, ()))
            frame.bound[one.cursor.hash] = declared.argument(
                one, is_pointed=position in pointed, is_whole=position in whole
            )
    declared.place, declared.ends = place, iter(())
    for known, outer in captured:
        frame.bound[known.hash] = declared.captured(known.spelling, outer)
    frame.returns = frame.type_of(definition.result_type, definition)
    returns = _returned(frame, declared)
    if definition.kind.name == "CONSTRUCTOR":
        from hlsmem.read.c.clang.classes import constructor_statements

        declared.first += constructor_statements(frame, definition)
    block = function_body(frame, body, [*frame.front, *declared.first])
    if is_top:
        return tree.FuncDef(name, returns, tuple(declared.found), block, place, ())
    positions = _used_positions(declared.found, block, are_all=is_shared)
    lowering.used_parameters[name] = positions
    kept_ones = tuple(declared.found[k] for k in positions)
    is_seen = is_shared and definition.linkage.name == "EXTERNAL"
    return tree.FuncDef(name, returns, kept_ones, block, place, () if is_seen else ("static",))


def _check_style(source: Source, function: Any, body: Any) -> None:
    """Raise Refused for a function whose parameters have their types behind the parentheses.

    clang gives it a prototype that calls are not held to.
    """
    parameters = [one for one in function.get_children() if one.kind.name == "PARM_DECL"]
    file = source.file_of(function)
    if not parameters or not file:
        return
    end, start = parameters[-1].extent.end.offset, body.extent.start.offset
    if b";" in _COMMENT.sub(b"", source.encoded[file][end:start]):
        what = f"'{function.spelling}' declares its parameters behind the parentheses (K&R style)"
        raise Refused(function, what, "declare each inside of them, with its type")


def _returned(frame: FunctionFrame, declared: _Declared) -> tree.Type:
    """The type of what the function in C returns: an object goes to a parameter."""
    returns, definition = frame.returns, frame.function
    if clang_types.is_reference(definition.result_type):
        frame.returns = tree.Void()
        return frame.returns
    if isinstance(returns, tree.Struct) or is_wide(returns):
        if declared.is_top:
            what = f"'{definition.spelling}' returns an object"
            raise Refused(definition, what, "return it through a reference")
        frame.result = declared.object("result", returns, by_value=False)
        return tree.Void()
    return returns


def _used_positions(
    parameters: Sequence[tree.Decl], block: tree.Compound, *, are_all: bool
) -> list[int]:
    """The positions of parameters that a body uses, or extents of those that it uses."""
    used = names_of(block)
    for one in reversed(parameters):
        used |= names_in_extents(one.type) if one.name in used else set()
    return [k for k, one in enumerate(parameters) if are_all or one.name in used]


class _Declared:
    """The parameters of a function in C as they are found, and what its body declares first."""

    def __init__(self, frame: FunctionFrame, place: SourceRange, is_top: bool) -> None:
        self.frame, self.place, self.is_top = frame, place, is_top
        self.found: list[tree.Decl] = []
        self.first: list[tree.Statement] = []
        self.ends: Iterator[tree.ChannelEnd | None] = iter(())

    def argument(self, one: Parameter, *, is_pointed: bool, is_whole: bool) -> Any:
        """Declare a parameter of C++; raises Refused for one that has parts without a place."""
        try:
            return self.pointed(one) if is_pointed else self.parameter(one, is_whole=is_whole)
        except NoPart as error:
            raise Refused(one.cursor, error.what, error.remedy) from None

    def captured(self, name: str, outer: Any) -> Any:
        """Declare a parameter for a variable around a lambda."""
        if isinstance(outer, Object) or not is_split(outer.type):
            return self.object(name, outer.type, by_value=False)
        return self.struct(self.frame.new_name(name), outer.type, is_reference=True)

    def parameter(self, one: Parameter, *, is_whole: bool) -> Any:
        """Declare a parameter of C++; `is_whole` where it is an array of structs as such."""
        self.place = self.frame.place(one.cursor)
        here = self.frame.new_name(one.name)
        constant = is_to_constant(one.cursor)
        match one.way:
            case Passing.OBJECT | Passing.OBJECT_BY_VALUE if self.is_top and is_opened(one):
                self.frame.locals.discard(here)
                return self.opened(here, one)
            case Passing.OBJECT if self.is_top and is_streams(one.type):
                self.frame.locals.discard(here)
                self.frame.lowering.opened.add(one.name)
                return self.object(here, one.type, by_value=False)
            case Passing.OBJECT | Passing.OBJECT_BY_VALUE if self.is_top or is_whole:
                is_reference = one.way is Passing.OBJECT
                return self.struct(here, one.type, is_reference=is_reference, const=constant)
            case Passing.OBJECT | Passing.OBJECT_BY_VALUE:
                self.frame.locals.discard(here)
                by_value = one.way is Passing.OBJECT_BY_VALUE
                return self.object(here, one.type, by_value=by_value, const=constant)
            case way:
                is_value = way is Passing.VALUE
                return self.leaf(here, one.type, by_value=is_value, const=constant)

    def pointed(self, one: Parameter) -> Any:
        """Declare a parameter that is the address of an object, one a member."""
        assert isinstance(one.type, (tree.Pointer, tree.Array))
        self.place = self.frame.place(one.cursor)
        constant = is_to_constant(one.cursor)
        node = self.object(one.name, one.type.element, by_value=False, const=constant)
        return tree.UnaryOp("&", node, tree.Pointer(one.type.element), self.place)

    def object(self, name: str, kind: tree.Type, *, by_value: bool, const: bool = False) -> Any:
        """Declare a parameter for each member of an object."""

        def made(own: str, leaf: tree.Type) -> Any:
            own = self.frame.new_name(own.removeprefix("_"))
            return self.leaf(own, leaf, by_value=by_value, const=const)

        return with_leaves(kind, made, name)

    def opened(self, name: str, parameter: Parameter) -> Any:
        """Declare a parameter for each member of an object of the planned function.

        Numbers that nothing assigns are passed by value: they may be bounds of loops.
        """
        kind, frame = parameter.type, self.frame
        assert isinstance(kind, tree.Struct)
        frame.lowering.opened.add(parameter.name)
        assigned = assigned_members(frame.function)
        is_copy = parameter.way is Passing.OBJECT_BY_VALUE
        parts = []
        for one in kind.members:
            own = frame.new_name(f"{name}_{one.name}")
            by_value = is_copy or one.name not in assigned
            parts.append(self.leaf(own, one.type, by_value=by_value, const=False))
        return Object(kind, tuple(parts), self.place)

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
                return tree.ID(name, replace(kind, end=next(self.ends, None)), at)
            case tree.Array() | tree.Pointer():
                self.frame.lowering.kept_structs.add(element_type(kind.element))
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

    def struct(self, name: str, kind: tree.Type, *, is_reference: bool, const: bool = False) -> Any:
        """Declare a parameter that keeps its structs."""
        at = self.place
        self.frame.lowering.kept_structs.add(element_type(kind))
        if isinstance(kind, tree.Stream):
            return self.leaf(name, kind, by_value=False, const=False)
        if isinstance(kind, tree.Struct) and is_reference:
            made = tree.Decl(name, tree.Pointer(kind, restrict=True), at)
            self.found.append(made)
            return tree.UnaryOp("*", variable(made, at), kind, at)
        made = tree.Decl(name, kind, at, const=const)
        self.found.append(made)
        return variable(made, at)
