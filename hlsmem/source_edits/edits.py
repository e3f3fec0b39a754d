"""Edits of a text: bytes exchanged for others; what no edit touches is copied."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import SequenceMatcher

from hlsmem.core.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """`text` in the place of bytes [start, stop) of a file."""

    start: int
    stop: int
    text: str


class OverlapError(ValueError):
    """Two edits that exchange the same bytes for different ones."""


def edited(text: str, edits: Iterable[Edit], start: int = 0, stop: int | None = None) -> str:
    """The part of a text from `start` to `stop` with those edits that lie in it.

    Equal edits count once: macros and templates have one text for many places. Raises OverlapError.

    >>> edited("a[i][j] = 0;", [Edit(1, 7, "[j]"), Edit(1, 7, "[j]")])
    'a[j] = 0;'
    """
    stop = len(text) if stop is None else stop
    parts, at = list[str](), start
    for one in sorted(set(edits)):
        if one.stop < start or one.start > stop or (one.start == one.stop == stop != start):
            continue
        if one.start < at or one.stop > stop:
            raise OverlapError
        parts += [text[at : one.start], one.text]
        at = one.stop
    return "".join([*parts, text[at:stop]])


def with_line_ends(text: str, raw: str) -> str:
    """A text with the line ends of another, of which it is an edit; new lines have those of their
    neighbours.

    >>> with_line_ends("a\\nx\\nc\\n", "a\\r\\nb\\r\\nc\\n")
    'a\\r\\nx\\r\\nc\\n'
    """
    old, new = _lines(raw), _lines(text)
    plain, wanted = ([one.rstrip("\r\n") for one in lines] for lines in (old, new))
    ends = [one[len(own) :] for one, own in zip(old, plain, strict=True)]
    found = list[str]()
    for _, first, last, start, stop in SequenceMatcher(None, plain, wanted, False).get_opcodes():
        for number in range(start, stop):
            like = min(first + number - start, last - 1) if last > first else max(first - 1, 0)
            has_end = new[number].endswith("\n")
            found.append(wanted[number] + (ends[like] or "\n" if has_end and ends else ""))
    return "".join(found)


def _lines(text: str) -> list[str]:
    return re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+", text)


def line_start(text: str, line: int) -> int:
    """The first byte of a line, which are numbered from 1.

    >>> line_start("a\\nbc\\n", 2)
    2
    """
    at = 0
    for _ in range(line - 1):
        at = text.find("\n", at) + 1
    return at


def line_end(text: str, at: int) -> str:
    """The end of the line around a byte, else that of the one before: those of inserted lines.

    >>> line_end("a\\r\\nb", 3), line_end("a", 0)
    ('\\r\\n', '\\n')
    """
    end = text.find("\n", at)
    end = text.rfind("\n", 0, at) if end < 0 else end
    return "\r\n" if end > 0 and text[end - 1] == "\r" else "\n"


def indent_at(text: str, at: int) -> str:
    """The blanks in front of the line of a byte.

    >>> indent_at("{\\n\\tx = 0;", 5)
    '\\t'
    """
    start = text.rfind("\n", 0, at) + 1
    line = text[start:]
    return line[: len(line) - len(line.lstrip(" \t"))]
