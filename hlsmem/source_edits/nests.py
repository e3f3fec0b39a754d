"""Nests of counted loops as the text has them, with the statements of the program inside."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.core.rewrites import Inlined
from hlsmem.core.source_location import SourceLocation
from hlsmem.program.model import Program, Statement
from hlsmem.source_edits.edits import line_start
from hlsmem.source_edits.linear_text import form_of
from hlsmem.source_edits.text_structure import (
    Compound,
    Counted,
    Loop,
    Node,
    Other,
    Plain,
    children_of,
)
from hlsmem.source_edits.user_arrays import UserFile, has_other_calls


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Nest:
    """Loops around one body and nothing else, outermost first, that step by 1.

    `siblings` are the statements of the block that it stands in, `depth` is how many loops are
    around. All `statements` of the program that run in it are listed, in their order. `is_called`
    is True in a function that the program calls.
    """

    file: UserFile
    loops: tuple[Loop, ...]
    siblings: tuple[Node, ...]
    depth: int
    statements: tuple[Statement, ...]
    is_called: bool = False

    @property
    def start(self) -> int:
        return self.loops[0].start

    @property
    def stop(self) -> int:
        return self.loops[0].stop

    @property
    def body(self) -> Node:
        return self.loops[-1].body

    @property
    def headers(self) -> tuple[Counted, ...]:
        """The headers of its loops."""
        return tuple(one.counted for one in self.loops if one.counted is not None)

    @property
    def variables(self) -> tuple[str, ...]:
        return tuple(one.variable for one in self.headers)

    def limits(self, loop: int) -> tuple[QuasiPolynomial, QuasiPolynomial] | None:
        """The first value of a loop's variable, and the value behind its last."""
        header, text = self.headers[loop], self.file.text
        lower, upper = form_of(text[slice(*header.lower)]), form_of(text[slice(*header.upper)])
        if lower is None or upper is None:
            return None
        return lower, upper + int(header.is_inclusive)


def nests(program: Program, files: Mapping[str, UserFile]) -> tuple[Nest, ...]:
    """The nests that statements run in, in the order of the text; those of one file are together.

    A nest has as many loops as stand around its body alone. Those of a function that the program
    calls are found where it is called once, and no loop is around the call.
    """
    found = []
    for file in files.values():
        for function in file.functions:
            own, is_called = _located(file, function, program, files)
            found += list(_nests(file, function, own, 0, is_called))
    return tuple(found)


Located = tuple[Statement, SourceLocation]
"""A statement, and where it runs in the text of a function: itself, or the call that it is in."""


def _located(
    file: UserFile, function: Compound, program: Program, files: Mapping[str, UserFile]
) -> tuple[list[Located], bool]:
    """The statements that run in a function; none where it is called in loops, or several times.

    True of a function that the program calls.
    """
    found, calls = list[Located](), set[tuple[SourceLocation, ...]]()
    for one in program.statements:
        places = _places(one)
        for level, place in enumerate(places):
            if _is_in(function, file, place):
                found.append((one, place))
                calls.add(tuple(replace(at, through=()) for at in places[level + 1 :]))
                break
    if len(calls) != 1 or has_other_calls(file, function.start, files, program):
        return [], False
    (around,) = calls
    repeats = any(
        isinstance(node, Loop) or (isinstance(node, Other) and node.word in ("while", "do"))
        for at in around
        for node in (files[at.file].around(_first(files[at.file], at)) if at.file in files else ())
    )
    is_known = all(at.file in files for at in around)
    return ([], False) if repeats or not is_known else (found, bool(around))


def _places(statement: Statement) -> tuple[SourceLocation, ...]:
    """Where a statement stands, then the calls that it was inlined from, outermost last."""
    place = statement.source_location
    if place is None:
        return ()
    return (place, *(one.at for one in place.through if isinstance(one, Inlined)))


def _nests(
    file: UserFile, node: Node, statements: Sequence[Located], depth: int, is_called: bool
) -> Iterator[Nest]:
    inner = children_of(node)
    for child in inner:
        chain = _chain(child)
        located = [one for one in statements if _is_in(child, file, one[1])]
        own = tuple(one for one, _ in located)
        if not own:
            continue
        if chain and _are_loops_of(own, chain, depth):
            yield Nest(
                file=file,
                loops=chain,
                siblings=inner,
                depth=depth,
                statements=own,
                is_called=is_called,
            )
        below = chain[-1].body if chain else child
        loops = len(chain) if chain else isinstance(child, Loop)
        yield from _nests(file, below, located, depth + loops, is_called)


def _chain(node: Node) -> tuple[Loop, ...]:
    """The loops of a nest, outermost first; none where a statement is no counted loop."""
    found = []
    while isinstance(node, Loop) and node.counted is not None:
        found.append(node)
        node = _alone(node.body)
    return tuple(found)


def _alone(body: Node) -> Node:
    """The only statement of a block, else the block."""
    if isinstance(body, Compound):
        own = [one for one in body.children if not (isinstance(one, Plain) and one.is_directive)]
        if len(own) == 1 and isinstance(own[0], Loop):
            return own[0]
    return body


def _is_in(node: Node, file: UserFile, place: SourceLocation) -> bool:
    return place.file == file.name and node.start <= _first(file, place) < node.stop


def _first(file: UserFile, place: SourceLocation) -> int:
    """The byte of a place; places that have no bytes are those of lines and columns."""
    return place.start if place.stop else line_start(file.text, place.line) + place.column - 1


def _are_loops_of(statements: Sequence[Statement], chain: Sequence[Loop], depth: int) -> bool:
    names = tuple(one.counted.variable for one in chain if one.counted is not None)
    return all(one.iterators[depth : depth + len(chain)] == names for one in statements)
