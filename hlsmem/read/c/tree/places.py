"""Places of texts in files, and the rewrites that brought them to where they run."""

from __future__ import annotations

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.rewrites import Rewrite


@dataclass(frozen=True, slots=True)
class SourceRange:
    """A stretch of one line of a file, lines and columns from 1, the length in characters.

    `through` are the rewrites that brought the text to where it runs, innermost first; the place
    of each has the ones behind it. What `is_cut` goes on in further lines: the whole text are the
    bytes [start, stop) of the file.
    """

    file: str
    line: int
    column: int
    length: int = 1
    through: Through = ()
    is_cut: bool = False
    start: int = 0
    stop: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


Through = tuple[Rewrite[SourceRange], ...]


def with_through(place: SourceRange, through: Through) -> SourceRange:
    """Return a place with other rewrites; `replace` takes four times as long."""
    p = place
    return SourceRange(p.file, p.line, p.column, p.length, through, p.is_cut, p.start, p.stop)
