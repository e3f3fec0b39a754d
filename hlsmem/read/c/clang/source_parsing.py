"""clang on a file of C or C++: headers of ours in place of others, sizes that stay names."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from hlsmem.core.data_files import resource_folder
from hlsmem.core.errors import InputError, Problem, Problems
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.source_location import SourceLocation
from hlsmem.core.user_files import read_bytes, read_text
from hlsmem.read.c.clang.library import library
from hlsmem.read.c.clang.macro_sizes import check_expansions
from hlsmem.read.c.clang.parsed_sources import Source, said_in
from hlsmem.read.c.tree import SourceRange
from hlsmem.read.design_folder import Folder
from hlsmem.read.suffixes import is_cxx

HEADERS = resource_folder("hls")
MISSING_LIMIT = 20
_IN_FRONT = "common/xf_"
"""Headers of ours that include those of the library that have their names."""
_FLAGS = (
    "-nostdinc",
    "-target",
    "x86_64-unknown-linux-gnu",  # LP64, char has a sign, on every machine
    "-DHLSMEM_READ",
    "-D__SYNTHESIS__",
    "-ferror-limit=20",
    "-Wno-everything",
    "-Werror=shift-count-negative",  # of code that runs: clang leaves dead branches out
)
_OF_C = ("-xc", "-std=gnu17", "-fno-builtin", "-Werror=excess-initializers")
OF_C = (*_OF_C, *_FLAGS, "-Werror=implicit-function-declaration")
"""The flags for texts of C by themselves, in which every function has to be declared."""
_OF_CXX = ("-xc++", "-std=gnu++17", "-nostdinc++")
_PRELUDE = "hlsmem_sizes.h"
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">\n]+)[">]', re.MULTILINE)
_GUARD = r"^[ \t]*#[ \t]*ifndef[ \t]+{}\b"
_DEFINITION = re.compile(
    r"^[ \t]*#[ \t]*define[ \t]+(\w+)(\()?((?:[^\n\\]|\\\n|\\.)*)", re.MULTILINE
)
_CONDITIONAL = re.compile(r"^[ \t]*#[ \t]*(?:el)?if", re.MULTILINE)
_CONDITION = re.compile(r"\s*#\s*(?:el)?if\b")
_DEFINE = r"^[ \t]*#[ \t]*define[ \t]+{}\b[ \t]*((?:[^\n\\]|\\\n|\\.)*)"


def parsed(
    folder: Folder,
    file: str,
    *,
    cflags: Sequence[str] = (),
    symbolic: Sequence[str] = (),
    behind: str = "",
) -> Source:
    """Return `file` (relative to `folder`) as clang reads it, with a text `behind` it.

    Of `cflags`, -I, -D, -U and -std are used; macros in `symbolic` become constants of their names.
    A copy of a vendor's header in the user's folder is replaced by ours. Raises InputError for
    files that are missing, outside or too large; `diagnostics` has errors of clang.
    """
    path = folder / Path(file)
    name = folder.name_of(path)
    if name is None:
        what = f"'{file}' lies outside the folder of the design"
        raise InputError(Problem(what, "move it below that folder"))
    text = read_text(path)
    check_expansions(name, text)
    flags = [
        *(_OF_CXX if is_cxx(file) else _OF_C),
        *_FLAGS,
        f"-I{HEADERS / 'include'}",
        f"-I{HEADERS / 'read'}",
        *_flags(folder, cflags, symbolic),
    ]
    _check_includes(path, text, [Path(one[2:]) for one in flags if one.startswith("-I")], {path})
    unsaved: dict[str, str] = {str(path): text + behind} if behind else {}
    source = _parsed_once(folder, str(path), name, flags, unsaved)
    copies = {
        one: f"#include <{own}>\n"
        for one, known in source.names.items()
        if (own := _own_header(known, name))
    }
    if copies:
        unsaved |= copies
        again = _parsed_once(folder, str(path), name, flags, unsaved)
        source = replace(again.instead_of(copies), missing=(*source.missing, *again.missing))
    given = {**_defined_by(cflags), **source.definitions}
    macros = {one: given[one] for one in symbolic if one in given}
    if macros:
        unsaved |= _hidden(source, macros, behind)
        prelude = str(path.parent.absolute() / _PRELUDE)  # -include finds no relative one
        unsaved[prelude] = _prelude(macros, are_cxx=is_cxx(file))
        flags += ["-include", prelude]
        _check_undecided(source, macros)
        again = _parsed_once(folder, str(path), name, flags, unsaved).instead_of(copies)
        missing = (*source.missing, *again.missing)
        source = replace(source, unit=again.unit, missing=missing, macros=macros, definitions=given)
    return source


def _check_includes(path: Path, text: str, folders: Sequence[Path], seen: set[Path]) -> None:
    """Raise InputError for what is included and is no file, such as a pipe: clang waits for it."""
    for found in _INCLUDE.finditer(text):
        own = [path.parent] if found[1] == '"' else []
        places = [one / found[2] for one in (*own, *folders)]
        there = [one for one in places if one.exists()]
        files = [one for one in there if one.is_file()]
        if there and not files:
            read_text(there[0])
        elif files and files[0] not in seen and not files[0].is_relative_to(HEADERS):
            seen.add(files[0])
            _check_includes(files[0], read_text(files[0]), folders, seen)


def _check_undecided(source: Source, macros: Collection[str]) -> None:
    """Raise InputError where a size that stays a name decides which text is compiled."""
    problems = Problems()
    for name, lines in source.lines.items():
        for number, line in enumerate(lines, start=1):
            condition = _CONDITION.match(line)
            if condition is None:
                continue
            tested = re.sub(r"\bdefined\s*\(?\s*\w+", lambda one: " " * len(one[0]), line)
            for word in re.finditer(r"\w+", tested[condition.end() :]):
                if word[0] in macros:
                    what = f"the parameter '{word[0]}' decides which text is compiled"
                    remedy = f"decide with if in the code, or leave '{word[0]}' out of params"
                    column = condition.end() + word.start() + 1
                    place = SourceRange(name, number, column, len(word[0]))
                    problems.add(what, remedy, source.location(place))
    problems.raise_if_any()


def _own_header(name: str, main: str) -> str:
    """The header of ours that a file of the user's is a copy of, by its name; empty for none."""
    parts = name.split("/")
    for start in range(len(parts)):
        tail = "/".join(parts[start:])
        if name == main or tail.startswith(_IN_FRONT):
            continue
        if (HEADERS / "include" / tail).is_file():
            return tail
    return ""


def _defined_by(cflags: Sequence[str]) -> dict[str, str]:
    """The macros that flags define, with their texts."""
    words = iter(cflags)
    found = {}
    for word in words:
        if word.startswith("-D"):
            name, _, text = (word[2:] or next(words, "")).partition("=")
            found[name] = text or "1"
    return found


def _flags(folder: Folder, cflags: Sequence[str], symbolic: Sequence[str]) -> list[str]:
    found = []
    words = iter(cflags)
    for word in words:
        if word.startswith("-std=") and "++" in word:
            found.append(word)
        kind, value = word[:2], word[2:]
        if kind not in ("-I", "-D", "-U"):
            continue
        value = value or next(words, "")
        if kind == "-I":
            value = str(folder / Path(value))
        elif value.partition("=")[0] in symbolic:
            continue
        found.append(kind + value)
    return found


def _hidden(source: Source, macros: Mapping[str, str], behind: str) -> dict[str, str]:
    """Texts in which the definitions of macros are blank, and tests that they are not defined yet
    hold where they did."""
    changed = {}
    own = library()
    for path, name in source.names.items():
        text = source.texts[name]
        skipped = own.skipped(source.unit, own.module.File.from_name(source.unit, path))
        starts = {first for first, _ in skipped}

        def taken(found: re.Match[str], text: str = text, starts: set[int] = starts) -> str:
            line = text.count("\n", 0, found.start()) + 1
            return found[0] if line in starts else "#if 1".ljust(len(found[0]))

        for one in macros:
            pattern = re.compile(_DEFINE.format(re.escape(one)), re.MULTILINE)
            text = pattern.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
            guard = re.compile(_GUARD.format(re.escape(one)), re.MULTILINE)
            text = guard.sub(taken, text)
        if text != source.texts[name]:
            changed[path] = text + (behind if name == source.main else "")
    return changed


def _prelude(macros: Mapping[str, str], *, are_cxx: bool) -> str:
    lines = []
    for name, text in macros.items():
        constant = f"static constexpr auto {name} =" if are_cxx else f"enum {{ {name} ="
        lines += [f"{constant} ({text}){';' if are_cxx else ' };'}", f"#define {name} {name}"]
    return "\n".join(lines) + "\n"


def _parsed_once(
    folder: Folder, path: str, name: str, flags: Sequence[str], unsaved: dict[str, str]
) -> Source:
    """Parse with empty files for headers that are not there, of which there may be several.

    Files with line ends of other systems are given to clang with those of Python: its places are
    of the bytes. What conditions of the preprocessor leave out is known from a record that takes
    longer to look through than most files: it is asked for where there are any.
    """
    missing: list[str] = []
    while True:
        unit = _unit(path, name, flags, unsaved, has_record=False)
        absent = _missing(unit)
        if not absent or absent in missing or len(missing) == MISSING_LIMIT:
            break
        missing.append(absent)
        unsaved[str(HEADERS / "read" / absent)] = ""
    texts, names = _files(folder, unit, path, name, flags)
    has_record = any(_CONDITIONAL.search(one) for one in texts.values())
    others = {
        one: texts[own]
        for one, own in names.items()
        if one not in unsaved and b"\r" in read_bytes(Path(one))
    }
    unsaved |= others
    if has_record or others:
        unit = _unit(path, name, flags, unsaved, has_record=has_record)
    raws = {names[one]: read_bytes(Path(one)).decode() for one in others}
    found = Source(
        unit=unit, texts=texts, names=names, main=name, missing=tuple(missing), raws=raws
    )
    return replace(found, definitions={one.name: one.body for one in macros_in(found)})


def _unit(
    path: str, name: str, flags: Sequence[str], unsaved: Mapping[str, str], *, has_record: bool
) -> Any:
    module = library().module
    options = module.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD if has_record else 0
    try:
        return module.Index.create().parse(
            path, args=list(flags), unsaved_files=list(unsaved.items()), options=options
        )
    except module.TranslationUnitLoadError:
        what = f"clang does not read '{name}'"
        raise InputError(Problem(what, "split long expressions and deep nests")) from None


@dataclass(frozen=True, slots=True)
class Macro:
    """A macro without arguments of the user's, and its definition in the text."""

    name: str
    body: str
    written: str


def macros_in(source: Source) -> Iterator[Macro]:
    """Return the macros that the user's files define, without and with arguments."""
    for name in source.texts:
        for found in source.unskipped(name, _DEFINITION):
            body = " ".join(said_in(found[3]).split())
            if not found[2]:
                yield Macro(found[1], body, found[0].strip())


def _missing(unit: Any) -> str:
    for one in unit.diagnostics:
        found = re.fullmatch(r"'([^']+)' file not found.*", one.spelling)
        if found:
            return found[1]
    return ""


def _files(
    folder: Folder, unit: Any, path: str, name: str, flags: Sequence[str]
) -> tuple[dict[str, str], dict[str, str]]:
    """The user's files: texts by name, names by clang's path."""
    texts, names = {name: read_text(Path(path))}, {path: name}
    ours, problems = str(HEADERS), Problems()
    searched = (Path(one[2:]) for one in flags if one.startswith("-I"))
    places = [name for one in searched for name in folder.names_of(one)]
    for include in unit.get_includes():
        found = include.include.name
        if found in names or found.startswith(ours) or found.endswith(_PRELUDE):
            continue
        known = folder.names_of(Path(found))
        line = _including_line(include, texts, names)
        if not known:
            remedy = "copy it below that folder, or include it by its name and say `--include DIR`"
            _note_outside(include, line, remedy, problems)
            continue
        own = next((one for one in known if line is None or _is_in_copy(line, one, places)), None)
        if own is None:
            remedy = (
                "say --include with the folder that its path begins in, or include it by its name"
            )
            _note_outside(include, line, remedy, problems)
            continue
        names[found] = own
        texts[own] = read_text(Path(found))
    problems.raise_if_any()
    return texts, names


def _including_line(
    include: Any, texts: Mapping[str, str], names: Mapping[str, str]
) -> tuple[SourceLocation, str] | None:
    """The place of an include in a file of the user's, and the path written there."""
    at = include.location
    name = "" if at.file is None else names.get(at.file.name, "")
    lines = re.split(r"\r\n|\r|\n", texts[name]) if name else []
    # Files that are read behind a text are included below its last line.
    line = lines[at.line - 1] if at.line <= len(lines) else ""
    written = re.search(r'["<]([^">]+)[">]', line)
    if written is None:
        return None
    column, length = written.start() + 1, len(written[0])
    place = SourceLocation(file=name, line=at.line, column=column, length=length, text=line)
    return place, written[1]


def _is_in_copy(line: tuple[SourceLocation, str], own: str, folders: Sequence[str]) -> bool:
    """True if a copy of the design finds a file, by its name `own`, where its path goes upwards."""
    place, written = line
    if ".." not in Path(written).parts or place.file is None:
        return True
    places = (posixpath.dirname(place.file), *folders)
    return own in {posixpath.normpath(posixpath.join(one, written)) for one in places}


def _note_outside(
    include: Any, line: tuple[SourceLocation, str] | None, remedy: str, problems: Problems
) -> None:
    """Note a file that is included and lies outside of the folder of the design."""
    place, written = line or (None, include.include.name)
    problems.add(f"'{written}' lies outside the folder of the design", remedy, place)
