"""Problems on the command line: place, what is wrong, what to do, source line."""

from __future__ import annotations

import os
import sys
from typing import TextIO

from hlsmem.core.errors import HlsmemError, Problem
from hlsmem.core.wording import visible


def print_error(error: HlsmemError, stream: TextIO | None = None) -> None:
    """Every problem on a line of its own, with its source line and carets where known."""
    stream = stream or sys.stderr
    colour = wants_colour(stream)
    for problem in error.problems:
        print(problem_text(problem, colour=colour), file=stream)


def problem_text(problem: Problem, *, colour: bool = False) -> str:
    """A problem as text of one or more lines, of which a terminal obeys nothing but the colour."""
    lines = []
    if problem.source_location and problem.source_location.carets():
        lines.append(problem.source_location.carets())
    for note in problem.notes:
        lines.append(
            f"  {note.source_location}: {note.text}" if note.source_location else f"  {note.text}"
        )
    return "\n".join([_bold(visible(str(problem)), colour), *map(visible, lines)])


def wants_colour(stream: TextIO) -> bool:
    """Colour only on a terminal, and not where NO_COLOR is set."""
    return stream.isatty() and not os.environ.get("NO_COLOR")


def _bold(text: str, colour: bool) -> str:
    return f"\x1b[1m{text}\x1b[0m" if colour else text
