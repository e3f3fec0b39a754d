"""Depths of streams: the number in a pragma or a type, or a new pragma behind the declaration."""

from __future__ import annotations

import re
from collections.abc import Mapping

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.source_location import SourceLocation
from hlsmem.read.c.dialect import Dialect
from hlsmem.source_edits.edits import Edit, indent_at, line_end, line_start
from hlsmem.source_edits.user_arrays import Kept, UserFile


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamDepth:
    """A stream whose text names `words`, the depth that its runs need."""

    file: UserFile
    edits: tuple[Edit, ...]
    words: int
    why: str = ""

    @property
    def form(self) -> str:
        return "fifo"


def with_depth(
    place: SourceLocation | None,
    words: int,
    *,
    asked: bool,
    files: Mapping[str, UserFile],
    dialect: Dialect,
) -> StreamDepth | Kept:
    """The edit that gives the stream at a place so many words: its number where that was `asked`
    for, else a pragma of the dialect behind its declaration."""
    file = None if place is None else files.get(place.file)
    if file is None or place is None:
        return Kept(f"it needs {words} words, and is not in the user's text", place)
    edit = _number(file, place, words) if asked else _pragma(file, place, words, dialect)
    if edit is None:
        return Kept(
            f"it needs {words} words; its text has no number that an edit can follow", place
        )
    return StreamDepth(file=file, edits=(edit,), words=words)


def _number(file: UserFile, place: SourceLocation, words: int) -> Edit | None:
    """The depth in a pragma at a place, or the last argument of the type in front of it."""
    if not place.stop:
        start = line_start(file.text, place.line)
        end = file.text.find("\n", start)
        line = file.text[start : end if end >= 0 else None]
        found = re.search(r"(?i)\bdepth\s*=\s*(\w+)", line)
        return (
            None
            if found is None
            else Edit(start + found.start(1), start + found.end(1), str(words))
        )
    before = [one for one in file.tokens if one.start < place.start]
    close = next(
        (k for k in reversed(range(len(before))) if before[k].text in (">", ">>", ";")), -1
    )
    if close < 0 or before[close].text == ";":
        return None
    comma = next((k for k in reversed(range(close)) if before[k].text in (",", "<", ";")), -1)
    if comma < 0 or before[comma].text != "," or comma + 1 == close:
        return None
    return Edit(before[comma + 1].start, before[close - 1].stop, str(words))


def _pragma(file: UserFile, place: SourceLocation, words: int, dialect: Dialect) -> Edit | None:
    around = file.around(place.start) if place.stop else ()
    if not dialect.depth or not around:
        return None
    name = re.match(r"\w+", file.text[place.start :])
    if name is None:
        return None
    at = around[-1].stop
    end = line_end(file.text, at)
    indent = "" if re.search(r"^#\s*pragma", file.text, re.MULTILINE) else indent_at(file.text, at)
    return Edit(at, at, f"{end}{indent}{dialect.depth.format(variable=name[0], depth=words)}")
