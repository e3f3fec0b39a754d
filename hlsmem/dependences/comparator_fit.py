"""Small gates for what beats wait for: a counter, or comparisons with few affine vectors.

Every gate made here is verified on all beats. What a beat requires may be raised up to the
running maximum of its stream (beats go in order), which is what lets gates be small.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from hlsmem.addressing.loop_forms import (
    TRUE,
    Affine,
    Condition,
    Test,
    Value,
    choose,
    every,
    loop_form,
    value_at,
)
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.dependences.stream_forms import BeatStream
from hlsmem.program.model import Order, Program

# Whether a condition holds at some beats.
Holds = Callable[[Any], Any]

_MOST_VECTORS = 4
# Values from the least of a loop, or of a difference of two, to the greatest up to which ranges of
# it are conditions: loops of huge steps have few beats, and a table of values none could hold.
_MOST_SPAN = 1 << 26
_NEIGHBOURS = 2


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

    vectors: tuple[tuple[Value, ...], ...]
    exact: bool


@dataclass(frozen=True)
class Side:
    """Data of the fit on a stream: its loops and times, listed where that is asked for."""

    stream: BeatStream

    @property
    def axes(self) -> tuple[int, ...]:
        """The positions of the loops in times."""
        return self.stream.axes

    @property
    def first(self) -> tuple[int, ...]:
        """The first time."""
        return self.stream.first

    @cached_property
    def ends(self) -> list[tuple[int, int]]:
        """The least and the greatest value of each loop."""
        region = self.stream.visits.region
        forms = [loop_form(loop) for loop in range(len(self.axes))]
        return [(region.least(form), region.greatest(form)) for form in forms]

    @property
    def points(self) -> Any:
        return self.stream.visits.points

    @cached_property
    def order(self) -> KeyOrder:
        return KeyOrder(self.points)

    @cached_property
    def walk(self) -> KeyOrder:
        """The order of the places of its walk."""
        places = self.stream.places
        return self.order if places is None else KeyOrder(places.keys)

    @cached_property
    def loops(self) -> LoopValues:
        return LoopValues(self.points)


def fit_gate(
    required: Any, running: Any, waiting: Side, other: Side, most: Earlier | np.ndarray
) -> Counter | Comparison | None:
    """The gate for `required`, beats of `other` that go before each beat of `waiting`.

    `running` is what may be required without any change of behaviour: at least the running
    maximum. No more may ever be required than `most`: the beats that are earlier, which a
    comparison can always tell, or a number for each beat; None where no gate is found then.
    """
    counter = _counter(required, running, len(other.points))
    if counter is not None:
        return counter
    order = other.order
    before = np.concatenate([[0], np.maximum.accumulate(required)[:-1]])
    new = np.flatnonzero(required > before)
    if isinstance(most, np.ndarray):
        for bound, exact in ((running, True), (most, False)):
            vectors = _cover(required, running, new, bound, waiting, other, order)
            if vectors is not None:
                return Comparison(vectors=vectors, exact=exact)
        return None
    everything = own_time(waiting, other, most)
    latest = np.maximum.accumulate(order.rank_at(everything, waiting.points))
    # What is earlier than the beat before has gone a cycle ago, where beats go in their order.
    long_ago = np.maximum(running, np.concatenate([[0], latest[:-1]]))
    for bound, exact in ((running, True), (long_ago, False), (latest, False)):
        vectors = _cover(required, running, new, bound, waiting, other, order)
        if vectors is not None:
            return Comparison(vectors=vectors, exact=exact)
    return Comparison(vectors=(everything,), exact=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Earlier:
    """Order on the beats of another stream: by the first `entries` of the time.

    `at_same_time` says that beats whose entries are all equal are earlier, too.
    """

    entries: int
    at_same_time: bool


def earlier_of(program: Program, waiting: BeatStream, other: BeatStream) -> Earlier:
    """The beats of another stream that are earlier: reads before writes at one time, in steps of
    the order."""
    full = 1 + program.time_dimensions
    step = 1 + program.step_dimensions if program.order is Order.ITERATION else full
    if waiting.is_write and not other.is_write:
        return Earlier(entries=step, at_same_time=True)
    return Earlier(entries=full if waiting.is_write else step, at_same_time=False)


def own_time(waiting: Side, other: Side, earlier: Earlier) -> tuple[Value, ...]:
    """The vector that lets a beat go when all earlier beats of the other have gone."""
    size = len(other.axes)
    low = [Affine(least - 1) for least, _ in other.ends]
    high = [Affine(greatest + 1) for _, greatest in other.ends]

    def after(entries: list[Affine]) -> list[Value]:
        return [*entries, *high[len(entries) :]]

    def before(entries: list[Affine]) -> list[Value]:
        if len(entries) == size:  # all entries are equal and the other's beat is later
            return [*entries[:-1], entries[-1].plus(-1)]
        return [*entries, *low[len(entries) :]]

    def from_entry(entry: int, entries: list[Affine]) -> list[Value]:
        if entry == earlier.entries:
            return after(entries) if earlier.at_same_time else before(entries)
        own = _entry(waiting, entry)
        if entry in other.axes:
            return from_entry(entry + 1, [*entries, own])
        ahead = own.plus(-other.first[entry])
        if ahead.depth == 0:
            if ahead.constant:
                return after(entries) if ahead.constant > 0 else before(entries)
            return from_entry(entry + 1, entries)
        later, same = Test(ahead.plus(-1)), Test(ahead, True)
        passed, level, future = after(entries), from_entry(entry + 1, entries), before(entries)
        return [choose(later, passed[k], choose(same, level[k], future[k])) for k in range(size)]

    return tuple(from_entry(0, []))


def _entry(side: Side, entry: int) -> Affine:
    """A time entry of a stream as a form of its loops."""
    if entry in side.axes:
        return loop_form(side.axes.index(entry))
    return Affine(side.first[entry])


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
        self.codes = self.code(points.T)

    def code(self, columns: Sequence[Any]) -> Any:
        """Codes that compare with those of keys as the vectors do: integers or arrays."""
        code: Any = 0
        below: Any = False
        above: Any = False
        for entry, low, high in zip(columns, self.low.tolist(), self.high.tolist(), strict=True):
            least, most = (entry, entry) if np.ndim(entry) == 0 else (entry.min(), entry.max())
            if below is not False or least <= low or most >= high:
                entry = np.clip(entry, low, high)
                entry = np.where(below, low, np.where(above, high, entry))
                below = below | (entry <= low)
                above = above | (entry >= high)
            code = code * (high - low + 1) + (entry - low)
        return code

    def rank(self, columns: Sequence[Any]) -> Any:
        """The number of keys that are not after each vector, given entry by entry."""
        return np.searchsorted(self.codes, self.code(columns), "right")

    def rank_at(self, vector: Sequence[Value], points: Any) -> Any:
        """`rank` of a vector of forms at points, shape (points,)."""
        columns = [value_at(one, points.T) for one in vector]
        return np.broadcast_to(self.rank(columns), (len(points),))


def _cover(
    required: Any,
    running: Any,
    new: Any,
    bound: Any,
    waiting: Side,
    other: Side,
    order: KeyOrder,
) -> tuple[tuple[Value, ...], ...] | None:
    """Vectors that never require more than `bound` and together reach all new requirements.

    Of those that reach the same number the one is taken that waits least beyond `running`.
    """
    left, loops = new, waiting.loops
    chosen: list[tuple[Value, ...]] = []
    while len(left):
        best: tuple[Value, ...] | None = None
        reached = np.zeros(len(left), dtype=bool)
        value = (0, 0)
        there = np.asfortranarray(waiting.points[left])
        for beat in _samples(left):
            for vector in _candidates(beat, running, waiting, other):
                reaches = order.rank_at(vector, there) >= required[left]
                if (int(reaches.sum()), 0) <= value:  # not better than the best, whatever else
                    continue
                ranks = order.rank_at(vector, waiting.points)
                allowed = ranks <= bound
                beyond = np.flatnonzero(allowed & (ranks > running))
                excess = ranks[beyond] - running[beyond]
                for condition, holds in loops.conditions(allowed, beat):
                    covers = reaches & holds(left)
                    better = (int(covers.sum()), -int(excess[holds(beyond)].sum()))
                    if better[0] and (best is None or better > value):
                        best = guarded(vector, condition, int(order.low[0]))
                        reached, value = covers, better
            if reached.all() and not value[1]:
                break
        if best is None or len(chosen) == _MOST_VECTORS:
            return None
        chosen.append(best)
        left = left[~reached]
    return tuple(chosen)


class LoopValues:
    """The loops' values at all beats, and the forms of them that conditions are made of.

    Beats are millions: only those that decide are looked at.
    """

    def __init__(self, points: Any) -> None:
        self.columns = [np.ascontiguousarray(points[:, k]) for k in range(points.shape[1])]
        self.least = [int(column.min()) for column in self.columns]
        self.most = [int(column.max()) for column in self.columns]

    @cached_property
    def has_both_parities(self) -> list[bool]:
        """By loop, True if its values are both even and odd."""
        return [bool(((column ^ column[0]) & 1).any()) for column in self.columns]

    def conditions(self, allowed: Any, beat: int) -> Iterator[tuple[Condition, Holds]]:
        """Conditions that hold at `beat` and only where all is `allowed`, with where they hold.

        Everywhere if possible, else a range of one loop's values around the beat's, with or
        without a stride, or a range of the difference of two loops.
        """
        bad = np.flatnonzero(~allowed)
        if not len(bad):
            yield TRUE, lambda beats: np.ones(len(beats), dtype=bool)
            return
        loops = range(len(self.columns))
        for loop in loops:
            column, span = self.columns[loop], self.most[loop] - self.least[loop] + 1
            if span > _MOST_SPAN:
                continue
            is_bad = np.zeros(span, dtype=bool)
            is_bad[column[bad] - self.least[loop]] = True
            for stride in (1, 2):
                yield from self.range(is_bad, self.least[loop], beat, (loop, None), stride)
        for one, other in combinations(loops, 2):
            least = self.least[other] - self.most[one]
            span = self.most[other] - self.least[one] - least + 1
            if span > _MOST_SPAN:
                continue
            is_bad = np.zeros(span, dtype=bool)
            is_bad[self.columns[other][bad] - self.columns[one][bad] - least] = True
            yield from self.range(is_bad, least, beat, (other, one), 1)

    def range(
        self, is_bad: Any, least: int, beat: int, which: tuple[int, int | None], stride: int
    ) -> Iterator[tuple[Condition, Holds]]:
        """The largest interval around the value at `beat` without a violation.

        The form is a loop, or one minus another; `is_bad` says of the values from `least` on
        which ones are.
        """
        loop, minus = which

        def values(beats: Any) -> Any:
            found = self.columns[loop][beats]
            return found if minus is None else found - self.columns[minus][beats]

        here = int(values(beat))
        places = np.arange((here - least) % stride, len(is_bad), stride)
        bad = places[is_bad[places]] + least
        below, above = bad[bad < here], bad[bad > here]
        if len(below) + len(above) < len(bad):  # the beat's own value is bad
            return
        form = loop_form(loop)
        form = form if minus is None else form + loop_form(minus).scaled(-1)
        parts: list[Condition] = []
        low = high = None
        if len(below):
            low = int(below.max()) + stride
            parts.append(Test(form.plus(-low)))
        if len(above):
            high = int(above.min()) - stride
            parts.append(Test(form.scaled(-1).plus(high)))
        if stride > 1 and self.has_both_parities[loop]:
            parts.append(Test(form.plus(-here).modulo(stride), True))

        def holds(beats: Any) -> Any:
            found = values(beats)
            inside = np.ones(len(found), dtype=bool) if low is None else found >= low
            if high is not None:
                inside &= found <= high
            return inside & ((found - here) % stride == 0) if stride > 1 else inside

        yield every(parts), holds


def guarded(vector: tuple[Affine, ...], condition: Condition, low: int) -> tuple[Value, ...]:
    """The vector where the condition holds; before all keys elsewhere: at `low`."""
    first = choose(condition, vector[0], Affine(low))
    return (first, *vector[1:])


def _samples(beats: Any) -> list[int]:
    """Beats to take candidates from: the ends, and some between them, neighbours too."""
    size = len(beats)
    places = [size // 2, size // 2 - 1, 0, size - 1, size // 3, 2 * size // 3]
    return [int(beats[place]) for place in dict.fromkeys(place % size for place in places)]


def _candidates(
    beat: int, running: Any, waiting: Side, other: Side
) -> Iterator[tuple[Affine, ...]]:
    """Vectors that are right at `beat`: constant, or moving as neighbours do or along shared
    time entries; small factors first."""
    target = other.points[running[beat] - 1]
    point = waiting.points[beat]
    shared = [[int(axis == own) for own in waiting.axes] for axis in other.axes]
    matrices = [shared, [[0] * len(waiting.axes)] * len(other.axes)]
    matrices += [
        matrix
        for nearest in range(_NEIGHBOURS)
        if (matrix := _slopes(beat, nearest, running, waiting, other)) is not None
    ]
    seen: list[list[list[int]]] = []
    for matrix in matrices:
        if matrix not in seen:
            seen.append(matrix)
            yield tuple(
                line(row, int(value - np.dot(row, point)))
                for row, value in zip(matrix, target, strict=True)
            )


def _slopes(
    beat: int, nearest: int, running: Any, waiting: Side, other: Side
) -> list[list[int]] | None:
    """Slopes of the required key along each loop, from the beat `nearest` places away along it."""
    point, target = waiting.points[beat], other.points[running[beat] - 1]
    matrix = np.zeros((len(other.axes), len(waiting.axes)), dtype=np.int64)
    for loop in range(len(waiting.axes)):
        rest = [k for k in range(len(waiting.axes)) if k != loop]
        same = (waiting.points[:, rest] == point[rest]).all(axis=1) & (running > 0)
        same[beat] = False
        neighbours = np.flatnonzero(same)
        if not len(neighbours):
            continue
        by_distance = neighbours[np.argsort(np.abs(neighbours - beat), kind="stable")]
        near = by_distance[min(2 * nearest, len(by_distance) - 1)]
        distance = int(waiting.points[near, loop] - point[loop])
        change = other.points[running[near] - 1] - target
        if (change % distance).any():
            return None
        matrix[:, loop] = change // distance
    return [[int(entry) for entry in row] for row in matrix]


def line(row: Sequence[int], constant: int) -> Affine:
    """The form with a factor for every loop."""
    form = Affine(constant)
    for loop, factor in enumerate(row):
        if factor:
            form = form + loop_form(loop).scaled(factor)
    return form
