"""Declarations of variables, functions and types, as they are written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from hlsmem.check.c_trees import written_c
from hlsmem.check.c_trees.clang_file import SourceLine
from hlsmem.check.c_trees.clang_functions import children_of, clang
from hlsmem.check.c_trees.expression_trees import expression, not_understood
from hlsmem.check.c_trees.type_trees import FUNCTIONS, TAGS, Types, bare, written_parts

# Of `register` nothing is kept: the address of such a variable cannot be taken.
_STORAGE = {"STATIC": ["static"], "EXTERN": ["extern"]}
_IN_DECLARATIONS = ("VAR_DECL", "TYPEDEF_DECL", "FUNCTION_DECL")


def declarations(
    cursors: Sequence[Any],
    place: Callable[[Any], SourceLine],
    body: Callable[[Any], Any] | None = None,
) -> Iterator[tuple[Any, Any]]:
    """Return declarations that stand side by side, each with its cursor, in their order.

    A struct or the like that is named by no variable of its declaration is one of its own; in
    several variables of one declaration it is the same node. `body` reads bodies of functions.
    """
    used = {
        part.hash
        for one in cursors
        if one.kind.name in _IN_DECLARATIONS
        for part in children_of(one)
        if part.kind.name in TAGS
    }
    tags: dict[int, Any] = {}
    for one in cursors:
        at = place(one)
        word = one.kind.name
        if word in TAGS:
            tag = Types(expression, at, tags).tag(one)
            tags[one.hash] = tag
            if one.hash not in used:
                yield one, bare(tag, at)
        elif word in _IN_DECLARATIONS:
            yield one, _declaration(one, Types(expression, at, tags), body)
        elif word != "STATIC_ASSERT" and one.extent.end.offset > one.extent.start.offset + 1:
            raise not_understood("this declaration", at)


def _declaration(cursor: Any, types: Types, body: Callable[[Any], Any] | None) -> Any:
    at, parts = types.at, written_parts(cursor)
    match cursor.kind.name:
        case "TYPEDEF_DECL":
            kind = types.declarator(cursor.underlying_typedef_type, cursor.spelling, parts)
            words = list(written_c.innermost(kind).quals)
            return written_c.Typedef(cursor.spelling, words, ["typedef"], kind, at)
        case "FUNCTION_DECL":
            block = parts.pop() if cursor.is_definition() else None
            head = _named(cursor, types, parts, None)
            if block is None or body is None:
                return head
            return written_c.FuncDef(head, body(block), at)
    initial = clang().initial(cursor)
    if initial is not None:
        assert parts.pop() == initial
    value = None if initial is None else expression(initial, at)
    return _named(cursor, types, parts, value)


def _named(cursor: Any, types: Types, parts: list[Any], value: Any) -> written_c.Decl:
    """The declaration of a variable or function, whose type has these parts."""
    is_function, own = cursor.kind.name == "FUNCTION_DECL", cursor.type
    if is_function and own.kind.name not in FUNCTIONS and _has_head(cursor, parts):
        own = own.get_canonical()  # by an earlier declaration it has the name of a type
    kind = types.declarator(own, cursor.spelling, parts)
    storage = list(_STORAGE.get(cursor.storage_class.name, []))
    if cursor.tls_kind.name != "NONE":
        storage.append("_Thread_local")
    words = ["inline"] if is_function and clang().is_inline(cursor) else []
    quals = list(written_c.innermost(kind).quals)
    return written_c.Decl(cursor.spelling, quals, storage, words, kind, value, None, types.at)


def _has_head(cursor: Any, parts: list[Any]) -> bool:
    """True if a function is declared by its parameters, not by the name of a type."""
    return cursor.is_definition() or any(one.kind.name == "PARM_DECL" for one in parts)
