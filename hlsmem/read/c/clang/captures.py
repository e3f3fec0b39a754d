"""The variables around a lambda that it names."""

from __future__ import annotations

from typing import Any

from hlsmem.read.c.clang import clang_types
from hlsmem.read.c.clang.call_cursors import body_of
from hlsmem.read.c.clang.library import walked
from hlsmem.read.c.clang.lowering import FunctionFrame, Refused
from hlsmem.read.c.clang.named_values import FunctionName
from hlsmem.read.c.tree import Expression


def captured_by(frame: FunctionFrame, definition: Any) -> list[tuple[Any, Expression]]:
    """Return the variables around a lambda that it names, with what they are where it is called."""
    copies = frame.lowering.copies.get(definition.semantic_parent.hash, {})
    found: dict[int, tuple[Any, Expression]] = {}
    body = body_of(definition)
    for one in walked(body) if body is not None else ():
        known = one.referenced if one.kind.name == "DECL_REF_EXPR" else None
        if known is None or known.hash not in frame.bound:
            continue
        if isinstance(frame.bound[known.hash], FunctionName):
            continue
        found.setdefault(known.hash, (known, copies.get(known.hash, frame.bound[known.hash])))
    return list(found.values())


def names_around(frame: FunctionFrame, cursor: Any) -> bool:
    """Return True if a lambda, or that of a variable, names variables around it."""
    nodes = list(walked(cursor))
    declared = [one.referenced for one in nodes if one.kind.name == "DECL_REF_EXPR"]
    nodes += [below for one in declared if one is not None for below in walked(one)]
    return any(
        below.kind.name == "DECL_REF_EXPR"
        and below.referenced is not None
        and below.referenced.hash in frame.bound
        and not isinstance(frame.bound[below.referenced.hash], FunctionName)
        for one in nodes
        if one.kind.name == "LAMBDA_EXPR"
        for below in walked(one)
    )


def copied_by(frame: FunctionFrame, lambda_: Any) -> list[tuple[Any, Any]]:
    """Return the variables around a lambda expression that it captures by value."""
    source = frame.lowering.source
    name = source.file_of(lambda_)
    if not name:
        return []
    text = source.encoded[name][lambda_.extent.start.offset :].decode(errors="replace")
    listed = [one.strip() for one in text[1 : text.index("]")].split(",")]
    if any("=" in one and one != "=" for one in listed):
        what = "a capture with a value of its own is not read"
        raise Refused(lambda_, what, "declare a variable in front")
    by_value = "=" in listed
    found: dict[int, tuple[Any, Any]] = {}
    for one in walked(lambda_):
        known = one.referenced if one.kind.name in ("DECL_REF_EXPR", "VARIABLE_REF") else None
        if known is None or known.hash not in frame.bound or clang_types.is_lambda(known.type):
            continue
        is_copied = known.spelling in listed or (by_value and f"&{known.spelling}" not in listed)
        node = frame.bound[known.hash]
        if is_copied and not isinstance(node, FunctionName):
            found.setdefault(known.hash, (known, node))
    return list(found.values())
