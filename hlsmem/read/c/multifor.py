"""`#pragma hlsmem multifor`: a block of nests that run side by side.

block = "#pragma hlsmem multifor" ["sequence"|"parallel"] "{" nest {nest} "}"
nest = "#pragma hlsmem nest" label ["grain(" int {"," int} ")"] ["offset(" int {"," int} ")"] for

Source: Fassi and Clauss, "XFOR: filling the gap between automatic loop optimization and peak
performance" (2015), whose multifor loops these are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from hlsmem.core.errors import Problems
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.source_location import SourceLocation
from hlsmem.read.c import tree
from hlsmem.read.c.source_map import SourceMap
from hlsmem.read.multifor_blocks import WrittenBlock, WrittenNest

_NEST = re.compile(
    r"hlsmem\s+nest\s+([A-Za-z_]\w*)\s*(?:grain\s*\(([^()]*)\))?\s*(?:offset\s*\(([^()]*)\))?\s*"
)
_HOW = "write #pragma hlsmem nest LABEL grain(1,1) offset(0,0) before each loop"


@dataclass(slots=True)
class Marks:
    """The pragmas of nests by the loops behind them, and the loops of each block."""

    nests: dict[int, tuple[Any, WrittenNest]] = field(default_factory=dict)
    blocks: list[tuple[bool, list[int], SourceLocation | None]] = field(default_factory=list)

    def written(self, slots: Mapping[int, int]) -> tuple[WrittenBlock, ...]:
        """The blocks, where the loops have these slots."""
        return tuple(
            WrittenBlock(
                sequence=sequence,
                nests=tuple(
                    replace(self.nests[loop][1], slot=slots[loop])
                    for loop in loops
                    if loop in slots
                ),
                source_location=source_location,
            )
            for sequence, loops, source_location in self.blocks
        )


def is_multifor(node: Any) -> bool:
    return isinstance(node, tree.Pragma) and _words(node)[:2] == ["hlsmem", "multifor"]


def is_nest(node: Any) -> bool:
    return isinstance(node, tree.Pragma) and _words(node)[:2] == ["hlsmem", "nest"]


def _words(node: Any) -> list[str]:
    return str(node.string).split()


def mark_block(
    pragma: Any, block: Any, marks: Marks, source: SourceMap, problems: Problems
) -> None:
    """Note the nests of the block behind a pragma; what is wrong goes to `problems`."""
    source_location = source.place(pragma)
    words = _words(pragma)[2:]
    if len(words) > 1 or (words and words[0] not in ("sequence", "parallel")):
        what = f"#pragma hlsmem multifor does not know {' '.join(words)!r}"
        problems.add(what, "write sequence, parallel, or nothing", source_location)
    if not isinstance(block, tree.Compound):
        problems.add(
            "#pragma hlsmem multifor without a block", "put braces behind it", source_location
        )
        return
    loops: list[int] = []
    nest: tuple[Any, WrittenNest] | None = None
    for item in block.block_items:
        if is_nest(item):
            if nest is not None:
                problems.add("a nest without a loop", _HOW, nest[1].source_location)
            nest = item, _nest(item, source, problems)
            continue
        loop = item.stmt if isinstance(item, tree.Label) else item
        if not isinstance(loop, tree.For):
            named = nest[1].label if nest else ""
            what = f"nest {named!r} is no loop" if nest else "a multifor block has nests alone"
            problems.add(what, _HOW, source.place(item) or source_location)
        elif nest is None:
            problems.add("a loop of a multifor block has no nest pragma", _HOW, source.place(item))
        else:
            marks.nests[id(loop)] = nest
            loops.append(id(loop))
        nest = None
    if nest is not None:
        problems.add("a nest without a loop", _HOW, nest[1].source_location)
    if len(loops) == 0:
        problems.add("a multifor block without nests", _HOW, source_location)
    _check_labels([marks.nests[loop][1] for loop in loops], problems)
    marks.blocks.append((words != ["parallel"], loops, source_location))


def _check_labels(nests: Sequence[WrittenNest], problems: Problems) -> None:
    known: set[str] = set()
    for nest in nests:
        if nest.label in known:
            problems.add(f"two nests are called {nest.label!r}", "rename one", nest.source_location)
        known.add(nest.label)


def _nest(pragma: Any, source: SourceMap, problems: Problems) -> WrittenNest:
    source_location = source.place(pragma)
    found = _NEST.fullmatch(pragma.string)
    label, grain, offset = ("", None, None) if found is None else found.groups()
    if found is None:
        problems.add("a nest pragma that is none", _HOW, source_location)
    return WrittenNest(
        label=label or "",
        grain=_integers("grain", grain, source_location, problems),
        offset=_integers("offset", offset, source_location, problems),
        slot=-1,
        source_location=source_location,
    )


def _integers(
    what: str, text: str | None, source_location: SourceLocation | None, problems: Problems
) -> tuple[int, ...]:
    if text is None:
        return ()
    try:
        return tuple(int(entry) for entry in text.split(","))
    except ValueError:
        problems.add(f"{what}({text}) has an entry that is no integer", _HOW, source_location)
        return ()
