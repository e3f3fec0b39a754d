"""Progress of another stream that each beat of a stream waits for, listed for simulation."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import field
from functools import cached_property
from typing import Any

import numpy as np

from hlsmem.addressing.loop_forms import Value, value_at
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.dependences.comparator_fit import KeyOrder, Side
from hlsmem.dependences.row_period import Cut
from hlsmem.polyhedra.sets import points as points_of


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

    With a `cut` both streams are those of a run without some rows, without a place that is no beat.
    """

    waiting: Side = field(repr=False)
    other: Side = field(repr=False)
    vectors: Sequence[Sequence[Value]]
    cut: Cut | None = None

    @cached_property
    def listed(self) -> Any:
        points = self.waiting.points
        if self.cut is None:
            order = self.other.walk
            return np.maximum.reduce([order.rank_at(vector, points) for vector in self.vectors])
        order = KeyOrder(self.cut.closed(self.other))
        own = self.cut.row(self.waiting)
        seen = [self.cut.seen(own, self.other, one) for one in self._values(points)]
        ranks = [np.broadcast_to(order.rank(columns), (len(points),)) for columns in seen]
        return np.maximum.reduce(ranks)

    @property
    def is_clear(self) -> bool:
        """True if it is known without the rows of the cut."""
        if self.cut is None:
            return True
        values = self._values(self.waiting.points)
        return all(self.cut.are_clear(self.waiting, self.other, one) for one in values)

    def _values(self, points: Any) -> Iterator[list[Any]]:
        """The vectors at points, entry by entry."""
        return ([value_at(form, points.T) for form in vector] for vector in self.vectors)


@dataclass(frozen=True, kw_only=True)
class Never(Limit):
    """No beat waits."""

    beats: int

    @cached_property
    def listed(self) -> Any:
        return np.zeros(self.beats, dtype=np.int64)


@dataclass(frozen=True, kw_only=True)
class Asked(Limit):
    """The requirement itself: `last` maps beats to the last beat of the other that goes before.

    With a `cut` both streams are those of a run without some rows.
    """

    last: Any = field(repr=False)
    waiting: Side = field(repr=False)
    other: Side = field(repr=False)
    cut: Cut | None = None

    @cached_property
    def listed(self) -> Any:
        found = np.zeros(len(self.waiting.points), dtype=np.int64)
        kept = self.waiting.stream.visits.region.points
        pairs = points_of(self.last if self.cut is None else self.last.intersect_domain(kept))
        if len(pairs):
            loops = self.waiting.points.shape[1]
            beats = self.waiting.order.rank([*pairs[:, :loops].T]) - 1
            order, keys = self.other.order, [*pairs[:, loops:].T]
            if self.cut is not None:
                order = KeyOrder(self.cut.closed(self.other))
                keys = self.cut.seen(self.cut.row(self.waiting)[beats], self.other, keys)
            found[beats] = order.rank(keys)
        return found
