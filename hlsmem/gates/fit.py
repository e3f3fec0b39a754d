"""Small gates for what beats wait for: a counter, or comparisons with few affine vectors.

Every gate made here is verified on all beats. What a beat requires may be raised up to the
running maximum of its stream (beats go in order), which is what lets gates be small.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hlsmem.walk.affine import Affine, loop_form

_MOST_VECTORS = 4
_MOST_TRIES = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class Counter:
    """Beat j goes when at least j - distance beats of the other have gone, or it is done."""

    distance: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """A beat goes when the key of the other's next beat is after every vector.

    `vectors` are forms of the waiting stream's loops, one for each loop of the other.
    `exact` is False where a beat may wait for more than it requires.
    """

    vectors: tuple[tuple[Affine, ...], ...]
    exact: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """What the fit knows of a stream: loop values of all beats, and positions of the loops."""

    points: Any = field(compare=False)
    axes: tuple[int, ...]
    steps: tuple[int, ...]


def fit_gate(
    required: Any, running: Any, waiting: Side, other: Side, latest: Any
) -> Counter | Comparison:
    """The gate for `required`, beats of `other` that go before each beat of `waiting`.

    `running` is what may be required without any change of behaviour: at least the running
    maximum. `latest` is the number of beats of the other that are earlier than each waiting
    beat: more must never be required.
    """
    counter = _counter(required, running, len(other.points))
    if counter is not None:
        return counter
    order = KeyOrder(other.points)
    new = np.flatnonzero(required > np.concatenate([[0], np.maximum.accumulate(required)[:-1]]))
    for bound, exact in ((running, True), (np.maximum.accumulate(latest), False)):
        vectors = _cover(required, running, new, bound, waiting, other, order)
        if vectors is not None:
            return Comparison(vectors=vectors, exact=exact)
    raise AssertionError("a beat cannot even wait for its own time")


def _counter(required: Any, running: Any, total: int) -> Counter | None:
    """The counter whose clamped line lies between what is required and its running maximum."""
    beats = np.arange(len(required))
    bounded = running < total
    least = int((beats - running)[bounded].max()) if bounded.any() else -len(required) - total
    needed = required > 0
    most = int((beats - required)[needed].min())
    return Counter(distance=most) if least <= most else None


class KeyOrder:
    """Lexicographic order of a stream's keys, for vectors that need not be keys."""

    def __init__(self, points: Any) -> None:
        self.low = points.min(axis=0) - 1
        self.high = points.max(axis=0) + 1
        self.codes = self.code(points)

    def code(self, vectors: Any) -> Any:
        """Codes that compare with those of keys as the vectors do."""
        code = np.zeros(len(vectors), dtype=np.int64)
        below = np.zeros(len(vectors), dtype=bool)
        above = np.zeros(len(vectors), dtype=bool)
        for column in range(vectors.shape[1]):
            low, high = int(self.low[column]), int(self.high[column])
            entry = np.clip(vectors[:, column], low, high)
            entry = np.where(below, low, np.where(above, high, entry))
            below |= entry <= low
            above |= entry >= high
            code = code * (high - low + 1) + (entry - low)
        return code

    def rank(self, vectors: Any) -> Any:
        """The number of keys that are not after each vector, shape (vectors,)."""
        return np.searchsorted(self.codes, self.code(vectors), "right")


def vector_values(vector: Sequence[Affine], points: Any) -> Any:
    """The values of a vector of forms at points, shape (points, entries)."""
    columns = [np.broadcast_to(np.asarray(f.at(points.T)), (len(points),)) for f in vector]
    return np.stack(columns, axis=1).astype(np.int64)


def _cover(
    required: Any,
    running: Any,
    new: Any,
    bound: Any,
    waiting: Side,
    other: Side,
    order: KeyOrder,
) -> tuple[tuple[Affine, ...], ...] | None:
    """Vectors that never require more than `bound` and together reach all new requirements."""
    left, tries = new, 0
    chosen: list[tuple[Affine, ...]] = []
    while len(left):
        best, reached = None, np.zeros(len(left), dtype=bool)
        for beat in _samples(left):
            for vector in _candidates(int(beat), running, waiting, other):
                tries += 1
                ranks = order.rank(vector_values(vector, waiting.points))
                covers = ranks[left] >= required[left]
                if covers.sum() > reached.sum() and (ranks <= bound).all():
                    best, reached = vector, covers
            if best is not None:
                break
        if best is None or len(chosen) == _MOST_VECTORS or tries > _MOST_TRIES * 4:
            return _own_time(required, new, bound, waiting, other, order)
        chosen.append(best)
        left = left[~reached]
    return tuple(chosen)


def _samples(beats: Any) -> list[int]:
    positions = [len(beats) // 2, 0, len(beats) - 1, len(beats) // 3, 2 * len(beats) // 3]
    return [int(beats[p]) for p in dict.fromkeys(positions)]


def _candidates(
    beat: int, running: Any, waiting: Side, other: Side
) -> Iterator[tuple[Affine, ...]]:
    """Vectors that are right at `beat`: moving with shared time entries, or as neighbours do."""
    target = other.points[running[beat] - 1]
    point = waiting.points[beat]
    shared = [[int(axis == own) for own in waiting.axes] for axis in other.axes]
    slopes = _slopes(beat, running, waiting, other)
    seen = []
    for matrix in (shared, slopes, [[0] * len(waiting.axes)] * len(other.axes)):
        if matrix is None or matrix in seen:
            continue
        seen.append(matrix)
        yield tuple(
            _line(row, int(value - np.dot(row, point)))
            for row, value in zip(matrix, target, strict=True)
        )


def _slopes(beat: int, running: Any, waiting: Side, other: Side) -> list[list[int]] | None:
    """How the required key moves with each loop, from the next or former beat along it."""
    point, target = waiting.points[beat], other.points[running[beat] - 1]
    matrix = np.zeros((len(other.axes), len(waiting.axes)), dtype=np.int64)
    for loop in range(len(waiting.axes)):
        rest = [k for k in range(len(waiting.axes)) if k != loop]
        same = (waiting.points[:, rest] == point[rest]).all(axis=1) & (running > 0)
        same[beat] = False
        neighbours = np.flatnonzero(same)
        if not len(neighbours):
            continue
        nearest = neighbours[np.argmin(np.abs(neighbours - beat))]
        distance = int(waiting.points[nearest, loop] - point[loop])
        change = other.points[running[nearest] - 1] - target
        if (change % distance).any():
            return None
        matrix[:, loop] = change // distance
    return [[int(entry) for entry in row] for row in matrix]


def _own_time(
    required: Any, new: Any, bound: Any, waiting: Side, other: Side, order: KeyOrder
) -> tuple[tuple[Affine, ...], ...] | None:
    """Everything before the beat's own time, if that is within the bound."""
    entries: list[Affine] = []
    for axis in other.axes:
        if axis not in waiting.axes:
            break
        entries.append(loop_form(waiting.axes.index(axis)))
    for last in (0, -1):
        vector = list(entries)
        if not vector:
            return None
        vector[-1] = vector[-1].plus(last)
        low = other.points.min(axis=0) - 1
        high = other.points.max(axis=0) + 1
        edge = high if last else low
        for extra in range(len(vector), len(other.axes)):
            vector.append(Affine(int(edge[extra])))
        ranks = order.rank(vector_values(vector, waiting.points))
        if (ranks <= bound).all() and (ranks[new] >= required[new]).all():
            return (tuple(vector),)
    return None


def _line(row: Sequence[int], constant: int) -> Affine:
    form = Affine(constant)
    for loop, factor in enumerate(row):
        if factor:
            form = form + loop_form(loop).scaled(factor)
    return form
