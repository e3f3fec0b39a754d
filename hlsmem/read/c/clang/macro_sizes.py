"""What macros without parameters expand to, counted before clang makes a tree of it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from hlsmem.core.errors import InputError, Problem
from hlsmem.core.source_location import SourceLocation

MOST_TOKENS = 1_000_000
"""Tokens of one macro: clang takes seconds and its whole stack for an expression of so many."""

_DIRECTIVE = re.compile(r"\s*#\s*(\w+)(?:\s+(\w+)(\()?)?")
_TOKEN = re.compile(r"\w+|\S")


def check_expansions(file: str, text: str) -> None:
    """Raise InputError where a text names a macro that expands to more than MOST_TOKENS tokens.

    What stands below `#if` and the like is not looked at: clang may leave it out.
    """
    if "#" not in text:
        return
    bodies, lines = _parted(text)
    sizes = dict[str, int]()
    large = {one for one in bodies if _size(one, bodies, sizes) > MOST_TOKENS}
    for number, line in enumerate(lines if large else (), start=1):
        named = next((one for one in re.finditer(r"\w+", line) if one[0] in large), None)
        if named is not None:
            column, length = named.start() + 1, len(named[0])
            what = f"'{named[0]}' expands to more than {MOST_TOKENS:,} tokens"
            remedy = "split long expressions, deep nests and macros that expand to such"
            place = SourceLocation(file=file, line=number, column=column, length=length, text=line)
            raise InputError(Problem(what, remedy, place))


def _parted(text: str) -> tuple[dict[str, list[str]], list[str]]:
    """The tokens of macros, and the lines of a text, empty where they are directives."""
    bodies = dict[str, list[str]]()
    lines = list[str]()
    depth = 0
    goes_on = False
    for line in text.splitlines():
        found = None if goes_on else _DIRECTIVE.match(line)
        is_directive = goes_on or found is not None
        goes_on = is_directive and line.endswith("\\")
        lines.append("" if is_directive or depth else line)
        if found is None:
            continue
        match found[1]:
            case "if" | "ifdef" | "ifndef":
                depth += 1
            case "endif":
                depth -= 1
            case "define" if found[2] and not found[3] and not depth:
                bodies[found[2]] = _TOKEN.findall(line[found.end() :])
    return bodies, lines


def _size(name: str, bodies: Mapping[str, Sequence[str]], sizes: dict[str, int]) -> int:
    """How many tokens a macro expands to; one that names itself stays as it is there."""
    if name not in bodies:
        return 1
    if name not in sizes:
        sizes[name] = 1
        sizes[name] = sum(_size(one, bodies, sizes) for one in bodies[name])
    return sizes[name]
