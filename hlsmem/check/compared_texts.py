"""Texts in OUT beside those that they should be."""

from __future__ import annotations

from itertools import zip_longest
from pathlib import Path


def text_on_disk(file: Path) -> str:
    """A text file; "" where it cannot be read as one."""
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def other_line(name: str, found: str, given: str) -> str:
    r"""The first line in which a file differs from what it should be, with both; "" if nowhere.

    >>> other_line("a.c", "int x;\nint y;\n", "int x;\nint z;\n")
    "a.c:2: 'int y;' for 'int z;'"
    >>> other_line("a.c", "int x;\n", "int x;")
    "a.c:2: '' for nothing"
    """
    if found == given:
        return ""
    pairs = zip_longest(found.split("\n"), given.split("\n"))
    number, (own, other) = next((n, pair) for n, pair in enumerate(pairs, 1) if pair[0] != pair[1])
    return f"{name}:{number}: {_shown(own)} for {_shown(other)}"


def _shown(line: str | None) -> str:
    return "nothing" if line is None else repr(line.strip()[:120])
