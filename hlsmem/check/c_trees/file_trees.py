"""The tree of a C file of the user's, with the lines that include headers of the system."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hlsmem.check.c_trees import written_c
from hlsmem.check.c_trees.clang_file import NotUnderstood, ParsedFile, parsed_file
from hlsmem.check.c_trees.declaration_trees import declarations
from hlsmem.check.c_trees.statement_trees import Statements


def file_tree(
    folder: Path, file: str, *, cflags: Sequence[str] = (), values: Mapping[str, int] | None = None
) -> tuple[written_c.FileAST, tuple[str, ...]]:
    """Return the tree of the C file `file` below `folder`, with macros at `values`; its includes.

    `main` is left out. Raises NotUnderstood with the place of what is not understood.
    """
    parsed = parsed_file(folder, file, cflags=cflags, values=values or {})
    try:
        return written_c.FileAST(tuple(_items(parsed))), parsed.includes
    except RecursionError:
        raise NotUnderstood(f"{file}:1: its expressions or blocks nest too deeply") from None


def _items(parsed: ParsedFile) -> list[Any]:
    """Declarations and functions, with the pragmas between them, in the order of the text."""
    items: list[Any] = []
    last: dict[str, int] = {}
    for cursor, node in declarations(parsed.declared, parsed.place, Statements(parsed).block):
        path = cursor.location.file.name
        if parsed.pragmas[path]:
            extent = cursor.extent
            items += parsed.pragmas_between(path, last.get(path, 0), extent.start.offset)
            last[path] = max(last.get(path, 0), extent.end.offset)
        items.append(node)
    return items
