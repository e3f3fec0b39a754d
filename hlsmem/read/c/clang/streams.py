"""Streams as arrays with counters: what is written n-th is element n, and is read n-th.

`s.write(x)` is `s[s_writes++] = x`, `s.read()` is `s[s_reads++]`. Functions that get a stream get
its counters, too. How many elements pass is found where the subscripts are known. `s.close()` is
`s_close = s_writes`, which those who ask for the end compare `s_reads` with.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c import tree
from hlsmem.read.c.clang.call_cursors import arguments_of
from hlsmem.read.c.clang.lowering import FunctionFrame, Refused
from hlsmem.read.c.clang.objects import (
    NoPart,
    Object,
    address_of,
    leaves_of,
    variable,
    with_leaves,
)
from hlsmem.read.c.clang.types_in_c import is_wide
from hlsmem.read.c.clang.used_variables import names_in
from hlsmem.read.c.tree import Expression, SourceRange

_COUNTED = "write it with a read() or write() for each element"
_POLLED = (
    "whether the end of a stream is there depends on when it is asked",
    "ask in a loop of which this `if` is all",
)
_ENDS = ("close", "goes_on", "waits_for_end")
_NEVER = "not closed"
_OPEN = str(tree.INT.greatest)
_COUNTERS = ("reads", "writes", "close")
_ASKED = [
    "empty",
    "full",
    "size",
    "capacity",
    "read_nb",
    "write_nb",
    "peek",
    "try_read",
    "try_write",
]


@dataclass(frozen=True, slots=True)
class Counters:
    """The numbers of elements that a stream has given and got so far, and the array of them.

    `close` is how many it had got when it was closed, and the greatest int before; that of a
    parameter of the planned function is not known.
    """

    reads: Expression
    writes: Expression
    close: Expression
    array: str


def declared_stream(
    frame: FunctionFrame, name: str, kind: tree.Stream, place: SourceRange
) -> list[tree.Statement]:
    """Return the declarations of a stream of a function's own."""
    array = tree.Decl(name, tree.Array(kind.element, None), place)
    made: list[tree.Statement] = [array]
    if kind.end is not None or isinstance(kind.element, tree.Array):
        # Each stream of a channel has a depth of its own, that of blocks counts blocks.
        made.append(tree.Pragma(f"HLS STREAM variable={name} off", place))
    elif kind.depth:
        made.append(tree.Pragma(f"HLS STREAM variable={name} depth={kind.depth}", place))
    return [*made, *declared_end(frame, name, name, place, closes=True)]


def declared_end(
    frame: FunctionFrame, name: str, array: str, place: SourceRange, *, closes: bool = False
) -> list[tree.Statement]:
    """Return the declarations of the counters of a stream whose elements are in an array."""
    counters = [_counter(frame, name, what, place) for what in _COUNTERS[: 2 + closes]]
    reads, writes, *close = (variable(one, place) for one in counters)
    never = tree.ID(_NEVER, tree.Counter(), place)
    frame.streams[name] = Counters(reads, writes, close[0] if close else never, array)
    return [*counters]


def _counter(frame: FunctionFrame, stream: str, what: str, place: SourceRange) -> tree.Decl:
    first = tree.Constant(_OPEN if what == "close" else "0", tree.INT, place)
    return tree.Decl(frame.new_name(f"{stream}_{what}"), tree.Counter(), place, first)


def parameters_of_stream(
    frame: FunctionFrame, name: str, kind: tree.Type, place: SourceRange, *, is_top: bool
) -> tuple[list[tree.Decl], list[tree.Statement]]:
    """Return the parameters for a stream, and what is declared in the body besides.

    In the function that is planned the counters are variables of its own.
    """
    assert isinstance(kind, tree.Stream)
    array = tree.Decl(name, tree.Array(kind.element, None, restrict=True), place)
    if is_top:
        return [array], declared_end(frame, name, name, place)
    pointers = [
        tree.Decl(frame.new_name(f"{name}_{what}"), tree.Pointer(tree.Counter()), place)
        for what in _COUNTERS
    ]
    reads, writes, close = (
        tree.UnaryOp("*", variable(one, place), tree.Counter(), place) for one in pointers
    )
    frame.streams[name] = Counters(reads, writes, close, name)
    return [array, *pointers], []


def passed_stream(frame: FunctionFrame, node: Expression, cursor: Any) -> list[Expression]:
    """Return the arguments that pass a stream to a function."""
    counters = _counters(frame, node, cursor)
    place = frame.place(cursor)
    if isinstance(node.type, tree.Stream) and node.type.end is not None:
        what = "an end of a channel that splits or merges streams is not read here"
        raise Refused(cursor, what, "pass it to a function")
    return [
        _array(node, counters, place),
        address_of(counters.reads, place),
        address_of(counters.writes, place),
        address_of(counters.close, place),
    ]


def _counters(frame: FunctionFrame, node: Expression, cursor: Any) -> Counters:
    known: Counters | None = frame.streams.get(node.name) if isinstance(node, tree.ID) else None
    if known is None:
        what = "an element of an array of streams is not read"
        raise Refused(cursor, what, "give each stream a name of its own")
    return known


def _array(node: Expression, counters: Counters, place: SourceRange) -> Expression:
    assert isinstance(node.type, tree.Stream)
    return tree.ID(counters.array, tree.Array(node.type.element, None), place)


def refuse_without_end(used: Iterable[Expression]) -> None:
    """Raise NoPart where the end of a stream of the planned function's own is used."""
    if any(_NEVER in names_in(one) for one in used):
        raise NoPart("the end of a stream that the planned function gets is not known", _COUNTED)


def stream_method(frame: FunctionFrame, cursor: Any, known: Any) -> Any:
    """Return a method of the class `fifo` on a stream."""
    from hlsmem.read.c.clang.expressions import converted, expression
    from hlsmem.read.c.clang.named_values import receiver

    target, given = arguments_of(cursor, known)
    node = receiver(frame, cursor) if target is None else expression(frame, target)
    if not isinstance(node.type, tree.Stream):
        raise Refused(cursor, "this is no stream", "take a stream")
    place = frame.place(cursor)
    element = node.type.element
    name = known.spelling
    if name in _ENDS:
        return _of_end(frame, cursor, node, name, given)
    if (isinstance(element, tree.Struct) or is_wide(element)) and name in ("read", "write"):
        return _object_passes(frame, cursor, node, element, name, given)
    match name, given:
        case "get" | "put", []:
            return _block(frame, node, cursor, "reads" if name == "get" else "writes")
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


def _of_end(frame: FunctionFrame, cursor: Any, node: Any, name: str, given: Sequence[Any]) -> Any:
    """The end of a stream: `close` keeps where it is, others ask whether it comes next."""
    from hlsmem.read.c.clang.expressions import expression

    place = frame.place(cursor)
    counters = _counters(frame, next(iter(leaves_of(node))), cursor)  # members pass together
    refuse_without_end([counters.close])
    if name == "close":
        frame.front.append(_closed(counters, place))
        return tree.ID("nothing", tree.Void(), place)
    is_before = tree.BinaryOp("<", counters.reads, counters.close, tree.INT, place)
    if name == "goes_on":
        return is_before
    if not frame.waits:
        raise Refused(cursor, *_POLLED)
    into = expression(frame, given[0])
    comes = tree.UnaryOp("!", is_before, tree.INT, place)
    frame.front.append(tree.Assignment("=", into, comes, into.type, place))
    return tree.Constant("1", tree.INT, place)


def _closed(counters: Counters, place: SourceRange) -> tree.Assignment:
    """The assignment of where a stream ends; the first of several counts."""
    greatest = tree.Constant(_OPEN, tree.INT, place)
    is_open = tree.BinaryOp(">=", counters.close, greatest, tree.INT, place)
    kind = tree.Counter()
    end = tree.TernaryOp(is_open, counters.writes, counters.close, kind, place)
    return tree.Assignment("=", counters.close, end, kind, place)


def _block(frame: FunctionFrame, node: Any, cursor: Any, which: str) -> Any:
    """The block that is read or written next: a variable has its number from now on."""
    place = frame.place(cursor)
    parts = []
    for one in leaves_of(node):
        element = _element(frame, one, cursor, which)
        assert isinstance(element, tree.ArrayRef)
        number = tree.Decl(frame.new_name("block"), tree.INT, place, element.subscript)
        frame.front.append(number)
        parts.append(replace(element, subscript=variable(number, place)))
    blocks = iter(parts)
    return with_leaves(node.type.element, lambda _name, _kind: next(blocks), "")


def _object_passes(
    frame: FunctionFrame, cursor: Any, node: Any, struct: tree.Type, name: str, given: Sequence[Any]
) -> Any:
    """A read or write of a stream of objects: one of each member's stream."""
    from hlsmem.read.c.clang.copies import copied, kept_object
    from hlsmem.read.c.clang.expressions import converted, expression

    place = frame.place(cursor)
    which = "reads" if name == "read" else "writes"
    after: list[tree.Statement] = []
    if isinstance(node, Object) or is_wide(struct):
        parts = iter([_element(frame, one, cursor, which, after) for one in leaves_of(node)])
        passing = with_leaves(struct, lambda _name, _kind: next(parts), "")
    else:  # a parameter of the planned function has one counter for all members
        counters = _counters(frame, node, cursor)
        counter = counters.reads if name == "read" else counters.writes
        passing = tree.ArrayRef(_array(node, counters, place), counter, struct, place)
        after += [tree.UnaryOp("p++", counter, tree.Counter(), place)]
    if name == "write":
        source = converted(frame, given[0], struct)
        frame.front += [*copied(frame, passing, source, cursor), *after]
        return tree.ID("nothing", tree.Void(), place)
    if given:
        into = expression(frame, given[0])
        frame.front += [*copied(frame, into, passing, cursor), *after]
        return into
    if not after:
        return passing
    kept = kept_object(frame, passing, "element", cursor)
    frame.front += after
    return kept


def _element(
    frame: FunctionFrame,
    node: Expression,
    cursor: Any,
    which: str,
    after: list[tree.Statement] | None = None,
) -> Expression:
    """The element that is read or written next; one that is an array is counted `after` it."""
    counters = _counters(frame, node, cursor)
    place = frame.place(cursor)
    assert isinstance(node.type, tree.Stream)
    counter = counters.reads if which == "reads" else counters.writes
    step = tree.UnaryOp("p++", counter, tree.Counter(), place)
    array, element, end = _array(node, counters, place), node.type.element, node.type.end
    if end is not None and end.is_read != (which == "reads"):
        what = f"this end of a channel is {'read' if end.is_read else 'written'} alone"
        raise Refused(cursor, what, "take the stream at its other end")
    is_large = isinstance(element, tree.Array) or is_wide(element)
    if is_large and after is not None:
        after.append(step)
        return tree.ArrayRef(array, _place_in(end, counter, place), element, place)
    return tree.ArrayRef(array, _place_in(end, step, place), element, place)


def _place_in(end: tree.ChannelEnd | None, counted: Expression, place: SourceRange) -> Expression:
    """The subscript of an element of a stream; the ends of a channel share its array."""
    if end is None or end.every == 1:
        return counted
    every, first = (
        tree.Constant(str(number), tree.INT, place) for number in (end.every, end.first)
    )
    product = tree.BinaryOp("*", every, counted, tree.Counter(), place)
    return tree.BinaryOp("+", product, first, tree.Counter(), place)
