"""Text that a rewrite brings to where it runs: copies of it whose places name the rewrite.

The rewrites of a place end in those of what stands around it: one that is added stands in front of
these. A place that several nodes have stays one, as a block is known by it to stand for a call.
"""

from __future__ import annotations

from typing import Any

from hlsmem.core.rewrites import Inlined, Moved, Rewrite, Unrolled
from hlsmem.read.c.tree import SourceRange, Through, with_through
from hlsmem.read.c.trees import placed


def inlined(node: Any, function: Any, call: Any) -> Any:
    """Return a copy of a function's text in the place of a call.

    A function of our headers has no text of the user's: what it does stands where the call does.
    """
    own, at = function.place, call.place
    if own is None or at is None:
        return node
    led = own.through[:1] if own.stop else ()
    said = next((one.function for one in led if isinstance(one, Inlined)), function.name)
    return _led(node, own, Inlined(said, at, function.name), at, is_of_user=own.stop > 0)


def unrolled(node: Any, loop: Any, variable: str, value: int) -> Any:
    """Return a copy of the body of a loop for one value of its variable."""
    at = loop.place
    return node if at is None else _led(node, at, Unrolled(variable, value, at), at)


def moved(node: Any, past: Any) -> Any:
    """Return a copy of what runs beside another statement than it was written in."""
    at = past.place
    return node if at is None else _led(node, at, Moved(at), at)


def _led(
    node: Any,
    around: SourceRange,
    by: Rewrite[SourceRange],
    at: SourceRange,
    *,
    is_of_user: bool = True,
) -> Any:
    """A copy of a text that stood inside of `around`; `at` is where it is brought to."""
    depth = len(around.through)
    behind = (by, *at.through)
    chains: dict[int, Through] = {}
    places: dict[int, SourceRange] = {}

    def chain(old: Through) -> Through:
        inner = len(old) - depth
        if inner < 0 or any(a is not b for a, b in zip(old[inner:], around.through, strict=True)):
            return old  # of other text, which was put in
        return (*old[:inner], *behind)

    def place(old: SourceRange | None) -> SourceRange | None:
        if old is None:
            return None
        found = places.get(id(old))
        if found is None:
            through = chains.get(id(old.through))
            if through is None:
                through = chains[id(old.through)] = chain(old.through)
            stands_at = old if is_of_user or len(through) > len(behind) else at
            found = places[id(old)] = with_through(stands_at, through)
        return found

    return placed(node, place)
