"""The text of a file with the storage of a plan: declarations, bodies and loops edited."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.read.c.dialect import Dialect
from hlsmem.source_edits.body_text import body_indent, first_directives
from hlsmem.source_edits.edits import Edit, edited, indent_at, line_end
from hlsmem.source_edits.line_buffers import LineBuffers
from hlsmem.source_edits.loop_pragmas import LoopPragmas, loop_pragmas
from hlsmem.source_edits.merged_bounds import Bounds
from hlsmem.source_edits.merged_nests import Group, is_declaration
from hlsmem.source_edits.merged_text import with_merged
from hlsmem.source_edits.nests import Nest
from hlsmem.source_edits.source_tokens import subscript_ranges
from hlsmem.source_edits.text_structure import Compound, Node, Plain
from hlsmem.source_edits.user_arrays import UserArray, UserFile


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FileEdits:
    """Edits of a file: `accesses` of declarations and elements, arrays in `lines`, and `bounds` of
    groups of nests that merge or have lines; `dialect` is that of pragmas in loops that change, for
    parameters of `sizes`."""

    file: UserFile
    dialect: Dialect
    sizes: Mapping[str, int]
    accesses: tuple[Edit, ...] = ()
    lines: tuple[LineBuffers, ...] = ()
    bounds: Mapping[Group, tuple[Bounds, ...]] = field(default_factory=dict)

    def text(self) -> str:
        """The whole file. Raises OverlapError where edits meet."""
        own = [*self.accesses, *_declarations(self.file, self.lines)]
        own += [one for lines in self.lines for one in lines.edits]
        pragmas = {one: self._pragmas(one) for one in self.bounds}
        changed = {
            one: has_other_loops(one, bounds) or (bool(self._inside(one)) and pragmas[one].are_new)
            for one, bounds in self.bounds.items()
        }
        # Nests with other loops hold further ones, whose edits go first.
        for group in sorted(changed, key=lambda one: (changed[one], -one.nests[0].depth)):
            inside = self._inside(group)
            own += _before_nests(self.file, group.nests[0], inside)
            if changed[group]:
                bounds = self.bounds[group]
                own = with_merged(self.file, group, bounds, inside, pragmas[group], own)
            elif inside:
                own += _around_body(group.nests[0], inside)
        return edited(self.file.text, own)

    def _inside(self, group: Group) -> list[LineBuffers]:
        return [one for one in self.lines if one.group is group]

    def _pragmas(self, group: Group) -> LoopPragmas:
        """The pragmas of the loops of a group."""
        found = (one for lines in self._inside(group) for one in lines.distances.items())
        return loop_pragmas(
            group, self.dialect, {name: one.evaluate(self.sizes) for name, one in found}
        )


def has_other_loops(group: Group, bounds: Sequence[Bounds]) -> bool:
    """True if the loops of a group are not those of its one nest as the text has them."""
    count = len(group.nests)
    return count > 1 or any(map(any, group.shifts)) or any(one.is_guarded(count) for one in bounds)


def type_text(own: UserArray) -> str:
    """The type in front of the declarators of an array, with the words before it."""
    start = _declaration(own.file, own.name_at).start
    head = own.file.text[start : own.name_at]
    first = re.match(r"[^,;=\[]*?(?=\s*[A-Za-z_]\w*\s*\[)|[^,;=\[]*", own.file.text[start:])
    return (head if "," not in head else first[0] if first else head).strip()


def _declaration(file: UserFile, at: int) -> Node:
    return file.around(at)[-1]


def _declarations(file: UserFile, lines: Sequence[LineBuffers]) -> Iterator[Edit]:
    """Declarations of arrays that become lines, with those of their lines in their place."""
    by_statement: dict[tuple[int, int], list[LineBuffers]] = {}
    for one in lines:
        if one.name_at is None:
            continue
        node = _declaration(file, one.name_at)
        by_statement.setdefault((node.start, node.stop), []).append(one)
    for (start, stop), every in by_statement.items():
        indent, end = indent_at(file.text, start), line_end(file.text, start)
        gone = {one.name_at for one in every if one.name_at is not None}
        texts = [line for one in every for line in one.declarations]
        if len(gone) < len(_declarators(file.text, start, stop)):
            # Declarators that stay may be edited too: they are left where they are.
            yield from _without_declarators(file.text, start, stop, gone)
            yield Edit(stop, stop, "".join(f"{end}{indent}{one}" for one in texts))
        else:
            yield Edit(start, stop, f"{end}{indent}".join(texts))


def _before_nests(file: UserFile, nest: Nest, lines: Sequence[LineBuffers]) -> Iterator[Edit]:
    """Declarations of lines of parameters, behind those at the top of the block of a nest."""
    texts = [line for one in lines if one.name_at is None for line in one.declarations]
    if not texts:
        return
    blocks = [one for one in file.around(nest.start) if isinstance(one, Compound)]
    at = blocks[-1].start + 1
    for one in nest.siblings:
        if not isinstance(one, Plain) or one.start >= nest.start:
            break
        if not one.is_directive and is_declaration(file.text, one):
            at = _line_stop(file.text, one.stop, nest.start)
    end, indent = line_end(file.text, at), indent_at(file.text, nest.loops[0].own)
    yield Edit(at, at, "".join(f"{end}{indent}{one}" for one in texts))


def _declarators(text: str, start: int, stop: int) -> list[tuple[int, int]]:
    """The bytes of the declarators of a declaration."""
    found, at = [], start
    for match in re.finditer(r"([A-Za-z_]\w*)\s*(?=\[)", text[start:stop]):
        if start + match.start() < at:
            continue
        _, extents = subscript_ranges(text, start + match.start())
        at = extents[-1][1] + 1
        found.append((start + match.start(), at))
    return found


def _without_declarators(text: str, start: int, stop: int, gone: set[int]) -> Iterator[Edit]:
    """Edits that take declarators out of a list, each with the comma behind or in front of it."""
    every = _declarators(text, start, stop)
    for number, (first, last) in enumerate(every):
        if first not in gone:
            continue
        later = [one for one, _ in every[number + 1 :] if one not in gone]
        if later:
            yield Edit(first, every[number + 1][0], "")
        else:
            yield Edit(every[number - 1][1], last, "")


def _around_body(nest: Nest, lines: Sequence[LineBuffers]) -> Iterator[Edit]:
    """Edits that load lines at the top of a body and move them at its end."""
    text, body, loop = nest.file.text, nest.body, nest.loops[-1]
    end, indent = line_end(text, loop.start), body_indent(nest, len(nest.loops))
    loads = [line for one in lines for line in one.loads]
    moves = [line for one in lines for line in one.moves]
    if isinstance(body, Compound):
        heads = first_directives(body)
        top = heads[-1].stop if heads else body.start + 1
        yield Edit(top, top, "".join(f"{end}{indent}{one}" for one in loads))
        last = body.children[-1].stop
        last = _line_stop(text, last, body.stop - 1)
        yield Edit(last, last, "".join(f"{end}{indent}{one}" for one in moves))
        return
    yield Edit(loop.head, loop.head, " {" + "".join(f"{end}{indent}{one}" for one in loads))
    tail = "".join(f"{end}{indent}{one}" for one in moves) + f"{end}{indent_at(text, loop.own)}}}"
    yield Edit(body.stop, body.stop, tail)


def _line_stop(text: str, at: int, most: int) -> int:
    """The end of the line of a byte, with a comment that ends it."""
    end = text.find("\n", at)
    end = most if end < 0 or end > most else end
    end = end - 1 if end > at and text[end - 1] == "\r" else end
    return end if text[at:end].lstrip().startswith(("//", "/*")) else at
