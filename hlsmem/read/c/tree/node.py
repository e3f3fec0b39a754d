"""What a part of a tree is: a frozen value of fields, some of which are nodes below it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from typing import Any, ClassVar

from hlsmem.core.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """A part of a tree; iteration gives the nodes directly below it, in textual order."""

    texts: ClassVar[frozenset[str]] = frozenset()
    """The fields that are words and no nodes."""

    def __iter__(self) -> Iterator[Any]:
        kind: Any = self.__class__
        for part in parts_of(kind):
            value = getattr(self, part)
            if isinstance(value, tuple):
                yield from value
            elif value is not None:
                yield value


class Leaf(Node):
    """A part that no others are in: its fields are words."""

    __slots__ = ()


@cache
def fields_of(kind: Any) -> tuple[str, ...]:
    """Return the fields of a class of nodes, its place among them."""
    return tuple(one.name for one in fields(kind))


@cache
def parts_of(kind: Any) -> tuple[str, ...]:
    """Return those fields of a class of nodes that are nodes, tuples of nodes, or None."""
    if issubclass(kind, Leaf):
        return ()
    texts = {*kind.texts, "place"}
    return tuple(one for one in fields_of(kind) if one not in texts)


def with_parts(node: Any, **parts: Any) -> Any:
    """Return a copy of a node with other parts.

    >>> from hlsmem.read.c.tree import INT, Array
    >>> with_parts(Array(INT, None), restrict=True).restrict
    True
    """
    kind: Any = type(node)
    return kind(*[parts[o] if o in parts else getattr(node, o) for o in fields_of(kind)])
