"""The function that a kernel's file has as its top, where the design names none.

A pragma in the file marks it, else a project of the vendor's tool beside the file names it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import PurePosixPath

from hlsmem.core.errors import InputError, Note, Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.source_location import SourceLocation, place_in
from hlsmem.core.user_files import read_bytes
from hlsmem.program.model import SourceFile
from hlsmem.read.c.outline import Outline, has_name, is_marked, outline_of
from hlsmem.read.design_folder import Folder
from hlsmem.read.document import read_file
from hlsmem.read.hls_projects import HlsProject, project_of
from hlsmem.read.suffixes import CONFIGS, SCRIPTS

_WORDS = (b"syn.top", b"set_top")
_LONGEST = 1 << 20  # bytes of a project
_REMEDY = "name one with kernel.function"


@dataclass(frozen=True, slots=True)
class FoundTop:
    """The name of a function, a remark on who says so, and the project that does."""

    name: str
    remark: Problem
    source: SourceFile | None = None


def top_of(file: str, folder: Folder) -> FoundTop | None:
    """The top of a C or C++ file below `folder`; None where none is named.

    Raises InputError where several are named, and where a project beside it cannot be read.
    """
    text = ""
    with suppress(InputError):  # the reader of C says it with its words
        text = read_file(folder / file)
    outline = outline_of(text) if is_marked(text) else None
    marks = {} if outline is None else outline.marks
    if len(marks) == 1:
        ((name, offset),) = marks.items()
        return _found(name, "a pragma marks it", _pragma(file, text, offset))
    projects = [*_beside(file, folder)]
    if not (text and (marks or projects)):
        return None
    named = [*_named(file, outline or outline_of(text), projects)]
    if len({top for top, _ in named}) == 1 and (not marks or has_name(marks, named[0][0])):
        name, project = named[0]
        assert project.top is not None
        what = f"{PurePosixPath(project.file).name!r} names it as the top"
        source = SourceFile(name=project.file, text=project.text)
        return _found(name, what, project.top.source_location, source)
    if marks:
        names = ", ".join(map(repr, marks))
        first, second = (_pragma(file, text, offset) for offset in [*marks.values()][:2])
        what = f"the functions {names} are marked as tops: one is to be planned"
        raise InputError(Problem(what, _REMEDY, second, (Note("the first mark", first),)))
    return None


def _found(
    name: str, why: str, place: SourceLocation, source: SourceFile | None = None
) -> FoundTop:
    what = f"{name!r} is planned: {why}"
    return FoundTop(name, Problem(what, "kernel.function names another", place), source)


def _pragma(file: str, text: str, offset: int) -> SourceLocation:
    end = text.find("\n", offset)
    return place_in(file, text, offset, (len(text) if end < 0 else end) - offset)


def _beside(file: str, folder: Folder) -> Iterator[HlsProject]:
    """The projects in the folder of a file that name a top."""
    own = PurePosixPath(file).parent
    there = (folder / file).parent.glob("*")
    for path in sorted(one for one in there if one.suffix in (*CONFIGS, *SCRIPTS)):
        with suppress(OSError):  # what is no regular file, too
            is_short = path.stat().st_size <= _LONGEST
            if is_short and any(word in read_bytes(path) for word in _WORDS):
                name = (own / path.name).as_posix()
                project = project_of(read_file(path, name), name)
                if project.tops:
                    yield project


def _named(
    file: str, outline: Outline, projects: Sequence[HlsProject]
) -> Iterator[tuple[str, HlsProject]]:
    """The tops of the projects that name the file, else of the only one, each with its project.

    Of a project with other files only a top that this one defines is of it. Raises InputError
    where two projects name two tops of the file.
    """
    naming = [one for one in projects if one.names(file)]
    found: list[tuple[str, HlsProject]] = []
    for project in naming or projects:
        alone = project in naming and len(project.kernels) == 1
        top = project.top if project in naming or len(projects) == 1 else None
        if top is not None and (alone or outline.defines(top.value)):
            found.append((top.value, project))
    for top_name, project in found:
        if naming and top_name != found[0][0]:
            first, second = found[0][1].top, project.top
            assert first is not None
            assert second is not None
            what = f"{second.value!r} is a second top of {PurePosixPath(file).name!r}"
            note = Note(f"the first is {first.value!r}", first.source_location)
            raise InputError(Problem(what, _REMEDY, second.source_location, (note,)))
    yield from found
