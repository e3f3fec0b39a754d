"""The reader of C++: from a file to C whose tokens know their places in it."""

from __future__ import annotations

import os
import resource
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from hlsmem.core.errors import InputError, Problem, Problems
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.source_location import SourceLocation
from hlsmem.polyhedra.limits import WHOLE, Report, WorkLimitError, within
from hlsmem.read.c import tree
from hlsmem.read.c.arbitrary_integers import arbitrary
from hlsmem.read.c.clang import clang_types
from hlsmem.read.c.clang.call_cursors import body_of, called_name
from hlsmem.read.c.clang.declared import is_constant
from hlsmem.read.c.clang.diagnostics import check_compiled, remarks_on
from hlsmem.read.c.clang.expression_texts import Piece
from hlsmem.read.c.clang.head import Head, head_of, stored_name
from hlsmem.read.c.clang.instances import lowered_function
from hlsmem.read.c.clang.lowering import Lowering, Refused
from hlsmem.read.c.clang.method_tops import method_top
from hlsmem.read.c.clang.numeric_functions import helpers
from hlsmem.read.c.clang.objects import element_type
from hlsmem.read.c.clang.parsed_sources import Source
from hlsmem.read.c.clang.planned_function import (
    functions_of,
    names_instance,
    planned_function,
    probe_of,
)
from hlsmem.read.c.clang.printed import pieces_of, tokens_of
from hlsmem.read.c.clang.source_parsing import parsed
from hlsmem.read.c.clang.types_in_c import is_function
from hlsmem.read.c.headers import PURE_FUNCTIONS
from hlsmem.read.c.normal.rewrite_unit import Rewrite
from hlsmem.read.c.preprocess import Preprocessed
from hlsmem.read.design_folder import Folder

IN_C = Rewrite(name="cxx", description="C++ as C", run=lambda unit: unit)
"""The entry for the reader of C++ among the rewrites that follow it."""
MOST_BYTES = 1 << 30
"""Bytes of memory that clang and the reader may take."""
_OF_STDLIB = frozenset(["abs", "labs", "llabs", "min", "max"])


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
    beside: Sequence[str] = (),
    is_main: bool = True,
) -> Reading:
    """Return `file` as C: the function that is planned with all that it calls.

    Files `beside` it are read behind it, as if it included them. Of a file that `is_main` does not
    hold for, all functions. clang works in a copy of this process, with a limit of memory: some
    texts end it. Raises InputError.
    """

    own = os.getpid()

    def work(_report: Report) -> Reading:
        if os.getpid() != own:  # the limit is that of the copy, where there is one
            most = _address_space() + MOST_BYTES
            _, hard = resource.getrlimit(resource.RLIMIT_AS)
            if hard == resource.RLIM_INFINITY or most < hard:
                resource.setrlimit(resource.RLIMIT_AS, (most, hard))
        return _read(folder, file, function, tuple(cflags), tuple(symbolic), beside, is_main)

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
    beside: Sequence[str],
    is_main: bool,
) -> Reading:
    named = function
    is_instance = is_main and names_instance(function)
    behind = "".join(f'\n#include "{folder / Path(one)}"' for one in beside)
    behind += probe_of(function) if is_instance else ""
    source = parsed(folder, file, cflags=cflags, symbolic=symbolic, behind=behind)
    check_compiled(source)
    method = method_top(source, function) if is_main else None
    if method is not None:
        behind += method.behind
        source = parsed(folder, file, cflags=cflags, symbolic=symbolic, behind=behind)
        source = replace(source, behind=method.place)
        check_compiled(source)
        function = method.name
    problems = Problems()
    defined = functions_of(source)
    tops = (
        [planned_function(defined, function, source)]
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
            name = lowering.name_for(("top", top.get_usr()), clang_types.c_name(called_name(top)))
            made.append(lowered_function(lowering, top, body_of(top), name, is_top=is_main))
            if is_main:
                head = head_of(lowering, top, name)
                if method is not None:
                    head = replace(head, called=named or "", expression=method.called)
                elif is_instance:
                    head = replace(head, called=named or "")
        except Refused as error:
            lowering.refuse(error, ())
    problems.raise_if_any()
    return Reading(preprocessed=_in_c(lowering, made), head=head)


def _in_c(lowering: Lowering, made: Sequence[tree.FuncDef]) -> Preprocessed:
    """The text of the functions, and of all that they use."""
    source = lowering.source
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
    text, tokens = tokens_of([*front, *pieces], source.calls)
    return Preprocessed(
        text=text,
        tokens=tokens,
        files=source.files(),
        headers=tuple(sorted(lowering.headers)),
        macros=tuple(source.macros),
        definitions={**_constants(source), **source.definitions},
        remarks=remarks_on(source),
    )


def _constants(source: Source) -> dict[str, str]:
    """The integer constants of the user's files, which pragmas name, with their values."""
    found = {}
    for one in source.declarations():
        if one.kind.name == "VAR_DECL" and is_constant(one) and source.file_of(one):
            value = clang_types.value_of(one)
            if isinstance(value, int):
                found[one.spelling] = str(value)
    return found


def _typedefs(pieces: Sequence[Piece], source: Source) -> Iterator[Piece]:
    """The types of C that store the numbers of few bits in a text, under names of their own."""
    place = tree.SourceRange(source.main, 1, 1)
    for name in sorted({one.text for one in pieces}):
        width = arbitrary(name)
        if width is None:
            continue
        stored = stored_name(tree.Number(width.bits, width.signed, exact=True))
        for word in ("typedef", *stored.split(), name):
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
