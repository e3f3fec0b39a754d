"""Text that stands in the place of a call: where it was written, and from where it was called."""

from __future__ import annotations

from typing import Any

from hlsmem.core.errors import Note
from hlsmem.read.c.source_map import CalledFrom, SourceMap
from hlsmem.read.c.trees import nodes_of


def called_from(node: Any, source: SourceMap) -> tuple[Note, ...]:
    """The calls through which the text of a node came to where it is, innermost first.

    None where its place has them already.
    """
    place = source.place(node)
    if place is not None and place.called:
        return ()
    notes = []
    coord = getattr(node, "coord", None)
    while isinstance(coord, CalledFrom):
        notes.append(Note("called from here", source.place(coord.call)))
        coord = coord.call.coord
    return tuple(notes)


def is_within(node: Any, function: Any) -> bool:
    """True if the text of a node is that of a function, or came through a call of it."""
    inside = {id(part.coord) for part in nodes_of(function.body) if part.coord is not None}
    coord = getattr(node, "coord", None)
    if id(coord) in inside:
        return True
    name = function.name
    while isinstance(coord, CalledFrom):
        if coord.call.name == name:
            return True
        coord = coord.call.coord
    return False
