"""What a project needs to use the host C: a CMake list and a page with the calls."""

from __future__ import annotations

from typing import Any

from hlsmem.emit.c.files import Parts, heads_of
from hlsmem.emit.c.folds import declared_cells, workspace
from hlsmem.emit.c.names import macro, respelled
from hlsmem.emit.mathematics import mapping_lines
from hlsmem.emit.templates import templates
from hlsmem.program import SourceFile


def package_files(parts: Parts) -> tuple[SourceFile, SourceFile]:
    """host/CMakeLists.txt and host/README.md."""
    view = _view(parts)
    return (
        SourceFile(
            name="host/CMakeLists.txt",
            text=templates("host").get_template("CMakeLists.txt.j2").render(view),
        ),
        SourceFile(
            name="host/README.md",
            text=templates("host").get_template("README.md.j2").render(view),
        ),
    )


def _view(parts: Parts) -> dict[str, Any]:
    function = parts.function
    macros = [(macro(function.name, name), value) for name, value in function.macros.items()]
    heads = [head for entry in parts.entries for head in reversed(heads_of(parts, entry))]
    prototypes = [f"{parts.bytes_signature};", *(f"{head.c};" for head in heads)]
    return {
        "name": parts.name,
        "function": function.name,
        "title": parts.title,
        "further": [(entry.suffix, entry.description) for entry in parts.entries if entry.suffix],
        "memory": parts.memory.text if workspace(parts.folds.values()) else "no memory of its own",
        "macros": macros,
        "sources": [f"{parts.name}{one.suffix}.c" for one in parts.versions],
        "needs_c": function.needs_c,
        "mathematics": "#include <math.h>" in function.includes,
        "holds": None if parts.test is None else parts.test.holds,
        "falls_back": parts.falls_back,
        "calls": [respelled(line, parts.words) for line in prototypes],
        "arrays": [
            {
                "name": name,
                "cells": mapping.cells,
                "declared": declared_cells(array, parts.region.program.values),
                "mapping": "; ".join(mapping_lines(name, array.index, mapping)),
            }
            for name, mapping in parts.cells.items()
            for array in (parts.region.program.arrays[name],)
        ],
    }
