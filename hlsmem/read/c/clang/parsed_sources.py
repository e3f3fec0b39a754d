"""A file of C++ parsed by clang: the user's texts, places in them, pragmas, sizes that stay names.

System headers are not read: `hls/include` has what kernels use of them. Other includes must lie
below the folder of the design.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from functools import cached_property
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.rewrites import Rewrite, rewritten_at
from hlsmem.core.source_location import SourceLocation
from hlsmem.program.model import SourceFile
from hlsmem.read.c.clang.library import library
from hlsmem.read.c.tree import SourceRange, Through

_HEADERS = ("FOR_STMT", "WHILE_STMT", "IF_STMT", "SWITCH_STMT")
_WORD = re.compile(rb"\w+|.")
_OUTER = ("NAMESPACE", "LINKAGE_SPEC", "UNEXPOSED_DECL")
_PRAGMA = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+((?:[^\n\\]|\\\n|\\.)*)", re.MULTILINE)
_IN_TEXT = re.compile(r'_Pragma\s*\(\s*"((?:[^"\\]|\\.)*)"\s*\)')


@dataclass(frozen=True, slots=True)
class PragmaLine:
    """A pragma of a file: its text behind #pragma, and where it stands there in bytes."""

    text: str
    offset: int
    line: int


def _stretch(cursor: Any, at: Any, text: bytes) -> tuple[int, int]:
    """The bytes from the first to the last one of what a cursor stands for, which is `at` a place.

    Of loops and branches these are the header, of declarations the name and a first value. In
    arguments of macros clang has no ends but those of whole elements: else there it is a word.
    """
    start, end = cursor.extent.start, cursor.extent.end
    kind = cursor.kind
    if kind.name == "ARRAY_SUBSCRIPT_EXPR" and (own := _argument(start, end)) is not None:
        return own
    word = _WORD.match(text, at.offset)
    behind = word.end() if word else at.offset + 1
    is_near = start.line == at.line and start.offset <= at.offset < end.offset
    if kind.name in _HEADERS and is_near:
        below = list(cursor.get_children())
        body = below[1] if kind.name == "IF_STMT" and len(below) > 1 else below[-1]
        header = text.rfind(b")", start.offset, body.extent.start.offset)
        return start.offset, max(header + 1, behind)
    if kind.name == "VAR_DECL" and is_near and b"=" in text[at.offset : end.offset]:
        return at.offset, end.offset
    if kind.is_expression() and is_near:
        return start.offset, end.offset
    return at.offset, behind


def _argument(start: Any, end: Any) -> tuple[int, int] | None:
    """The bytes of what stands as a whole in an argument of a macro; None where it does not."""
    first = library().written_at(start)
    if first == start.offset:
        return None
    stop = library().written_at(end)
    # In arguments clang's own places are where the use begins, in the body the last is its end.
    return (first, stop) if first < stop and end.offset == start.offset else None


def _whole(cursor: Any, text: bytes, stop: int) -> int:
    """The end of the whole text of a statement or expression of which a stretch ends at `stop`.

    A word with arguments is a macro, or a call in the arguments of one.
    """
    kind = cursor.kind
    if kind.name == "RETURN_STMT":
        return max(stop, int(cursor.extent.end.offset))
    is_code = kind.is_expression() or kind.is_statement() or kind.name == "VAR_DECL"
    depth = 0
    for at in range(stop, len(text) if is_code and text[stop : stop + 1] == b"(" else stop):
        depth += (text[at] == ord("(")) - (text[at] == ord(")"))
        if not depth:
            return at + 1
    return stop


@dataclass(frozen=True, kw_only=True)
class Source:
    """A translation unit, and the texts of the user's files by their names in the folder.

    `names` has these names by the paths that clang gives. `macros` are the sizes that are names
    and were macros, with their texts. `missing` are headers that are not there, `copies` the user's
    files in whose place ours are read. What stands behind the user's text has the place `behind`;
    `raws` are texts with their own line ends, of files that have others than line feeds.
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
    raws: Mapping[str, str] = field(default_factory=dict)

    def file_of(self, cursor: Any) -> str:
        """Return the name of the user's file that a cursor stands in; empty for headers of ours."""
        file = cursor.location.file
        return "" if file is None else self.names.get(file.name, "")

    def is_main(self, cursor: Any) -> bool:
        """Return True for what stands in the kernel's own file."""
        return self.file_of(cursor) == self.main

    def place(self, cursor: Any, through: Through = ()) -> SourceRange:
        """Return the place of a cursor; of one in a header that of the use which led there."""
        at, name = cursor.location, self.file_of(cursor)
        if not name:
            for position, one in enumerate(through):
                if one.at.file:
                    return replace(one.at, through=through[position + 1 :], is_cut=False)
            return SourceRange(self.main, 1, 1, 1, through)
        if self.behind is not None and at.line > len(self.lines[name]) and name == self.main:
            return replace(self.behind, through=through)
        text = self.encoded[name]
        first, end = _stretch(cursor, at, text)
        stretch = text[first:end]
        line = text.rfind(b"\n", 0, first) + 1
        column = len(text[line:first].decode(errors="ignore")) + 1
        own, newline, _ = stretch.partition(b"\n")
        length = max(1, len(own.decode(errors="ignore").rstrip()))
        stop = _whole(cursor, text, end)
        number = at.line + text.count(b"\n", at.offset, first)
        return SourceRange(name, number, column, length, through, bool(newline), first, stop)

    def location(self, place: SourceRange) -> SourceLocation:
        """Return a place with the line that it is in, and with the calls that led there."""
        lines = self.lines.get(place.file, [])
        return SourceLocation(
            file=place.file,
            line=place.line,
            column=place.column,
            length=place.length,
            text=lines[place.line - 1] if 0 < place.line <= len(lines) else None,
            through=self._located(place.through),
            start=place.start,
            stop=place.stop,
        )

    def _located(self, through: Through) -> tuple[Rewrite[SourceLocation], ...]:
        """Return rewrites with the lines that they stand in."""
        if not through:
            return ()
        if through not in self._known:
            self._known[through] = tuple(
                rewritten_at(one, self.location(replace(one.at, through=()))) for one in through
            )
        return self._known[through]

    @cached_property
    def _known(self) -> dict[Through, tuple[Rewrite[SourceLocation], ...]]:
        return {}

    @cached_property
    def lines(self) -> Mapping[str, list[str]]:
        return {name: text.split("\n") for name, text in self.texts.items()}

    @cached_property
    def encoded(self) -> Mapping[str, bytes]:
        return {name: text.encode() for name, text in self.texts.items()}

    def unskipped(self, name: str, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
        """Return what matches in a file, but what conditions of the preprocessor leave out."""
        text = self.texts[name]
        skipped = self._skipped.get(name, ())
        if not skipped:  # else lines are counted for each
            yield from pattern.finditer(text)
            return
        for found in pattern.finditer(text):
            line = text.count("\n", 0, found.start()) + 1
            if not any(first <= line <= last for first, last in skipped):
                yield found

    @cached_property
    def _skipped(self) -> dict[str, list[tuple[int, int]]]:
        """The first and last lines of what is left out of each file."""
        own = library()
        return {
            name: own.skipped(self.unit, own.module.File.from_name(self.unit, path))
            for path, name in self.names.items()
        }

    @cached_property
    def pragmas(self) -> Mapping[str, list[PragmaLine]]:
        """The pragmas of each file that conditions of the preprocessor leave in it, in order."""
        found = {}
        for name, text in self.texts.items():
            if "pragma" not in text.lower():
                continue
            starts = [0, *(m.end() for m in re.finditer("\n", text))]
            lines = []
            for one in [*self.unskipped(name, _PRAGMA), *self.unskipped(name, _IN_TEXT)]:
                line = bisect_right(starts, one.start(1))
                offset = len(text[: one.start()].encode())
                said = said_in(one[1]).replace('\\"', '"')
                lines.append(PragmaLine(said, offset, line))
            found[name] = sorted(lines, key=lambda one: one.offset)
        return found

    def pragma_place(self, name: str, pragma: PragmaLine) -> SourceRange:
        """Return the first word of a pragma of a file."""
        line = self.lines[name][pragma.line - 1]
        word = re.compile(r"#\s*pragma\s+|_Pragma\W*").search(line)
        column = word.end() if word else len(line) - len(line.lstrip())
        length = re.match(r"\w*", line[column:])
        return SourceRange(name, pragma.line, column + 1, max(1, length.end() if length else 1))

    def declarations(self) -> tuple[Any, ...]:
        """Return the declarations of the unit in its order, those inside of namespaces too."""
        return self._declarations

    @cached_property
    def _declarations(self) -> tuple[Any, ...]:
        found = []
        pending = list(self.unit.cursor.get_children())[::-1]
        while pending:
            one = pending.pop()
            if one.kind.name in _OUTER:
                pending += list(one.get_children())[::-1]
            elif not one.kind.is_preprocessing():
                found.append(one)
        return tuple(found)

    def instead_of(self, copies: Mapping[str, str]) -> Source:
        """Return the unit with other texts for files of the user's that ours stand for, by path.

        A copy of these files is then read as the user's are; nothing in them is the user's.
        """
        gone = {self.names[one]: text for one, text in copies.items() if one in self.names}
        return replace(
            self,
            texts={name: gone.get(name, text) for name, text in self.texts.items()},
            names={path: name for path, name in self.names.items() if path not in copies},
            copies=tuple(sorted(gone)),
            raws={name: raw for name, raw in self.raws.items() if name not in gone},
        )

    def files(self) -> tuple[SourceFile, ...]:
        """Return the user's files, the main one first."""
        names = [self.main, *(one for one in self.texts if one != self.main)]
        return tuple(
            SourceFile(name=one, text=self.texts[one], raw=self.raws.get(one)) for one in names
        )


def said_in(directive: str) -> str:
    """Return the text of a directive on one line, without comments."""
    return re.sub(r"/\*.*?\*/|//.*", " ", directive.replace("\\\n", " ")).strip()
