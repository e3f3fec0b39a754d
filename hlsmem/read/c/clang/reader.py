"""The reader of C and C++: from a file to a tree of C whose nodes know their places in it."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from hlsmem.core.errors import InputError, Problem, Problems
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.source_location import SourceLocation
from hlsmem.read.c import tree
from hlsmem.read.c.c_text import base_name
from hlsmem.read.c.clang import clang_types
from hlsmem.read.c.clang.call_cursors import body_of, called_name
from hlsmem.read.c.clang.declared import is_constant
from hlsmem.read.c.clang.diagnostics import check_compiled, remarks_on
from hlsmem.read.c.clang.head import Head, head_of, stored_type
from hlsmem.read.c.clang.instances import lowered_function
from hlsmem.read.c.clang.library import walked
from hlsmem.read.c.clang.lowered_types import function_in_c, in_c, struct_in_c
from hlsmem.read.c.clang.lowering import Lowering, Refused
from hlsmem.read.c.clang.method_tops import method_top
from hlsmem.read.c.clang.numeric_functions import helpers
from hlsmem.read.c.clang.objects import element_type, leaves_of
from hlsmem.read.c.clang.parsed_sources import Source
from hlsmem.read.c.clang.planned_function import (
    functions_of,
    names_instance,
    planned_function,
    probe_of,
)
from hlsmem.read.c.clang.reader_process import ENDS, ReaderEndedError, in_copy
from hlsmem.read.c.clang.source_parsing import parsed
from hlsmem.read.c.clang.types_in_c import is_function
from hlsmem.read.c.headers import EXACT_TYPES, PURE_FUNCTIONS
from hlsmem.read.c.normal.rewrite_unit import Rewrite
from hlsmem.read.c.parsed_file import ParsedFile
from hlsmem.read.c.trees import nodes_of
from hlsmem.read.design_folder import Folder
from hlsmem.read.suffixes import is_cxx

IN_C = Rewrite(name="cxx", description="C++ as C", run=lambda unit: unit)
"""The entry for the reader of C++ among the rewrites that follow it."""
_OF_STDLIB = frozenset(["abs", "labs", "llabs", "min", "max"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A file of C++ as C, and the planned function as C++ has it; None in files beside it."""

    parsed: ParsedFile
    head: Head | None


def read_file(
    folder: Folder,
    file: str,
    function: str | None,
    *,
    cflags: Sequence[str] = (),
    symbolic: Sequence[str] = (),
    beside: Sequence[str] = (),
    is_main: bool = True,
    is_whole: bool = False,
) -> Reading:
    """Return `file` as C: the function that is planned with all that it calls.

    Files `beside` it are read behind it, as if it included them. Of a file that `is_main` does not
    hold for, all functions that others see; where it `is_whole`, all. clang works in a copy of this
    process, with a limit of memory: some texts end it. Raises InputError.
    """

    names = tuple(symbolic)
    try:
        found: Reading = in_copy(
            _read, folder, file, function, tuple(cflags), names, tuple(beside), is_main, is_whole
        )
    except ReaderEndedError:
        what = f"{ENDS} '{file}'"
        remedy = "split long expressions, deep nests and macros that expand to such"
        place = SourceLocation(file=file, line=1, column=1)
        raise InputError(Problem(what, remedy, place)) from None
    return found


def _read(
    folder: Folder,
    file: str,
    function: str | None,
    cflags: tuple[str, ...],
    symbolic: tuple[str, ...],
    beside: Sequence[str],
    is_main: bool,
    is_whole: bool,
) -> Reading:
    named = function
    is_instance = is_main and names_instance(function)
    behind = "".join(f'\n#include "{folder / Path(one)}"' for one in beside)
    behind += probe_of(function) if is_instance else ""
    source = parsed(folder, file, cflags=cflags, symbolic=symbolic, behind=behind)
    check_compiled(source, symbolic)
    method = method_top(source, function) if is_main else None
    if method is not None:
        behind += method.behind
        source = parsed(folder, file, cflags=cflags, symbolic=symbolic, behind=behind)
        source = replace(source, behind=method.place)
        check_compiled(source, symbolic)
        function = method.name
    problems = Problems()
    defined = functions_of(source)
    tops = (
        [planned_function(defined, function, source)]
        if is_main
        else [one for one in defined if one.spelling != "main" and (is_whole or _is_seen(one))]
    )
    lowering = Lowering(
        source=source,
        symbolic=frozenset(symbolic),
        problems=problems,
        reserved=frozenset(one.spelling for one in defined),
    )
    made = []
    head: Head | None = None
    for top in tops:
        try:
            name = lowering.name_for(("top", top.get_usr()), clang_types.c_name(called_name(top)))
            made.append(
                lowered_function(lowering, top, body_of(top), name, is_top=is_main, is_shared=True)
            )
            if is_main:
                head = head_of(lowering, top, name)
                if method is not None:
                    head = replace(head, called=named or "", expression=method.called)
                elif is_instance:
                    head = replace(head, called=named or "")
        except Refused as error:
            lowering.refuse(error, ())
    problems.by_kind().raise_if_any()
    return Reading(parsed=_in_c(lowering, made), head=head)


def _is_seen(function: Any) -> bool:
    """True for a function that other files may call."""
    return bool(function.linkage.name == "EXTERNAL")


def _in_c(lowering: Lowering, made: Sequence[tree.FuncDef]) -> ParsedFile:
    """The functions, and all that they use."""
    source = lowering.source
    functions = (*lowering.functions.values(), *made)
    nodes = [
        *map(struct_in_c, _structs(lowering)),
        *map(in_c, lowering.variables.values()),
        *map(function_in_c, functions),
    ]
    names = set[str]().union(*map(_names, nodes))
    called = {one for one in names if is_function(one)}
    if (names & PURE_FUNCTIONS) - {one.name for one in functions} - _OF_STDLIB:
        lowering.headers.add("math.h")
    if names & EXACT_TYPES:
        lowering.headers.add("stdint.h")
    place = tree.SourceRange(source.main, 1, 1)
    own = [function_in_c(one) for one in helpers(called, place)]
    others = () if is_cxx(source.main) else _other_functions(lowering)
    return ParsedFile(
        tree=tree.FileAST(
            (
                *_typedefs([*nodes, *own], place),
                *_pragmas(source),
                *itertools.starmap(_prototype, lowering.outside.items()),
                *map(_pointer, sorted(lowering.of_headers)),
                *own,
                *nodes[:-1],
                *others,
                *nodes[-1:],
            )
        ),
        files=source.files(),
        headers=tuple(sorted(lowering.headers)),
        macros=tuple(source.macros),
        definitions={**_constants(source), **source.definitions},
        remarks=remarks_on(source),
        has_structs=bool(lowering.structs) and not is_cxx(source.main),
    )


def _pragmas(source: Source) -> Iterator[tree.Pragma]:
    """The pragmas of the file that stand in no function."""
    inside = [
        (one.extent.start.offset, one.extent.end.offset)
        for one in source.declarations()
        if source.is_main(one)
    ]
    for one in source.pragmas.get(source.main, ()):
        if not any(first < one.offset < end for first, end in inside):
            yield tree.Pragma(one.text, source.pragma_place(source.main, one))


def _prototype(name: str, place: tree.SourceRange) -> tree.Prototype:
    """The declaration of a function that another file has."""
    return tree.Prototype(name, tree.Void(), None, place=place)


def _pointer(name: str) -> tree.Decl:
    """The declaration of a pointer that a system header has, such as stderr."""
    return tree.Decl(name, tree.Pointer(tree.Void()), storage=("extern",))


def _names(node: Any) -> set[str]:
    """The names of variables, functions and types in a tree."""
    nodes = nodes_of(node)
    types = {one.spelled for one in nodes if isinstance(one, tree.Number)}
    return types | {one.name for one in nodes if isinstance(one, (tree.ID, tree.FuncCall))}


def _constants(source: Source) -> dict[str, str]:
    """The integer constants of the user's files, which pragmas name, with their values."""
    found = {}
    for one in source.declarations():
        if one.kind.name == "VAR_DECL" and is_constant(one) and source.file_of(one):
            value = clang_types.value_of(one)
            if isinstance(value, int):
                found[one.spelling] = str(value)
    return found


def _typedefs(nodes: Iterable[Any], place: tree.SourceRange) -> Iterator[tree.Typedef]:
    """The types of C that store the numbers of few bits in some trees, by their names."""
    parts = (part for node in nodes for part in nodes_of(node))
    exact = {one for one in parts if isinstance(one, tree.Number) and one.exact}
    for name, kind in sorted({base_name(one): one for one in exact}.items()):
        yield tree.Typedef(name, stored_type(kind), place)


def _structs(lowering: Lowering) -> tuple[tree.Struct, ...]:
    """The structs of parameters of the planned function, those inside of others first."""
    found: dict[tree.Struct, None] = {}

    def add(kind: tree.Type) -> None:
        inner = element_type(kind)
        if isinstance(inner, tree.Struct):
            for one in inner.members:
                add(one.type)
            found[inner] = None

    for one in lowering.structs.values():
        if one in lowering.kept_structs:
            add(one)
    return tuple(found)


def _other_functions(lowering: Lowering) -> list[tree.FuncDef]:
    """The functions that are not lowered, each with what it uses in place of its body.

    Variables of the file that it sees belong to it, too, and what it calls is called by others.
    """
    known = {key[1] for key in lowering.names if key[0] == "top"}
    known |= {key[0] for key in lowering.functions}
    found = []
    for one in functions_of(lowering.source):
        if one.get_usr() in known or one.spelling in lowering.taken:
            continue
        used = map(tree.ID, sorted(_used_names(lowering, one)))
        place = lowering.place(one)
        storage = ("static",) if one.linkage.name == "INTERNAL" else ()
        body = tree.Compound(tuple(used), place)
        found.append(tree.FuncDef(one.spelling, tree.Void(), (), body, place, storage))
    return found


def _used_names(lowering: Lowering, function: Any) -> set[str]:
    """The names in C of the variables and functions of the file that a function uses."""
    found = set()
    for one in walked(function):
        known = one.referenced if one.kind.name == "DECL_REF_EXPR" else None
        if known is None or known.kind.name not in ("VAR_DECL", "FUNCTION_DECL"):
            continue
        usr = known.get_usr()
        if known.kind.name == "FUNCTION_DECL":
            own = [made.name for key, made in lowering.functions.items() if key[0] == usr]
            found |= {*own, known.spelling}
        elif usr in lowering.variables:
            found.add(lowering.variables[usr].name)
        elif usr in lowering.objects:
            leaves = leaves_of(lowering.objects[usr])
            found |= {leaf.name for leaf in leaves if isinstance(leaf, tree.ID)}
    return found
