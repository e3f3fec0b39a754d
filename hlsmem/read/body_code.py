"""The `code` key: C at the level of a file that the bodies of a network need."""

from __future__ import annotations

from pathlib import PurePosixPath

from hlsmem.core.errors import InputError
from hlsmem.program.model import Code
from hlsmem.read.design_folder import Folder
from hlsmem.read.design_names import RESERVED, generated_names
from hlsmem.read.design_schema import DesignKeys
from hlsmem.read.texts import Texts


def read_code(keys: DesignKeys, texts: Texts, folder: Folder) -> Code | None:
    """The code that `code.file` declares, None where a design has none.

    All problems go to `texts`: variables that are not constant would make the order of bodies
    count, functions that are not static would meet those of other files.
    """
    if keys.code is None:
        return None
    if keys.network is None:
        what = "code is for the bodies of a network; a kernel has its own file around it"
        texts.problem(what, "leave it out", "code")
        return None
    file = PurePosixPath(keys.code.file)
    if file.is_absolute() or ".." in file.parts:
        what = f"{keys.code.file!r} is not below the folder of the design"
        texts.problem(what, "move the file beside the design", "code", "file")
        return None
    if not (folder / file).is_file():
        what = f"there is no file {str(folder / file)!r}"
        texts.problem(what, "check the name; it counts from the design", "code", "file")
        return None
    try:
        return _read(keys.code.file, keys.code.cflags, keys.name, texts, folder)
    except InputError as error:
        named = texts.place("code", "file")
        for one in error.problems:
            texts.problems.add(one.what, one.remedy, one.source_location or named, one.notes)
        return None


def _read(file: str, cflags: tuple[str, ...], design: str, texts: Texts, folder: Folder) -> Code:
    # Only networks with such a file need the C reader.
    from hlsmem.read.c.clang.code_files import declared_in, system_headers, texts_of
    from hlsmem.read.c.clang.diagnostics import check_compiled
    from hlsmem.read.c.clang.source_parsing import parsed

    source = parsed(folder, file, cflags=cflags, symbolic=texts.parameters.names)
    check_compiled(source, texts.parameters.names)
    reserved = generated_names(design, texts.parameters.names)
    names: set[str] = set(source.definitions)
    for one in declared_in(source):
        place = source.location(one.place)
        if one.fault is not None:
            texts.problems.add(*one.fault, place)
        for name in one.names:
            if name.startswith(RESERVED) or name in reserved or name == design:
                what = f"{name!r} is a name that generated C keeps for itself"
                texts.problems.add(what, "rename it", place)
            names.add(name)
    return Code(
        includes=tuple(f"#include <{header}>" for header in system_headers(source)),
        declarations=texts_of(source, texts.parameters.names),
        names=frozenset(names),
        parameters=tuple(source.macros),
        sources=source.files(),
    )
