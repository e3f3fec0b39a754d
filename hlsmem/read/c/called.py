"""Text that stands in the place of a call: where it was written, and from where it was called."""

from __future__ import annotations

from typing import Any

from hlsmem.core.errors import Note
from hlsmem.read.c.source_map import CalledFrom, SourceMap


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
