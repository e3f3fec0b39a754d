"""Beats that have to wait for others, and a test that the bounds of gates suffice.

All from the list of beats and the plan's cells: a read waits for the write of its value, a write
for the write that had its cell before and for the reads of it. A proof shows of each gate what it
promises by itself; what follows from several of them, beat by beat, is worked out here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field
from itertools import product

import numpy as np

from hlsmem.check.formal.model.beat_tables import BeatTable
from hlsmem.check.replayed.row_numbers import row_numbers
from hlsmem.core.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """Beat i of `waiting` goes after the first `least[i]` beats of `other`.

    With `shared` the last of these may go in the same cycle.
    """

    waiting: str
    other: str
    least: np.ndarray = field(compare=False)
    shared: bool


# The name of no stream: C has none with a space.
KEPT = "what is kept"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tenants:
    """One array: its streams, per operand the cells, which written values go to their cell.

    `apart[s]` are the operands of stream s whose RAM must not be read and written in one cell on
    one edge, `behind[s]` those whose RAM is read when the next beat goes, at the latest. The stream
    KEPT stands for what state holds before a run: its beats are over.
    """

    tables: Mapping[str, BeatTable]
    cells: Mapping[str, Sequence[np.ndarray]]
    stored: Mapping[str, np.ndarray]
    apart: Mapping[str, Collection[int]]
    behind: Mapping[str, Collection[int]]


def needs(tenants: Tenants) -> tuple[Bound, ...]:
    """Waits that the beats of an array need; ValueError for a value nobody brings."""
    return tuple(_Needs(tenants).bounds())


class _Needs:
    """Numbers all writes, finds the one each read sees and the one each write succeeds."""

    def __init__(self, tenants: Tenants) -> None:
        tables = tenants.tables
        self.tenants = tenants
        self.writers = [name for name, table in tables.items() if table.is_write]
        self.readers = [name for name, table in tables.items() if not table.is_write]
        sizes = [len(tables[name].ranks) for name in self.writers]
        ends = np.cumsum([0, *sizes])
        self.first = dict(zip(self.writers, ends.tolist(), strict=False))
        self.writes = int(ends[-1])
        self.source = {name: self.sources(name) for name in self.readers}
        self.before = self.tenants_before()

    def sources(self, reader: str) -> list[np.ndarray]:
        """Per operand the number of the write each beat reads, -1 where it fetches nothing."""
        table = self.tenants.tables[reader]
        written = [self.tenants.tables[name] for name in self.writers]
        number = np.arange(self.writes)
        versions = np.concatenate([one.versions[0] for one in written])
        by_version = np.full(int(versions.max()) + 2, -1)
        by_version[versions[versions >= 0]] = number[versions >= 0]
        live_in = versions < 0
        elements = np.concatenate([one.elements[0] for one in written])[live_in]
        found = []
        for own, version, fetched in zip(
            table.elements, table.versions, table.fetched, strict=True
        ):
            rows, count = row_numbers(np.concatenate([elements, own]))
            by_element = np.full(count, -1)
            by_element[rows[: len(elements)]] = number[live_in]
            known = np.minimum(version, len(by_version) - 1)
            source = np.where(version < 0, by_element[rows[len(elements) :]], by_version[known])
            if (source[fetched] < 0).any():
                raise ValueError(f"{reader} reads a value that no stream brings")
            found.append(np.where(fetched, source, -1))
        return found

    def tenants_before(self) -> np.ndarray:
        """Per write the one that had its cell before, -1: none, or it is not stored."""
        tenants = self.tenants
        stored = np.concatenate([tenants.stored[name] for name in self.writers])
        cells = np.concatenate([tenants.cells[name][0] for name in self.writers])
        ranks = np.concatenate([tenants.tables[name].ranks for name in self.writers])
        chosen = np.flatnonzero(stored)
        order = chosen[np.lexsort((ranks[chosen], cells[chosen]))]
        before = np.full(self.writes, -1)
        same = cells[order[1:]] == cells[order[:-1]]
        before[order[1:][same]] = order[:-1][same]
        return before

    def bounds(self) -> Iterator[Bound]:
        yield from (one for one in self.all_bounds() if KEPT not in (one.waiting, one.other))

    def all_bounds(self) -> Iterator[Bound]:
        for reader, writer in product(self.readers, self.writers):
            first = self.first[writer]
            beats = len(self.tenants.tables[writer].ranks)
            least = np.zeros(len(self.tenants.tables[reader].ranks), dtype=np.int64)
            for source in self.source[reader]:
                own = (source >= first) & (source < first + beats)
                least = np.maximum(least, np.where(own, source - first + 1, 0))
            yield Bound(waiting=reader, other=writer, least=least, shared=False)
            for shared in (False, True):
                last = self.last_reads(reader, shared)
                before = self.before[first : first + beats]
                least = np.where(before >= 0, last[before], 0)
                yield Bound(waiting=writer, other=reader, least=least, shared=shared)
        for writer, other in product(self.writers, self.writers):
            if writer == other:
                continue
            first, start = self.first[writer], self.first[other]
            before = self.before[first : first + len(self.tenants.tables[writer].ranks)]
            end = start + len(self.tenants.tables[other].ranks)
            own = (before >= start) & (before < end)
            least = np.where(own, before - start + 1, 0)
            yield Bound(waiting=writer, other=other, least=least, shared=False)

    def last_reads(self, reader: str, shared: bool) -> np.ndarray:
        """Per write the beats of a reader until the last that reads its value has read it."""
        last = np.zeros(self.writes, dtype=np.int64)
        for operand, source in enumerate(self.source[reader]):
            if (operand in self.tenants.apart[reader]) is not shared:
                read = np.flatnonzero(source >= 0)
                behind = operand in self.tenants.behind[reader]
                np.maximum.at(last, source[read], read + 1 + behind)
        return last


Progress = Mapping[tuple[str, str], tuple[np.ndarray, np.ndarray]]


def together(promises: Sequence[Bound], beats: Mapping[str, int]) -> Progress:
    """For every two streams (a, b), and every beat of a, how many beats of b have gone.

    That is before its cycle, and at the end of it. A beat goes after all before it in its stream,
    and after all that these have waited for.
    """
    found: dict[tuple[str, str], tuple[np.ndarray, np.ndarray]] = {}

    def put(pair: tuple[str, str], before: np.ndarray, by: np.ndarray) -> bool:
        old = found.get(pair)
        if old is not None:
            before, by = np.maximum(before, old[0]), np.maximum(by, old[1])
        by = np.maximum.accumulate(np.maximum(before, by))
        before = np.maximum(before, np.concatenate([[0], by[:-1]]))
        found[pair] = before, by
        return old is None or bool((by > old[1]).any() or (before > old[0]).any())

    for one in promises:
        # A stream moves once a cycle: all but the last have gone before.
        before = np.maximum(one.least - 1, 0) if one.shared else one.least
        put((one.waiting, one.other), before, one.least)
    changed = True
    while changed:
        changed = False
        for a, b, c in product(beats, beats, beats):
            if len({a, b, c}) < 3 or (a, b) not in found or (b, c) not in found:
                continue
            before, by = found[a, b]
            earlier, last = found[b, c]
            first = np.maximum(_at(last, before), _at(earlier, by))
            changed |= put((a, c), first, _at(last, by))
    return found


def _at(least: np.ndarray, gone: np.ndarray) -> np.ndarray:
    """Numbers of beats that the last of `gone` beats has waited for."""
    return np.where(gone > 0, least[gone - 1], 0)


def unmet(needed: Sequence[Bound], progress: Progress) -> tuple[Bound, int] | None:
    """A need that does not follow, and the first beat that may go too early."""
    for one in needed:
        nothing = np.zeros(len(one.least), dtype=np.int64)
        before, by = progress.get((one.waiting, one.other), (nothing, nothing))
        early = np.flatnonzero((by if one.shared else before) < one.least)
        if len(early):
            return one, int(early[0])
    return None


def waits_for_later(
    promises: Sequence[Bound], tables: Mapping[str, BeatTable]
) -> tuple[Bound, int] | None:
    """A gate, and a beat that it makes wait for one that is later in the program's order.

    Where there is none, the first of all pending beats never waits: nothing gets stuck.
    """
    for one in promises:
        ranks, others = tables[one.waiting].ranks, tables[one.other].ranks
        some = np.flatnonzero(one.least > 0)
        late = some[others[one.least[some] - 1] > ranks[some]]
        if len(late):
            return one, int(late[0])
    return None


def stuck(promises: Sequence[Bound], beats: Mapping[str, int]) -> tuple[Bound, int] | None:
    """A gate, and a beat that it keeps for ever: what it waits for waits for the beat.

    Beats of a stream go as soon as their gates let them; others never hold them up for longer.
    """
    gone = dict.fromkeys(beats, 0)
    moved = True
    while moved:
        moved = False
        for name, size in beats.items():
            own = [one for one in promises if one.waiting == name]
            while gone[name] < size and not any(
                one.least[gone[name]] > gone[one.other] for one in own
            ):
                gone[name] += 1
                moved = True
    for one in promises:
        beat = gone[one.waiting]
        if beat < beats[one.waiting] and one.least[beat] > gone[one.other]:
            return one, beat
    return None


def most_ahead(progress: Progress, waiting: str, other: str, beats: Mapping[str, int]) -> int:
    """The most beats that `other` can be ahead of `waiting` while `waiting` has some left."""
    if (other, waiting) not in progress:
        return beats[other]
    own = np.arange(beats[waiting])
    gone = np.searchsorted(progress[other, waiting][1], own, side="right")
    return int((gone - own).max())


__all__ = [
    "KEPT",
    "Bound",
    "Progress",
    "Tenants",
    "most_ahead",
    "needs",
    "stuck",
    "together",
    "unmet",
    "waits_for_later",
]
