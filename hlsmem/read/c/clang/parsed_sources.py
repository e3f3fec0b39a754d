"""A file of C++ parsed by clang: the user's texts, places in them, pragmas, sizes that stay names.

System headers are not read: `hls/include` has what kernels use of them. Other includes must lie
below the folder of the design.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping
from dataclasses import field, replace
from functools import cached_property
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.source_location import SourceLocation
from hlsmem.program.model import SourceFile
from hlsmem.read.c.clang.library import library
from hlsmem.read.c.tree import SourceRange

_OUTER = ("NAMESPACE", "LINKAGE_SPEC", "UNEXPOSED_DECL")
_PRAGMA = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+((?:[^\n\\]|\\\n|\\.)*)", re.MULTILINE)
_IN_TEXT = re.compile(r'_Pragma\s*\(\s*"((?:[^"\\]|\\.)*)"\s*\)')


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
                said = said_in(one[1]).replace('\\"', '"')
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


def said_in(directive: str) -> str:
    """Return the text of a directive on one line, without comments."""
    return re.sub(r"/\*.*?\*/|//.*", " ", directive.replace("\\\n", " ")).strip()
