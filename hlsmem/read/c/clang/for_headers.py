"""The parts of the header of a `for`, of which clang leaves out those that are empty."""

from __future__ import annotations

from typing import Any

from hlsmem.read.c.clang.parsed_sources import Source

_STEPS = ("UNARY_OPERATOR", "COMPOUND_ASSIGNMENT_OPERATOR")


def parts_of_for(source: Source, cursor: Any) -> tuple[Any | None, Any | None, Any | None, Any]:
    """Return the initial statement, the condition, the step, and the body of a `for`."""
    *parts, body = cursor.get_children()
    parts = [one for one in parts if one.kind.name != "VAR_DECL"]
    if len(parts) == 3:
        return parts[0], parts[1], parts[2], body
    ends = _semicolons(source, cursor)
    found: list[Any | None] = [None, None, None]
    for position, one in enumerate(parts):
        if ends is None:
            place = _likely(one, position)
        else:
            at = one.extent.start.offset
            place = 0 if at <= ends[0] else 1 if at <= ends[1] else 2
        found[place] = one
    return found[0], found[1], found[2], body


def _likely(part: Any, position: int) -> int:
    """The place of a part in a header that a macro has written."""
    if part.kind.name == "DECL_STMT":
        return 0
    if part.kind.name in _STEPS:
        return 2
    return 1 if part.type.spelling == "bool" or position else 0


def _semicolons(source: Source, cursor: Any) -> tuple[int, int] | None:
    """The offsets of the two semicolons of a header, in bytes; None where a macro has them."""
    name = source.file_of(cursor)
    if not name:
        return None
    text = source.encoded[name]
    at = cursor.extent.start.offset
    if not text.startswith(b"for", at):
        return None
    found: list[int] = []
    depth = 0
    position = at + 3
    while position < len(text):
        two = text[position : position + 2]
        if two == b"//":
            position = text.find(b"\n", position)
        elif two == b"/*":
            position = text.find(b"*/", position) + 1
        if position < 0:
            return None
        sign = text[position : position + 1]
        depth += (sign in (b"(", b"[", b"{")) - (sign in (b")", b"]", b"}"))
        if sign == b";" and depth == 1:
            found.append(position)
        if depth == 0 and sign == b")":
            break
        position += 1
    return (found[0], found[1]) if len(found) == 2 else None
