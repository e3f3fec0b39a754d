"""Faults planted in design/normal.c, what hlsmem takes a source for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tests.faults.hosts import C_FAULTS


@dataclass(frozen=True, slots=True)
class NormalFault:
    """The normal form with an edit in it; `where` is the line."""

    name: str
    where: str
    text: str


# (name, pattern, replacement), each at its first place.
EDITS = (
    ("a condition holds once more", r">= (\d)\)", r"> \1 - 2)"),
    ("a condition holds once less", r"if \((\w+) < ", r"if (\1 + 1 < "),
    ("a neighbour for an element", r"\[(\w+) - 1\]", r"[\1]"),
    ("an element for a neighbour", r"= (.*?)\[(\w+)\]", r"= \1[\2 - 1]"),
    ("a difference for a sum", r" \+ (?=[a-z(]+\w*\[)", " - "),
    ("another first value", r"= (\w+\[\w+\](?:\[\w+\])?);", "= 0;"),
    ("a macro is one more", r"#define (\w+) (\d+)", r"#define \1 (\2 + 1)"),
    ("an array is one row shorter", r"(?m)^(  \w+ \w+)\[(\w+)\]", r"\1[\2 - 1]"),
)


def normal_faults(text: str) -> Iterator[NormalFault]:
    """Faults of every kind that has a place in a normal form, one a kind."""
    for kind in C_FAULTS:
        for where, planted in list(kind.plant(text))[:1]:
            yield NormalFault(kind.name, where, planted)
    for name, pattern, new in EDITS:
        found = re.search(pattern, text)
        if found:
            planted = text[: found.start()] + found.expand(new) + text[found.end() :]
            yield NormalFault(name, str(text.count("\n", 0, found.start()) + 1), planted)
