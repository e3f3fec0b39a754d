"""Projects of the vendor's tool: their tops and files, in `hls_config.cfg` or a script in Tcl.

Source: AMD UG1399, "HLS Config File Commands" and "Project Commands" of the Tcl interface.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from hlsmem.core.errors import InputError, Note, Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.source_location import SourceLocation, place_in
from hlsmem.read.suffixes import CONFIGS, is_c

_SECTION = re.compile(r"\s*\[\s*(\w+)\s*\]")
_SETTING = re.compile(r"\s*([\w.]+)\s*=\s*(.*?)\s*$", re.MULTILINE)
_COMMAND = re.compile(r"(?:[^\n;\\\"{}]|\\.|\"(?:[^\"\\]|\\.)*\"|\{[^{}]*\}|[{}\"\\])+", re.DOTALL)
_NO_WORDS = re.compile(r"^[ \t]*#.*$|\\$\n", re.MULTILINE)  # comments, and lines that go on
_WORD = re.compile(r"\"(?:[^\"\\]|\\.)*\"|\{[^{}]*\}|(?:\$\{\w+\}|[^\s\"{}])+")
# Options of add_files with a value behind them.
_VALUED = ("-cflags", "-csimflags", "-blackbox")


@dataclass(frozen=True, slots=True)
class Setting:
    """A value and where it stands."""

    value: str
    source_location: SourceLocation


@dataclass(frozen=True, slots=True, kw_only=True)
class HlsProject:
    """The tops, source files and flags that a project names, each with its place.

    `file_flags` are of one file each, whose name stands in front of a comma.
    """

    file: str
    text: str
    tops: tuple[Setting, ...] = ()
    files: tuple[Setting, ...] = ()
    flags: tuple[Setting, ...] = ()
    file_flags: tuple[Setting, ...] = ()

    @property
    def top(self) -> Setting | None:
        """The top; None without. Raises InputError where two are named."""
        for one in self.tops[1:]:
            if one.value != self.tops[0].value:
                what = f"a second top: {one.value!r}"
                note = Note(f"the first is {self.tops[0].value!r}", self.tops[0].source_location)
                remedy = "keep one, or name it with kernel.function"
                raise InputError(Problem(what, remedy, one.source_location, (note,)))
        return self.tops[0] if self.tops else None

    @property
    def kernels(self) -> tuple[Setting, ...]:
        """The files of C and C++, each once; headers are found by `#include`."""
        return tuple({one.value: one for one in self.files if is_c(one.value)}.values())

    def names(self, file: str) -> bool:
        """True if a file of this name is among those of the project, in whatever folder."""
        own = PurePosixPath(file).name
        return any(PurePosixPath(one.value).name == own for one in self.files)


def project_of(text: str, file: str) -> HlsProject:
    """The project that a file describes, by its suffix: a configuration, else a script.

    >>> own = project_of("[hls]\\nsyn.file=fir.cpp\\nsyn.top=fir\\n", "hls_config.cfg")
    >>> own.top.value, str(own.top.source_location)
    ('fir', 'hls_config.cfg:3:9')
    >>> project_of("set name fir\\nset_top $name; add_files {a.cpp fir.cpp}", "run.tcl").top.value
    'fir'
    """
    settings = _config if PurePosixPath(file).suffix in CONFIGS else _script
    found: dict[str, list[Setting]] = {}
    for key, value, offset in settings(text):
        place = place_in(file, text, offset, len(value))
        found.setdefault(key, []).append(Setting(value, place))
    return HlsProject(
        file=file, text=text, **{key: tuple(settings) for key, settings in found.items()}
    )


_KEYS = {
    "syn.top": "tops",
    "syn.file": "files",
    "syn.cflags": "flags",
    "syn.file_cflags": "file_flags",
}


def _config(text: str) -> Iterator[tuple[str, str, int]]:
    """The settings of the section `[hls]`: which, the value, and its offset."""
    section, offset = "", 0
    for line in text.splitlines(keepends=True):
        heading, found = _SECTION.match(line), _SETTING.match(line)
        if heading:
            section = heading[1]
        elif found and section == "hls" and found[1] in _KEYS and found[2]:
            yield _KEYS[found[1]], found[2], offset + found.start(2)
        offset += len(line)


def _script(text: str) -> Iterator[tuple[str, str, int]]:
    """The arguments of `set_top` and `add_files`, variables with one value in their place."""
    yield from _commands(_NO_WORDS.sub(lambda one: " " * len(one[0]), text), 0, {})


def _commands(text: str, start: int, values: dict[str, str]) -> Iterator[tuple[str, str, int]]:
    """The same of a part of a script that begins at an offset."""
    for command in _COMMAND.finditer(text):
        first = start + command.start()
        words = [(one[0], first + one.start()) for one in _WORD.finditer(command[0])]
        match [word for word, _ in words]:
            case ["set", name, value]:
                values[name] = _plain(value, values)
            case ["set_top", *_, _]:
                name, offset = words[-1]
                top = _plain(name, values)
                if re.fullmatch(r"[\w:]+", top):
                    yield "tops", top, offset
            case ["add_files", *rest] if "-tb" not in rest:
                for word, offset in _arguments(words[1:]):
                    for name in _plain(word, values).split():
                        yield "files", name, offset
            case [_, *_]:  # such as if, with commands in braces
                for word, offset in words:
                    if word.startswith("{"):
                        yield from _commands(word[1:-1], offset + 1, values)


def _arguments(words: Sequence[tuple[str, int]]) -> Iterator[tuple[str, int]]:
    """The words that are neither options nor their values."""
    before = ""
    for word, offset in words:
        if not word.startswith("-") and before not in _VALUED:
            yield word, offset
        before = word


def _plain(word: str, values: dict[str, str]) -> str:
    """A word without its quotes, known variables in their place."""
    inner = word[1:-1] if word[:1] in ('"', "{") else word
    return re.sub(r"\$\{?(\w+)\}?", lambda found: values.get(found[1], found[0]), inner)


def flags_of(settings: Sequence[Setting]) -> Iterator[tuple[str, Setting]]:
    """The flags in settings, each as one text, with its setting.

    Raises InputError where quotes are open.

    >>> one = Setting("-I inc -DN=4 '-DT=unsigned int'", SourceLocation(file="a", line=1, column=1))
    >>> [flag for flag, _ in flags_of([one])]
    ['-Iinc', '-DN=4', '-DT=unsigned int']
    """
    for one in settings:
        try:
            words = iter(shlex.split(one.value))
        except ValueError:
            remedy = "close it, or write a backslash in front of it"
            raise InputError(Problem("a quote is open", remedy, one.source_location)) from None
        for word in words:
            yield (word + next(words, "") if word in ("-I", "-D", "-U") else word), one
