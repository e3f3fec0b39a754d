"""Channels that split a stream into several in turn, or merge several into one.

A channel of N streams is one array: the whole stream is its elements in order, and element j of
the k-th stream is element `N * j + k`. Each end has counters of its own.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.clang import clang_types
from hlsmem.read.c.clang.copies import declared_object
from hlsmem.read.c.clang.lowering import FunctionFrame
from hlsmem.read.c.clang.objects import Node, Object, end_in, is_streams, leaves_of, with_leaves
from hlsmem.read.c.clang.streams import declared_end
from hlsmem.read.c.tree import SourceRange, Statement

Ends = tuple[tree.ChannelEnd | None, ...]
"""The ends of channels that the streams of an argument are, in their order."""


def declared_channel(frame: FunctionFrame, cursor: Any) -> list[Statement]:
    """Return the declarations of a channel: the array of its elements, and its counters."""
    is_split = clang_types.intrinsic_of(cursor.type) == "split"
    record = clang_types.referred(cursor.type).get_canonical()
    kind = frame.lowering.struct_of(record, cursor)
    (whole,) = (one for one in kind.members if not is_streams(one.type))
    (parts,) = (one for one in kind.members if is_streams(one.type))
    place, name = frame.place(cursor), cursor.spelling
    found, array = declared_object(
        frame, f"{name}_{whole.name}", _with_end(whole.type, 1, 0, not is_split), place
    )
    count = record.get_declaration().get_template_argument_value(1)
    each = []
    for k in range(count):
        end = _with_end(whole.type, count, k, is_split)
        made, node = _declared_end(frame, f"{name}_{parts.name}_{k}", end, array, place)
        found += made
        each.append(node)
    many = Object(parts.type, tuple(each), place)
    frame.bound[cursor.hash] = Object(
        kind, tuple(array if one is whole else many for one in kind.members), place
    )
    return found


def _with_end(kind: tree.Type, every: int, first: int, is_read: bool) -> tree.Stream:
    assert isinstance(kind, tree.Stream)
    return replace(kind, depth=0, end=tree.ChannelEnd(every, first, is_read))


def _declared_end(
    frame: FunctionFrame, name: str, kind: tree.Stream, array: Node, place: SourceRange
) -> tuple[list[Statement], Node]:
    """The counters of an end with the arrays of another one, one for each member."""
    arrays = iter([one.name for one in leaves_of(array) if isinstance(one, tree.ID)])
    found: list[Statement] = []

    def made(wanted: str, leaf: tree.Type) -> Node:
        own = frame.new_name(wanted)
        found.extend(declared_end(frame, own, next(arrays), place))
        return tree.ID(own, leaf, place)

    return found, with_leaves(kind, made, name)


def ends_of(node: Node) -> Ends:
    """Return the ends of channels that the streams of an argument are; nothing where none is."""
    if not isinstance(node, (Object, tree.ID)):
        return ()
    streams = (one for one in leaves_of(node) if isinstance(one.type, tree.Stream))
    ends = tuple(map(end_in, streams))
    return ends if any(ends) else ()


def without_ends(node: Node) -> Node:
    """Return an argument as a function takes it that knows of the ends."""
    if isinstance(node, Object):
        return replace(node, parts=tuple(map(without_ends, node.parts)))
    if isinstance(node.type, tree.Stream) and node.type.end is not None:
        return replace(node, type=replace(node.type, end=None))
    return node
