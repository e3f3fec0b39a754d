"""Declarations of variables, objects, references and lambdas of C++ as those of C."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.clang import clang_types, exact_numbers
from hlsmem.read.c.clang.captures import copied_by
from hlsmem.read.c.clang.channels import declared_channel
from hlsmem.read.c.clang.classes import constructor_of, values_into
from hlsmem.read.c.clang.constants_in_c import constant
from hlsmem.read.c.clang.copies import declared_object, kept_object
from hlsmem.read.c.clang.counters import as_int, counts_loops_alone, number_of
from hlsmem.read.c.clang.declared import array_type, initial_value, is_constant
from hlsmem.read.c.clang.expressions import as_type, converted, expression
from hlsmem.read.c.clang.initial_lists import initial_list
from hlsmem.read.c.clang.lowering import FunctionFrame, Refused
from hlsmem.read.c.clang.named_values import number_of_constant
from hlsmem.read.c.clang.objects import NoPart, Object, has_effect, is_split, is_streams, is_target
from hlsmem.read.c.clang.parameters import kept
from hlsmem.read.c.clang.settled import changes_of
from hlsmem.read.c.clang.steady import with_value, without
from hlsmem.read.c.clang.streams import declared_stream
from hlsmem.read.c.clang.types_in_c import is_wide, literal_number
from hlsmem.read.c.clang.used_variables import names_in
from hlsmem.read.c.tree import Expression, Statement

_IGNORED = (
    "STATIC_ASSERT", "TYPEDEF_DECL", "TYPE_ALIAS_DECL", "USING_DECLARATION", "USING_DIRECTIVE",
    "STRUCT_DECL", "CLASS_DECL", "ENUM_DECL", "NAMESPACE_ALIAS", "TYPE_ALIAS_TEMPLATE_DECL",
)  # fmt: skip


def declarations_of(frame: FunctionFrame, cursor: Any) -> list[Statement]:
    """Return the declarations of a statement, with what has to run in front of each."""
    found: list[Statement] = []
    for one in cursor.get_children():
        if one.kind.name in _IGNORED or one.kind.is_reference():
            continue
        if one.kind.name != "VAR_DECL":
            raise Refused(one, f"the declaration of '{one.spelling}' is not read", "leave it out")
        before = len(frame.front)
        try:
            made = declaration(frame, one)
        except (Refused, NoPart):
            frame.lowering.unread.add(one.hash)
            raise
        found += [*frame.front[before:], *made]
        del frame.front[before:]
    return found


def declaration(frame: FunctionFrame, cursor: Any) -> list[Statement]:
    """Return the declaration of a variable, and what its constructor does."""
    first = initial_value(cursor)
    place = frame.place(cursor)
    if clang_types.is_lambda(cursor.type):
        return _lambda(frame, cursor, first)
    if clang_types.is_reference(cursor.type):
        return _reference(frame, cursor, first)
    if clang_types.intrinsic_of(cursor.type) in clang_types.CHANNELS:
        return declared_channel(frame, cursor)
    kind = array_type(frame, cursor)
    is_kept = cursor.storage_class.name == "STATIC" and not (
        isinstance(kind, tree.Stream) or is_streams(kind)
    )
    storage = ("static",) if is_kept else ()
    if is_split(kind):
        return _object(frame, cursor, kind, first, storage)
    name = _own_name(frame, cursor)
    is_open = first is None or _is_empty_call(first)
    is_counter = is_open and counts_loops_alone(frame.function, cursor, kind, known_numbers(frame))
    frame.bound[cursor.hash] = tree.ID(name, kind, place)
    frame.steady = without(frame.steady, name)
    own = number_of_constant(frame, cursor, kind)
    if own is not None:  # no variable in C
        value = constant(frame, own, kind, cursor)
        frame.steady = with_value(frame.steady, name, kind, value, own)
        return []
    if isinstance(kind, tree.Stream):
        return declared_stream(frame, name, replace(kind, depth=_depth(kind, first)), place)
    const = is_constant(cursor)
    initial: Expression | None = None
    if first is not None and isinstance(kind, tree.Array):
        if first.kind.name == "INIT_LIST_EXPR":
            initial = initial_list(frame, first, kind)
        elif constructor_of(first) is None and first.kind.name != "CALL_EXPR":
            raise Refused(cursor, "this first value of an array is not read", "list the values")
    elif first is not None and first.kind.name == "INIT_LIST_EXPR":
        initial = initial_list(frame, first, kind)
    elif first is not None:
        initial = _initial(frame, first, kind)
        if not changes_of(frame, cursor.hash):
            number = number_of(first, known_numbers(frame))
            frame.steady = with_value(frame.steady, name, kind, initial, number)
    if initial is not None and is_wide(kind) and not isinstance(initial, tree.InitList):
        target = tree.ID(name, kind, place)
        copy = exact_numbers.word_assignments(target, exact_numbers.value_of(initial), place)
        return [tree.Decl(name, kind, place), *copy]
    if is_counter:
        frame.counters.add(name)
        return [as_int(tree.Decl(name, kind, place))]
    return [tree.Decl(name, kind, place, initial, storage, const)]


def _is_empty_call(first: Any) -> bool:
    """True for a constructor that gets nothing: that of a number leaves it open."""
    known = first.referenced if first.kind.name == "CALL_EXPR" else None
    return (
        known is not None and known.kind.name == "CONSTRUCTOR" and not list(first.get_arguments())
    )


def known_numbers(frame: FunctionFrame) -> dict[int, int]:
    """Return the variables that keep one number where the statement stands, by their hashes."""
    found = {
        known: literal_number(frame.steady[node.name])
        for known, node in frame.bound.items()
        if isinstance(node, tree.ID) and node.name in frame.steady
    }
    return {known: number for known, number in found.items() if number is not None}


def _depth(kind: tree.Stream, first: Any) -> int:
    """The depth of a stream by its type, or by the number that its constructor gets."""
    call = None if first is None else constructor_of(first)
    given = [] if call is None else list(call.get_arguments())
    found = clang_types.value_of(given[0]) if len(given) == 1 else None
    return found if isinstance(found, int) else kind.depth


def _object(
    frame: FunctionFrame, cursor: Any, kind: tree.Type, first: Any, storage: tuple[str, ...]
) -> list[Statement]:
    """An object, or an array or stream of such, with what its constructor does."""
    place = frame.place(cursor)
    if first is not None and clang_types.is_view(cursor.type):
        frame.bound[cursor.hash] = expression(frame, first)
        return []
    is_list = first is not None and first.kind.name == "INIT_LIST_EXPR"
    if is_list and (storage or isinstance(kind, tree.Array)):
        initial = initial_list(frame, first, kind)
        made, node = declared_object(
            frame, cursor.spelling, kind, place, initial, storage, const=is_constant(cursor)
        )
        frame.bound[cursor.hash] = node
        return made
    made, node = declared_object(frame, cursor.spelling, kind, place, None, storage)
    frame.bound[cursor.hash] = node
    if first is None or isinstance(kind, tree.Stream) or is_streams(kind):
        return made
    values = values_into(frame, node, kind, first)
    if storage and values:
        what = f"the static '{cursor.spelling}' begins with values that statements compute"
        raise Refused(cursor, what, "give it a list of numbers")
    return merged([*made, *values])


def merged(found: Sequence[Statement]) -> list[Statement]:
    """Return statements where what declared variables are assigned first is their first value."""
    open_ones: dict[str, tree.Decl] = {}
    made: list[Statement] = []
    for one in found:
        match one:
            case tree.Decl(init=None) if not isinstance(one.type, tree.Array):
                open_ones[one.name] = one
            case tree.Assignment("=", tree.ID(name), value) if (
                name in open_ones and name not in names_in(value)
            ):
                own = open_ones.pop(name)
                made.append(tree.Decl(own.name, own.type, own.place, value, own.storage))
            case _:
                made += [open_ones.pop(name) for name in [*open_ones] if mentioned(one, name)]
                made.append(one)
    return [*made, *open_ones.values()]


def mentioned(node: Statement, name: str) -> bool:
    """Return True where a statement may name a variable: one that is no assignment or call does."""
    match node:
        case tree.Assignment() | tree.FuncCall():
            return name in names_in(node)
        case tree.Decl(init=init):
            return init is not None and name in names_in(init)
        case _:
            return True


def _own_name(frame: FunctionFrame, cursor: Any) -> str:
    """The name of a variable in C: that of the user, unless a parameter or function has it."""
    name = str(cursor.spelling)
    if name in frame.lowering.taken or name in frame.lowering.reserved:
        return frame.new_name(name)
    frame.locals.add(name)
    return name


def _initial(frame: FunctionFrame, first: Any, kind: tree.Type) -> Any:
    if _is_empty_call(first):
        return None
    return converted(frame, first, kind)


def _lambda(frame: FunctionFrame, cursor: Any, first: Any) -> list[Statement]:
    """A lambda is no object: its calls are functions. What it copies is copied here."""
    frame.bound[cursor.hash] = tree.ID(cursor.spelling, tree.Void(), frame.place(cursor))
    own = first
    while own is not None and own.kind.name != "LAMBDA_EXPR":
        own = next(iter(own.get_children()), None)
    if own is None:
        raise Refused(cursor, "a lambda that is chosen is not read", "write a function")
    copies: dict[int, Any] = {}
    before, frame.front = frame.front, []
    for known, node in copied_by(frame, own):
        copies[known.hash] = (
            kept_object(frame, node, known.spelling, own)
            if isinstance(node, Object) or isinstance(node.type, tree.Array)
            else kept(frame, node, known.spelling, own)
        )
    made, frame.front = frame.front, before
    frame.lowering.copies[cursor.type.get_canonical().get_declaration().hash] = copies
    return made


def _reference(frame: FunctionFrame, cursor: Any, first: Any) -> list[Statement]:
    """A reference is what it refers to; one to a value is a variable."""
    if first is None:
        raise Refused(cursor, f"'{cursor.spelling}' refers to nothing", "give it a value")
    node = expression(frame, first)
    if not is_target(node):
        kind = frame.type_of(cursor.type, cursor)
        if isinstance(kind, (tree.Number, tree.Float)):
            node = as_type(node, kind, first)
        if isinstance(node, Object):
            node = kept_object(frame, node, cursor.spelling, cursor)
        else:
            node = kept(frame, node, cursor.spelling, cursor)
    elif has_effect(node):
        what = f"'{cursor.spelling}' refers to an element that an effect chooses"
        raise Refused(cursor, what, "compute the index in front")
    frame.bound[cursor.hash] = node
    return []
