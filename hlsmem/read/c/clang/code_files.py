"""A file of C whose declarations others use as they are written, and statements over them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c.clang.declared import is_constant
from hlsmem.read.c.clang.library import library, walked
from hlsmem.read.c.clang.parsed_sources import Source
from hlsmem.read.c.clang.source_parsing import HEADERS, OF_C, macros_in
from hlsmem.read.c.tree import SourceRange

_ERROR = 3
_UNDECLARED = re.compile(
    r"(use of undeclared identifier|call to undeclared (?:library )?function) '(\w+)'.*"
)
_MOST_NAMES = 64
_FILE = "body.c"


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """A declaration at the level of a file: its names, and what is wrong with it, if anything."""

    names: tuple[str, ...]
    place: SourceRange
    fault: tuple[str, str] | None


def declared_in(source: Source) -> Iterator[Declared]:
    """Return the declarations of the user's files."""
    for one in source.declarations():
        if not source.file_of(one):
            continue
        names = [one.spelling] if one.spelling.isidentifier() else []
        if one.kind.name == "ENUM_DECL":
            names += [each.spelling for each in one.get_children()]
        yield Declared(names=tuple(names), place=source.place(one), fault=_fault(one))


def _fault(cursor: Any) -> tuple[str, str] | None:
    name, is_static = cursor.spelling, cursor.linkage.name == "INTERNAL"
    match cursor.kind.name:
        case "FUNCTION_DECL" if cursor.is_definition() and not is_static:
            return f"the function {name!r} is not static", "make it static"
        case "VAR_DECL" if not is_constant(cursor):
            what = f"{name!r} is a variable, and bodies run in an order of their own"
            return what, "make it static const, or an array of the network"
        case "VAR_DECL" if not is_static:
            return f"the constant {name!r} is not static", "make it static const"
    return None


def system_headers(source: Source) -> tuple[str, ...]:
    """Return the headers that the user's files include and that are none of the user's."""
    own = HEADERS / "read"
    found = {
        str(one.include.name).removeprefix(f"{own}/"): None
        for one in source.unit.get_includes()
        if one.location.file is not None
        and one.location.file.name in source.names
        and str(one.include.name).startswith(f"{own}/")
    }
    return tuple(found)


def texts_of(source: Source, left_out: Collection[str]) -> tuple[str, ...]:
    """Return macros and declarations of the user's files as they are written, in their order.

    Macros that are `left_out` are none of them.
    """
    found = [one.written for one in macros_in(source) if one.name not in left_out and one.body]
    end: dict[str, int] = {}
    for one in source.unit.cursor.get_children():
        name = source.file_of(one)
        first, last = one.extent.start.offset, one.extent.end.offset
        if not name or first < end.get(name, 0):
            continue
        text = source.encoded[name][first:last].decode()
        if not one.kind.is_preprocessing():
            rest = source.encoded[name][last:].decode()
            tail = "" if text.endswith("}") and one.kind.name == "FUNCTION_DECL" else _tail(rest)
            found.append(f"{text}{tail}")
            end[name] = last + len(tail.encode())
    return tuple(found)


def _tail(rest: str) -> str:
    """What belongs to a declaration behind its first name: others, and the semicolon."""
    return rest[: rest.find(";") + 1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """Statements as clang reads them: names they use, and variables they declare and assign.

    `error` is the first error with its offset in the text, None where there is none.
    """

    used: frozenset[str] = frozenset()
    declared: frozenset[str] = frozenset()
    assigned: frozenset[str] = frozenset()
    error: tuple[str, int] | None = None


def body_of_text(text: str, known: Sequence[str], around: Sequence[str]) -> Body:
    """Return what statements use of the variables `known`, and of names that nothing declares.

    `around` are lines of C in front: includes and declarations.
    """
    module = library().module
    names = {one: f"static int {one};" for one in known}
    flags = [*OF_C, f"-I{HEADERS / 'include'}", f"-I{HEADERS / 'read'}"]
    while True:
        front = "\n".join([*around, *names.values()])
        front += "\nstatic void hlsmem_body(void) {\n"
        whole = f"{front}{text};\n}}\n"
        unit = module.Index.create().parse(_FILE, args=flags, unsaved_files=[(_FILE, whole)])
        errors = [one for one in unit.diagnostics if one.severity >= _ERROR]
        unknown = [found for one in errors if (found := _UNDECLARED.match(one.spelling))]
        new = {
            one[2]: f"int {one[2]}{'' if one[1].startswith('use') else '()'};"
            for one in unknown
            if one[2] not in names
        }
        if not new or len(names) > len(known) + _MOST_NAMES:
            break
        names |= new
    others = [one for one in errors if not _UNDECLARED.match(one.spelling)]
    if others:
        at = others[0].location.offset - len(front.encode())
        return Body(error=(others[0].spelling, at))
    nodes = [
        one
        for top in unit.cursor.get_children()
        if top.spelling == "hlsmem_body"
        for one in walked(top)
    ]
    return Body(
        used=frozenset(one.spelling for one in nodes if _is_among(one, names)),
        declared=frozenset(one.spelling for one in nodes if one.kind.name == "VAR_DECL"),
        assigned=frozenset(_assigned(nodes)),
    )


def _is_among(cursor: Any, names: Collection[str]) -> bool:
    return cursor.kind.name == "DECL_REF_EXPR" and cursor.spelling in names


def _assigned(nodes: Sequence[Any]) -> Iterator[str]:
    for one in nodes:
        is_plain = one.kind.name == "BINARY_OPERATOR" and library().binary_operator(one) == "="
        if is_plain or one.kind.name == "COMPOUND_ASSIGNMENT_OPERATOR":
            target = next(iter(one.get_children()))
            if target.kind.name == "DECL_REF_EXPR":
                yield target.spelling
