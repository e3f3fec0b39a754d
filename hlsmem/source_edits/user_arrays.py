"""Arrays of a program as the user's text has them: their declarations and all places of use."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.rewrites import Inlined
from hlsmem.core.source_location import SourceLocation
from hlsmem.program.model import Access, Array, Program, SourceFile, Statement
from hlsmem.source_edits.called_functions import Function, is_planned, named_functions
from hlsmem.source_edits.edits import Edit, with_line_ends
from hlsmem.source_edits.source_tokens import ENCODING, Token, code, subscript_ranges, tokens
from hlsmem.source_edits.text_structure import Compound, Node, around, functions


@dataclass(frozen=True, slots=True)
class Kept:
    """The reason for which an array keeps its text, at a place of it."""

    why: str
    source_location: SourceLocation | None = None

    @property
    def form(self) -> str:
        return "kept"


class UserFile:
    """A file of the user: its text with a character a byte, its tokens and its functions."""

    def __init__(self, source: SourceFile) -> None:
        self.name = source.name
        self.text = source.text.encode().decode(ENCODING)
        self.raw = source.raw

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        return code(tokens(self.text))

    @cached_property
    def functions(self) -> tuple[Compound, ...]:
        return functions(self.text)

    @cached_property
    def named_functions(self) -> tuple[Function, ...]:
        return tuple(named_functions(self.tokens, self.functions))

    @cached_property
    def words(self) -> frozenset[str]:
        """All names in it, those in directives too."""
        return frozenset(re.findall(r"[A-Za-z_$]\w*", self.text))

    def as_written(self, text: str) -> str:
        """An edit of it as the user's file is: in UTF-8, with the line ends of that."""
        found = text.encode(ENCODING).decode()
        return found if self.raw is None else with_line_ends(found, self.raw)

    def around(self, at: int) -> tuple[Node, ...]:
        """The statements around a byte, outermost first; none outside of functions."""
        return around(self.functions, at)


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """An access of the text at bytes [start, stop), with the bytes of its subscripts."""

    start: int
    stop: int
    subscripts: tuple[tuple[int, int], ...]
    is_write: bool
    statement: Statement
    access: Access


@dataclass(frozen=True, slots=True, kw_only=True)
class UserArray:
    """An array of a function's own: `name_at` is where its declaration has its name, `extents` are
    the bytes between its brackets, `scope` is the block that it lives in.

    `pragmas` are directives that name it, as bytes of whole lines.
    """

    array: Array
    file: UserFile
    name: str
    name_at: int
    extents: tuple[tuple[int, int], ...]
    scope: Compound
    uses: tuple[Use, ...]
    pragmas: tuple[tuple[int, int], ...]

    @property
    def declarator(self) -> tuple[int, int]:
        """The bytes of its name and its extents."""
        return self.name_at, self.extents[-1][1] + 1

    def without_pragmas(self) -> list[Edit]:
        """Edits that take the lines out that speak of it."""
        return [Edit(start, stop, "") for start, stop in self.pragmas]


def user_array(array: Array, program: Program, files: Mapping[str, UserFile]) -> UserArray | Kept:
    """An array with its places in the text, or why edits cannot follow it."""
    kernel, place = program.kernel, array.source_location
    variable = None if kernel is None else kernel.variables.get(array.name)
    if kernel is None or variable is None or place is None or place.file not in files:
        return Kept("no declaration of it stands in the user's text", place)
    file = files[place.file]
    if variable.members or variable.strides:
        return Kept("it is a member of a struct, or an array of one dimension used as more", place)
    if not place.stop:
        return Kept("no declaration of it stands in the user's text", place)
    blocks = [one for one in file.around(place.start) if isinstance(one, Compound)]
    if not blocks:
        return Kept("it is declared outside of the function, or as its parameter", place)
    name_at, (_, extents) = place.start, subscript_ranges(file.text, place.start)
    name = re.match(r"\w*", file.text[name_at:])
    if name is None or len(extents) != len(array.index) or not extents:
        return Kept("its declaration has no extent for each dimension", place)
    if has_other_calls(file, place.start, files, program):
        return Kept("its function has calls that the plan does not have", place)
    if _behind(file, extents[-1][1] + 1) not in (";", ","):
        return Kept("it has values at first", place)
    found = list(uses_of(array, program, file))
    kept = next((one for one in found if isinstance(one, Kept)), None)
    if kept is not None:
        return kept
    uses = [one for one in found if isinstance(one, Use)]
    own = UserArray(
        array=array,
        file=file,
        name=name[0],
        name_at=name_at,
        extents=tuple(extents),
        scope=blocks[-1],
        uses=tuple(uses),
        pragmas=tuple(_pragmas(file, blocks[-1], name[0])),
    )
    return _other_use(own) or own


def has_other_calls(
    file: UserFile, at: int, files: Mapping[str, UserFile], program: Program
) -> bool:
    """True for a byte of a function that has calls, or instances, which a program does not have."""
    every = {one.tokens: one.named_functions for one in files.values()}
    own = [one for one in file.named_functions if one.start <= at < one.stop]
    return not all(is_planned(one, every, program) for one in own)


def _behind(file: UserFile, at: int) -> str:
    one = next((one for one in file.tokens if one.start >= at), None)
    return "" if one is None else one.text


def uses_of(array: Array, program: Program, file: UserFile) -> Iterator[Use | Kept]:
    """The accesses of an array, each where the text has it, or why edits cannot follow it."""
    assert array.source_location is not None
    name = file.text[array.source_location.start : array.source_location.stop]
    for statement in program.statements:
        both = ((statement.sees, False), (statement.writes, True))
        for access, is_write in ((one, w) for some, w in both for one in some):
            if access.array != array.name:
                continue
            place = access.source_location
            if place is None or not place.stop or place.file != file.name:
                yield Kept("an access to it is not in the user's text", statement.source_location)
                continue
            end, found = subscript_ranges(file.text, place.start)
            if file.text[place.start : end] != name or len(found) < len(array.index):
                shown = file.text[place.start : place.stop]
                why = f"{shown!r} hides its subscripts; write '{name}[..]' out"
                if any(isinstance(one, Inlined) for one in place.through):
                    why = f"it is passed to a function, where {shown!r} is an element of it"
                yield Kept(why, place)
                continue
            subscripts = tuple(found[: len(array.index)])
            yield Use(
                start=place.start,
                stop=subscripts[-1][1] + 1,
                subscripts=subscripts,
                is_write=is_write,
                statement=statement,
                access=access,
            )


def _pragmas(file: UserFile, scope: Compound, name: str) -> Iterator[tuple[int, int]]:
    """Whole lines of pragmas that name a variable."""
    for one in file.tokens:
        inside = scope.start <= one.start < scope.stop
        is_pragma = one.kind == "directive" and re.match(r"\s*#\s*pragma\b", one.text)
        if inside and is_pragma and re.search(rf"\b{re.escape(name)}\b", one.text):
            end = file.text.find("\n", one.stop)
            yield one.start, len(file.text) if end < 0 else end + 1


def _other_use(own: UserArray) -> Kept | None:
    """Why edits cannot follow an array whose name stands elsewhere too."""
    known = {one.start for one in own.uses} | {own.name_at}
    text, word = own.file.text, re.compile(rf"\b{re.escape(own.name)}\b")
    for one in own.file.tokens:
        if one.kind == "directive" and not re.match(r"\s*#\s*pragma\b", one.text):
            if word.search(one.text):
                return Kept(f"the macro of {one.text.strip().splitlines()[0]!r} names it")
            continue
        inside = own.scope.start <= one.start < own.scope.stop and one.start >= own.name_at
        if one.kind == "word" and one.text == own.name and inside and one.start not in known:
            line = text.count("\n", 0, one.start) + 1
            return Kept(f"line {line} of {own.file.name} has it in another way than as elements")
    return None
