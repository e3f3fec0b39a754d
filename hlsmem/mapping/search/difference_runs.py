"""Differences as runs along the first coordinate, sorted by the levels of the search."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from hlsmem.core.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Runs:
    """The points of one slice: low <= x_1 < low + length at the given x_2, .., x_(m-1).

    `others` has shape (runs, m - 2), `low` and `length` shape (runs,).
    """

    others: np.ndarray
    low: np.ndarray
    length: np.ndarray


@dataclass(frozen=True, slots=True)
class Level:
    """Slices x_m = height > 0 of the differences with x_(m+1) = .. = x_n = 0."""

    slices: Mapping[int, Runs]
    height: int


_A_TABLE = 1 << 24
"""Length of the table that says which x_1 are differences; longer sets are searched instead."""


@dataclass(frozen=True, slots=True)
class Levels:
    """A symmetric set of differences: `first` holds the x_1 > 0 of those with x_2 = .. = 0,
    ascending.

    `marked` says of each number below its length whether it is one of them; it is empty where
    they are too large for a table. `above` holds the levels m = 2, 3, ..
    """

    first: np.ndarray
    marked: np.ndarray
    above: tuple[Level, ...]

    def has_multiple(self, pivot: int) -> bool:
        """True if one of `first` is a multiple of `pivot`."""
        if len(self.marked):
            return bool(self.marked[pivot::pivot].any())
        return bool((self.first % pivot == 0).any())

    @property
    def dimensions(self) -> int:
        return 1 + len(self.above)


def levels_of(points: np.ndarray) -> Levels:
    """The levels of a symmetric set, given as one of each pair z, -z without 0."""
    points = _last_entry_positive(points)
    top = _last_entry(points)
    first = np.sort(points[top == 0, 0])
    size = points.shape[1]
    above = tuple(_level(points[top == m, : m + 1]) for m in range(1, size))
    return Levels(first, _marked(first), above)


def _marked(first: np.ndarray) -> np.ndarray:
    """A table of the numbers in `first`, shape (greatest + 1,); empty where it would be long."""
    length = int(first[-1]) + 1 if len(first) else 0
    marked = np.zeros(length if length <= _A_TABLE else 0, dtype=bool)
    if len(marked):
        marked[first] = True
    return marked


def _last_entry(points: np.ndarray) -> np.ndarray:
    """The position of the last non-zero entry of each row."""
    size = points.shape[1]
    found: np.ndarray = size - 1 - np.argmax(points[:, ::-1] != 0, axis=1)
    return found


def _last_entry_positive(points: np.ndarray) -> np.ndarray:
    signs = np.sign(points[np.arange(len(points)), _last_entry(points)])
    turned: np.ndarray = points * signs[:, None]
    return turned


def _level(points: np.ndarray) -> Level:
    if not len(points):
        return Level({}, 0)
    # Sorted by height, then x_2, x_3, .., then x_1: a run ends where any but x_1 changes.
    keys = [points[:, 0], *(points[:, k] for k in range(1, points.shape[1]))]
    points = points[np.lexsort(keys)]
    starts = np.ones(len(points), dtype=bool)
    starts[1:] = (points[1:, 1:] != points[:-1, 1:]).any(axis=1) | (
        points[1:, 0] != points[:-1, 0] + 1
    )
    begin = np.flatnonzero(starts)
    length = np.diff(np.append(begin, len(points)))
    low, others, heights = points[begin, 0], points[begin, 1:-1], points[begin, -1]
    distinct, where = np.unique(heights, return_index=True)
    ends = np.append(where[1:], len(begin))
    slices = {
        int(height): Runs(others[start:end], low[start:end], length[start:end])
        for height, start, end in zip(distinct, where, ends, strict=True)
    }
    return Level(slices, int(distinct[-1]))
