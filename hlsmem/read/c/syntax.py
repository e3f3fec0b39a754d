"""The region of a kernel between the scop pragmas."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from hlsmem.core.errors import InputError, Note, Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c import tree
from hlsmem.read.c.source_map import SourceMap
from hlsmem.read.c.trees import inner_statements


@dataclass(frozen=True, slots=True)
class Region:
    """The statements between `#pragma scop` and `#pragma endscop`, and where they stand.

    `statements` are items `start` to `stop` (exclusive) of the block `parent`; `enclosing`
    are the blocks and loops around, the function's body first, `parent` last.
    """

    function: Any
    parent: Any
    start: int
    stop: int
    enclosing: tuple[Any, ...]

    @property
    def pragma(self) -> Any:
        """The `#pragma scop`."""
        return self.parent.block_items[self.start - 1]

    @property
    def statements(self) -> tuple[Any, ...]:
        return tuple(self.parent.block_items[self.start : self.stop])


def find_region(function: Any, source: SourceMap) -> Region:
    """The one scop region of the function; InputError if the pragmas are not one pair."""
    name = function.name
    found = _scop_pragmas(function)
    places = [source.place(pragma) for _, _, pragma in found]
    if not found:
        raise InputError(
            Problem(
                f"'{name}' has no region to plan",
                "put #pragma scop and #pragma endscop around it",
                source.name_place(function),
            )
        )
    words = [pragma.string.split()[0] for _, _, pragma in found]
    if words[0] == "endscop":
        raise InputError(
            Problem("#pragma endscop without #pragma scop", "put #pragma scop before", places[0])
        )
    if len(words) == 1 or words[1] == "scop":
        raise InputError(
            Problem("#pragma scop without #pragma endscop", "put #pragma endscop after", places[0])
        )
    if len(words) > 2:
        raise InputError(
            Problem(
                f"'{name}' has a second scop region",
                "keep one pair of pragmas",
                places[2],
                (Note("the first begins here", places[0]),),
            )
        )
    (enclosing, start, _), (other, stop, _) = found
    if enclosing[-1] is not other[-1]:
        raise InputError(
            Problem(
                "#pragma endscop stands in another block than #pragma scop",
                "put both into the same block",
                places[1],
                (Note("#pragma scop", places[0]),),
            )
        )
    return Region(function, enclosing[-1], start + 1, stop, enclosing)


@lru_cache(maxsize=4)
def _scop_pragmas(function: Any) -> tuple[tuple[tuple[Any, ...], int, Any], ...]:
    """Those of a function, for which every rewrite asks anew."""
    return tuple(_pragmas(function.body, ()))


def _pragmas(node: Any, around: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], int, Any]]:
    """Scop pragmas below a node with the nodes around and the position in their block."""
    around = (*around, node)
    for position, item in enumerate(inner_statements(node)):
        if isinstance(item, tree.Pragma):
            words = item.string.split()
            if words and words[0] in ("scop", "endscop") and isinstance(node, tree.Compound):
                yield around, position, item
        else:
            yield from _pragmas(item, around)
