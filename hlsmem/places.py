"""Where something stands in a file the user wrote, so that a message can point at it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A stretch of one source line: lines and columns count from 1, `length` in characters."""

    file: str
    line: int
    column: int
    length: int = 1
    text: str | None = None

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"

    def carets(self) -> str:
        """The source line with carets under the stretch; empty where the text is unknown."""
        if self.text is None:
            return ""
        line = self.text.expandtabs(1)
        start = min(self.column - 1, len(line))
        width = max(1, min(self.length, len(line) - start))
        return f"    {line}\n    {' ' * start}{'^' * width}"


def place_in(file: str, text: str, offset: int, length: int = 1) -> Place:
    """The place of character `offset` of `text`, the whole content of `file`.

    >>> str(place_in("a.c", "int a;\\nint b;", 11))
    'a.c:2:5'
    """
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    line = text[start:] if end < 0 else text[start:end]
    return Place(
        file=file,
        line=text.count("\n", 0, offset) + 1,
        column=offset - start + 1,
        length=length,
        text=line,
    )
