"""Text of the bodies of nests: their first directives, their lines, and how far they stand in."""

from __future__ import annotations

from collections.abc import Sequence

from hlsmem.source_edits.edits import Edit, edited, indent_at
from hlsmem.source_edits.nests import Nest
from hlsmem.source_edits.text_structure import Compound, Node, Other, Plain, statements_of


def first_directives(body: Node) -> tuple[Plain, ...]:
    """The directives that a body begins with."""
    found: list[Plain] = []
    for one in body.children if isinstance(body, Compound) else ():
        if not (isinstance(one, Plain) and one.is_directive):
            break
        found.append(one)
    return tuple(found)


def step_of(indent: str) -> str:
    """One step of indentation in the way of a line's."""
    return "\t" if "\t" in indent else "    "


def body_indent(nest: Nest, depth: int) -> str:
    """The blanks in front of the statements of the body that `depth` loops of a nest have."""
    text, loop = nest.file.text, nest.loops[depth - 1]
    outer = indent_at(text, loop.own)
    own = [
        one
        for one in statements_of(loop.body)
        if not (isinstance(one, Other) and one.word == "label")
    ]
    found = indent_at(text, own[0].start) if own else ""
    return found if len(found) > len(outer) else outer + step_of(outer)


def body_lines(nest: Nest, depth: int, edits: Sequence[Edit], indent: str) -> list[str]:
    """The lines of a body without the directives that it begins with, indented."""
    body, text = nest.loops[depth - 1].body, nest.file.text
    if isinstance(body, Compound):
        heads = first_directives(body)
        start = heads[-1].stop if heads else body.start + 1
        stop = body.stop - 1
    else:
        start, stop = body.start, body.stop
        own = text.rfind("\n", nest.loops[depth - 1].head, start)
        start = own + 1 if own >= 0 else start
    content = edited(text, edits, start, stop).replace("\r\n", "\n").strip("\n")
    old = _indent_of(content)
    return [
        (indent + one.removeprefix(old) if one.strip() and not one.startswith("#") else one.strip())
        for one in content.rstrip().split("\n")
        if one.strip()
    ]


def _indent_of(content: str) -> str:
    line = next((one for one in content.split("\n") if one.strip()), "")
    return line[: len(line) - len(line.lstrip())]
