"""Values of constant expressions among tokens: sums and products of literals."""

from __future__ import annotations

import re
from collections.abc import Sequence


def number(words: Sequence[str]) -> int | None:
    """The value of a sum of products; None where the words are no such one.

    >>> number(["2", "*", "(", "3", "+", "0x4", ")"]), number(["W", "+", "1"])
    (14, None)
    """
    value, end = _sum(words)
    return value if words and end == len(words) else None


def _sum(words: Sequence[str], at: int = 0) -> tuple[int | None, int]:
    value, at = _product(words, at)
    while value is not None and at < len(words) and words[at] in ("+", "-"):
        sign = 1 if words[at] == "+" else -1
        more, at = _product(words, at + 1)
        value = None if more is None else value + sign * more
    return value, at


def _product(words: Sequence[str], at: int) -> tuple[int | None, int]:
    value, at = _atom(words, at)
    while value is not None and at < len(words) and words[at] == "*":
        more, at = _atom(words, at + 1)
        value = None if more is None else value * more
    return value, at


def _atom(words: Sequence[str], at: int) -> tuple[int | None, int]:
    if at < len(words) and words[at] == "(":
        value, at = _sum(words, at + 1)
        return (value, at + 1) if words[at : at + 1] == [")"] else (None, at)
    if at < len(words) and words[at][:1].isdigit():
        literal = re.fullmatch(r"(0[xX][0-9a-fA-F]+|0[0-7]*|[1-9]\d*)[uUlL]*", words[at])
        if literal is not None:
            octal = re.fullmatch(r"0[0-7]+", literal[1])
            return int(literal[1], 8 if octal else 0), at + 1
    return None, at
