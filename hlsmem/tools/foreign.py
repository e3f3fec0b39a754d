"""Verilog of OUT/rtl that hlsmem did not write, found on its tokens before any tool reads it.

Modules of the library are compared with the installed ones. Everything else is generated, and
generated text has no use for what would make tools read different circuits (directives, comments
that tools obey), believe what is not so (`assume`), reach into other modules, or act: a system
call of a simulator can write any file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from hlsmem import library
from hlsmem.version import TOOL

_CALLS = frozenset({"$signed", "$unsigned", "$clog2"})
_DIRECTIVES = frozenset({"`timescale", "`default_nettype"})
_KEYWORDS = frozenset(
    """assume assert cover restrict expect property sequence force release defparam initial final
    bind deassign program checker""".split()  # noqa: SIM905
)
_OBEYED = re.compile(r"translate_o|synopsys|synthesis\s+\w+_o|verilator|parallel_case|full_case")
_TOKEN = re.compile(
    r"""(?P<space>\s+)
    | (?P<comment>//[^\n]*|/\*.*?\*/)
    | (?P<text>"(?:[^"\\\n]|\\.)*")
    | (?P<attribute>\(\*(?!\s*\)))
    | (?P<directive>`\w*)
    | (?P<call>\$\w*)
    | (?P<number>\d*'[sS]?[a-zA-Z][\w?]*|\d[\w.]*)
    | (?P<name>\\\S+|[A-Za-z_][\w$]*)
    | (?P<sign>.)""",
    re.DOTALL | re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Token:
    """A token of Verilog and where it stands, lines and columns from 1."""

    kind: str
    text: str
    line: int
    column: int


def tokens(text: str) -> Iterator[Token]:
    """The tokens of a text, comments among them, without blanks.

    >>> [one.text for one in tokens("a <= b.c; // d")]
    ['a', '<', '=', 'b', '.', 'c', ';', '// d']
    """
    line, start = 1, 0
    for found in _TOKEN.finditer(text):
        kind = found.lastgroup or ""
        if kind != "space":
            yield Token(kind, found[0], line, found.start() - start + 1)
        breaks = found[0].count("\n")
        if breaks:
            line, start = line + breaks, found.start() + found[0].rindex("\n") + 1


def refused(text: str) -> Iterator[tuple[Token, str]]:
    """What generated Verilog may not have: the token, and what it is.

    >>> [what for _, what in refused('initial $fopen("x");')]
    ["the keyword 'initial'", "the system call '$fopen'"]
    """
    before = Token("", "", 0, 0)
    for token in tokens(text):
        match token.kind:
            case "directive" if token.text not in _DIRECTIVES:
                yield token, f"the directive '{token.text}'"
            case "call" if token.text not in _CALLS:
                yield token, f"the system call '{token.text}'"
            case "name" if token.text in _KEYWORDS:
                yield token, f"the keyword '{token.text}'"
            case "comment" if _OBEYED.search(token.text.lower()):
                yield token, "a comment that tools obey"
            case "attribute":
                yield token, "an attribute"
            case "sign" if token.text == "." and (before.kind == "name" or before.text == "]"):
                yield token, "a name inside another module"
            case _:
                pass
        if token.kind != "comment":
            before = token


def foreign(folder: Path) -> Iterator[str]:
    """What is not hlsmem's in the Verilog below `folder` (OUT/rtl), with its place."""
    installed = library.installed()
    known = {Path(name).name for name in installed}
    for file in sorted(folder.rglob("*.v")):
        name = file.relative_to(folder).as_posix()
        shown = f"{folder.name}/{name}"
        try:
            text = file.read_bytes().decode("utf-8")
        except (OSError, UnicodeDecodeError):
            yield f"{shown} cannot be read"
            continue
        own = name.removeprefix("library/")
        if library.plain(file.name) != file.name or file.name in known:
            if own not in installed:
                yield f"{shown} is a module of another version than {TOOL}"
            elif text != installed[own]:
                line = _first_difference(text, installed[own])
                yield f"{shown}:{line}: not the module of {TOOL}"
            continue
        for token, what in refused(text):
            yield f"{shown}:{token.line}:{token.column}: {what}, which hlsmem never writes"


def _first_difference(text: str, other: str) -> int:
    lines, others = text.splitlines(), other.splitlines()
    equal = [one == two for one, two in zip(lines, others, strict=False)]
    return (equal.index(False) if False in equal else len(equal)) + 1
