"""The reader of C++: from a file to C whose tokens know their places in it."""

from __future__ import annotations

import os
import resource
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from hlsmem.core.errors import InputError, Note, Problem, Problems
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.source_location import SourceLocation
from hlsmem.polyhedra.limits import WHOLE, Report, WorkLimitError, within
from hlsmem.read.c import tree
from hlsmem.read.c.arbitrary_integers import arbitrary, stored_type
from hlsmem.read.c.clang import types
from hlsmem.read.c.clang.c_types import is_function
from hlsmem.read.c.clang.calls import body_of, called_name, lowered_function
from hlsmem.read.c.clang.declared import is_constant
from hlsmem.read.c.clang.diagnostics import check_compiled
from hlsmem.read.c.clang.head import Head, head_of
from hlsmem.read.c.clang.lowering import Lowering, Refused
from hlsmem.read.c.clang.numeric_functions import helpers
from hlsmem.read.c.clang.objects import element_type
from hlsmem.read.c.clang.printed import Piece, pieces_of, tokens_of
from hlsmem.read.c.clang.sources import Source, parsed
from hlsmem.read.c.headers import PURE_FUNCTIONS
from hlsmem.read.c.normal.rewrite_unit import Rewrite
from hlsmem.read.c.preprocess import Preprocessed
from hlsmem.read.design_folder import Folder

IN_C = Rewrite(name="cxx", description="C++ as C", run=lambda unit: unit)
"""The entry for the reader of C++ among the rewrites that follow it."""
MOST_BYTES = 1 << 30
"""Bytes of memory that clang and the reader may take."""
_PROBE = "hlsmem_top"
"""A variable behind the user's text that names an instance of a template."""
_OF_STDLIB = frozenset(["abs", "labs", "llabs", "min", "max"])
_OUTER = ("NAMESPACE", "LINKAGE_SPEC", "UNEXPOSED_DECL")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A file of C++ as C, and the planned function as C++ has it; None in files beside it."""

    preprocessed: Preprocessed
    head: Head | None


def read_cxx(
    folder: Folder,
    file: str,
    function: str | None,
    *,
    cflags: Sequence[str] = (),
    symbolic: Sequence[str] = (),
    is_main: bool = True,
) -> Reading:
    """Return `file` as C: the function that is planned with all that it calls.

    Of a file that `is_main` does not hold for, all functions. clang works in a copy of this
    process, with a limit of memory: some texts end it. Raises InputError.
    """

    own = os.getpid()

    def work(_report: Report) -> Reading:
        if os.getpid() != own:  # the limit is that of the copy, where there is one
            most = _address_space() + MOST_BYTES
            _, hard = resource.getrlimit(resource.RLIMIT_AS)
            if hard == resource.RLIM_INFINITY or most < hard:
                resource.setrlimit(resource.RLIMIT_AS, (most, hard))
        return _read(folder, file, function, tuple(cflags), tuple(symbolic), is_main)

    try:
        return within(WHOLE, work)
    except WorkLimitError:
        what = f"clang ends while it reads '{file}'"
        remedy = "split long expressions, deep nests and macros that expand to such"
        place = SourceLocation(file=file, line=1, column=1)
        raise InputError(Problem(what, remedy, place)) from None


def _address_space() -> int:
    """The bytes of address space that the process has."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except OSError:
        return 1 << 33
    return pages * resource.getpagesize()


def _read(
    folder: Folder,
    file: str,
    function: str | None,
    cflags: tuple[str, ...],
    symbolic: tuple[str, ...],
    is_main: bool,
) -> Reading:
    is_instance = function is not None and "<" in function
    probe = f"\nstatic auto *const {_PROBE} = &{function};\n" if is_instance and is_main else ""
    source = parsed(folder, file, cflags=cflags, symbolic=symbolic, behind=probe)
    check_compiled(source)
    problems = Problems()
    defined = _functions(source)
    tops = (
        [_chosen(defined, function, source)]
        if is_main
        else [one for one in defined if one.spelling != "main"]
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
            name = lowering.name_for(("top", top.get_usr()), types.c_name(called_name(top)))
            made.append(lowered_function(lowering, top, body_of(top), name, is_top=is_main))
            if is_main:
                head = head_of(lowering, top, name)
                head = replace(head, called=function or "") if is_instance else head
        except Refused as error:
            lowering.refuse(error, ())
    problems.raise_if_any()
    unit = tree.Unit(
        _structs(lowering),
        tuple(lowering.variables.values()),
        (*lowering.functions.values(), *made),
    )
    pieces = [*pieces_of(unit), Piece("\n")]
    called = {one.text for one in pieces if one.place is not None and is_function(one.text)}
    mathematics = {one.text for one in pieces if one.place is not None} & PURE_FUNCTIONS
    if mathematics - {one.name for one in unit.functions} - _OF_STDLIB:
        lowering.headers.add("math.h")
    own = helpers(called, tree.SourceRange(source.main, 1, 1))
    front = [piece for one in own for piece in pieces_of(one)]
    front = [*_typedefs([*front, *pieces], source), *front]
    text, tokens = tokens_of([*front, *pieces])
    return Reading(
        preprocessed=Preprocessed(
            text=text,
            tokens=tokens,
            files=source.files(),
            headers=tuple(sorted(lowering.headers)),
            macros=tuple(source.macros),
            definitions={**_constants(source), **source.definitions},
        ),
        head=head,
    )


def _constants(source: Source) -> dict[str, str]:
    """The integer constants of the user's files, which pragmas name, with their values."""
    found = {}
    pending = list(source.unit.cursor.get_children())
    while pending:
        one = pending.pop()
        if one.kind.name in _OUTER:
            pending += one.get_children()
        elif one.kind.name == "VAR_DECL" and is_constant(one) and source.file_of(one):
            value = types.value_of(one)
            if isinstance(value, int):
                found[one.spelling] = str(value)
    return found


def _typedefs(pieces: Sequence[Piece], source: Source) -> Iterator[Piece]:
    """The types of C that store the numbers of few bits in a text, under names of their own."""
    place = tree.SourceRange(source.main, 1, 1)
    for name in sorted({one.text for one in pieces if arbitrary(one.text) is not None}):
        for word in ("typedef", *stored_type(name).split(), name):
            yield Piece(word, place)
            yield Piece(" ")
        yield Piece(";", place)
        yield Piece("\n")


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


def _functions(source: Source) -> list[Any]:
    """The functions that the file itself defines: no templates, no methods."""
    found = []
    pending = list(source.unit.cursor.get_children())[::-1]
    while pending:
        one = pending.pop()
        kind = one.kind.name
        if kind in _OUTER:
            pending += list(one.get_children())[::-1]
        elif kind == "FUNCTION_DECL" and one.is_definition() and source.is_main(one):
            found.append(one)
    return found


def _instance(source: Source, function: str) -> Any:
    """The instance of a template that `function` names, with its arguments."""
    for one in source.unit.cursor.get_children():
        if one.kind.name == "VAR_DECL" and one.spelling == _PROBE:
            for below in one.walk_preorder():
                known = below.referenced if below.kind.name == "DECL_REF_EXPR" else None
                if known is not None and known.kind.name == "FUNCTION_DECL":
                    return known.get_definition() or known
    what = f"there is no instance '{function}' in '{source.main}'"
    raise InputError(Problem(what, "name a function template with all of its arguments"))


def _chosen(defined: Sequence[Any], function: str | None, source: Source) -> Any:
    """The function that is planned, by its name or as the only one that nothing calls."""
    if function is not None and "<" in function:
        return _instance(source, function)
    if function is not None:
        wanted = [one for one in defined if function in (one.spelling, types.qualified_name(one))]
        exact = [one for one in wanted if types.qualified_name(one) == function] or wanted
        if len(exact) > 1:
            what = f"'{function}' is the name of {len(exact)} functions"
            place = source.location(source.place(exact[1]))
            note = Note("another is here", source.location(source.place(exact[0])))
            raise InputError(Problem(what, "give each a name of its own", place, (note,)))
        if exact:
            return exact[0]
        if function in _templates(source):
            what = f"'{function}' is a template"
            raise InputError(Problem(what, f"name an instance: {function}<16>"))
        names = ", ".join(f"'{types.qualified_name(one)}'" for one in defined)
        remedy = f"name one that '{source.main}' defines: {names}" if names else "define it"
        raise InputError(Problem(f"there is no function '{function}' in '{source.main}'", remedy))
    return _only(defined, source)


def _only(defined: Sequence[Any], source: Source) -> Any:
    marked = [one for one in defined if _has_scop(one, source)]
    called = _called(source)
    free = [
        one
        for one in defined
        if not called & {one.get_usr(), one.spelling} and one.spelling != "main"
    ]
    seen = [one for one in free if one.linkage.name == "EXTERNAL"]
    found = marked or (seen if len(seen) == 1 else free)
    if len(found) == 1:
        return found[0]
    if not found:
        what = "every function is called by another" if defined else "there is no function"
        remedy = "name one with kernel.function" if defined else "define the function to plan"
        place = source.location(tree.SourceRange(source.main, 1, 1))
        raise InputError(Problem(f"{what}: none is known to be the one to plan", remedy, place))
    names = ", ".join(f"'{types.qualified_name(one)}'" for one in found)
    why = "all have a scop region" if marked else "are called by no other: one is to be planned"
    place = source.location(source.place(found[1]))
    what = f"the functions {names} {why}"
    raise InputError(Problem(what, "name one with kernel.function", place))


def _called(source: Source) -> set[str]:
    """The functions that functions, templates and methods call, but `main`.

    By their USR; by name those that a template calls with arguments of types that it leaves open.
    """
    found = set()
    pending = list(source.unit.cursor.get_children())
    while pending:
        one = pending.pop()
        if one.kind.name in _OUTER:
            pending += one.get_children()
            continue
        if not source.is_main(one) or one.spelling == "main":
            continue
        for node in one.walk_preorder():
            if node.kind.name == "OVERLOADED_DECL_REF":
                found.add(node.spelling)
            elif node.kind.name == "DECL_REF_EXPR":
                known = node.referenced
                if known is not None and known.kind.name == "FUNCTION_DECL":
                    found.add(known.get_usr())
    return found


def _templates(source: Source) -> set[str]:
    """The names of function templates in the user's files."""
    found = set()
    pending = list(source.unit.cursor.get_children())
    while pending:
        one = pending.pop()
        if one.kind.name in _OUTER:
            pending += one.get_children()
        elif one.kind.name == "FUNCTION_TEMPLATE" and source.file_of(one):
            found |= {one.spelling, types.qualified_name(one)}
    return found


def _has_scop(function: Any, source: Source) -> bool:
    start, end = function.extent.start.offset, function.extent.end.offset
    return any(
        start < one.offset < end and one.text.split()[:1] == ["scop"]
        for one in source.pragmas.get(source.main, ())
    )
