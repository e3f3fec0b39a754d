"""Streams as arrays with counters: what is written n-th is element n, and is read n-th.

`s.write(x)` is `s[s_writes++] = x`, `s.read()` is `s[s_reads++]`. Functions that get a stream get
its counters, too. How many elements pass is found where the subscripts are known.
"""

from __future__ import annotations

from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c import tree
from hlsmem.read.c.clang import types
from hlsmem.read.c.clang.lowering import Frame, Refused
from hlsmem.read.c.clang.objects import address_of, variable
from hlsmem.read.c.tree import Expression, Place

_COUNTED = "write it with a read() or write() for each element"
_ASKED = "empty full size capacity read_nb write_nb peek try_read try_write".split()


@dataclass(frozen=True, slots=True)
class Counters:
    """The numbers of elements that a stream has given and got so far, as expressions."""

    reads: Expression
    writes: Expression


def declared_stream(frame: Frame, name: str, kind: tree.Stream, place: Place) -> list[tree.Statement]:
    """Return the declarations of a stream of a function's own."""
    array = tree.Decl(name, tree.Array(kind.element, None), place)
    made: list[tree.Statement] = [array]
    if kind.depth:
        made.append(tree.Pragma(f"HLS STREAM variable={name} depth={kind.depth}", place))
    counters = [_counter(frame, name, what, place) for what in ("reads", "writes")]
    frame.streams[name] = Counters(*(variable(one, place) for one in counters))
    return [*made, *counters]


def _counter(frame: Frame, stream: str, what: str, place: Place) -> tree.Decl:
    zero = tree.Constant("0", tree.INT, place)
    return tree.Decl(frame.new_name(f"{stream}_{what}"), tree.Counter(), place, zero)


def parameters_of_stream(
    frame: Frame, name: str, kind: tree.Type, place: Place, *, is_top: bool
) -> tuple[list[tree.Decl], list[tree.Statement]]:
    """Return the parameters for a stream, and what is declared in the body besides.

    In the function that is planned the counters are variables of its own.
    """
    assert isinstance(kind, tree.Stream)
    array = tree.Decl(name, tree.Array(kind.element, None, restrict=True), place)
    if is_top:
        counters = [_counter(frame, name, what, place) for what in ("reads", "writes")]
        frame.streams[name] = Counters(*(variable(one, place) for one in counters))
        return [array], list(counters)
    pointers = [
        tree.Decl(frame.new_name(f"{name}_{what}"), tree.Pointer(tree.Counter()), place)
        for what in ("reads", "writes")
    ]
    frame.streams[name] = Counters(
        *(tree.UnaryOp("*", variable(one, place), tree.Counter(), place) for one in pointers)
    )
    return [array, *pointers], []


def passed_stream(frame: Frame, node: Expression, cursor: Any) -> list[Expression]:
    """Return the arguments that pass a stream to a function."""
    counters = _counters(frame, node, cursor)
    place = frame.place(cursor)
    return [
        _array(node, place),
        address_of(counters.reads, place),
        address_of(counters.writes, place),
    ]


def _counters(frame: Frame, node: Expression, cursor: Any) -> Counters:
    known = frame.streams.get(node.name) if isinstance(node, tree.ID) else None
    if known is None:
        what = "a stream that is a member or an element is not read"
        raise Refused(cursor, what, "give each stream a name of its own")
    return known


def _array(node: Expression, place: Place) -> Expression:
    assert isinstance(node, tree.ID)
    assert isinstance(node.type, tree.Stream)
    return tree.ID(node.name, tree.Array(node.type.element, None), place)


def stream_method(frame: Frame, cursor: Any, known: Any) -> Expression:
    """Return a method of the class `fifo` on a stream."""
    from hlsmem.read.c.clang.calls import arguments_of
    from hlsmem.read.c.clang.expressions import converted, expression, receiver

    target, given = arguments_of(cursor, known)
    node = receiver(frame, cursor) if target is None else expression(frame, target)
    if not isinstance(node.type, tree.Stream):
        raise Refused(cursor, "this is no stream", "take a stream")
    place = frame.place(cursor)
    element = node.type.element
    name = known.spelling
    match name, given:
        case "read", []:
            return _element(frame, node, cursor, "reads")
        case "read", [out]:
            taken = _element(frame, node, cursor, "reads")
            into = expression(frame, out)
            return tree.Assignment("=", into, taken, into.type, place)
        case "write", [value]:
            made = converted(frame, value, element)
            given_to = _element(frame, node, cursor, "writes")
            return tree.Assignment("=", given_to, made, element, place)
    what = f"what '{name}' of a stream gives depends on when it is asked"
    if name not in _ASKED:
        what = f"'{name}' of a stream is not read"
    raise Refused(cursor, what, _COUNTED)


def _element(frame: Frame, node: Expression, cursor: Any, which: str) -> Expression:
    counters = _counters(frame, node, cursor)
    place = frame.place(cursor)
    assert isinstance(node.type, tree.Stream)
    counter = counters.reads if which == "reads" else counters.writes
    taken = tree.UnaryOp("p++", counter, tree.Counter(), place)
    return tree.ArrayRef(_array(node, place), taken, node.type.element, place)


__all__ = [
    "Counters",
    "declared_stream",
    "parameters_of_stream",
    "passed_stream",
    "stream_method",
    "types",
]
