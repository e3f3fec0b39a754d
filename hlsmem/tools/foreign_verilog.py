"""Verilog of OUT/rtl that hlsmem did not write, found on its tokens before any tool reads it.

Modules of the library are compared with the installed ones; another text of one has what tools obey
only as the installed one has it, and needs a proof that it is the same circuit. Everything else is
generated, and generated text has no use for what would make tools read different circuits
(directives, comments that tools obey), believe what is not so (`assume`), reach into other modules,
or act: a system call of a simulator can write any file.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from hlsmem.core import verilog_library as library
from hlsmem.core.lazy_dataclass import dataclass
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
    """Tokens that generated Verilog may not have: each with its description.

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


# Of changed library files in a folder, those not proved equal to the installed, with the reason.
Equality = Callable[[Path, Sequence[str]], Iterable[tuple[str, str]]]
# What tools obey in the library: for simulators alone, attributes, the guard around a file.
_OBEYED_IN_LIBRARY = re.compile(
    r"`ifndef SYNTHESIS\n.*?`endif|\(\*(?!\s*\)).*?\*\)|//[^\n]*verilator[^\n]*", re.DOTALL
)
_GUARD = re.compile(r"\A`ifndef (\w+)\n`define \1\n(?P<inside>.*)`endif\n\Z", re.DOTALL)


def strange(text: str, installed: str) -> str | None:
    """First construct that tools obey in another text of a library module, not in the installed
    one.

    >>> module = "(* keep *) module m; endmodule"
    >>> strange("(* blackbox *) module m; endmodule", module)
    "'(* blackbox *)'"
    >>> strange("(* keep *) module m; initial; endmodule", module)
    "the keyword 'initial'"
    >>> strange("(* keep *) module m; wire x; endmodule", module)
    """
    texts = [found["inside"] if (found := _GUARD.match(one)) else one for one in (text, installed)]
    more = Counter(_OBEYED_IN_LIBRARY.findall(texts[0]))
    more.subtract(_OBEYED_IN_LIBRARY.findall(texts[1]))
    for words, number in more.items():
        if number > 0:
            return repr(words.splitlines()[0])
    left, known = ([w for _, w in refused(_OBEYED_IN_LIBRARY.sub(" ", one))] for one in texts)
    return next(iter((Counter(left) - Counter(known)).elements()), None)


def foreign(folder: Path, equality: Equality | None = None) -> Iterator[str]:
    """Foreign parts of the Verilog below `folder` (OUT/rtl), with their places.

    Other texts of library modules are, unless `equality` says nothing against them.
    """
    installed = library.installed()
    known = {Path(name).name for name in installed}
    changed: dict[str, str] = {}
    for file in sorted(folder.rglob("*.v")):
        name = file.relative_to(folder).as_posix()
        shown = f"{folder.name}/{name}"
        try:
            text = file.read_bytes().decode("utf-8")
        except (OSError, UnicodeDecodeError):
            yield f"{shown} cannot be read"
            continue
        if library.plain(file.name) != file.name or file.name in known:
            if name not in installed:
                yield f"{shown} is a module of another version than {TOOL}"
            elif text != installed[name]:
                line = _first_difference(text, installed[name])
                what = f"{shown}:{line}: not the module of {TOOL}"
                obeyed = strange(text, installed[name])
                if obeyed is not None:
                    yield f"{what}: it has {obeyed}, which that has not"
                elif equality is None or "/" in name:  # a family's own text
                    yield what
                else:
                    changed[name] = what
            continue
        for token, what in refused(text):
            yield f"{shown}:{token.line}:{token.column}: {what}, which hlsmem never writes"
    if changed and equality is not None:
        for name, why in equality(folder, [*changed]):
            yield f"{changed[name]}, and {why}"


def _first_difference(text: str, other: str) -> int:
    lines, others = text.splitlines(), other.splitlines()
    equal = [one == two for one, two in zip(lines, others, strict=False)]
    return (equal.index(False) if False in equal else len(equal)) + 1
