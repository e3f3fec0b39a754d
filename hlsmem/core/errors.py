"""Problems as values, and the one error root that carries all problems found at once.

Exit codes: 2 bad usage or input, 3 a tool is missing or too old, 4 a limit was hit.
A failed check is a verdict, not an exception.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.source_location import SourceLocation
from hlsmem.core.wording import counted


@dataclass(frozen=True, slots=True)
class Note:
    """A further place that explains a problem, e.g. "first written here"."""

    text: str
    source_location: SourceLocation | None = None


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem: what is wrong, what to do about it, and where."""

    what: str
    remedy: str
    source_location: SourceLocation | None = None
    notes: tuple[Note, ...] = ()

    def in_words(self, words: Mapping[str, str]) -> Problem:
        """The problem with other words for some.

        >>> str(Problem("'a_2' is not read", "read a_2").in_words({"a_2": "a"}))
        "'a' is not read; read a"
        """

        def said(text: str) -> str:
            return re.sub(r"\w+", lambda found: words.get(found[0], found[0]), text)

        notes = tuple(Note(said(note.text), note.source_location) for note in self.notes)
        return Problem(said(self.what), said(self.remedy), self.source_location, notes)

    def __str__(self) -> str:
        text = f"{self.what}; {self.remedy}" if self.remedy else self.what
        return f"{self.source_location}: {text}" if self.source_location else text


class HlsmemError(Exception):
    """Root of all errors hlsmem raises; carries every problem found.

    >>> str(InputError(Problem("'M' is not a parameter", "add it to params")))
    "'M' is not a parameter; add it to params"
    """

    exit_code: ClassVar[int] = 2

    def __init__(self, *problems: Problem) -> None:
        super().__init__(*problems)
        self.problems: tuple[Problem, ...] = problems

    def __str__(self) -> str:
        return "\n".join(str(problem) for problem in self.problems)


class InputError(HlsmemError):
    """The user's input or usage is wrong."""


class ToolError(HlsmemError):
    """A tool is missing, too old, or did not do its work."""

    exit_code = 3


class MissingToolError(ToolError):
    """A tool is not there, or too old; `install` are commands that bring it, of several systems."""

    def __init__(self, *problems: Problem, install: Sequence[str] = ()) -> None:
        super().__init__(*problems)
        self.install = tuple(install)

    @property
    def command(self) -> str:
        """The first command that begins with a program on PATH; the first if none does."""
        found = (one for one in self.install if shutil.which(one.split()[0]))
        return next(found, "".join(self.install[:1]))


class LimitError(HlsmemError):
    """A stated limit on work or size was hit."""

    exit_code = 4


class Problems:
    """Collects problems so that a reader can go on and report all of them at once."""

    def __init__(self) -> None:
        self._found: list[Problem] = []

    def add(
        self,
        what: str,
        remedy: str,
        source_location: SourceLocation | None = None,
        notes: Iterable[Note] = (),
    ) -> None:
        problem = Problem(what, remedy, source_location, tuple(notes))
        if problem not in self._found:
            self._found.append(problem)

    def extend(self, others: HlsmemError | Problems) -> None:
        for problem in others.problems:
            if problem not in self._found:
                self._found.append(problem)

    def __len__(self) -> int:
        return len(self._found)

    def copy(self) -> Problems:
        """Those found so far, to go on from in another way."""
        found = Problems()
        found._found += self._found
        return found

    def by_kind(self) -> Problems:
        """Return a few problems as they are; of more one a kind, with the places of the others.

        Those of a kind differ in what they quote alone.

        >>> found = Problems()
        >>> for name in "abcd": found.add(f"'{name}' has no body", "write one")
        >>> [(one.what, len(one.notes)) for one in found.by_kind().problems]
        [("'a' has no body", 3)]
        """
        if len(self) <= _FEW:
            return self
        alike: dict[tuple[str, ...], list[Problem]] = {}
        for one in self.problems:
            kind = tuple(re.sub(r"'[^']*'", "''", text) for text in (one.what, one.remedy))
            alike.setdefault(kind, []).append(one)
        found = Problems()
        for one, *others in alike.values():
            notes = [_note_on(each, one) for each in others[:_PLACES]]
            if len(others) > _PLACES:
                notes.append(Note(f"and in {counted(len(others) - _PLACES, 'more place')}"))
            found.add(one.what, one.remedy, one.source_location, (*one.notes, *notes))
        return found

    @property
    def problems(self) -> tuple[Problem, ...]:
        """All of them, in source order per file."""
        return tuple(sorted(self._found, key=_source_order))

    def raise_if_any(self) -> None:
        """Raise InputError with everything collected."""
        if self._found:
            raise InputError(*self.problems)


def _note_on(problem: Problem, first: Problem) -> Note:
    """A note on a problem of the kind of a first one: what it quotes that this does not."""
    quoted = re.findall(r"'[^']*'", problem.what)
    own = next((one for one in quoted if one not in first.what), "")
    return Note(f"and {own} here" if own else "and here", problem.source_location)


_FEW = 3
"""Problems that are each said in full."""
_PLACES = 6
"""Further places of a kind of problem, beyond which they are counted."""


def _source_order(problem: Problem) -> tuple[str, int, int]:
    source_location = problem.source_location
    return (
        (source_location.file, source_location.line, source_location.column)
        if source_location
        else ("", 0, 0)
    )
