"""A unified patch applied to a text."""

from __future__ import annotations

import re
from collections.abc import Sequence

_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@")
_NO_END = "\\ No newline at end of file\n"


class NotApplicable(Exception):
    """A patch that is not one of the text; says where."""


def applied(text: str, patch: str) -> str:
    """Return the text with the hunks of a patch; raises NotApplicable.

    >>> applied("a\\nb\\nc\\n", "--- a/k\\n+++ b/k\\n@@ -2 +2 @@\\n-b\\n+x\\n")
    'a\\nx\\nc\\n'
    """
    lines, hunks = _lines(text), _lines(patch)
    found, at = list[str](), 0
    number = 2
    while number < len(hunks):
        head = _HUNK.match(hunks[number])
        if head is None:
            raise NotApplicable(f"line {number + 1} of it is no head of a hunk")
        start = int(head[1]) - (head[2] != "0")
        found += lines[at:start]
        at, number = start, number + 1
        while number < len(hunks) and not hunks[number].startswith("@@ "):
            kind, line = hunks[number][0], hunks[number][1:]
            if number + 1 < len(hunks) and hunks[number + 1] == _NO_END:
                line = line.removesuffix("\n")
            if kind in " -":
                if lines[at : at + 1] != [line]:
                    raise NotApplicable(f"line {at + 1} of the file is another")
                at += 1
            if kind in " +":
                found.append(line)
            number += 1
    return "".join([*found, *lines[at:]])


def _lines(text: str) -> Sequence[str]:
    return re.findall(r"[^\n]*\n|[^\n]+", text)
