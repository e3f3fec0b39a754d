"""How often loops run at most that data end: `kernel.trips`, or a pragma in front of the loop.

`#pragma hlsmem trips(64)` stands before the loop or before its label; `kernel.trips` goes by
labels. One number may be said twice, two are a problem.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pycparser import c_ast

from hlsmem.errors import Note, Problems
from hlsmem.places import Place
from hlsmem.read.c.source_map import SourceMap
from hlsmem.read.c.trees import inner_statements

REMEDY = "say how often it runs at most: put #pragma hlsmem trips(64) in front of the loop"
LOOPS = (c_ast.For, c_ast.While, c_ast.DoWhile)
MOST_TRIPS = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Marked:
    """A loop with the labels and pragmas that stand right in front of it."""

    loop: Any
    labels: tuple[Any, ...]
    pragmas: tuple[Any, ...]


def marked_loops(node: Any) -> Iterator[Marked]:
    """All loops below a node, from the top, each with what stands in front of it."""
    yield from _marked(node, (), ())


def _marked(node: Any, labels: tuple[Any, ...], pragmas: tuple[Any, ...]) -> Iterator[Marked]:
    match node:
        case c_ast.Label():
            yield from _marked(node.stmt, (*labels, node), pragmas)
        case c_ast.Compound():
            yield from _in_turn(node.block_items or [], labels, pragmas)
        case _:
            if isinstance(node, LOOPS):
                yield Marked(loop=node, labels=labels, pragmas=pragmas)
            for part in inner_statements(node):
                yield from _marked(part, (), ())


def _in_turn(
    items: list[Any], labels: tuple[Any, ...], pragmas: tuple[Any, ...]
) -> Iterator[Marked]:
    for item in items:
        if isinstance(item, c_ast.Pragma):
            pragmas = (*pragmas, item)
            continue
        yield from _marked(item, labels, pragmas)
        if not isinstance(item, c_ast.Decl):
            labels, pragmas = (), ()


def words_of(pragma: Any) -> str:
    """What a pragma of hlsmem says; empty for those of others.

    >>> words_of(c_ast.Pragma("hlsmem trips(64)"))
    'trips(64)'
    """
    found = re.fullmatch(r"hlsmem\s+(.*?)\s*", pragma.string or "")
    return found[1] if found else ""


def trips_of(
    node: Any, by_label: Mapping[str, int], source: SourceMap, problems: Problems
) -> dict[int, int]:
    """The most turns of loops below a node of which somebody says them, by the loops' `id`.

    Labels of `by_label` that no loop has, numbers that differ, and pragmas that are none or that
    stand in front of no loop are problems.
    """
    found: dict[int, int] = {}
    seen: set[str] = set()
    used: set[int] = set()
    for one in marked_loops(node):
        said: list[tuple[int, Place | None]] = []
        for label in one.labels:
            seen.add(label.name)
            if label.name in by_label:
                said.append((by_label[label.name], source.place(label)))
        for pragma in one.pragmas:
            used.add(id(pragma))
            number = _number(pragma, source, problems)
            if number is not None:
                said.append((number, source.place(pragma)))
        if len({number for number, _ in said}) > 1:
            (first, where), (second, place) = said[0], said[-1]
            what = f"this loop is said to run at most {first} times, and at most {second} times"
            problems.add(what, "keep one of the two", place, [Note("the other", where)])
        elif said:
            found[id(one.loop)] = said[0][0]
    for label in sorted(set(by_label) - seen):
        labels = ", ".join(sorted(seen))
        remedy = f"the loops with labels are: {labels}" if labels else "put the label before it"
        problems.add(f"kernel.trips names {label!r}, and no loop has this label", remedy)
    return found


def _number(pragma: Any, source: SourceMap, problems: Problems) -> int | None:
    words = words_of(pragma)
    if not words.startswith("trips"):
        return None
    number = re.fullmatch(r"trips\s*\(\s*([0-9]{1,7})\s*\)", words)
    if number is None or not 1 <= int(number[1]) <= MOST_TRIPS:
        what = f"#pragma hlsmem {words} is not the most times that a loop runs"
        remedy = f"write trips(64), with a number from 1 to {MOST_TRIPS}"
        problems.add(what, remedy, source.place(pragma))
        return None
    return int(number[1])
