"""Comparison of the arrays that two runs of a function leave, element by element."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from hlsmem.check.c_runs.c_interface import Argument, Interface, Member, numpy_type
from hlsmem.core.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """Numbers of one kind in an array argument: the array, or a member of its structs.

    `path` starts with the argument; `ranks` says how many extents stand behind each step.
    """

    path: tuple[str, ...]
    extents: tuple[int, ...]
    ranks: tuple[int, ...]

    @property
    def name(self) -> str:
        return ".".join(self.path)

    def element(self, position: int) -> str:
        """C for the element at a position in row-major order."""
        coordinates = iter(np.unravel_index(position, self.extents))
        steps = zip(self.path, self.ranks, strict=True)
        return ".".join(
            name + "".join(f"[{int(next(coordinates))}]" for _ in range(rank))
            for name, rank in steps
        )

    def of(self, content: np.ndarray) -> np.ndarray:
        """Its numbers in what an argument holds, in row-major order."""
        for name in self.path[1:]:
            content = content[name]
        return np.ascontiguousarray(content).reshape(-1)


def columns(argument: Argument) -> list[Column]:
    """The columns of an array argument, members in their order."""
    extents = argument.extents or ()
    whole = Column(path=(argument.name,), extents=extents, ranks=(len(extents),))
    return list(_inner_columns(whole, argument.members))


def _inner_columns(outer: Column, members: Sequence[Member]) -> Iterator[Column]:
    if not members:
        yield outer
    for member in members:
        column = Column(
            path=(*outer.path, member.name),
            extents=(*outer.extents, *member.extents),
            ranks=(*outer.ranks, len(member.extents)),
        )
        yield from _inner_columns(column, member.members)


def not_finite(
    interface: Interface, masks: Mapping[str, np.ndarray | None], output: Path
) -> str | None:
    """The first element that is no finite number, in words; equal ones would say nothing."""
    for column, content in _contents(interface, output.read_bytes()):
        if content.dtype.kind == "f":
            wrong = ~np.isfinite(content)
            mask = masks[column.name]
            if mask is not None:
                wrong &= mask
            if wrong.any():
                at = int(np.argmax(wrong))
                return f"{column.element(at)} = {content[at]}"
    return None


def _contents(interface: Interface, output: bytes) -> Iterator[tuple[Column, np.ndarray]]:
    """The numbers of every column in what the harness wrote."""
    start = 0
    for array in interface.arrays:
        kind = numpy_type(array.type, array.members)
        end = start + array.elements * kind.itemsize
        content = np.frombuffer(output[start:end], dtype=kind)
        for column in columns(array):
            yield column, column.of(content)
        start = end


def difference(
    interface: Interface,
    masks: Mapping[str, np.ndarray | None],
    expected: Path,
    found: Path,
) -> str | None:
    """The first element whose bits differ, in words."""
    want, have = expected.read_bytes(), found.read_bytes()
    pairs = zip(_contents(interface, want), _contents(interface, have), strict=True)
    for (column, left), (_, right) in pairs:
        bits = np.dtype(f"u{left.dtype.itemsize}")
        differs = left.view(bits) != right.view(bits)
        mask = masks[column.name]
        if mask is not None:
            differs &= mask
        if differs.any():
            at = int(np.argmax(differs))
            return f"{column.element(at)} is {right[at]}, the original gives {left[at]}"
    start = sum(a.elements * numpy_type(a.type, a.members).itemsize for a in interface.arrays)
    if want[start:] != have[start:]:
        return "the returned value differs from the original"
    return None
