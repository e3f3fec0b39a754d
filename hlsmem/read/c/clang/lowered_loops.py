"""Loops of C++ as loops of C."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hlsmem.core.rewrites import Unrolled
from hlsmem.read.c import tree
from hlsmem.read.c.clang import clang_types
from hlsmem.read.c.clang.constants_in_c import constant
from hlsmem.read.c.clang.copies import copied, counted, declared_object
from hlsmem.read.c.clang.counters import counter_as_int, header_of
from hlsmem.read.c.clang.declarations import declarations_of, known_numbers
from hlsmem.read.c.clang.expressions import expression
from hlsmem.read.c.clang.for_headers import parts_of_for
from hlsmem.read.c.clang.lowered_statements import condition_of, effects, inner_statement
from hlsmem.read.c.clang.lowering import FunctionFrame, Refused
from hlsmem.read.c.clang.objects import element_of
from hlsmem.read.c.clang.reached_values import reached
from hlsmem.read.c.clang.single_counters import with_header
from hlsmem.read.c.clang.steady import changes_in, with_counter
from hlsmem.read.c.clang.stream_loops import polls_of, turns_of
from hlsmem.read.c.tree import Expression, SourceRange, Statement
from hlsmem.read.suffixes import is_cxx


def loop(frame: FunctionFrame, cursor: Any) -> list[Statement]:
    """Return the statements for a loop; raises Refused."""
    has_slices = is_cxx(frame.lowering.source.main)  # whose places these numbers are for
    for statement, numbers in reached(frame, cursor).items() if has_slices else ():
        frame.reached[statement] = {**frame.reached.get(statement, {}), **numbers}
    return _KINDS[cursor.kind.name](frame, cursor)


def _test(frame: FunctionFrame, condition: Any) -> Any:
    """The condition of a loop: an expression alone."""
    before = len(frame.front)
    test = condition_of(frame, condition)
    if len(frame.front) > before:
        raise Refused(condition, "a call in the condition of a loop is not read", "use a variable")
    return test


def _for(frame: FunctionFrame, cursor: Any) -> list[Statement]:
    init, condition, step, body = parts_of_for(frame.lowering.source, cursor)
    has_streams = is_cxx(frame.lowering.source.main)
    turns = turns_of(init, condition, step, body) if has_streams else None
    frame.polls |= polls_of(condition, step, body)
    if turns is not None:
        place = frame.place(cursor)
        return [_turn(frame, turns.counter, value, body, place) for value in turns.values]
    first: tuple[tree.Decl, ...] | None = None
    outer: list[Statement] = []
    place = frame.place(cursor)
    if init is not None and init.kind.name == "DECL_STMT":
        made = declarations_of(frame, init)
        declared = [one for one in made if isinstance(one, tree.Decl)]
        if len(declared) != len(made) or _have_types_apart(declared):
            outer, first = made, None
        else:
            first = tuple(declared)
    elif init is not None:
        outer = effects(frame, init)
    if isinstance(first, tuple) and init is not None:
        own = dict(zip((one.hash for one in init.get_children()), first, strict=True))
        header = header_of(cursor, own, condition, step, known_numbers(frame))
        counted_ones = tuple(counter_as_int(one, known, header) for known, one in own.items())
        frame.counters |= {
            one.name for one, old in zip(counted_ones, first, strict=True) if one is not old
        }
        first = counted_ones
    test = None if condition is None else _test(frame, condition)
    before = len(frame.front)
    steps: list[Statement] = [] if step is None else effects(frame, step)
    if len(frame.front) > before:
        raise Refused(step, "a call in the step of a loop is not read", "put it in the body")
    if isinstance(first, tuple) and init is not None:
        inside = changes_in(body)
        counters = [one for one in init.get_children() if one.hash not in inside]
        for one in counters:
            frame.steady = with_counter(frame.steady, frame.bound.get(one.hash))
    stmt = inner_statement(frame, body)
    loop = tree.For(None, test, None, stmt, place)
    return with_header(first if isinstance(first, tuple) else outer, steps, loop)


def _turn(
    frame: FunctionFrame, counter: Any, value: int, body: Any, place: SourceRange
) -> Statement:
    """A turn of a loop in which the counter has a value."""
    frame.bound[counter.hash] = constant(frame, value, frame.type_of(counter.type, counter), body)
    around = frame.through
    frame.through = (Unrolled(counter.spelling, value, place), *around)
    found = inner_statement(frame, body)
    frame.through = around
    return found


def _have_types_apart(declared: Sequence[tree.Decl]) -> bool:
    return len({one.type for one in declared}) > 1


def _range_for(frame: FunctionFrame, cursor: Any) -> list[Statement]:
    """A loop over the elements of an array."""
    below = list(cursor.get_children())
    own = next(one for one in below if one.kind.name == "VAR_DECL")
    body = below[-1]
    over = next(one for one in below if one.kind.is_expression())
    array = expression(frame, over)
    place = frame.place(cursor)
    if not isinstance(array.type, tree.Array) or array.type.extent is None:
        raise Refused(over, "a loop over what is no array is not read", "count with int")

    def element(counter: Expression) -> list[Statement]:
        node = element_of(array, counter, place)
        inside: list[Statement] = []
        if clang_types.is_reference(own.type):
            frame.bound[own.hash] = node
        else:
            made, kept_node = declared_object(frame, own.spelling, node.type, place)
            inside += [*made, *copied(frame, kept_node, node, own)]
            frame.bound[own.hash] = kept_node
        inner = inner_statement(frame, body)
        return [*inside, *(inner.block_items if isinstance(inner, tree.Compound) else (inner,))]

    return [counted(frame, array.type.extent, element, place)]


def _while(frame: FunctionFrame, cursor: Any) -> list[Statement]:
    condition, body = list(cursor.get_children())[-2:]
    frame.polls |= polls_of(condition, None, body)
    test = _test(frame, condition)
    return [tree.While(test, inner_statement(frame, body), frame.place(cursor))]


def _do(frame: FunctionFrame, cursor: Any) -> list[Statement]:
    body, condition = cursor.get_children()
    inner = inner_statement(frame, body)
    test = _test(frame, condition)
    return [tree.DoWhile(test, inner, frame.place(cursor))]


_KINDS: Mapping[str, Callable[[FunctionFrame, Any], list[Statement]]] = {
    "FOR_STMT": _for,
    "CXX_FOR_RANGE_STMT": _range_for,
    "WHILE_STMT": _while,
    "DO_STMT": _do,
}
