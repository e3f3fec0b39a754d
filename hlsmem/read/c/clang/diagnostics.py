"""Errors of clang in the form that all messages have."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path
from typing import Any

from hlsmem.core.errors import InputError, Note, Problem, Problems
from hlsmem.core.source_location import SourceLocation
from hlsmem.read.c.clang.parsed_sources import Source
from hlsmem.read.c.clang.source_parsing import HEADERS
from hlsmem.read.c.headers import header_of_type
from hlsmem.read.c.tree import SourceRange
from hlsmem.read.suffixes import is_cxx

_ERROR = 3  # the severity from which on nothing is compiled
_UNKNOWN = re.compile(r"unknown type name|undeclared identifier|no (?:type|member|template) named")
_ASSERTION = re.compile(r"static assertion failed(?: due to requirement '.*')?: (.+)")
_NUMBER = re.compile(r"'(?:const )?hlsmem::num<(\d+), (-?\d+), (?:true|false)[^']*>'")


def check_compiled(source: Source, symbolic: Collection[str] = ()) -> None:
    """Raise the errors of clang about names, and the first other one; others are counted.

    A name that is unknown after a header that is not there, or is not read, is that header's fault.
    Names that are `symbolic` are sizes, which have to be macros.
    """
    errors = [one for one in source.unit.diagnostics if one.severity >= _ERROR]
    if not errors:
        return
    if (header := _of_cxx(source)) is not None:
        what, remedy = f"'{header}' is a header of C++", "give the file a name in .cpp"
        raise InputError(Problem(what, remedy, _include_of(source, header)))
    said = _in_words(errors[0].spelling)
    if _UNKNOWN.search(said):
        compiler = (Note(f"clang: {said}"),)
        location = _location(source, errors[0])
        if unread := _unread(source):
            what, remedy = f"'{unread}' is known and not read", "leave out what uses it"
            raise InputError(Problem(what, remedy, location, compiler))
        if source.missing:
            what, remedy = f"'{source.missing[0]}' is not found", "add its folder with --include"
            raise InputError(Problem(what, remedy, location, compiler))
    problems = Problems()
    others = []
    for one in errors:
        known = _of_name(one.spelling, symbolic)
        if known is None:
            others.append(one)
        else:
            problems.add(*known, _location(source, one))
    if others:
        more = len(others) - 1
        notes = (Note(f"and {more} more error{'s' if more > 1 else ''}"),) if more else ()
        problems.add(*_of_text(source, others[0]), _location(source, others[0]), notes)
    problems.raise_if_any()


def _of_name(said: str, symbolic: Collection[str]) -> tuple[str, str] | None:
    """What is wrong with a name, and what to do; None for other errors."""
    if found := re.fullmatch(r"use of undeclared identifier '(\w+)'(?:; did you mean .*)?", said):
        remedy = "declare it, or define it: -D in kernel.cflags, or its header by `--include DIR`"
        if found[1] in symbolic:
            remedy = f"write #define {found[1]} with its usual value in front"
        return f"'{found[1]}' is not declared", remedy
    if found := re.fullmatch(r"unknown type name '(\w+)'(?:; did you mean .*)?", said):
        header = header_of_type(found[1])
        remedy = f"include <{header}>" if header else "add its typedef, or the file that has it"
        return f"there is no type '{found[1]}'", remedy
    return None


def _of_text(source: Source, error: Any) -> tuple[str, str]:
    said = _in_words(error.spelling)
    location = _location(source, error)
    if location is not None and re.match(r"\s*#\s*error\b", location.text or ""):
        return f"#error {said}", "meet its condition"
    if said == "#include nested too deeply":
        return "this file is included again and again", "give it an include guard"
    if "nesting level exceeded" in said:
        return "this is nested too deeply", "split long expressions and nests"
    if said == "shift count is negative":
        return "this shifts by a negative constant", "shift the other way"
    if "'tapa::async_mmap<" in said:
        what = "what an 'async_mmap' gives depends on when it is asked"
        return what, "take a tapa::mmap, and read and write its elements"
    if asserted := _ASSERTION.fullmatch(said):
        return asserted[1], "correct it"
    return f"{'C++' if is_cxx(source.main) else 'C'}: {said}", "correct it"


def _in_words(text: str) -> str:
    """The text of an error without the class that stands for numbers of all vendors."""

    def number(found: re.Match[str]) -> str:
        width, whole = int(found[1]), int(found[2])
        point = "" if width == whole else f", {whole} of them in front of the point"
        return f"a number of {width} bits{point}"

    return _NUMBER.sub(number, text)


def _location(source: Source, error: Any) -> SourceLocation | None:
    """The place of an error: of one in a header that of the user's line which led there."""
    requests = [one for one in error.children if "requested here" in one.spelling]
    for one in (error, *requests):
        at = one.location
        if at.file is not None and at.file.name in source.names:
            return source.location(SourceRange(source.names[at.file.name], at.line, at.column, 1))
    return None


def _of_cxx(source: Source) -> str | None:
    """The first vendor's header that a file of C includes."""
    if is_cxx(source.main):
        return None
    paths = (Path(one.include.name) for one in source.unit.get_includes())
    own = HEADERS / "include"
    return next((str(one.relative_to(own)) for one in paths if one.is_relative_to(own)), None)


def _unread(source: Source) -> str:
    """The first header of a library that is known and not read; empty for none."""
    for include in source.unit.get_includes():
        path = Path(include.include.name)
        if not path.is_relative_to(HEADERS / "read") or not path.is_file():
            continue
        if path.read_text().startswith("#define HLSMEM_UNREAD"):
            return str(path.relative_to(HEADERS / "read"))
    return ""


def remarks_on(source: Source) -> tuple[Problem, ...]:
    """Return a remark on each header that is not there, and on each that ours stands for."""
    missing = [
        (one, f"'{one}' is not found, and counts as empty", "add its folder with --include")
        for one in source.missing
    ]
    copies = [
        (one, f"'{one}' is not read: the header of hlsmem is", "leave it out, or go on")
        for one in source.copies
    ]
    return tuple(
        Problem(what, remedy, _include_of(source, name)) for name, what, remedy in missing + copies
    )


def _include_of(source: Source, name: str) -> SourceLocation | None:
    """The first directive that includes a header."""
    last = re.escape(name.rpartition("/")[2])
    for file, lines in source.lines.items():
        for number, line in enumerate(() if file in source.copies else lines, start=1):
            found = re.match(rf'\s*#\s*include\s*([<"](?:[^">]*/)?{last}[">])', line)
            if found:
                column, length = found.start(1) + 1, len(found[1])
                return source.location(SourceRange(file, number, column, length))
    return None
