"""Rows of a run that are left out, as those in front of them are alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from hlsmem.addressing.loop_visits import Visits
from hlsmem.addressing.nest_points import Region
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.dependences.comparator_fit import Side
from hlsmem.polyhedra.sets import count, without


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """Rows, which are values of a time entry, from `first` to `end`, excluded, that are left out.

    All rows from `begin` to `end` are alike: those in front of the cut stand for the rows left out.
    """

    entry: int
    begin: int
    first: int
    end: int

    @property
    def rows(self) -> int:
        """Number of rows left out."""
        return self.end - self.first

    def times(self, times: Any) -> Any:
        """The times of a run without them."""
        return without(times, self.entry, (self.first, self.end))

    def beats(self, times: Any) -> int:
        """Number of beats left out."""
        return count(times) - count(self.times(times))

    def visits(self, visits: Visits) -> Visits:
        """The visits of a stream whose outermost loop goes from row to row, without them."""
        assert isinstance(visits.region, Region)
        return self._kept(visits, 0)

    def _kept(self, visits: Visits, loop: int) -> Visits:
        kept = Region(without(visits.region.points, loop, (self.first, self.end)))
        return Visits(kept, visits.facts)

    def loop(self, side: Side) -> int | None:
        """The loop of a stream that goes from row to row."""
        axis = 1 + self.entry
        return side.axes.index(axis) if axis in side.axes else None

    def side(self, side: Side) -> Side:
        """A stream without these rows."""
        loop = self.loop(side)
        if loop is None:
            return side
        return Side(replace(side.stream, visits=self._kept(side.stream.visits, loop)))

    def row(self, side: Side) -> Any:
        """The row of each beat of a stream."""
        loop = self.loop(side)
        row = side.first[1 + self.entry] if loop is None else side.points[:, loop]
        return np.broadcast_to(np.asarray(row), (len(side.points),))

    def closed(self, side: Side) -> Any:
        """Keys of a stream without these rows, where the rows behind follow those in front.

        Shape (beats, loops)."""
        loop, keys = self.loop(side), side.points
        if loop is None:
            return keys
        keys = keys.copy()
        keys[:, loop] -= np.where(keys[:, loop] >= self.end, self.rows, 0)
        return keys

    def seen(self, own: Any, other: Side, vector: Sequence[Any]) -> list[Any]:
        """A vector that beats in rows `own` compare with keys of another stream, entry by entry, in
        terms of its closed keys.

        Rows that are alike look at others as far from them, be they left out; the others look at
        rows that are there (`are_clear`), or behind the cut."""
        loop, found = self.loop(other), list(vector)
        if loop is None:
            return found
        row = np.broadcast_to(found[loop], own.shape)
        found[loop] = row - np.where(self._goes_on(own, row), self.rows, 0)
        return found

    def counts(self, needed: Any, waiting: Side, other: Side) -> Any:
        """Number of beats of the other that have to be over at each beat of a stream, in a run with
        the cut, where in the whole run it is `needed`.

        Shape (beats that are kept,)."""
        rows, own = self.row(other), self.row(waiting)
        stays = (own < self.first) | (own >= self.end)
        own, needed = own[stays], np.asarray(needed)[stays]
        left_out = np.count_nonzero((rows >= self.first) & (rows < self.end))
        row = rows[np.maximum(needed, 1) - 1]
        return needed - np.where((needed > 0) & self._goes_on(own, row), left_out, 0)

    def _goes_on(self, own: Any, row: Any) -> Any:
        """Mask of beats in rows `own` whose requirements in rows `row` of the whole run are nearer
        by the rows left out."""
        behind = np.where(own >= self.end, row >= self.begin + self.rows, row >= self.end)
        return behind & ~((own >= self.begin) & (own < self.first))

    def are_clear(self, waiting: Side, other: Side, vector: Sequence[Any]) -> bool:
        """True if the beats of a stream in rows that are no others' like depend on rows of another
        whose place in the run is plain: none in the midst of those that are alike.

        Beats behind the cut may look at rows shortly before its end; beats in front at the
        first rows that are alike, if the stream has some of these itself: it has gone on then."""
        loop = self.loop(other)
        if loop is None:
            return True
        own, row = self.row(waiting), np.broadcast_to(vector[loop], (len(waiting.points),))
        has_rows = bool(((own >= self.begin) & (own < self.first)).any())
        unclear = np.where(
            own >= self.end,
            (row >= self.begin) & (row < self.begin + self.rows),
            (own < self.begin)
            & (row >= (self.first if has_rows else self.begin))
            & (row < self.end),
        )
        return not unclear.any()
