"""Order relation common to a class, and orders of the class, for a listed program.

The second path to the relation of a class: by comparing listed rows, by reachability, or by
asking isl whether some legal schedule does otherwise.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import prod
from typing import Any

import numpy as np

from hlsmem.check.orders.listed_program import LIVE_IN, Listing, Value
from hlsmem.check.rebuilt.loop_bands import loop_bands
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import Set
from hlsmem.polyhedra.enumeration import distinct_points
from hlsmem.polyhedra.relations import maps_of
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.polyhedra.sweep import evaluate
from hlsmem.program.schedule_classes import (
    AffineSchedules,
    AnyOrder,
    Banded,
    Before,
    Given,
    ScheduleClass,
)

# Tilings that are run, one by one or as a sample.
MOST_TILINGS = 200
_SEED = 1
# Affine schedules that are tried until enough are legal, and their largest coefficient.
_TRIES, _LARGEST = 20_000, 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """`before[x]`, `weakly[x]`: bits of the instances that x runs before, or not after, in
    every order of the class."""

    before: tuple[int, ...]
    weakly: tuple[int, ...]


def kept_by(listing: Listing, asked: ScheduleClass) -> Kept | None:
    """The relation of a class; None for affine schedules, which are asked pair by pair."""
    match asked:
        case AffineSchedules():
            return None
        case AnyOrder():
            return _strict(_reach(listing))
        case Before():
            return _strict(_pairs(listing, asked))
        case Banded() | Given():
            return _by_rows(listing, asked)


def _strict(before: Sequence[int]) -> Kept:
    return Kept(before=tuple(before), weakly=tuple(row | 1 << k for k, row in enumerate(before)))


def _reach(listing: Listing) -> list[int]:
    rows = [0] * len(listing.instances)
    for x in reversed(range(len(rows))):
        for y in listing.after[x]:
            rows[x] |= rows[y] | 1 << y
    return rows


def _pairs(listing: Listing, asked: Before) -> list[int]:
    names = [one.name for one in listing.program.statements]
    number = {(names[one.statement], one.loops): k for k, one in enumerate(listing.instances)}
    rows = [0] * len(number)
    values = listing.program.values
    domains = {one.name: fix_parameters(one.domain, values) for one in listing.program.statements}
    for relation in maps_of(fix_parameters(asked.relation, values)):
        ends = relation.domain().get_tuple_name(), relation.range().get_tuple_name()
        relation = relation.intersect_domain(domains[ends[0]]).intersect_range(domains[ends[1]])
        depth = relation.domain().tuple_dim()
        for row in distinct_points(relation).tolist():
            ends_at = (ends[0], tuple(row[:depth])), (ends[1], tuple(row[depth:]))
            x, y = (number.get(one) for one in ends_at)
            if x is not None and y is not None and x != y:
                rows[x] |= 1 << y
    return rows


def rows_of(listing: Listing, asked: Banded | Given) -> list[tuple[bool, np.ndarray]]:
    """(whether tiled, rows of all instances) of each band; the times come last."""
    bands = []
    if isinstance(asked, Banded):
        given = asked.bands
        if not given and asked.name == "tiled":
            given = loop_bands(listing.program)
        for band in given:
            bands.append((band.is_tiled, _listed_rows(listing, band.rows)))
    times = np.array([one.time for one in listing.instances], dtype=np.int64)
    return [*bands, (False, times)]


def _listed_rows(listing: Listing, rows: Any) -> np.ndarray:
    maps = {one.domain().get_tuple_name(): one for one in maps_of(rows)}
    found: list[Any] = [None] * len(listing.instances)
    for position, statement in enumerate(listing.program.statements):
        own = [k for k, one in enumerate(listing.instances) if one.statement == position]
        if not own:
            continue
        points = np.array([listing.instances[k].loops for k in own], dtype=np.int64)
        points = points.reshape(len(own), -1)
        relation = fix_parameters(maps[statement.name], listing.program.values)
        for k, row in zip(own, evaluate(relation, points).tolist(), strict=True):
            found[k] = row
    table: np.ndarray = np.array(found, dtype=np.int64)
    return table


def _by_rows(listing: Listing, asked: Banded | Given) -> Kept:
    size = len(listing.instances)
    bands = rows_of(listing, asked)
    before, weakly = [], []
    for x in range(size):
        equal = np.ones(size, dtype=bool)
        found = np.zeros(size, dtype=bool)
        for is_tiled, rows in bands:
            apart = rows - rows[x]
            if is_tiled:
                found |= equal & (apart >= 0).all(axis=1) & (apart > 0).any(axis=1)
            else:
                found |= equal & _lexicographically_positive(apart)
            equal &= (apart == 0).all(axis=1)
        before.append(_bits(found))
        weakly.append(_bits(found | equal))
    return Kept(before=tuple(before), weakly=tuple(weakly))


def _lexicographically_positive(apart: np.ndarray) -> np.ndarray:
    if not apart.shape[1]:
        return np.zeros(len(apart), dtype=bool)
    first = np.argmax(apart != 0, axis=1)
    positive: np.ndarray = apart[np.arange(len(apart)), first] > 0
    return positive


def _bits(flags: np.ndarray) -> int:
    return int.from_bytes(np.packbits(flags, bitorder="little").tobytes(), "little")


# Values that some order keeps alive together.

Meets = Callable[[Value, Value], str]


def meeting(kept: Kept, *, strict: bool) -> Meets:
    """Return the conflict of two values, as text: b may be written while a is live; else ""."""
    late = kept.before if strict else kept.weakly

    def precedes(x: int, y: int) -> bool:
        return y != LIVE_IN and (x == LIVE_IN or bool(kept.before[x] >> y & 1))

    def meets(a: Value, b: Value) -> str:
        if precedes(b.writer, a.writer):
            return ""
        if a.is_live_out:
            return "live after the end"
        if not precedes(a.writer, b.writer):
            return "written in either order"
        for use in a.uses:
            if b.writer == LIVE_IN or not late[use] >> b.writer & 1:
                return f"read by {use}"
        return ""

    return meets


class AffineMeeting:
    """As `meeting`, for one-dimensional affine schedules: isl is asked whether one does it.

    A schedule has a coefficient for each loop and one constant of each statement, at the
    plan's values; or, symbolic, for each parameter too.
    """

    def __init__(self, listing: Listing, *, strict: bool) -> None:
        self.listing, self.strict = listing, strict
        starts, at = [], 0
        for one in listing.program.statements:
            starts.append(at)
            at += len(one.iterators) + 1
        self.starts, self.size = starts, at
        rows = {
            tuple(self.difference(x, y)) for x, later in enumerate(listing.after) for y in later
        }
        self.rows = np.array(sorted(rows), dtype=np.int64).reshape(len(rows), at)
        names = [f"c{k}" for k in range(at)]
        text = " and ".join(f"{_sum(row, names)} >= 1" for row in sorted(rows)) or "true"
        self.names = names
        self.legal = Set(f"{{ [{', '.join(names)}] : {text} }}").remove_redundancies()

    def time(self, x: int) -> list[int]:
        instance = self.listing.instances[x]
        row = [0] * self.size
        start = self.starts[instance.statement]
        row[start : start + len(instance.loops)] = instance.loops
        row[start + len(instance.loops)] = 1
        return row

    def difference(self, x: int, y: int) -> list[int]:
        """The row whose product with a schedule is the time of y less that of x."""
        return [b - a for a, b in zip(self.time(x), self.time(y), strict=True)]

    def __call__(self, a: Value, b: Value) -> str:
        if b.writer == LIVE_IN:
            return "live before the start" if a.writer == LIVE_IN or a.uses else ""
        if a.is_live_out:
            return "live after the end"
        if a.writer == LIVE_IN:
            return next((f"read by {use}" for use in a.uses if self._late(None, b, use)), "")
        if self._holds([(self.difference(a.writer, b.writer), "= 0")]):
            return "written at once"
        return next((f"read by {use}" for use in a.uses if self._late(a, b, use)), "")

    def _late(self, a: Value | None, b: Value, use: int) -> bool:
        """True if a schedule has b's write after a's, and before its use."""
        after = [] if a is None else [(self.difference(a.writer, b.writer), ">= 0")]
        least = ">= 0" if self.strict else ">= 1"
        return self._holds([*after, (self.difference(b.writer, use), least)])

    def _holds(self, conditions: Sequence[tuple[Sequence[int], str]]) -> bool:
        text = " and ".join(f"{_sum(row, self.names)} {sign}" for row, sign in conditions)
        return not self.legal.intersect(Set(f"{{ [{', '.join(self.names)}] : {text} }}")).is_empty()

    def schedules(self, wanted: int) -> Iterator[np.ndarray]:
        """Times of all instances under legal schedules drawn at random, the same every time."""
        draw = np.random.default_rng(_SEED)
        table = np.array([self.time(x) for x in range(len(self.listing.instances))])
        found = 0
        for _ in range(_TRIES):
            chosen = draw.integers(-_LARGEST, _LARGEST + 1, self.size)
            if (self.rows @ chosen >= 1).all():
                yield table @ chosen
                found += 1
                if found == wanted:
                    return


def _sum(row: Sequence[int], names: Sequence[str]) -> str:
    terms = [f"{factor}*{name}" for factor, name in zip(row, names, strict=True) if factor]
    return " + ".join(terms) or "0"


# Orders.


@dataclass(frozen=True, slots=True)
class Ranked:
    """An order in words, and a rank for each instance; equal ranks happen at once."""

    text: str
    rank: np.ndarray


def tilings(
    listing: Listing, asked: Banded, most: int = MOST_TILINGS
) -> tuple[Iterator[Ranked], int, int]:
    """Orders by all tile sizes up to the extents and all origins, or a seeded sample of `most`.

    Also how many are run, and how many there are.
    """
    bands = rows_of(listing, asked)
    extents = [
        int(np.ptp(rows[:, k])) + 1
        for is_tiled, rows in bands
        if is_tiled
        for k in range(rows.shape[1])
    ]
    total = prod(extent * (extent + 1) // 2 for extent in extents)
    if not extents:
        return iter(()), 0, 0
    if total <= most:
        axes = [
            [(size, origin) for size in range(1, extent + 1) for origin in range(size)]
            for extent in extents
        ]
        chosen: Iterator[Any] = product(*axes)
    else:
        draw = random.Random(_SEED)
        chosen = ([_draw(draw, extent) for extent in extents] for _ in range(most))
    ranked = (_tiling(bands, list(tiles)) for tiles in chosen)
    return ranked, min(total, most), total


def _draw(draw: random.Random, extent: int) -> tuple[int, int]:
    size = draw.randint(1, extent)
    return size, draw.randrange(size)


def _tiling(bands: Sequence[tuple[bool, np.ndarray]], tiles: list[tuple[int, int]]) -> Ranked:
    text = f"tiles {tuple(s for s, _ in tiles)} from {tuple(o for _, o in tiles)}"
    keys, at = [], 0
    for is_tiled, rows in bands:
        if is_tiled:
            own = tiles[at : at + rows.shape[1]]
            at += rows.shape[1]
            low = rows.min(axis=0)
            for k, (size, origin) in enumerate(own):
                keys.append((rows[:, k] - low[k] + origin) // size)
        keys += list(rows.T)
    return Ranked(text, _ranks(np.array(keys).T))


def _ranks(keys: np.ndarray) -> np.ndarray:
    order = np.lexsort(keys.T[::-1])
    moved = np.ones(len(order), dtype=np.int64)
    moved[1:] = (keys[order][1:] != keys[order][:-1]).any(axis=1)
    rank = np.zeros(len(order), dtype=np.int64)
    rank[order] = np.cumsum(moved)
    return rank


def random_orders(kept: Kept, wanted: int) -> Iterator[Ranked]:
    """So many linear extensions of the relation, drawn at random, the same every time."""
    size = len(kept.before)
    above = [_members(row) for row in kept.before]
    needed = np.zeros(size, dtype=np.int64)
    for row in above:
        needed[row] += 1
    for number in range(wanted):
        draw = random.Random(number)
        missing = needed.copy()
        ready = np.flatnonzero(missing == 0).tolist()
        rank = np.zeros(size, dtype=np.int64)
        for step in range(size):
            # The last of those that are ready, or any: deep orders beside mixed ones.
            k = len(ready) - 1 if number % 2 and draw.random() < 0.9 else draw.randrange(len(ready))
            ready[k], ready[-1] = ready[-1], ready[k]
            chosen = ready.pop()
            rank[chosen] = step
            missing[above[chosen]] -= 1
            fresh = [y for y in above[chosen] if not missing[y]]
            draw.shuffle(fresh)
            ready += fresh
        yield Ranked(f"random order {number + 1}", rank)


def _members(row: int) -> np.ndarray:
    raw = row.to_bytes((row.bit_length() + 7) // 8, "little")
    return np.flatnonzero(np.unpackbits(np.frombuffer(raw, dtype=np.uint8), bitorder="little"))


def witness_order(kept: Kept, a: Value, b: Value) -> Ranked:
    """An order that writes b after a and as early as can be: a's ancestors, b's, the rest."""
    size = len(kept.before)
    rank = np.full(size, 3 * size, dtype=np.int64) + np.arange(size)
    for number, value in ((1, b), (0, a)):
        if value.writer == LIVE_IN:
            continue
        for x in range(size):
            if x == value.writer or kept.before[x] >> value.writer & 1:
                rank[x] = number * size + x
    return Ranked("the order that writes it as early as it may", rank)


@dataclass(frozen=True, slots=True)
class Lost:
    """A read of `value` by `reader` (None: live out) that finds `found` (None: nothing)."""

    value: Value
    reader: int | None
    found: Value | None


def play(values: Sequence[Value], cells: np.ndarray, rank: np.ndarray) -> Lost | None:
    """The first read that goes wrong when instances run by rank, reads of a rank first."""
    last = int(rank.max(initial=0)) + 1
    events = [
        (int(cells[k]), -1 if one.writer == LIVE_IN else int(rank[one.writer]), 1, k, -1)
        for k, one in enumerate(values)
    ]
    for k, one in enumerate(values):
        events += [(int(cells[k]), int(rank[use]), 0, k, use) for use in one.uses]
        if one.is_live_out:
            events.append((int(cells[k]), last, 0, k, -2))
    table = np.array(events, dtype=np.int64).reshape(-1, 5)
    table = table[np.lexsort((table[:, 2], table[:, 1], table[:, 0]))]
    is_write = table[:, 2] == 1
    position = np.maximum.accumulate(np.where(is_write, np.arange(len(table)), -1))
    holds = np.where(position >= 0, table[position, 3], -1)
    holds[(position >= 0) & (table[position, 0] != table[:, 0])] = -1
    wrong = np.flatnonzero(~is_write & (holds != table[:, 3]))
    if not len(wrong):
        return None
    row = table[wrong[np.argmin(table[wrong, 1])]]
    at = wrong[np.argmin(table[wrong, 1])]
    found = values[holds[at]] if holds[at] >= 0 else None
    return Lost(values[row[3]], None if row[4] < 0 else int(row[4]), found)
