"""Files with which a project uses the host C: a CMake list and a page with the calls."""

from __future__ import annotations

from typing import Any

from hlsmem.core.wording import counted, listed
from hlsmem.emit.c.c_names import macro, respelled
from hlsmem.emit.c.host_files import heads_of
from hlsmem.emit.c.host_workspace import Parts
from hlsmem.emit.mapping_text import mapping_lines
from hlsmem.emit.templates import templates
from hlsmem.program.model import SourceFile


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
        "memory": parts.memory.text if parts.has_memory else "no memory of its own",
        "macros": macros,
        "sources": [f"{parts.name}{one.suffix}.c" for one, _ in parts.versions],
        "needs_c": function.needs_c,
        "mathematics": "#include <math.h>" in function.includes,
        "holds": None if parts.test is None else parts.test.holds,
        "for_sizes": parts.stands_by and parts.runs_test,
        "ram": _ram(parts),
        "overlaps": _overlaps(parts),
        "calls": [respelled(line, parts.words) for line in prototypes],
        "arrays": [
            {
                "name": name,
                "cells": mapping.cells,
                "declared": array.declared_at(parts.region.program.values),
                "mapping": "; ".join(mapping_lines(name, array.index, mapping)),
            }
            for name, mapping in parts.cells.items()
            for array in (parts.region.program.arrays[name],)
        ],
    }


def _ram(parts: Parts) -> str:
    """Bytes that C keeps in memory, beside those of its source."""
    ram = parts.ram
    beside = "" if ram.source is None else f", its source {counted(ram.source, 'byte')}"
    return f"It keeps {counted(ram.bytes, 'byte')} in memory{beside}, at the plan's sizes."


def _overlaps(parts: Parts) -> list[str]:
    """Behaviour where arguments overlap that have to lie apart."""
    if parts.apart is None:
        return []
    pairs = listed([f"`{one}` and `{other}`" for one, other in parts.apart.pairs])
    found = [f"{pairs} have to lie apart: `{parts.apart.name(parts.function.name)}` says whether"]
    if parts.overlap == "check":
        return [*found, "they do. Where they overlap, it runs in the order of its text."]
    found.append(f"they do. Where they overlap, it calls `{parts.overlap_macro}()`, by default")
    ram = parts.ram
    if ram.check is None:
        return [*found, "`abort()` (`host.alias: stop`)."]
    why = f"`abort()`: that takes {ram.bytes} bytes, in place of {ram.check} with"
    return [*found, why, "`host.alias: check`, with which every call is right."]
