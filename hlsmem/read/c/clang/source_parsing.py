"""clang on a file of C++: headers of ours in place of others, sizes that stay names."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from hlsmem.core.data_files import resource_folder
from hlsmem.core.errors import InputError, Problem
from hlsmem.core.user_files import read_text
from hlsmem.read.c.clang.library import library
from hlsmem.read.c.clang.parsed_sources import Source, said_in
from hlsmem.read.design_folder import Folder

HEADERS = resource_folder("hls")
MISSING_LIMIT = 20
_IN_FRONT = "common/xf_"
"""Headers of ours that include those of the library that have their names."""
_FLAGS = (
    "-xc++",
    "-std=gnu++17",
    "-nostdinc",
    "-nostdinc++",
    "-DHLSMEM_READ",
    "-D__SYNTHESIS__",
    "-ferror-limit=20",
    "-Wno-everything",
)
_PRELUDE = "hlsmem_sizes.h"
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
    files that are missing or outside; `diagnostics` has errors of clang.
    """
    path = folder / Path(file)
    name = folder.name_of(path)
    if name is None:
        what = f"'{file}' lies outside the folder of the design"
        raise InputError(Problem(what, "move it below that folder"))
    text = read_text(path)
    flags = [
        *_FLAGS,
        f"-I{HEADERS / 'include'}",
        f"-I{HEADERS / 'read'}",
        *_flags(folder, cflags, symbolic),
    ]
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
        source = replace(again.without(copies), missing=(*source.missing, *again.missing))
    macros = {one: source.definitions[one] for one in symbolic if one in source.definitions}
    if macros:
        unsaved |= _hidden(source, macros, behind)
        prelude = str(path.parent.absolute() / _PRELUDE)  # -include finds no relative one
        unsaved[prelude] = _prelude(macros)
        flags += ["-include", prelude]
        again = _parsed_once(folder, str(path), name, flags, unsaved).without(copies)
        missing = (*source.missing, *again.missing)
        source = replace(source, unit=again.unit, missing=missing, macros=macros)
    return source


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
    """Texts in which the definitions of macros are blank."""
    changed = {}
    for path, name in source.names.items():
        text = source.texts[name]
        for one in macros:
            pattern = re.compile(_DEFINE.format(re.escape(one)), re.MULTILINE)
            text = pattern.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
        if text != source.texts[name]:
            changed[path] = text + (behind if name == source.main else "")
    return changed


def _prelude(macros: Mapping[str, str]) -> str:
    lines = []
    for name, text in macros.items():
        lines += [f"static constexpr auto {name} = ({text});", f"#define {name} {name}"]
    return "\n".join(lines) + "\n"


def _parsed_once(
    folder: Folder, path: str, name: str, flags: Sequence[str], unsaved: dict[str, str]
) -> Source:
    """Parse with empty files for headers that are not there, of which there may be several."""
    module = library().module
    missing: list[str] = []
    options = module.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD
    while True:
        index = module.Index.create()
        try:
            unit = index.parse(
                path, args=list(flags), unsaved_files=list(unsaved.items()), options=options
            )
        except module.TranslationUnitLoadError:
            what = f"clang does not read '{name}'"
            raise InputError(Problem(what, "split long expressions and deep nests")) from None
        absent = _missing(unit)
        if not absent or absent in missing or len(missing) == MISSING_LIMIT:
            break
        missing.append(absent)
        unsaved[str(HEADERS / "read" / absent)] = ""
    texts, names = _files(folder, unit, path, name)
    return Source(
        unit=unit,
        texts=texts,
        names=names,
        main=name,
        missing=tuple(missing),
        definitions=_definitions(unit, names, texts),
    )


def _missing(unit: Any) -> str:
    for one in unit.diagnostics:
        found = re.fullmatch(r"'([^']+)' file not found.*", one.spelling)
        if found:
            return found[1]
    return ""


def _files(
    folder: Folder, unit: Any, path: str, name: str
) -> tuple[dict[str, str], dict[str, str]]:
    """The user's files: texts by name, names by clang's path."""
    texts, names = {name: read_text(Path(path))}, {path: name}
    ours = str(HEADERS)
    for include in unit.get_includes():
        found = include.include.name
        if found in names or found.startswith(ours) or found.endswith(_PRELUDE):
            continue
        own = folder.name_of(Path(found))
        if own is None:
            what = f"'{found}' lies outside the folder of the design"
            raise InputError(Problem(what, "move it below that folder"))
        names[found] = own
        texts[own] = read_text(Path(found))
    return texts, names


def _definitions(unit: Any, names: Mapping[str, str], texts: Mapping[str, str]) -> dict[str, str]:
    """The texts of macros without arguments in the user's files, the last of each name."""
    found = {}
    for one in unit.cursor.get_children():
        if not one.kind.is_preprocessing():
            break
        if one.kind.name != "MACRO_DEFINITION":
            continue
        file = one.location.file
        if file is None or file.name not in names:
            continue
        start, end = one.extent.start, one.extent.end
        text = texts[names[file.name]].encode()[start.offset : end.offset].decode()
        body = text[len(one.spelling) :]
        if not body.startswith("("):
            found[one.spelling] = " ".join(said_in(body).split())
    return found
