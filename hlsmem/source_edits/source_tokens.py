"""Tokens of a C or C++ file, with the bytes that they stand at.

Texts are files decoded as Latin-1, so that offsets are bytes whatever the encoding is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from hlsmem.core.lazy_dataclass import dataclass

ENCODING = "latin-1"
_TOKEN = re.compile(
    r"(?P<comment>//(?:[^\n\\]|\\.)*|/\*.*?\*/)"
    r"|(?P<directive>^[ \t]*\#(?:[^\n\\]|\\\r?\n|\\.)*)"
    r'|(?P<string>"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\')'
    r"|(?P<word>[A-Za-z_$]\w*)"
    r"|(?P<number>\.?\d(?:[eEpP][+-]|[\w.'])*)"
    r"|(?P<sign><<=|>>=|\.\.\.|->|\+\+|--|::|[-+*/%&|^=!<>]=|&&|\|\||<<|>>|[^\s\w])",
    re.DOTALL | re.MULTILINE,
)
_PAIRS = {"(": ")", "[": "]", "{": "}"}


@dataclass(frozen=True, slots=True)
class Token:
    """A token at bytes [start, stop); `kind` is comment, directive, string, word, number, sign."""

    kind: str
    text: str
    start: int
    stop: int


def tokens(text: str) -> tuple[Token, ...]:
    """The tokens of a text; a directive is one, with the lines that it goes on in.

    >>> [one.text for one in tokens("a[i] += 2; // sum")]
    ['a', '[', 'i', ']', '+=', '2', ';', '// sum']
    """
    found = _TOKEN.finditer(text)
    return tuple(Token(str(one.lastgroup), one[0], *one.span()) for one in found)


def code(found: Sequence[Token]) -> tuple[Token, ...]:
    """Tokens without comments."""
    return tuple(one for one in found if one.kind != "comment")


def closing(found: Sequence[Token], at: int) -> int | None:
    """The position of the bracket that closes the one at a position; None where none does."""
    pending: list[str] = []
    for position in range(at, len(found)):
        one = found[position].text if found[position].kind == "sign" else ""
        if one in _PAIRS:
            pending.append(_PAIRS[one])
        elif one in _PAIRS.values():
            if not pending or pending.pop() != one:
                return None
            if not pending:
                return position
    return None


def subscript_ranges(text: str, start: int) -> tuple[int, list[tuple[int, int]]]:
    """Where a name at `start` ends, and the bytes between each pair of brackets behind it.

    >>> subscript_ranges("x = t[i - 1] [j];", 4)
    (5, [(6, 11), (14, 15)])
    """
    word = re.compile(r"[A-Za-z_$]\w*").match(text, start)
    end = start if word is None else word.end()
    found: list[tuple[int, int]] = []
    at = end
    while (bracket := re.compile(r"\s*\[").match(text, at)) is not None:
        rest = tokens(text[bracket.end() - 1 :])
        last = closing(code(rest), 0)
        if last is None:
            break
        stop = bracket.end() - 1 + code(rest)[last].start
        found.append((bracket.end(), stop))
        at = stop + 1
    return end, found
