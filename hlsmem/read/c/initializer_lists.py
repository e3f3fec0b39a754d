"""Lists of first values, which have braces around the values of each row."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hlsmem.read.c import tree
from hlsmem.read.c.tree import TEXT

Element = tuple[int, ...]


class UnknownValueError(Exception):
    """An initialiser whose values are not known here."""


def elements_of(node: Any, rank: int) -> Iterator[tuple[Element, Any]]:
    """The elements of an array of so many dimensions that an initialiser names; others are 0.

    A row without braces is its first element. Raises UnknownValueError.
    """
    if isinstance(node, tree.InitList):
        if not rank and len(node.exprs) == 1:
            yield from elements_of(node.exprs[0], rank)
            return
        for position, one in enumerate(node.exprs if rank else ()):
            for at, value in elements_of(one, rank - 1):
                yield (position, *at), value
        return
    if isinstance(node, tree.Constant) and node.type == TEXT:
        raise UnknownValueError
    yield (0,) * rank, node
