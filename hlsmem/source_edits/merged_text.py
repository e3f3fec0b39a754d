"""The text of nests that run as one: one set of loops, their bodies under guards."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.source_edits.body_text import (
    body_indent,
    body_lines,
    step_of,
)
from hlsmem.source_edits.edits import Edit, edited, indent_at, line_end
from hlsmem.source_edits.line_buffers import LineBuffers
from hlsmem.source_edits.linear_text import c_text, form_of, replaced
from hlsmem.source_edits.loop_pragmas import LoopPragmas
from hlsmem.source_edits.merged_bounds import Bounds
from hlsmem.source_edits.merged_nests import Group
from hlsmem.source_edits.nests import Nest
from hlsmem.source_edits.text_structure import Compound, Plain, statements_of
from hlsmem.source_edits.user_arrays import UserFile


def with_merged(
    file: UserFile,
    group: Group,
    bounds: Sequence[Bounds],
    lines: Sequence[LineBuffers],
    pragmas: LoopPragmas,
    edits: Sequence[Edit],
) -> list[Edit]:
    """The edits outside of a group, and one that has its nests as one."""
    start, stop = group.nests[0].start, group.nests[-1].stop
    edits = [*edits, *(Edit(first, last, "") for first, last in pragmas.gone)]
    inside = [one for one in edits if start <= one.start and one.stop <= stop]
    text = _merged_text(file, group, bounds, lines, pragmas, inside)
    left = [one for one in edits if one not in inside]
    return [*left, Edit(start, stop, text)]


@dataclass(frozen=True, slots=True)
class _Part:
    """The body of a nest: the conditions it runs under, its lines, how many statements they are;
    `scope` tells one apart whose declarations are for it alone, else it is -1."""

    guards: tuple[str, ...]
    lines: tuple[str, ...]
    statements: int
    scope: int


def _merged_text(
    file: UserFile,
    group: Group,
    bounds: Sequence[Bounds],
    lines: Sequence[LineBuffers],
    pragmas: LoopPragmas,
    edits: Sequence[Edit],
) -> str:
    base, text = group.nests[0], file.text
    end, indent = line_end(text, base.start), body_indent(base, group.depth)
    parts = list[_Part]()
    for number, nest in enumerate(group.nests):
        own = _substituted(file, nest, edits, group.renamed(number))
        found = body_lines(nest, group.depth, own, indent)
        if number:
            found = [*_comments(file, group.nests[number - 1], nest, indent), *found]
        guards = tuple(one for loop in bounds for one in loop.guards[number])
        inner = statements_of(nest.loops[group.depth - 1].body)
        # A statement that may have an `else` of its own takes braces.
        count = len(inner) + any(not isinstance(one, Plain) for one in inner)
        scope = number if group.has_scope(number) else -1
        parts.append(_Part(guards, tuple(found), count, scope))
    declared = list(_declared_between(file, group, edits))
    outer = indent_at(text, base.start)
    whole = [
        *(one if not k else outer + one for k, one in enumerate(declared)),
        (outer if declared else "") + _opening(file, group, bounds, pragmas),
        *pragmas.inside,
        *(indent + line for one in lines for line in one.loads),
        *(line for one in _joined(parts) for line in _guarded(one, indent)),
        *(indent + line for one in lines for line in one.moves),
        _closing(file, group),
    ]
    return end.join(whole)


def _joined(parts: Sequence[_Part]) -> Iterator[_Part]:
    """Parts, those under the same conditions as one."""
    for (guards, scope), found in groupby(parts, key=lambda one: (one.guards, one.scope)):
        every = tuple(found)
        lines = tuple(line for one in every for line in one.lines)
        yield _Part(guards, lines, sum(one.statements for one in every), scope)


def _guarded(part: _Part, indent: str) -> list[str]:
    """The lines of a body under its conditions, in braces where it has more than a statement."""
    if not part.guards and part.scope < 0:
        return list(part.lines)
    step = step_of(indent)
    inner = [one if one.startswith("#") else step + one for one in part.lines]
    head = f"if ({' && '.join(part.guards)})" if part.guards else ""
    if part.statements == 1 and head:
        return [indent + head, *inner]
    return [f"{indent}{head} {{" if head else f"{indent}{{", *inner, f"{indent}}}"]


def _comments(file: UserFile, one: Nest, other: Nest, indent: str) -> list[str]:
    """The comments between two nests."""
    text = file.text[one.stop : other.start]
    found = re.findall(r"//[^\n]*|/\*.*?\*/", text, re.DOTALL)
    return [indent + own.strip() for own in found]


def _declared_between(file: UserFile, group: Group, edits: Sequence[Edit]) -> Iterator[str]:
    """The declarations between the nests, which then stand in front of the first."""
    for one, other in zip(group.nests, group.nests[1:], strict=False):
        for node in one.siblings:
            if isinstance(node, Plain) and one.stop <= node.start < other.start:
                text = edited(file.text, edits, node.start, node.stop).strip()
                if text and not node.is_directive:
                    yield text


def _opening(file: UserFile, group: Group, bounds: Sequence[Bounds], pragmas: LoopPragmas) -> str:
    """The headers of the loops, with the bounds of all nests."""
    base, text = group.nests[0], file.text
    last = base.loops[group.depth - 1]
    edits = [Edit(*one, "") for one in pragmas.gone if base.start <= one[0] < last.own]
    if pragmas.before:
        between = line_end(text, base.start) + indent_at(text, last.own)
        edits.append(Edit(last.own, last.own, "".join(one + between for one in pragmas.before)))
    for loop, own in zip(base.loops, bounds, strict=False):
        assert loop.counted is not None
        name = loop.counted.variable
        if name != own.variable:
            edits += [
                Edit(one.start, one.stop, own.variable)
                for one in file.tokens
                if one.text == name and loop.own <= one.start < loop.head
            ]
        if form_of(text[slice(*loop.counted.lower)]) != own.lower:
            edits.append(Edit(*loop.counted.lower, c_text(own.lower)))
        upper = own.upper - int(loop.counted.is_inclusive)
        if form_of(text[slice(*loop.counted.upper)]) != upper:
            edits.append(Edit(*loop.counted.upper, c_text(upper)))
    head = edited(text, edits, base.start, last.head)
    if isinstance(last.body, Compound) and not last.directives:
        return head + text[last.head : last.body.start + 1]
    return head + " {"


def _closing(file: UserFile, group: Group) -> str:
    base, last = group.nests[0], group.nests[0].loops[group.depth - 1]
    outer = indent_at(file.text, last.own)
    if isinstance(last.body, Compound):
        return outer + file.text[last.body.stop - 1 : base.stop]
    return f"{outer}}}{file.text[last.body.stop : base.stop]}"


def _substituted(
    file: UserFile, nest: Nest, edits: Sequence[Edit], changed: Mapping[str, QuasiPolynomial]
) -> list[Edit]:
    """Edits of a nest, and its variables in terms of those of the group."""
    own = [one for one in edits if nest.start <= one.start and one.stop <= nest.stop]
    if not changed:
        return list(own)
    found, done = list[Edit](), [(one.start, one.stop) for one in own]
    for one in file.tokens:
        if not nest.loops[0].own < one.start < nest.stop or one.kind != "word":
            continue
        if one.text not in changed or any(a <= one.start < b for a, b in done):
            continue
        bracket = _subscript_around(file, one.start, nest.start)
        form = None if bracket is None else form_of(file.text[bracket[0] : bracket[1]])
        if bracket is not None and form is not None and not _has_opaque(form):
            text = c_text(replaced(form, changed))
            found.append(Edit(*bracket, text))
            done.append(bracket)
        else:
            found.append(Edit(one.start, one.stop, f"({c_text(changed[one.text])})"))
            done.append((one.start, one.stop))
    return [*own, *found]


def _has_opaque(form: QuasiPolynomial) -> bool:
    return any(not name.isidentifier() for name in form.parameters())


def _subscript_around(file: UserFile, at: int, first: int) -> tuple[int, int] | None:
    """The bytes between the brackets right around a byte."""
    depth = 0
    own = [one for one in file.tokens if first <= one.start]
    inside = [one for one in own if one.start < at]
    for one in reversed(inside):
        if one.text in ("]", ")", "}"):
            depth += 1
        elif one.text in ("[", "(", "{"):
            if depth == 0:
                if one.text != "[":
                    return None
                start = one.stop
                break
            depth -= 1
        elif one.text == ";" and depth == 0:
            return None
    else:
        return None
    depth = 0
    for one in own:
        if one.start < at:
            continue
        if one.text in ("[", "(", "{"):
            depth += 1
        elif one.text in ("]", ")", "}"):
            if depth == 0:
                return start, one.start
            depth -= 1
    return None
