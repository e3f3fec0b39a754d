"""Words for numbers, as messages and reports say them."""

from __future__ import annotations

from collections.abc import Sequence


def listed(things: Sequence[str]) -> str:
    """Things in a sentence.

    >>> listed(["perl"]), listed(["perl", "make", "g++"])
    ('perl', 'perl, make and g++')
    """
    *rest, last = things
    return f"{', '.join(rest)} and {last}" if rest else last


def visible(text: str) -> str:
    r"""Text of others, in which what a terminal obeys or does not show is spelled out.

    >>> print(visible("red \x1b[31m, back\r"))
    red \x1b[31m, back\r
    """
    if text.isascii() and text.replace("\n", "").replace("\t", "").isprintable():
        return text
    return "".join(
        one if one.isprintable() or one in "\n\t" else one.encode("unicode_escape").decode()
        for one in text
    )


def every(cycles: float) -> str:
    """Interval between the starts of steps, in words.

    >>> every(1.0), every(2.5)
    ('in every cycle', 'every 2.50 cycles')
    """
    text = f"{cycles:.2f}"
    return "in every cycle" if text == "1.00" else f"every {text} cycles"


def pace(cycles: float) -> str:
    """Rate of the starts of steps, as a clause; several in a cycle where statements overlap.

    >>> pace(2.5), pace(0.8)
    ('a step starts every 2.50 cycles', '1.25 steps start in a cycle')
    """
    if round(cycles, 2) < 1:
        return f"{1 / cycles:.2f} steps start in a cycle"
    return f"a step starts {every(cycles)}"


def counted(number: int, noun: str) -> str:
    """A number of things.

    >>> counted(1, "cycle"), counted(2, "array"), counted(0, "copy"), counted(2, "process")
    ('1 cycle', '2 arrays', '0 copies', '2 processes')
    """
    if number == 1:
        return f"1 {noun}"
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return f"{number} {noun[:-1]}ies"
    return f"{number} {noun}{'es' if noun.endswith('ss') else 's'}"


# What helps where nothing is planned.
WITH_EXPANSION = "plan.expand=[A] plans the values of an array A that the caller keeps"
