"""Max-live: the greatest number of elements of one array that are alive at the same time.

No mapping of any kind has fewer cells. Counted by a sweep over all residences; live elements
can only become more at a write.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any

from hlsmem.lifetime.residence import Residences, without_constants
from hlsmem.polyhedra import DimType
from hlsmem.polyhedra.enumeration import distinct_rows, point_chunks
from hlsmem.polyhedra.relations import parameter_box, parameters_first

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True, slots=True, kw_only=True)
class Intervals:
    """Residences as numbers: row i of all arrays is one value.

    `parameters` int64 (values, parameters), `elements` int64 (values, indices), `events` int64
    (values, event entries) of the writes; `starts` and `ends` are half-open intervals in one
    total order in which parameter points come one after another, as the rows do.
    """

    parameters: np.ndarray
    elements: np.ndarray
    events: np.ndarray
    starts: np.ndarray
    ends: np.ndarray


def max_live(given: Residences, values: Mapping[str, int]) -> int:
    """The most elements alive at once at the parameter `values`; 0 where nothing is written."""
    box = {name: (value, value) for name, value in values.items()}
    return max(max_live_within(given, box).values(), default=0)


def max_live_within(
    given: Residences, box: Mapping[str, tuple[int, int]]
) -> dict[tuple[int, ...], int]:
    """Max-live for all parameter points in a box of inclusive ranges, by point.

    Points outside the context or at which nothing is written are left out.
    """
    import numpy as np

    found = intervals(without_constants(given), box)
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


def intervals(given: Residences, box: Mapping[str, tuple[int, int]]) -> Intervals:
    """All residences for the parameter points in a box of inclusive ranges."""
    import numpy as np

    names = list(box)
    inside = parameter_box(box)
    written = distinct_rows(_rows(given.starts, inside, names))
    read = _rows(given.stays, inside, names)
    # Columns: parameters, element, event of the write; reads have one more event.
    head, middle = len(names), len(names) + len(given.array.index)
    split = middle + given.dimensions
    value, reader = _keys(written, read[:, :split])
    start, end = _keys(
        np.delete(written, np.s_[head:middle], axis=1),
        np.delete(read, np.s_[head:split], axis=1),
    )
    starts = 2 * start
    ends = starts + 1  # at least the instant of the write
    np.maximum.at(ends, np.searchsorted(value, reader), 2 * end)
    kept, starts = _apart(written[:, :middle], starts, ends)
    return Intervals(
        parameters=written[kept, :head],
        elements=written[kept, head:middle],
        events=written[kept, middle:],
        starts=starts[kept],
        ends=ends[kept],
    )


def _rows(relation: Any, inside: Any, names: Sequence[str]) -> np.ndarray:
    """All points of a relation with the parameters `names` as its first columns."""
    import numpy as np

    points = parameters_first(relation.intersect_params(inside).wrap(), names)
    nothing = np.empty((0, points.dim(DimType.set)), dtype=np.int64)
    return np.concatenate([nothing, *point_chunks(points)])


def _keys(*matrices: np.ndarray) -> tuple[np.ndarray, ...]:
    """Integers that order the rows of all the matrices lexicographically, equal for equal rows."""
    import numpy as np

    rows = np.concatenate(matrices)
    if not len(rows):
        return tuple(np.empty(0, dtype=np.int64) for _ in matrices)
    low = rows.min(axis=0)
    spans = [int(span) for span in rows.max(axis=0) - low + 1]
    if prod(spans) < 1 << 61:
        strides = np.array([prod(spans[k + 1 :]) for k in range(len(spans))], dtype=np.int64)
        keys = (rows - low) @ strides
    else:
        keys = np.unique(rows, axis=0, return_inverse=True)[1].reshape(-1)
    return tuple(np.split(keys, np.cumsum([len(matrix) for matrix in matrices])[:-1]))


def _apart(
    elements: np.ndarray, starts: np.ndarray, ends: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Which residences to count, and from when, so that no element counts twice at a time.

    Rows are in order of element and start. Values of one element overlap only where a write
    is no more than possible, so that the value before it may live on.
    """
    import numpy as np

    kept, starts = np.ones(len(starts), dtype=bool), starts.copy()
    same = (elements[1:] == elements[:-1]).all(axis=1)
    if not (same & (starts[1:] < ends[:-1])).any():
        return kept, starts
    last = None
    for row in range(len(starts)):
        if last is not None and (elements[row] == elements[last]).all():
            starts[row] = max(starts[row], ends[last])
            kept[row] = starts[row] < ends[row]
        last = row if kept[row] else last
    return kept, starts
