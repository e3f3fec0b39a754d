"""Bounds of the trip counts of loops that data end: `kernel.trips`, or a pragma before the loop.

`#pragma hlsmem trips(64)` stands before the loop or before its label; `kernel.trips` goes by
labels. What is said is a number, or affine in the parameters, as 2*W - 1. It may be said twice, two
that differ are a problem.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any

from hlsmem.core.errors import Note, Problems
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.quasi_polynomial import QuasiPolynomial, parse_affine
from hlsmem.core.source_location import SourceLocation
from hlsmem.polyhedra import PwAff
from hlsmem.polyhedra import piecewise as pw
from hlsmem.polyhedra.quantities import affine_of
from hlsmem.read.c import tree
from hlsmem.read.c.source_map import SourceMap
from hlsmem.read.c.trees import inner_statements

REMEDY = "say how often it runs at most: put #pragma hlsmem trips(64) in front of the loop"
LOOPS = (tree.For, tree.While, tree.DoWhile)
MOST_TRIPS = 1 << 20
HOW_MANY = f"a number from 1 to {MOST_TRIPS}, or a sum of parameters such as 2*W - 1"


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
        case tree.Label():
            yield from _marked(node.stmt, (*labels, node), pragmas)
        case tree.Compound():
            yield from _in_turn(node.block_items, labels, pragmas)
        case _:
            if isinstance(node, LOOPS):
                yield Marked(loop=node, labels=labels, pragmas=pragmas)
            for part in inner_statements(node):
                yield from _marked(part, (), ())


def _in_turn(
    items: Sequence[Any], labels: tuple[Any, ...], pragmas: tuple[Any, ...]
) -> Iterator[Marked]:
    for item in items:
        if isinstance(item, tree.Pragma):
            pragmas = (*pragmas, item)
            continue
        yield from _marked(item, labels, pragmas)
        if not isinstance(item, tree.Decl):
            labels, pragmas = (), ()


def words_of(pragma: Any) -> str:
    """The words of a pragma of hlsmem; empty for those of others.

    >>> words_of(tree.Pragma("hlsmem trips(64)"))
    'trips(64)'
    """
    found = re.fullmatch(r"hlsmem\s+(.*?)\s*", pragma.string)
    return found[1] if found else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trips:
    """The given bounds of trip counts: `by_label` from the design, and pragmas in the text.

    `assumed` is the set of the `parameters` that the design is for; None for any.
    """

    by_label: Mapping[str, QuasiPolynomial] = field(default_factory=dict)
    parameters: tuple[str, ...] = ()
    assumed: Any = None

    def of(self, node: Any, source: SourceMap, problems: Problems) -> dict[int, QuasiPolynomial]:
        """The most iterations of loops below a node of which somebody says them, by the loops'
        `id`.

        Labels that no loop has, numbers that differ, and pragmas that are none or that stand in
        front of no loop are problems.
        """
        found: dict[int, QuasiPolynomial] = {}
        seen: set[str] = set()
        for one in marked_loops(node):
            said: list[tuple[QuasiPolynomial, SourceLocation | None]] = []
            for label in one.labels:
                seen.add(label.name)
                if label.name in self.by_label:
                    said.append((self.by_label[label.name], source.place(label)))
            for pragma in one.pragmas:
                most = self._said(pragma, source, problems)
                if most is not None:
                    said.append((most, source.place(pragma)))
            if len({most for most, _ in said}) > 1:
                (first, where), (second, source_location) = said[0], said[-1]
                what = f"this loop is said to run at most {first} times, and at most {second} times"
                problems.add(
                    what, "keep one of the two", source_location, [Note("the other", where)]
                )
            elif said:
                found[id(one.loop)] = said[0][0]
        for label in sorted(set(self.by_label) - seen):
            labels = ", ".join(sorted(seen))
            remedy = f"the loops with labels are: {labels}" if labels else "put the label before it"
            problems.add(f"kernel.trips names {label!r}, and no loop has this label", remedy)
        return found

    def _said(self, pragma: Any, source: SourceMap, problems: Problems) -> QuasiPolynomial | None:
        words = words_of(pragma)
        if not words.startswith("trips"):
            return None
        inside = re.fullmatch(r"trips\s*\((.*)\)", words)
        try:
            most = parse_affine(inside[1] if inside else "", self.parameters)
            check_most(most, self.parameters, self.assumed)
        except ValueError as error:
            what = f"#pragma hlsmem {words} is not the most times that a loop runs: {error}"
            problems.add(what, f"write trips(64), with {HOW_MANY}", source.place(pragma))
            return None
        return most


def check_most(most: QuasiPolynomial, parameters: Sequence[str], assumed: Any) -> None:
    """Raises ValueError where a loop cannot run so often at most."""
    number = most.constant_value()
    if number is not None and not 1 <= number <= MOST_TRIPS:
        raise ValueError(f"{number} is not from 1 to {MOST_TRIPS}")
    if most.is_rounded():
        raise ValueError(f"{most} is rounded")
    space = pw.instance_space(tuple(parameters), 0)
    negative = PwAff.from_aff(affine_of(most, space)).lt_set(pw.constant(space, 0)).params()
    inside = negative if assumed is None else negative.intersect(assumed)
    if not inside.is_empty():
        raise ValueError(f"{most} may be negative")
