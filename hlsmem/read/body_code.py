"""The `code` key: C at the level of a file that the bodies of a network need."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from hlsmem.core.errors import InputError
from hlsmem.program.model import Code
from hlsmem.read.design_folder import Folder
from hlsmem.read.design_names import RESERVED, generated_names
from hlsmem.read.schema import DesignKeys
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
    from hlsmem.read.c.headers import PURE_FUNCTIONS, constants_of, values_of
    from hlsmem.read.c.names import declared_names
    from hlsmem.read.c.preprocess import preprocess
    from hlsmem.read.c.source_map import KERNEL, SourceMap
    from hlsmem.read.c.syntax import parse

    preprocessed = preprocess(folder, file, cflags=cflags, symbolic=texts.parameters.names)
    source = SourceMap(preprocessed)
    tree = parse(preprocessed, source)
    nodes = [one for one in tree.ext if one.coord is not None and one.coord.file == KERNEL]
    reserved = generated_names(design, texts.parameters.names)
    names: set[str] = set()
    for node in nodes:
        for what, remedy in _faults(node):
            texts.problems.add(what, remedy, source.place(node))
        for name in declared_names(node):
            if name.startswith(RESERVED) or name in reserved or name == design:
                what = f"{name!r} is a name that generated C keeps for itself"
                texts.problems.add(what, "rename it", source.place(node))
            names.add(name)
    headers = preprocessed.headers
    known = {*names, *constants_of(headers), *values_of(headers)}
    if {"math.h", "stdlib.h"} & set(headers):
        known |= PURE_FUNCTIONS
    return Code(
        includes=tuple(f"#include <{header}>" for header in headers),
        declarations=tuple(declaration_text(node) for node in nodes),
        names=frozenset(known),
        parameters=preprocessed.macros,
        sources=preprocessed.files,
    )


def declaration_text(node: Any) -> str:
    """C text of a node at the level of a file."""
    from hlsmem.read.c import c_ast
    from hlsmem.read.c.c_text import text_of

    text = text_of(node).rstrip("\n")
    return text if isinstance(node, (c_ast.FuncDef, c_ast.Pragma)) else f"{text};"


def _faults(node: Any) -> Iterator[tuple[str, str]]:
    """Problems of a node at the level of the file: what is wrong, and what to do."""
    from hlsmem.read.c import c_ast
    from hlsmem.read.c.trees import is_constant

    match node:
        case c_ast.FuncDef() if "static" not in node.decl.storage:
            yield f"the function {node.decl.name!r} is not static", "make it static"
        case c_ast.Decl(type=c_ast.FuncDecl() | c_ast.Struct() | c_ast.Union() | c_ast.Enum()):
            return
        case c_ast.Decl() if not is_constant(node):
            what = f"{node.name!r} is a variable, and bodies run in an order of their own"
            yield what, "make it static const, or an array of the network"
        case c_ast.Decl() if "static" not in node.storage:
            yield f"the constant {node.name!r} is not static", "make it static const"
