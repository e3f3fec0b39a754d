"""Location in a file the user wrote, so that a message can point at it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, replace

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.rewrites import Rewrite


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceLocation:
    """A stretch of one source line: lines and columns count from 1, `length` in characters.

    Line 0 is for text that has no lines, such as an argument of the command line: `file`
    then is that argument and stands alone. `through` are the rewrites that brought the text to
    where it runs, innermost first. What the program was read from has also the whole text that
    stands there, as bytes [start, stop) of the file.
    """

    file: str
    line: int
    column: int
    length: int = 1
    text: str | None = None
    through: tuple[Rewrite[SourceLocation], ...] = field(default=(), compare=False)
    start: int = field(default=0, compare=False)
    stop: int = field(default=0, compare=False)

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}" if self.line else self.file

    def with_files(self, named: Callable[[str], str]) -> SourceLocation:
        """The location with other names of files; of what is no file the same."""
        if not self.line:
            return self
        through = tuple(replace(one, at=one.at.with_files(named)) for one in self.through)
        return replace(self, file=named(self.file), through=through)

    def carets(self) -> str:
        """The source line with carets under the stretch; empty where the text is unknown."""
        if self.text is None:
            return ""
        line = self.text.expandtabs(1)
        start = min(self.column - 1, len(line))
        width = max(1, min(self.length, len(line) - start))
        if not line.strip():
            return ""
        line, start, width = _cut(line, start, width)
        return f"    {line}\n    {' ' * start}{'^' * width}"


_WIDEST = 160


def _cut(line: str, start: int, width: int) -> tuple[str, int, int]:
    """A long line cut to the part around its stretch, with dots where it goes on."""
    if len(line) <= _WIDEST:
        return line, start, width
    first = max(0, min(start - _WIDEST // 3, len(line) - _WIDEST))
    before = "..." if first else ""
    after = "..." if first + _WIDEST < len(line) else ""
    shown = before + line[first : first + _WIDEST] + after
    start = start - first + len(before)
    return shown, start, min(width, len(shown) - len(after) - start)


def place_in(file: str, text: str, offset: int, length: int = 1) -> SourceLocation:
    """The place of character `offset` of `text`, the whole content of `file`.

    >>> str(place_in("a.c", "int a;\\nint b;", 11))
    'a.c:2:5'
    """
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    line = text[start:] if end < 0 else text[start:end]
    return SourceLocation(
        file=file,
        line=text.count("\n", 0, offset) + 1,
        column=offset - start + 1,
        length=length,
        text=line.rstrip("\r"),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A text that was cut out of a file, with the way back to the places of its characters.

    `source` is the whole file and [start, end) the stretch in it. Character i of the text
    stands at `source[offsets[i]]`; where quoting hides that, `offsets` is None and every
    place is the whole stretch. `numbered` is False for an argument of the command line.
    """

    file: str
    source: str
    start: int
    end: int
    offsets: tuple[int, ...] | None = None
    numbered: bool = True

    def place(self, offset: int | None = None, length: int = 1) -> SourceLocation:
        """The place of `length` characters of the text from `offset`; None: the whole text."""
        start, end = self.start, self.end
        if offset is not None and self.offsets:
            first = min(offset, len(self.offsets) - 1)
            last = min(offset + max(length, 1), len(self.offsets)) - 1
            start, end = self.offsets[first], self.offsets[max(first, last)] + 1
        newline = self.source.find("\n", start, end)
        source_location = place_in(
            self.file, self.source, start, (newline if newline > 0 else end) - start
        )
        return source_location if self.numbered else replace(source_location, line=0)
