"""Expressions of C from texts of the planner's own, and from those of pragmas.

Names, numbers, operators, calls, elements and conversions to numbers: no assignments.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.constants import literal_of
from hlsmem.read.c.operations import binary, conditional, indexed, unary

_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.\d*|\.\d+|\d+)(?:[eE][+-]?\d+)?\w*)|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<operator><<|>>|<=|>=|==|!=|&&|\|\||[-+*/%<>&|^!~?:()\[\],]))"
)
_LEVELS = ("||", "&&", "|", "^", "&", "== !=", "< > <= >=", "<< >>", "+ -", "* / %")
_LEVEL = {one: level for level, words in enumerate(_LEVELS) for one in words.split()}


_BASES = {"char": 8, "short": 16, "int": 32, "long": 64, "__int128": 128}
_WORDS = (*_BASES, "signed", "unsigned", "float", "double", "_Bool")


def number_named(words: Sequence[str]) -> tree.Number | tree.Float:
    """Return the type of numbers of a name in C; raises NoExpressionError.

    >>> number_named(["unsigned", "char"]), number_named(["int16_t"]) == tree.Number(16, True)
    (Number(bits=8, signed=False, point=0, rounding=0, overflow=0, exact=False, is_bool=False, \
spelled=''), True)
    """
    exact = re.fullmatch(r"(u?)int(8|16|32|64)_t", words[0])
    if exact is not None:
        return tree.Number(int(exact[2]), not exact[1], spelled=words[0])
    match words:
        case ["float"]:
            return tree.Float(32)
        case ["double"]:
            return tree.Float(64)
        case ["_Bool"]:
            return tree.BOOL
    if not set(words) <= {*_WORDS}:
        raise NoExpressionError(" ".join(words))
    bits = [_BASES[one] for one in words if one in _BASES and one != "int"]
    return tree.Number(bits[0] if bits else 32, "unsigned" not in words)


class NoExpressionError(ValueError):
    """A text that is no expression."""


NameTypes = Callable[[str], tree.Type]
"""What says the types of variables, and those of what functions return."""


def as_int(_name: str) -> tree.Type:
    """Return the type of names of which nothing says another one: those of sizes and loops."""
    return tree.INT


def parsed_expression(text: str, types: NameTypes = as_int) -> Any:
    """Return the tree of an expression; raises NoExpressionError.

    >>> from hlsmem.read.c.c_text import text_of
    >>> text_of(parsed_expression("N/2 - f(a[i], 1) * 3"))
    '(N / 2) - (f(a[i], 1) * 3)'
    """
    parser = _Parser(text, types)
    found = parser.conditional()
    if parser.kind:
        raise NoExpressionError(text)
    return found


class _Parser:
    """The tokens of a text; `kind` and `word` are those of the next one, empty at the end."""

    def __init__(self, text: str, types: NameTypes) -> None:
        self.text, self.position, self.types = text.rstrip(), 0, types
        self.kind = self.word = ""
        self.step()

    def step(self) -> str:
        """Return the word of the token in front, and go on behind it."""
        before = self.word
        if self.position == len(self.text):
            self.kind = self.word = ""
            return before
        found = _TOKEN.match(self.text, self.position)
        if found is None:
            raise NoExpressionError(self.text)
        self.kind = str(found.lastgroup)
        self.word, self.position = found[self.kind], found.end()
        return before

    def expect(self, word: str) -> None:
        if self.word != word:
            raise NoExpressionError(self.text)
        self.step()

    def conditional(self) -> Any:
        cond = self.binary(0)
        if self.word != "?":
            return cond
        self.step()
        iftrue = self.conditional()
        self.expect(":")
        return conditional(cond, iftrue, self.conditional())

    def binary(self, level: int) -> Any:
        """An expression of operators of a level and of those that bind closer."""
        if level == len(_LEVELS):
            return self.unary()
        left = self.binary(level + 1)
        while self.kind == "operator" and _LEVEL.get(self.word) == level:
            operator = self.step()
            left = binary(operator, left, self.binary(level + 1))
        return left

    def unary(self) -> Any:
        if self.kind == "operator" and self.word in "-+!~*&":
            operator = self.step()
            return unary(operator, self.unary())
        found = self.primary()
        while self.word in ("(", "["):
            if self.step() == "[":
                found = indexed(found, self.conditional())
                self.expect("]")
            else:
                found = tree.FuncCall(found.name, tuple(self.arguments()), found.type)
        return found

    def cast(self) -> Any:
        """A conversion to a number, behind its parenthesis."""
        words = []
        while self.kind == "name":
            words.append(self.step())
        self.expect(")")
        return tree.Cast(self.unary(), number_named(words))

    def arguments(self) -> list[Any]:
        given: list[Any] = []
        while self.word != ")":
            given.append(self.conditional())
            if self.word != ")":
                self.expect(",")
        self.step()
        return given

    def primary(self) -> Any:
        match self.kind:
            case "name":
                name = self.step()
                return tree.ID(name, self.types(name))
            case "number":
                word = self.step()
                is_real = "." in word or ("e" in word.lower() and not word.lower().startswith("0x"))
                if is_real:
                    return tree.Constant(word, tree.Float(32 if word[-1] in "fF" else 64))
                found = literal_of(word)
                if found is None:
                    raise NoExpressionError(self.text)
                return tree.Constant(word, found[1])
            case "operator" if self.word == "(":
                self.step()
                if self.word in _WORDS or self.word.endswith("_t"):
                    return self.cast()
                found = self.conditional()
                self.expect(")")
                return found
        raise NoExpressionError(self.text)
