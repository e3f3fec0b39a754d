"""`kernel.macros: parameters`: integer macros that are a whole extent or bound, as parameters."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Any

from hlsmem.core.errors import InputError
from hlsmem.read.c import tree
from hlsmem.read.c.files import Files, read_files
from hlsmem.read.c.normal.unrolling.pipelined_unrolling import is_pipelined
from hlsmem.read.c.tree import Array
from hlsmem.read.c.trees import nodes_of, used_names
from hlsmem.read.design_folder import Folder

_DEFINED = re.compile(
    r"^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)[ \t]+\(?([1-9]\d*)\)?[ \t]*(?:/[/*].*)?$",
    re.MULTILINE,
)
_COMPARED = ("<", "<=", ">", ">=", "!=")


def sizes_of(
    folder: Folder,
    file: str,
    sources: tuple[str, ...],
    cflags: tuple[str, ...],
    written_out: Collection[str] = (),
    function: str | None = None,
) -> dict[str, int]:
    """The macros with their values, in the order of their definitions; those that decide which
    text is compiled, or are defined twice, are none. No file, or none that is C: none.

    Nor are those that count the iterations of loops that are `written_out`, at places of the text
    in which all macros are numbers.
    """
    try:
        plain = read_files(folder, file, sources, function=function, cflags=cflags, symbolic=())
    except InputError:
        return {}
    numbers = {at for at, one in enumerate(_loops(plain)) if str(one.place) in written_out}
    if plain.are_cxx:
        return _sizes_of_cxx(plain, folder, file, sources, cflags, function, numbers)
    return {
        name: value
        for name, value in _defined(plain).items()
        if _is_size(name, folder, file, sources, cflags, numbers)
    }


def _sizes_of_cxx(
    plain: Files,
    folder: Folder,
    file: str,
    sources: tuple[str, ...],
    cflags: tuple[str, ...],
    function: str | None,
    numbers: Collection[int],
) -> dict[str, int]:
    """The macros that are sizes, found in one text in which all that can are names.

    Those that the text cannot be read with are none.
    """
    defined = _defined(plain)
    names = list(defined)
    while names:
        try:
            named = read_files(
                folder, file, sources, function=function, cflags=cflags, symbolic=tuple(names)
            )
            break
        except InputError as error:
            wrong = {name for name in names for one in error.problems if f"'{name}'" in one.what}
            names = [name for name in names if name not in wrong] if wrong else names[:-1]
    else:
        return {}
    in_numbers = [one for at, one in enumerate(_loops(named)) if at in numbers]
    excluded = frozenset[str]().union(*map(_header, in_numbers))
    found = set(_sizes(named)) - excluded
    return {name: value for name, value in defined.items() if name in names and name in found}


def _defined(files: Files) -> dict[str, int]:
    """The macros that are defined once, as a number, with their values."""
    defined: dict[str, list[int]] = {}
    for source in files.parsed.files:
        for found in _DEFINED.finditer(source.text):
            defined.setdefault(found[1], []).append(int(found[2]))
    return {name: found[0] for name, found in defined.items() if len(found) == 1}


def loops_to_sizes(
    folder: Folder,
    file: str,
    sources: tuple[str, ...],
    cflags: tuple[str, ...],
    parameters: tuple[str, ...],
    files: Files,
) -> frozenset[str]:
    """The places of loops that run to a macro which is the size of an array.

    Whatever number it has, it is another one for other sizes. `files` are the same texts with
    `parameters` alone as names.
    """
    found: set[str] = set()
    for name in _defined(files):
        if name in parameters:
            continue
        try:
            named = read_files(folder, file, sources, cflags=cflags, symbolic=(*parameters, name))
        except InputError:
            continue
        nodes = [node for root in named.trees for node in nodes_of(root)]
        extents = [one.extent for one in nodes if isinstance(one, Array) and one.extent]
        if any(name in used_names(one) for one in extents):
            pairs = zip(_loops(files), _loops(named), strict=False)
            found.update(str(own.place) for own, one in pairs if name in _header(one))
    return frozenset(found)


def _loops(files: Files) -> list[Any]:
    return [one for root in files.trees for one in nodes_of(root) if isinstance(one, tree.For)]


def _header(loop: Any) -> frozenset[str]:
    parts = [part for part in (loop.init, loop.cond, loop.next) if part]
    return frozenset[str]().union(*map(used_names, parts))


def _is_size(
    name: str,
    folder: Folder,
    file: str,
    sources: tuple[str, ...],
    cflags: tuple[str, ...],
    numbers: Collection[int],
) -> bool:
    try:
        files = read_files(folder, file, sources, cflags=cflags, symbolic=(name,))
    except InputError:
        return False
    if any(name in _header(one) for at, one in enumerate(_loops(files)) if at in numbers):
        return False
    return name in files.parsed.macros and name in set(_sizes(files))


def _sizes(files: Files) -> Iterator[str]:
    """The names that are a whole extent, or the bound of a loop.

    Not those of loops inside of pipelined ones, which are written iteration by iteration.
    """
    for root in files.trees:
        nodes = nodes_of(root)
        inside = [below for one in nodes if is_pipelined(one) for below in nodes_of(one.stmt)]
        loops = [one for one in inside if isinstance(one, tree.For)]
        headers = [part for one in loops for part in (one.init, one.cond, one.next) if part]
        turns = frozenset[str]().union(*map(used_names, headers))
        for node in nodes:
            yield from (name for name in _names(node) if name not in turns)


def _names(node: Any) -> Iterator[str]:
    return (str(part.name) for part in _bounds(node) if isinstance(part, tree.ID))


def _bounds(node: Any) -> Iterator[Any]:
    match node:
        case Array():
            yield node.extent
        case tree.For(cond=tree.BinaryOp(op=operator, left=left, right=right)) if (
            operator in _COMPARED
        ):
            for side in (left, right):
                yield side
                # `i < N - 1`: a bound beside the extent.
                if isinstance(side, tree.BinaryOp) and side.op in ("+", "-"):
                    yield side.left
