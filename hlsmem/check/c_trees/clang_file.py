"""A C file as clang parses it: the user's files, their pragmas, and the headers of the system.

Headers of the system stay with the compiler. Clang is given those that hlsmem has for reading, and
an empty file for one that exists nowhere.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from hlsmem.check.c_trees.clang_functions import clang
from hlsmem.core.data_files import resource_folder
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.user_files import read_bytes
from hlsmem.read.c import tree

_FLAGS = (
    "-xc",
    "-std=gnu17",
    "-target",
    "x86_64-unknown-linux-gnu",
    "-nostdinc",
    "-D__SYNTHESIS__=1",  # as HLS tools do
    "-ferror-limit=0",
    "-Wno-everything",
)
_MISSING_LIMIT = 50
_ERROR = 3
# A definition with its comments, which may go on in the next lines.
_DEFINITION = (
    rb"^([ \t]*#[ \t]*)(?:define|undef)[ \t]+(%s)(?![\w(])"
    rb"(?://[^\n]*|/\*.*?\*/|\\\r?\n|(?!\*/)[^\n])*"
)
_PRAGMA = re.compile(rb"^[ \t]*#[ \t]*pragma\b((?:\\\r?\n|[^\n])*)", re.MULTILINE)
_OPERATOR = re.compile(rb'\b_Pragma\s*\(\s*"((?:[^"\\]|\\.)*)"\s*\)')
_DIRECTIVE = re.compile(rb"^[ \t]*#(?:\\\r?\n|[^\n])*", re.MULTILINE)
_COMMENT = re.compile(
    rb'("(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\')|/\*.*?\*/|//(?:\\\r?\n|[^\n])*', re.DOTALL
)


class NotUnderstood(Exception):
    """C outside of what the replay can follow; says what and where."""


@dataclass(frozen=True, slots=True)
class SourceLine:
    """Where something was written: a file of the user's and a line."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedFile:
    """What the user's files declare besides `main`, in the order of the text.

    `names` has these files by clang's paths, as seen from the folder; `pragmas` those that the
    preprocessor leaves in each, by their offsets; `includes` the lines for system headers.
    """

    declared: tuple[Any, ...]
    names: Mapping[str, str]
    pragmas: Mapping[str, tuple[tuple[int, tree.Pragma], ...]]
    includes: tuple[str, ...]

    def place(self, cursor: Any) -> SourceLine:
        """Return the place of a cursor."""
        at = cursor.location
        return SourceLine(
            "" if at.file is None else self.names.get(at.file.name, at.file.name), at.line
        )

    def pragmas_between(self, path: str, start: int, end: int) -> list[tree.Pragma]:
        """Return the pragmas of a file between two offsets."""
        own = self.pragmas.get(path, ())
        first = bisect_left(own, start, key=lambda one: one[0])
        return [pragma for offset, pragma in own[first:] if offset < end]


def parsed_file(
    folder: Path, file: str, *, cflags: Sequence[str], values: Mapping[str, int]
) -> ParsedFile:
    """Return `file` below `folder` as clang parses it, with macros at `values`.

    Of `cflags` -I, -D and -U are used. `main`, which no check calls, is left out: a bench may use
    what the headers for reading do not have. Raises NotUnderstood for what clang finds wrong.
    """
    headers = str(resource_folder("hls") / "read") + os.sep
    path = str(folder / file)
    given = [*_FLAGS, *_flags(folder, cflags, values), f"-I{headers}"]
    texts: dict[str, bytes] = {}
    unsaved: dict[str, bytes] = {}
    unit, more = None, {path}
    while more:
        found = {one: read_bytes(Path(one)) for one in sorted(more)}
        changed = _changed(found, values)
        texts |= found | changed
        unsaved |= changed
        if unit is None or changed:
            unit = _unit(path, file, given, unsaved, headers)
        read = {one.include.name for one in unit.get_includes()}
        more = {one for one in read if not one.startswith(headers)} - texts.keys()
    names = {one: os.path.relpath(one, folder) for one in texts}
    declared, includes = _items(unit, names, headers)
    benches = [one for one in declared if _is_main(one)]
    _refuse_errors(unit, names, benches)
    return ParsedFile(
        names=names,
        declared=tuple(one for one in declared if one not in benches),
        pragmas={one: tuple(_pragmas(unit, one, text, names)) for one, text in texts.items()},
        includes=includes,
    )


def _flags(folder: Path, cflags: Sequence[str], values: Mapping[str, int]) -> Iterator[str]:
    rest = iter(cflags)
    for flag in rest:
        kind = flag[:2]
        if kind not in ("-I", "-D", "-U"):
            continue
        value = flag[2:] or next(rest, "")
        name = value.partition("=")[0]
        if kind == "-I":
            value = str(folder / value)
        elif kind == "-D" and name in values:
            value = f"{name}={values[name]}"
        yield kind + value


def _changed(texts: Mapping[str, bytes], values: Mapping[str, int]) -> dict[str, bytes]:
    """Those of the texts that define macros with values, with these; lines stay where they are."""
    if not values:
        return {}
    names = b"|".join(re.escape(name).encode() for name in values)
    pattern = re.compile(_DEFINITION % names, re.MULTILINE | re.DOTALL)

    def defined(found: re.Match[bytes]) -> bytes:
        text = b"%sdefine %s %d" % (found[1], found[2], values[found[2].decode()])
        return text + b"\\\n" * found[0].count(b"\n")

    made = {path: pattern.sub(defined, text) for path, text in texts.items()}
    return {path: text for path, text in made.items() if text != texts[path]}


def _unit(
    path: str, file: str, given: Sequence[str], unsaved: dict[str, bytes], headers: str
) -> Any:
    """The file as clang parses it; headers that are not there are empty files from then on."""
    module = clang().module
    options = module.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD
    for _ in range(_MISSING_LIMIT):
        try:
            unit = module.Index.create().parse(
                path, args=list(given), unsaved_files=list(unsaved.items()), options=options
            )
        except module.TranslationUnitLoadError:
            raise NotUnderstood(f"{file}:1: clang does not read it") from None
        absent = _missing(unit)
        if not absent:
            break
        unsaved[headers + absent] = b""
    return unit


def _missing(unit: Any) -> str:
    """The header that is not there; empty where all are."""
    for one in unit.diagnostics:
        found = re.fullmatch(r"'([^']+)' file not found.*", one.spelling)
        if found:
            return found[1]
    return ""


def _is_main(cursor: Any) -> bool:
    return bool(cursor.kind.name == "FUNCTION_DECL" and cursor.spelling == "main")


def _refuse_errors(unit: Any, names: Mapping[str, str], benches: Sequence[Any]) -> None:
    for one in unit.diagnostics:
        if one.severity >= _ERROR and not any(one.location in own.extent for own in benches):
            at = one.location
            name = "" if at.file is None else names.get(at.file.name, at.file.name)
            raise NotUnderstood(f"{name}:{at.line}: {one.spelling}")


def _items(
    unit: Any, names: Mapping[str, str], headers: str
) -> tuple[tuple[Any, ...], tuple[str, ...]]:
    """What the user's files declare, and their includes of others' headers, each once, in order."""
    inclusion = clang().module.CursorKind.INCLUSION_DIRECTIVE
    declared, includes = [], dict[str, None]()
    for one in unit.cursor.get_children():
        kind = one.kind
        if kind.is_preprocessing() and kind is not inclusion:
            continue
        file = one.location.file
        if file is None or file.name not in names:
            continue
        if kind is not inclusion:
            declared.append(one)
        elif one.get_included_file().name.startswith(headers):
            includes[f"#include <{one.spelling}>"] = None
    return tuple(declared), tuple(includes)


def _pragmas(
    unit: Any, path: str, text: bytes, names: Mapping[str, str]
) -> Iterator[tuple[int, tree.Pragma]]:
    """The pragmas of a file by their offsets, in order."""
    if b"ragma" not in text:
        return
    text = _COMMENT.sub(lambda found: found[1] or re.sub(rb"[^\n]", b" ", found[0]), text)
    skipped = clang().skipped(unit, path)
    directives = [one.span() for one in _DIRECTIVE.finditer(text)]
    operators = [
        one
        for one in _OPERATOR.finditer(text)
        if not any(first <= one.start() < last for first, last in directives)
    ]
    lines = [*_PRAGMA.finditer(text), *operators]
    for one in sorted(lines, key=lambda one: one.start()):
        said = re.sub(r"\\\r?\n", " ", one[1].decode(errors="replace")).strip()
        if said == "once" or any(first <= one.start() < last for first, last in skipped):
            continue
        said = said.replace('\\"', '"') if one in operators else said
        line = text.count(b"\n", 0, one.start()) + 1
        yield one.start(), tree.Pragma(said, SourceLine(names[path], line))
