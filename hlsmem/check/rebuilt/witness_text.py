"""Elements and parameters in the words of the program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def named(array: str, element: Sequence[int]) -> str:
    """An element as C writes it, e.g. a[1][2].

    >>> named("a", (1, 2)), named("s", ())
    ('a[1][2]', 's')
    """
    return array + "".join(f"[{index}]" for index in element)


def at_text(values: Mapping[str, int]) -> str:
    """The parameters in words: " at N=64", or nothing."""
    return " at " + ", ".join(f"{n}={v}" for n, v in values.items()) if values else ""
