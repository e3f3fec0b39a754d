"""From a node of the syntax tree back to the stretch of source the user wrote."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from hlsmem.core.rewrites import Inlined, rewritten_at
from hlsmem.core.source_location import SourceLocation
from hlsmem.program.model import SourceFile
from hlsmem.read.c import tree
from hlsmem.read.c.tree import SourceRange, with_through

# Of these the place is what stands in front of the statements inside.
_HEADERS = (
    tree.For,
    tree.While,
    tree.DoWhile,
    tree.If,
    tree.Switch,
    tree.Label,
    tree.Compound,
    tree.Pragma,
)


class SourceMap:
    """Places and texts of syntax nodes in the user's files."""

    def __init__(self, files: Iterable[SourceFile]) -> None:
        self._lines = {file.name: file.text.split("\n") for file in files}

    def place(self, node: Any) -> SourceLocation | None:
        """The stretch from the first to the last character of the node, cut at the line's end."""
        found = _range(node)
        return None if found is None else self._location(found)

    def statement_place(self, node: Any, guard: Any) -> SourceLocation | None:
        """The place of a statement: that of its guard where it has one, the text its own."""
        own = self.place(node)
        found = own if guard is None else self.place(guard)
        if own is None or found is None or own.file != found.file:
            return found
        return replace(found, start=own.start, stop=own.stop, through=own.through)

    def name_place(self, node: Any) -> SourceLocation | None:
        """The first word of the node alone, e.g. the name of a declaration."""
        found = _own(node)
        if found is None:
            return None
        line = self._line(found) or ""
        word = re.match(r"\w+", line[found.column - 1 :])
        return self._location(replace(found, length=word.end() if word else 1))

    def text(self, node: Any) -> str:
        """The node as the user wrote it, on one line; ".." stands for further lines."""
        found = _range(node)
        line = None if found is None else self._line(found)
        if found is None or line is None:
            return "this"
        text = line[found.column - 1 : found.column - 1 + found.length]
        return f"{text.rstrip()} .." if found.is_cut else text

    def _line(self, place: SourceRange) -> str | None:
        lines = self._lines.get(place.file, [])
        return lines[place.line - 1] if 0 < place.line <= len(lines) else None

    def _location(self, place: SourceRange) -> SourceLocation:
        return SourceLocation(
            file=place.file,
            line=place.line,
            column=place.column,
            length=place.length,
            text=self._line(place),
            through=tuple(
                rewritten_at(one, self._location(replace(one.at, through=())))
                for one in place.through
                if not (isinstance(one, Inlined) and _is_of_ours(place, one))
            ),
            start=place.start,
            stop=place.stop,
        )


def _is_of_ours(place: SourceRange, call: Inlined[SourceRange]) -> bool:
    """True for the call of a function of our headers, at whose place its text stands."""
    return call.at == with_through(place, call.at.through)


def _own(node: Any) -> SourceRange | None:
    found: SourceRange | None = getattr(node, "place", None)
    return found


def _range(node: Any) -> SourceRange | None:
    """The place of a node, widened to its operands on the same line: rewrites join some."""
    own = _own(node)
    if own is not None and isinstance(node, _HEADERS):
        return own
    parts = [node.init] if isinstance(node, tree.Decl) else list(node)
    for one in parts:
        found = None if one is None else _range(one)
        if found is None:
            continue
        if own is None:
            own = found
        elif (found.file, found.line, found.through) == (own.file, own.line, own.through):
            start = min(own.column, found.column)
            stop = max(own.column + own.length, found.column + found.length)
            is_cut = own.is_cut or found.is_cut
            own = replace(own, column=start, length=stop - start, is_cut=is_cut)
            if getattr(node, "place", None) is None:
                first, end = min(own.start, found.start), max(own.stop, found.stop)
                own = replace(own, start=first, stop=end)
    return own
