"""Max-live: the greatest number of elements of one array that are alive at the same time.

No mapping of any kind has fewer cells. Counted by a sweep over all residences; live elements
can only become more at a write.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any

from hlsmem.lifetime.residence import Residences, without_constants
from hlsmem.polyhedra.enumeration import distinct_rows, point_chunks
from hlsmem.polyhedra.relations import parameter_box, parameters_first

if TYPE_CHECKING:
    import numpy as np


# Residences that are listed at most, in chunks: a few seconds, some hundred megabytes.
LIMIT = 1 << 22
_CHUNK = 1 << 18


@dataclass(frozen=True, slots=True, kw_only=True)
class Intervals:
    """Residences as numbers: row i of all arrays is one value.

    `parameters` int64 (values, parameters) and `elements` int64 (values,) name what lives:
    equal numbers, equal elements; rows are in order of both. `starts` and `ends` are
    half-open intervals in one total order in which parameter points come one after another.
    `element` and `event` decode a row to the element and to the event of its write.
    """

    parameters: np.ndarray
    elements: np.ndarray
    starts: np.ndarray
    ends: np.ndarray
    element: Callable[[int], tuple[int, ...]]
    event: Callable[[int], tuple[int, ...]]


def max_live(given: Residences, values: Mapping[str, int]) -> int | None:
    """The most elements alive at once at the parameter `values`; 0 where nothing is written.

    None where there are more than LIMIT residences.
    """
    box = {name: (value, value) for name, value in values.items()}
    found = max_live_within(given, box)
    return None if found is None else max(found.values(), default=0)


def max_live_within(
    given: Residences, box: Mapping[str, tuple[int, int]]
) -> dict[tuple[int, ...], int] | None:
    """Max-live for all parameter points in a box of inclusive ranges, by point.

    Points outside the context or at which nothing is written are left out. None where there
    are more than LIMIT residences.
    """
    import numpy as np

    found = intervals(without_constants(given), box)
    if found is None:
        return None
    points = found.parameters
    if not len(points):
        return {}
    changes = (points[1:] != points[:-1]).any(axis=1)
    firsts = np.flatnonzero(np.concatenate([[True], changes]))
    most = np.maximum.reduceat(live_at_writes(found), firsts)
    return {
        tuple(point): live
        for point, live in zip(points[firsts].tolist(), most.tolist(), strict=True)
    }


def live_at_writes(found: Intervals) -> np.ndarray:
    """How many elements are alive just after each write: int64 (values,)."""
    import numpy as np

    begun = np.searchsorted(np.sort(found.starts), found.starts, side="right")
    ended = np.searchsorted(np.sort(found.ends), found.starts, side="right")
    return np.asarray(begun - ended, dtype=np.int64)


def intervals(given: Residences, box: Mapping[str, tuple[int, int]]) -> Intervals | None:
    """All residences for the parameter points in a box of inclusive ranges, or None.

    None where there are more than LIMIT of them.
    """
    import numpy as np

    names, inside = list(box), parameter_box(box)
    written = parameters_first(given.starts.intersect_params(inside).wrap(), names)
    read = parameters_first(given.stays.intersect_params(inside).wrap(), names)
    head, middle = len(names), len(names) + len(given.array.index)
    split, last = middle + given.dimensions, middle + 2 * given.dimensions
    # Columns: parameters, element, event of the write; reads have one more event.
    start, end = [*range(head), *range(middle, split)], [*range(head), *range(split, last)]
    named = list(range(middle))
    element_code = _code([(written, named)])
    event_code = _code([(written, start), (read, end)])
    if element_code is None or event_code is None:
        return None
    value_rows = _encoded(written, [(element_code, named), (event_code, start)], LIMIT)
    if value_rows is None:
        return None
    left = LIMIT - len(value_rows)
    codes = [(element_code, named), (event_code, start), (event_code, end)]
    read_rows = _encoded(read, codes, left)
    if read_rows is None:
        return None
    value_rows = distinct_rows(value_rows)
    elements, starts = value_rows[:, 0], value_rows[:, 1]
    ends = 2 * starts + 1  # at least the instant of the write
    np.maximum.at(ends, _places(value_rows, read_rows[:, :2]), 2 * read_rows[:, 2])
    kept, starts = _apart(elements, 2 * starts, ends)
    elements, events = elements[kept], value_rows[kept, 1]
    parameters = element_code.decode(elements)[:, :head]
    return Intervals(
        parameters=parameters,
        elements=elements,
        starts=starts[kept],
        ends=ends[kept],
        element=lambda row: tuple(element_code.decode(elements[row])[head:].tolist()),
        event=lambda row: tuple(event_code.decode(events[row])[head:].tolist()),
    )


@dataclass(frozen=True, slots=True)
class _Code:
    """Rows of integers in a box as single integers in lexicographic order."""

    low: np.ndarray
    spans: np.ndarray
    strides: np.ndarray

    def encode(self, rows: np.ndarray) -> np.ndarray:
        import numpy as np

        return np.asarray((rows - self.low) @ self.strides)

    def decode(self, keys: np.ndarray) -> np.ndarray:
        import numpy as np

        return np.asarray(np.asarray(keys)[..., None] // self.strides % self.spans + self.low)


def _code(parts: Sequence[tuple[Any, Sequence[int]]]) -> _Code | None:
    """The code of the listed columns of bounded sets, all of one meaning, or None.

    None where single integers of 64 bits cannot tell the rows apart.
    """
    import numpy as np

    filled = [(points, columns) for points, columns in parts if not points.is_empty()]
    width = len(parts[0][1])
    if not filled:
        ones = np.ones(width, dtype=np.int64)
        return _Code(low=ones * 0, spans=ones, strides=ones)
    low, high = (
        [
            pick(getattr(points, name)(columns[entry]).to_python() for points, columns in filled)
            for entry in range(width)
        ]
        for pick, name in ((min, "dim_min_val"), (max, "dim_max_val"))
    )
    spans = [above - below + 1 for below, above in zip(low, high, strict=True)]
    if prod(spans) >= 1 << 61:
        return None
    return _Code(
        low=np.array(low, dtype=np.int64),
        spans=np.array(spans, dtype=np.int64),
        strides=np.array([prod(spans[k + 1 :]) for k in range(width)], dtype=np.int64),
    )


def _encoded(
    points: Any, codes: Sequence[tuple[_Code, Sequence[int]]], most: int
) -> np.ndarray | None:
    """The points of a bounded set, each as one integer a code, or None beyond `most` of them."""
    import numpy as np

    rows = [np.empty((0, len(codes)), dtype=np.int64)]
    for chunk in point_chunks(points, _CHUNK):
        most -= len(chunk)
        if most < 0:
            return None
        columns = [code.encode(chunk[:, list(columns)]) for code, columns in codes]
        rows.append(np.column_stack(columns))
    return np.concatenate(rows)


def _places(rows: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Where each wanted pair stands among `rows`, distinct pairs in lexicographic order."""
    import numpy as np

    first, second = np.unique(rows[:, 0]), np.unique(rows[:, 1])

    def key(pairs: np.ndarray) -> np.ndarray:
        left = np.searchsorted(first, pairs[:, 0]) * len(second)
        return np.asarray(left + np.searchsorted(second, pairs[:, 1]))

    return np.searchsorted(key(rows), key(wanted))


def _apart(
    elements: np.ndarray, starts: np.ndarray, ends: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Which residences to count, and from when, so that no element counts twice at a time.

    Rows are in order of element and start. Values of one element overlap only where a write
    is no more than possible, so that the value before it may live on.
    """
    import numpy as np

    kept, starts = np.ones(len(starts), dtype=bool), starts.copy()
    if not ((elements[1:] == elements[:-1]) & (starts[1:] < ends[:-1])).any():
        return kept, starts
    last = None
    for row in range(len(starts)):
        if last is not None and elements[row] == elements[last]:
            starts[row] = max(starts[row], ends[last])
            kept[row] = starts[row] < ends[row]
        last = row if kept[row] else last
    return kept, starts
