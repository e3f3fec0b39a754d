"""A file of C++ parsed by clang: the user's texts, places in them, pragmas, sizes that stay names.

System headers are not read: `hls/include` has what kernels use of them. Other includes must lie
below the folder of the design.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from hlsmem.core.data_files import resource_folder
from hlsmem.core.errors import InputError, Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.source_location import SourceLocation
from hlsmem.core.user_files import read_text
from hlsmem.program.model import SourceFile
from hlsmem.read.c.clang.library import library
from hlsmem.read.c.tree import SourceRange
from hlsmem.read.design_folder import Folder

HEADERS = resource_folder("hls")
MISSING_LIMIT = 20
_IN_FRONT = "common/xf_"
"""Headers of ours that include those of the library that have their names."""
_FLAGS = (
    "-xc++",
    "-std=gnu++17",
    "-nostdinc",
    "-nostdinc++",
    "-DHLSMEM_READ",
    "-D__SYNTHESIS__",
    "-ferror-limit=20",
    "-Wno-everything",
)
_OUTER = ("NAMESPACE", "LINKAGE_SPEC", "UNEXPOSED_DECL")
_PRELUDE = "hlsmem_sizes.h"
_PRAGMA = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+((?:[^\n\\]|\\\n|\\.)*)", re.MULTILINE)
_IN_TEXT = re.compile(r'_Pragma\s*\(\s*"((?:[^"\\]|\\.)*)"\s*\)')
_DEFINE = r"^[ \t]*#[ \t]*define[ \t]+{}\b[ \t]*((?:[^\n\\]|\\\n|\\.)*)"


@dataclass(frozen=True, slots=True)
class PragmaLine:
    """A pragma of a file: its text behind #pragma, and where it stands there in bytes."""

    text: str
    offset: int
    line: int


@dataclass(frozen=True, kw_only=True)
class Source:
    """A translation unit, and the texts of the user's files by their names in the folder.

    `names` has these names by the paths that clang gives. `macros` are the sizes that are names
    and were macros, with their texts. `missing` are headers that are not there, `copies` the user's
    files in whose place ours are read. What stands behind the user's text has the place `behind`.
    """

    unit: Any
    texts: Mapping[str, str]
    names: Mapping[str, str]
    main: str
    macros: Mapping[str, str] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    copies: tuple[str, ...] = ()
    behind: SourceRange | None = None
    definitions: Mapping[str, str] = field(default_factory=dict)

    def file_of(self, cursor: Any) -> str:
        """Return the name of the user's file that a cursor stands in; empty for headers of ours."""
        file = cursor.location.file
        return "" if file is None else self.names.get(file.name, "")

    def is_main(self, cursor: Any) -> bool:
        """Return True for what stands in the kernel's own file."""
        return self.file_of(cursor) == self.main

    def place(self, cursor: Any, through: tuple[tuple[str, SourceRange], ...] = ()) -> SourceRange:
        """Return the place of a cursor; of one in a header that of the use which led there."""
        at = cursor.location
        name = "" if at.file is None else self.names.get(at.file.name, "")
        if not name:
            for position, (_, one) in enumerate(through):
                if one.file:
                    return SourceRange(
                        one.file, one.line, one.column, one.length, through[position + 1 :]
                    )
            return SourceRange(self.main, 1, 1, 1, through)
        if self.behind is not None and at.line > len(self.lines[name]) and name == self.main:
            return replace(self.behind, through=through)
        return SourceRange(
            name, at.line, self._column(name, at), self._length(cursor, name, at), through
        )

    def _column(self, name: str, at: Any) -> int:
        """The column in characters: clang counts bytes."""
        line = self.lines[name][at.line - 1] if at.line <= len(self.lines[name]) else ""
        if line.isascii():
            return int(at.column)
        return len(line.encode()[: at.column - 1].decode(errors="ignore")) + 1

    def _length(self, cursor: Any, name: str, at: Any) -> int:
        start, end = cursor.extent.start, cursor.extent.end
        if start.line == end.line == at.line and start.column == at.column < end.column:
            return int(end.column - start.column)
        line = self.lines[name][at.line - 1] if at.line <= len(self.lines[name]) else ""
        word = re.match(r"\w+", line[at.column - 1 :])
        return word.end() if word else 1

    def location(self, place: SourceRange) -> SourceLocation:
        """Return a place with the line that it is in, and with the calls that led there."""
        lines = self.lines.get(place.file, [])
        return SourceLocation(
            file=place.file,
            line=place.line,
            column=place.column,
            length=place.length,
            text=lines[place.line - 1] if 0 < place.line <= len(lines) else None,
            called=self.calls(place.through),
        )

    def calls(
        self, through: tuple[tuple[str, SourceRange], ...]
    ) -> tuple[tuple[str, SourceLocation], ...]:
        """Return calls by the locations that they are made at."""
        if not through:
            return ()
        if through not in self._calls:
            self._calls[through] = tuple(
                (name, replace(self.location(replace(one, through=())), called=()))
                for name, one in through
            )
        return self._calls[through]

    @cached_property
    def _calls(self) -> dict[Any, tuple[tuple[str, SourceLocation], ...]]:
        return {}

    @cached_property
    def lines(self) -> Mapping[str, list[str]]:
        return {name: text.split("\n") for name, text in self.texts.items()}

    @cached_property
    def encoded(self) -> Mapping[str, bytes]:
        return {name: text.encode() for name, text in self.texts.items()}

    @cached_property
    def pragmas(self) -> Mapping[str, list[PragmaLine]]:
        """The pragmas of each file that conditions of the preprocessor leave in it, in order."""
        found = {}
        for path, name in self.names.items():
            text = self.texts[name]
            if "pragma" not in text.lower():
                continue
            own = library()
            skipped = own.skipped(self.unit, own.module.File.from_name(self.unit, path))
            starts = [0, *(m.end() for m in re.finditer("\n", text))]
            lines = []
            for one in [*_PRAGMA.finditer(text), *_IN_TEXT.finditer(text)]:
                line = bisect_right(starts, one.start(1))
                if any(first <= line <= last for first, last in skipped):
                    continue
                offset = len(text[: one.start()].encode())
                said = _said_in(one[1]).replace('\\"', '"')
                lines.append(PragmaLine(said, offset, line))
            found[name] = sorted(lines, key=lambda one: one.offset)
        return found

    def declarations(self) -> Iterator[Any]:
        """Return the declarations of the unit in its order, those inside of namespaces too."""
        pending = list(self.unit.cursor.get_children())[::-1]
        while pending:
            one = pending.pop()
            if one.kind.name in _OUTER:
                pending += list(one.get_children())[::-1]
            else:
                yield one

    def without(self, paths: Collection[str]) -> Source:
        """Return the unit without files of the user's that are read from elsewhere."""
        gone = {self.names[one] for one in paths if one in self.names}
        return replace(
            self,
            texts={name: text for name, text in self.texts.items() if name not in gone},
            names={path: name for path, name in self.names.items() if path not in paths},
            copies=tuple(sorted(gone)),
        )

    def files(self) -> tuple[SourceFile, ...]:
        """Return the user's files, the main one first."""
        names = [self.main, *(one for one in self.texts if one != self.main)]
        return tuple(SourceFile(name=one, text=self.texts[one]) for one in names)


def _said_in(directive: str) -> str:
    """The text of a directive on one line, without comments."""
    return re.sub(r"/\*.*?\*/|//.*", " ", directive.replace("\\\n", " ")).strip()


def parsed(
    folder: Folder,
    file: str,
    *,
    cflags: Sequence[str] = (),
    symbolic: Sequence[str] = (),
    behind: str = "",
) -> Source:
    """Return `file` (relative to `folder`) as clang reads it, with a text `behind` it.

    Of `cflags`, -I, -D, -U and -std are used; macros in `symbolic` become constants of their names.
    A copy of a vendor's header in the user's folder is replaced by ours. Raises InputError for
    files that are missing or outside; `diagnostics` has errors of clang.
    """
    path = folder / Path(file)
    name = folder.name_of(path)
    if name is None:
        what = f"'{file}' lies outside the folder of the design"
        raise InputError(Problem(what, "move it below that folder"))
    text = read_text(path)
    flags = [
        *_FLAGS,
        f"-I{HEADERS / 'include'}",
        f"-I{HEADERS / 'read'}",
        *_flags(folder, cflags, symbolic),
    ]
    unsaved: dict[str, str] = {str(path): text + behind} if behind else {}
    source = _parsed_once(folder, str(path), name, flags, unsaved)
    copies = {
        one: f"#include <{own}>\n"
        for one, known in source.names.items()
        if (own := _own_header(known, name))
    }
    if copies:
        unsaved |= copies
        again = _parsed_once(folder, str(path), name, flags, unsaved)
        source = replace(again.without(copies), missing=(*source.missing, *again.missing))
    macros = {one: source.definitions[one] for one in symbolic if one in source.definitions}
    if macros:
        unsaved |= _hidden(source, macros, behind)
        prelude = str(path.parent / _PRELUDE)
        unsaved[prelude] = _prelude(macros)
        flags += ["-include", prelude]
        again = _parsed_once(folder, str(path), name, flags, unsaved).without(copies)
        missing = (*source.missing, *again.missing)
        source = replace(source, unit=again.unit, missing=missing, macros=macros)
    return source


def _own_header(name: str, main: str) -> str:
    """The header of ours that a file of the user's is a copy of, by its name; empty for none."""
    parts = name.split("/")
    for start in range(len(parts)):
        tail = "/".join(parts[start:])
        if name == main or tail.startswith(_IN_FRONT):
            continue
        if (HEADERS / "include" / tail).is_file():
            return tail
    return ""


def _flags(folder: Folder, cflags: Sequence[str], symbolic: Sequence[str]) -> list[str]:
    found = []
    words = iter(cflags)
    for word in words:
        if word.startswith("-std=") and "++" in word:
            found.append(word)
        kind, value = word[:2], word[2:]
        if kind not in ("-I", "-D", "-U"):
            continue
        value = value or next(words, "")
        if kind == "-I":
            value = str(folder / Path(value))
        elif value.partition("=")[0] in symbolic:
            continue
        found.append(kind + value)
    return found


def _hidden(source: Source, macros: Mapping[str, str], behind: str) -> dict[str, str]:
    """Texts in which the definitions of macros are blank."""
    changed = {}
    for path, name in source.names.items():
        text = source.texts[name]
        for one in macros:
            pattern = re.compile(_DEFINE.format(re.escape(one)), re.MULTILINE)
            text = pattern.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
        if text != source.texts[name]:
            changed[path] = text + (behind if name == source.main else "")
    return changed


def _prelude(macros: Mapping[str, str]) -> str:
    lines = []
    for name, text in macros.items():
        lines += [f"static constexpr auto {name} = ({text});", f"#define {name} {name}"]
    return "\n".join(lines) + "\n"


def _parsed_once(
    folder: Folder, path: str, name: str, flags: Sequence[str], unsaved: dict[str, str]
) -> Source:
    """Parse with empty files for headers that are not there, of which there may be several."""
    module = library().module
    missing: list[str] = []
    options = module.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD
    while True:
        index = module.Index.create()
        try:
            unit = index.parse(
                path, args=list(flags), unsaved_files=list(unsaved.items()), options=options
            )
        except module.TranslationUnitLoadError:
            what = f"clang does not read '{name}'"
            raise InputError(Problem(what, "split long expressions and deep nests")) from None
        absent = _missing(unit)
        if not absent or absent in missing or len(missing) == MISSING_LIMIT:
            break
        missing.append(absent)
        unsaved[str(HEADERS / "read" / absent)] = ""
    texts, names = _files(folder, unit, path, name)
    return Source(
        unit=unit,
        texts=texts,
        names=names,
        main=name,
        missing=tuple(missing),
        definitions=_definitions(unit, names, texts),
    )


def _missing(unit: Any) -> str:
    for one in unit.diagnostics:
        found = re.fullmatch(r"'([^']+)' file not found.*", one.spelling)
        if found:
            return found[1]
    return ""


def _files(
    folder: Folder, unit: Any, path: str, name: str
) -> tuple[dict[str, str], dict[str, str]]:
    """The user's files: texts by name, names by clang's path."""
    texts, names = {name: read_text(Path(path))}, {path: name}
    ours = str(HEADERS)
    for include in unit.get_includes():
        found = include.include.name
        if found in names or found.startswith(ours) or found.endswith(_PRELUDE):
            continue
        own = folder.name_of(Path(found))
        if own is None:
            what = f"'{found}' lies outside the folder of the design"
            raise InputError(Problem(what, "move it below that folder"))
        names[found] = own
        texts[own] = read_text(Path(found))
    return texts, names


def _definitions(unit: Any, names: Mapping[str, str], texts: Mapping[str, str]) -> dict[str, str]:
    """The texts of macros without arguments in the user's files, the last of each name."""
    found = {}
    for one in unit.cursor.get_children():
        if not one.kind.is_preprocessing():
            break
        if one.kind.name != "MACRO_DEFINITION":
            continue
        file = one.location.file
        if file is None or file.name not in names:
            continue
        start, end = one.extent.start, one.extent.end
        text = texts[names[file.name]].encode()[start.offset : end.offset].decode()
        body = text[len(one.spelling) :]
        if not body.startswith("("):
            found[one.spelling] = " ".join(_said_in(body).split())
    return found
