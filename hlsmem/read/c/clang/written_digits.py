"""Numbers that constructors get as text: "0x1f", "-12", or digits with a radix behind them."""

from __future__ import annotations

import json
from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.clang import clang_types
from hlsmem.read.c.clang.c_integers import literal, literal_value, wrapped
from hlsmem.read.c.clang.types_in_c import LIMB, is_wide, limbs_in
from hlsmem.read.c.clang.wide_words import word
from hlsmem.read.c.tree import UNSIGNED_LONG, Expression, Number, SourceRange

_MARKS = {"x": 16, "o": 8, "b": 2}


def text_of(cursor: Any) -> str | None:
    """Return the text of a literal, through conversions; None of what is none."""
    cursor = clang_types.unwrapped(cursor)
    if cursor.kind.name != "STRING_LITERAL":
        return None
    try:
        found = json.loads(cursor.spelling)
    except ValueError:
        return None
    return found if isinstance(found, str) else None


def digits_in(text: str, radix: int) -> int | None:
    """Return the integer that digits are, as hlsmem_values.h reads them; None of other text.

    >>> digits_in("0x1f", 0), digits_in("-12", 0), digits_in("1f", 16), digits_in("1.5", 10)
    (31, -12, 31, None)
    """
    sign, rest = (-1 if text[:1] == "-" else 1), text.removeprefix("-").removeprefix("+").lower()
    if rest[:1] == "0" and radix != 10 and rest[1:2] in _MARKS:
        mark = rest[1]
        if mark != "b" or radix != 16:
            radix, rest = radix or _MARKS[mark], rest[2:]
    try:
        return sign * int(rest, radix or 10) if rest.isalnum() else None
    except ValueError:
        return None


def number_in(given: list[Any], kind: Number, place: SourceRange) -> Expression | None:
    """Return the number of a type in the arguments of its constructor; None where no text is."""
    text = text_of(given[0])
    radix = clang_types.value_of(given[1]) if len(given) > 1 else 0
    if text is None or kind.point or not (radix is None or isinstance(radix, int)):
        return None
    number = digits_in(text, radix or 0)
    if number is None:
        return None
    number = wrapped(number, kind)
    if not is_wide(kind):
        return literal_value(number, kind, place).node
    limbs = ((number >> (LIMB * k)) & UNSIGNED_LONG.greatest for k in range(limbs_in(kind)))
    made: list[tree.Expression] = [literal(one, UNSIGNED_LONG, place) for one in limbs]
    return word(made, kind, place).node
