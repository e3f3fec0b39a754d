"""Memory that the host C has besides its workspace: static objects, and frames of functions.

An array that is folded must not stand unfolded somewhere else. The assembly of the compiler names
every static object with its size, and `-fstack-usage` says how large each frame is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import field
from pathlib import Path

from hlsmem.core.lazy_dataclass import dataclass

# What generated C calls its own storage, which it aligns to lines of a cache, in bytes.
_WORKSPACE, _LINE = "workspace", 64
_SCALARS = 512
# The function, the one that works in a given workspace, and one that this calls.
_DEEP = 3
# A frame keeps an argument, and hands it on.
_ARGUMENT = 2 * 8
_OBJECT = re.compile(r"^\s*\.(?:size|comm|lcomm)\s+([\w.$]+)\s*,\s*(\d+)", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Footprint:
    """Bytes of static objects, with their names, and of frames by name; None of a frame that
    grows in a run. Compilers number local objects: theirs is the name in front."""

    objects: tuple[tuple[str, int], ...] = field(compare=False)
    frames: Mapping[str, int | None] = field(compare=False)


def footprint_of(assembly: Path, usage: Path) -> Footprint:
    """Objects and frames, in bytes, from a compiler's assembly and its list of frames."""
    frames: dict[str, int | None] = {}
    for line in usage.read_text(encoding="utf-8").splitlines():
        where, size, kind = line.split("\t")
        frames[where.rsplit(":", 1)[-1]] = None if kind == "dynamic" else int(size)
    found = _OBJECT.findall(assembly.read_text(encoding="utf-8", errors="replace"))
    objects = tuple((name.partition(".")[0], int(size)) for name, size in found)
    return Footprint(objects=objects, frames=frames)


def static_bytes(listed: str) -> int:
    """The bytes of data and bss of an object file, as `size` lists them."""
    names, values = (line.split() for line in listed.strip().splitlines()[:2])
    row = dict(zip(names, values, strict=False))
    return int(row["data"]) + int(row["bss"])


def scalar_bytes(arguments: int) -> int:
    """The bytes that frames may take for scalars, for what is saved and for returns.

    Functions of many arguments keep them in their frames: registers hold few.

    >>> scalar_bytes(2), scalar_bytes(20)
    (512, 960)
    """
    return max(_SCALARS, _DEEP * _ARGUMENT * arguments)


def frame_bytes(usage: Path, arguments: int) -> int:
    """The bytes of the largest frames of functions that call each other, beyond the scalars of
    functions of so many arguments."""
    frames = [int(line.split("\t")[1]) for line in usage.read_text("utf-8").splitlines()]
    return max(0, sum(sorted(frames)[-_DEEP:]) - scalar_bytes(arguments))


def foreign_object(
    found: Footprint, known: Iterable[tuple[str, int]], arrays: Mapping[str, int], workspace: int
) -> str:
    """A static object as large as a folded array, in words; "" where there is none.

    `known` are objects that the original has, each of which there may be once; `arrays` the bytes
    that arrays are declared with. The workspace itself may be static, and end at a line's end.
    """
    known = [*known, (_WORKSPACE, _in_lines(workspace))]
    for name, size in (Counter(found.objects) - Counter(known)).elements():
        for array, declared in arrays.items():
            if declared > workspace and size >= declared:
                return f"the object {name} has {size} bytes, as many as {array} before it is folded"
    return ""


def _in_lines(workspace: int) -> int:
    """The bytes of whole lines of a cache that a workspace takes."""
    return -(-workspace // _LINE) * _LINE


def foreign_frame(
    small: tuple[Footprint, Mapping[str, int], int],
    large: tuple[Footprint, Mapping[str, int], int],
) -> str:
    """A frame that grows with a folded array from one size to a larger; "" where none does.

    Each size has its footprint, the declared bytes of the arrays, and those of the workspace,
    which may be part of a frame, in lines of a cache.
    """
    (before, declared, space), (after, grown, more) = small, large
    for function, size in after.frames.items():
        if size is None:
            return f"{function}() has an object of run-time size on the stack"
        growth = size - (before.frames.get(function) or 0)
        for array, bytes_ in grown.items():
            wanted = bytes_ - declared[array]
            room = max(more - space, _in_lines(more) - _in_lines(space))
            if room < wanted <= growth:
                return f"the frame of {function}() grows by {growth} bytes, as {array} does"
    return ""
