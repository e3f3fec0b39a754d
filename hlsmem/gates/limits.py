"""How far another stream has to be before each beat of a stream, listed for plays."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from hlsmem.gates.fit import KeyOrder, Side
from hlsmem.polyhedra.sets import points as points_of
from hlsmem.polyhedra.sets import without
from hlsmem.walk.affine import Value, value_at
from hlsmem.walk.region import Region
from hlsmem.walk.visits import Visits


class Limit(ABC):
    """For every beat of a stream the beats, or places of the walk, of another that lie behind when
    it may go."""

    @cached_property
    @abstractmethod
    def listed(self) -> Any:
        """The limits in an array of shape (beats,)."""

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.asarray(self.listed, dtype=dtype)

    def __len__(self) -> int:
        return len(self.listed)

    def __getitem__(self, beat: Any) -> Any:
        return self.listed[beat]


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """Rows that are left out of a run: values of a time entry, by its `axis`, from `first` to
    `end`, excluded."""

    axis: int
    first: int
    end: int

    def loop(self, side: Side) -> int | None:
        """The loop of a stream that goes from row to row."""
        return side.axes.index(self.axis) if self.axis in side.axes else None

    def side(self, side: Side) -> Side:
        """A stream without these rows."""
        loop = self.loop(side)
        if loop is None:
            return side
        visits = side.stream.visits
        kept = Region(without(visits.region.points, loop, (self.first, self.end)))
        return Side(replace(side.stream, visits=Visits(kept, visits.facts)))

    def is_behind(self, side: Side) -> Any:
        """Whether each beat of a stream comes behind them."""
        loop = self.loop(side)
        row = side.first[self.axis] if loop is None else side.points[:, loop]
        return np.broadcast_to(np.asarray(row >= self.end), (len(side.points),))

    def closed(self, side: Side, columns: Sequence[Any], behind: Any) -> list[Any]:
        """Keys of a stream, or vectors to be compared with them, entry by entry, where rows behind
        follow those in front."""
        loop, found = self.loop(side), list(columns)
        if loop is not None:
            found[loop] = found[loop] - np.where(behind, self.end - self.first, 0)
        return found


@dataclass(frozen=True, kw_only=True)
class CountLimit(Limit):
    """Beat j of `beats` goes when j - distance of the `total` beats of another have gone."""

    beats: int
    total: int
    distance: int

    @cached_property
    def listed(self) -> Any:
        return np.clip(np.arange(self.beats) - self.distance, 0, self.total)


@dataclass(frozen=True, kw_only=True)
class KeyLimit(Limit):
    """A beat goes when the key of the other's next place is after all vectors, which are forms of
    the waiting stream's loops.

    `keys` are the loops' values at all places of the other's walk; None where these are its beats.
    With `left_out` both streams are those of a run without some rows.
    """

    waiting: Side = field(repr=False)
    other: Side = field(repr=False)
    vectors: Sequence[Sequence[Value]]
    keys: Any = field(repr=False, default=None)
    left_out: LeftOut | None = None

    @cached_property
    def listed(self) -> Any:
        points = self.waiting.points
        order = self.other.order if self.keys is None else KeyOrder(self.keys)
        if self.left_out is None:
            return np.maximum.reduce([order.rank_at(vector, points) for vector in self.vectors])
        keys = self.left_out.closed(
            self.other, self.other.points.T, self.left_out.is_behind(self.other)
        )
        order = KeyOrder(np.stack(keys, axis=1))
        behind = self.left_out.is_behind(self.waiting)
        ranks = []
        for vector in self.vectors:
            columns = [value_at(form, points.T) for form in vector]
            columns = self.left_out.closed(self.other, columns, behind)
            ranks.append(np.broadcast_to(order.rank(columns), (len(points),)))
        return np.maximum.reduce(ranks)


@dataclass(frozen=True, kw_only=True)
class Never(Limit):
    """No beat waits."""

    beats: int

    @cached_property
    def listed(self) -> Any:
        return np.zeros(self.beats, dtype=np.int64)


@dataclass(frozen=True, kw_only=True)
class Asked(Limit):
    """What is required itself: `last` maps beats to the last beat of the other that goes before."""

    last: Any = field(repr=False)
    waiting: Side = field(repr=False)
    other: Side = field(repr=False)

    @cached_property
    def listed(self) -> Any:
        stream = self.waiting.stream
        found = np.zeros(stream.beats, dtype=np.int64)
        pairs = points_of(self.last)
        if len(pairs):
            loops = self.waiting.points.shape[1]
            beats = self.waiting.order.rank([*pairs[:, :loops].T]) - 1
            found[beats] = self.other.order.rank([*pairs[:, loops:].T])
        return found
