"""Text that stands in the place of a call: where it was written, and from where it was called."""

from __future__ import annotations

from typing import Any

from hlsmem.core.errors import Note
from hlsmem.read.c.source_map import CalledFrom, SourceMap


def called_from(node: Any, source: SourceMap) -> tuple[Note, ...]:
    """The calls through which the text of a node came to where it is, innermost first.

    None where its place has them already.
    """
    found = source.place(node)
    if found is not None and found.called:
        return ()
    notes = []
    place = getattr(node, "place", None)
    while isinstance(place, CalledFrom):
        notes.append(Note("called from here", source.place(place.call)))
        place = place.call.place
    return tuple(notes)
