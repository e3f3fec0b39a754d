"""`kernel.macros: parameters`: integer macros that are a whole extent or bound, as parameters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pycparser import c_ast

from hlsmem.errors import InputError
from hlsmem.read.c.files import Files, read_files
from hlsmem.read.c.normal.pipelined import is_pipelined
from hlsmem.read.c.trees import nodes_of, used_names
from hlsmem.read.folder import Folder

_DEFINED = re.compile(
    r"^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)[ \t]+\(?([1-9]\d*)\)?[ \t]*(?:/[/*].*)?$",
    re.MULTILINE,
)
_COMPARED = ("<", "<=", ">", ">=", "!=")


def sizes_of(
    folder: Folder, file: str, sources: tuple[str, ...], cflags: tuple[str, ...]
) -> dict[str, int]:
    """The macros with their values, in the order of their definitions; those that decide which
    text is compiled, or are defined twice, are none. No file, or none that is C: none.
    """
    try:
        plain = read_files(folder, file, sources, cflags=cflags, symbolic=())
    except InputError:
        return {}
    defined: dict[str, list[int]] = {}
    for source in plain.preprocessed.files:
        for found in _DEFINED.finditer(source.text):
            defined.setdefault(found[1], []).append(int(found[2]))
    values = {name: found[0] for name, found in defined.items() if len(found) == 1}
    return {
        name: value
        for name, value in values.items()
        if _is_size(name, folder, file, sources, cflags)
    }


def _is_size(
    name: str, folder: Folder, file: str, sources: tuple[str, ...], cflags: tuple[str, ...]
) -> bool:
    try:
        files = read_files(folder, file, sources, cflags=cflags, symbolic=(name,))
    except InputError:
        return False
    return name in files.preprocessed.macros and name in set(_sizes(files))


def _sizes(files: Files) -> Iterator[str]:
    """The names that are a whole extent, or the bound of a loop.

    Not those of loops inside of pipelined ones, which are written turn by turn.
    """
    for tree in files.trees:
        nodes = nodes_of(tree)
        inside = [below for one in nodes if is_pipelined(one) for below in nodes_of(one.stmt)]
        loops = [one for one in inside if isinstance(one, c_ast.For)]
        headers = [part for one in loops for part in (one.init, one.cond, one.next) if part]
        turns = frozenset[str]().union(*map(used_names, headers))
        for node in nodes:
            yield from (name for name in _names(node) if name not in turns)


def _names(node: Any) -> Iterator[str]:
    return (str(part.name) for part in _bounds(node) if isinstance(part, c_ast.ID))


def _bounds(node: Any) -> Iterator[Any]:
    match node:
        case c_ast.ArrayDecl():
            yield node.dim
        case c_ast.For(cond=c_ast.BinaryOp(op=operator, left=left, right=right)) if (
            operator in _COMPARED
        ):
            for side in (left, right):
                yield side
                # `i < N - 1`: a bound beside the extent.
                if isinstance(side, c_ast.BinaryOp) and side.op in ("+", "-"):
                    yield side.left
