"""Pragmas of C++ as pragmas of C, with the names that variables have there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.clang.library import walked
from hlsmem.read.c.clang.lowering import FunctionFrame
from hlsmem.read.c.clang.objects import Object, end_in, is_streams, leaves_of, member_of
from hlsmem.read.c.clang.parsed_sources import PragmaLine
from hlsmem.read.c.clang.used_variables import base_name_of
from hlsmem.read.c.tree import Expression

_NAMED = re.compile(r"\b(?:variable|port)\s*=\s*(\w+(?:\s*\.\s*\w+|\s*\[\s*\d+\s*\])*)")


def directives_in(frame: FunctionFrame, cursor: Any, items: Sequence[Any]) -> list[PragmaLine]:
    """Return the pragmas of a block that are in none of the blocks in it."""
    source = frame.lowering.source
    name = source.file_of(cursor)
    start, end = cursor.extent.start.offset, cursor.extent.end.offset
    found = [one for one in source.pragmas.get(name, ()) if start < one.offset < end]
    if not found:
        return []
    inner = [
        (one.extent.start.offset, one.extent.end.offset)
        for item in items
        for one in walked(item)
        if one.kind.name == "COMPOUND_STMT"
    ]
    return [one for one in found if not any(a < one.offset < b for a, b in inner)]


def lowered_directive(frame: FunctionFrame, pragma: PragmaLine, cursor: Any) -> list[tree.Pragma]:
    """Return a pragma, or one for each variable of the object that it names.

    Ends of channels share an array, and none has a depth of its own.
    """
    name = frame.lowering.source.file_of(cursor)
    place = replace(frame.lowering.source.pragma_place(name, pragma), through=frame.through)
    named = _NAMED.search(pragma.text)
    leaves = [] if named is None else _leaves(frame, pragma, re.findall(r"\w+", named[1]))
    if named is None or not leaves:
        return [tree.Pragma(pragma.text, place)]
    own = [base_name_of(one) for one in leaves if end_in(one) is None]
    before, behind = pragma.text[: named.start(1)], pragma.text[named.end(1) :]
    return [tree.Pragma(f"{before}{one}{behind}", place) for one in own]


def _leaves(frame: FunctionFrame, pragma: PragmaLine, path: Sequence[str]) -> list[Expression]:
    """The variables of C that an object or member of C++ is; of an end of a channel itself."""
    declared = [
        one
        for one in walked(frame.function)
        if one.kind.name in ("VAR_DECL", "PARM_DECL") and one.spelling == path[0]
    ]
    known = [one for one in declared if one.location.offset < pragma.offset]
    node = frame.bound.get(known[-1].hash) if known else None
    for step in path[1:]:
        node = _part(node, step)
    if isinstance(node, Object) or (node is not None and (len(path) > 1 or end_in(node))):
        return list(leaves_of(node))
    return []


def _part(node: Any, step: str) -> Any:
    """A member of an object, or an element of an array of streams; None where it has none."""
    if not isinstance(node, Object):
        return None
    if is_streams(node.type):
        number = int(step) if step.isdigit() else len(node.parts)
        return node.parts[number] if number < len(node.parts) else None
    known = [one.name for one in node.struct.members]
    return member_of(node, step, node.type, node.place) if step in known else None
