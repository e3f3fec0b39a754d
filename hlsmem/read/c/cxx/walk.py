"""Walks over tokens of C++: at each one a step says what stands for it, and for those behind it.

Pragmas stay as they are; brackets are counted here, for all steps alike.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c.preprocess import Token

_PAIRS = {"(": ")", "[": "]", "{": "}"}
_CLOSED = {")": 1, "]": 1, "}": 1, "(": -1, "[": -1, "{": -1}


@dataclass(frozen=True, slots=True, kw_only=True)
class Here:
    """A token in a walk: its position, the brackets open there, and the text written before it.

    `braces` and `parentheses` count the token itself; `pragmas` are tokens of pragmas, by `id`.
    """

    tokens: list[Token]
    position: int
    braces: int
    parentheses: int
    before: str
    pragmas: frozenset[int]

    @property
    def token(self) -> Token:
        return self.tokens[self.position]

    def words(self, count: int, behind: int = 0) -> list[str]:
        """The texts of so many tokens from here on, or from `behind` it on; fewer at the end."""
        start = self.position + behind
        return [token.text for token in self.tokens[start : start + count]]

    def closing(self, behind: int) -> int:
        """Distance to the bracket that closes the one at `behind`; else to the last token."""
        opening = self.position + behind
        start = self.tokens[opening].text
        depth = 0
        for position in range(opening, len(self.tokens)):
            text = self.tokens[position].text
            depth += (text == start) - (text == _PAIRS[start])
            if depth == 0:
                return position - self.position
        return len(self.tokens) - 1 - self.position

    def angle(self, behind: int) -> int:
        """Distance to the `>` that closes the `<` at `behind`, cut off from `>>`; -1: none."""
        tokens, depth = self.tokens, 0
        position = self.position + behind
        while position < len(tokens) and tokens[position].text not in (";", "{"):
            text = tokens[position].text
            if text == ">>":
                one = tokens[position]
                tokens[position : position + 1] = [replace(one, text=">"), replace(one, text=">")]
                text = ">"
            depth += (text == "<") - (text == ">")
            if depth == 0:
                return position - self.position
            position += 1
        return -1

    def until(self, *texts: str) -> int | None:
        """Distance to the first token that is one of some texts; None where there is none."""
        for position in range(self.position, len(self.tokens)):
            if self.tokens[position].text in texts:
                return position - self.position
        return None

    def end(self) -> int:
        """Distance to the `;` that ends its declaration; else to the last token."""
        depth = 0
        for position in range(self.position, len(self.tokens)):
            text = self.tokens[position].text
            depth += (text == "{") - (text == "}")
            if text == ";" and not depth:
                return position - self.position
        return len(self.tokens) - 1 - self.position

    def statement(self) -> int:
        """Position of the first token of the statement or declaration that the token is in."""
        start, depth = self.position, 0
        while start:
            one = self.tokens[start - 1]
            if id(one) in self.pragmas or (not depth and one.text in (";", "{", "}")):
                break
            depth += _CLOSED.get(one.text, 0)
            if depth < 0:
                break
            start -= 1
        return start

    def part(self, start: int, end: int) -> list[Token]:
        """The tokens from `start` to `end`, not with it, counted from here."""
        return self.tokens[self.position + start : self.position + end]

    def spelled(self, *texts: str) -> list[Token]:
        """Tokens of these texts that stand where this one does."""
        return [replace(self.token, text=text) for text in texts]


# How many tokens from here on are replaced, and by what; None: this one stays.
Step = Callable[[Here], "tuple[int, Sequence[Token]] | None"]


def walked(given: Sequence[Token], step: Step) -> list[Token]:
    """The tokens with what a step gives in place of them."""
    tokens = [*given]
    pragmas = frozenset(id(tokens[position]) for position in in_pragma(tokens))
    found: list[Token] = []
    position = braces = parentheses = 0
    while position < len(tokens):
        token = tokens[position]
        if id(token) in pragmas:
            found.append(token)
            position += 1
            continue
        here = Here(
            tokens=tokens,
            position=position,
            braces=braces + _steps(token, "{"),
            parentheses=parentheses + _steps(token, "("),
            before=found[-1].text if found else "",
            pragmas=pragmas,
        )
        count, written = step(here) or (1, [token])
        braces += sum(_steps(one, "{") for one in here.part(0, count))
        parentheses += sum(_steps(one, "(") for one in here.part(0, count))
        found += written
        position += count
    return found


def _steps(token: Token, opening: str) -> int:
    return (token.text == opening) - (token.text == _PAIRS[opening])


def in_pragma(tokens: Sequence[Token]) -> set[int]:
    """The positions of tokens of pragmas, which stay as they are."""
    found: set[int] = set()
    line = None
    for position, token in enumerate(tokens):
        if token.text == "#" and (not position or tokens[position - 1].line != token.line):
            line = token.line
        if token.line == line:
            found.add(position)
    return found
