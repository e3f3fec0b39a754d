"""Pragmas of the innermost loop of a group: one interval for all nests, in a dialect."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c.dialect import Dialect, dialect_of, interval_of
from hlsmem.source_edits.body_text import first_directives
from hlsmem.source_edits.merged_nests import Group
from hlsmem.source_edits.nests import Nest
from hlsmem.source_edits.text_structure import Compound, Node, Plain


@dataclass(frozen=True, slots=True)
class LoopPragmas:
    """Directives of a group: those `before` its innermost loop, and those `inside` of its body.

    `gone` are those in front of the loop, by the bytes of their lines, that these stand for;
    `are_new` says whether they are others than in the text.
    """

    before: tuple[str, ...]
    inside: tuple[str, ...]
    gone: tuple[tuple[int, int], ...]
    are_new: bool


def loop_pragmas(group: Group, dialect: Dialect, distances: Mapping[str, int]) -> LoopPragmas:
    """Return the pragmas for a group; `distances` are the iterations that lines with a counter
    need between a write and its read.

    The smallest interval, in cycles, that a nest asks for is that of all.
    """
    found = [(nest, one) for nest in group.nests for one in _directives(nest, group.depth)]
    intervals = [
        (interval, text)
        for nest, one in found
        if (interval := interval_of(text := _text(nest, one))) is not None
    ]
    pipeline = _spelled(min(intervals, key=lambda one: one[0]), dialect) if intervals else ""
    dependences = [
        dialect.dependence.format(variable=name, distance=number)
        for name, number in distances.items()
        if dialect.dependence
    ]
    own = [one for one in [pipeline, *dependences] if one]
    others = dict.fromkeys(
        nest.file.text[one.start : one.stop].rstrip()
        for nest, one in found
        if interval_of(_text(nest, one)) is None and one in heads_of(nest, group.depth)
    )
    asked = [(nest, one) for nest, one in found if interval_of(_text(nest, one)) is not None]
    blanks = [re.match(r"[ \t]*", nest.file.text[one.start : one.stop]) for nest, one in asked]
    indent = next((one[0] for one in blanks if one), "")
    return LoopPragmas(
        before=tuple(own) if dialect.is_before_loop else (),
        inside=(*(() if dialect.is_before_loop else (indent + one for one in own)), *others),
        gone=tuple(
            _lines(nest, one) for nest, one in asked if one not in heads_of(nest, group.depth)
        ),
        are_new=any(_text(nest, one) not in own for nest, one in asked) or bool(dependences),
    )


def _spelled(asked: tuple[int, str], dialect: Dialect) -> str:
    """A pragma for an interval; as the user has it, where that is of the dialect."""
    interval, text = asked
    if dialect.pipeline and dialect_of([text]) == dialect:
        return text
    return dialect.pipeline.format(interval=interval)


def heads_of(nest: Nest, depth: int) -> tuple[Plain, ...]:
    """The directives between the header of the innermost loop and its first statement."""
    loop = nest.loops[depth - 1]
    return (*loop.directives, *first_directives(loop.body))


def _directives(nest: Nest, depth: int) -> Iterator[Plain]:
    """Those, and the ones right in front of the loop."""
    yield from _in_front(nest, depth)
    yield from heads_of(nest, depth)


def _in_front(nest: Nest, depth: int) -> Sequence[Plain]:
    around: Sequence[Node] = nest.siblings
    loop = nest.loops[depth - 1]
    if depth > 1:
        body = nest.loops[depth - 2].body
        around = body.children if isinstance(body, Compound) else ()
    found: list[Plain] = []
    for one in around:
        if one.start >= loop.start:
            break
        found = [*found, one] if isinstance(one, Plain) and one.is_directive else []
    return found


def _text(nest: Nest, one: Plain) -> str:
    return nest.file.text[one.start : one.stop].strip()


def _lines(nest: Nest, one: Plain) -> tuple[int, int]:
    """The bytes of a directive with the end of its line."""
    end = nest.file.text.find("\n", one.stop)
    return one.start, len(nest.file.text) if end < 0 else end + 1
