"""Runs of which most is like the rest: simulated with a few rows of the outermost loop, then
counted.

Let rows of the outermost loop be alike: the beats of a row, in all streams, are those of the row
`period` before it, and so are the write beats that push read beats out. A run of fewer such rows
reads the same tables, of which copies in the middle are left out. If its state at two ends of rows
is the same, all counts as far into their rows, then what lies between goes on in the longer run as
often as rows were left out (a machine with the same state and the same inputs does the same), and
the rest of the run follows as it was simulated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import chain, pairwise
from typing import Any

import numpy as np

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.cycle_model.circuit_model import Machine
from hlsmem.cycle_model.stream_models import Datapath, Stream
from hlsmem.cycle_model.stream_simulation import Simulation
from hlsmem.cycle_model.wait_reasons import Wait
from hlsmem.dependences.beat_ranks import unlike_rows
from hlsmem.dependences.circuit_streams import PlainStream
from hlsmem.dependences.row_period import Cut
from hlsmem.polyhedra import DimType
from hlsmem.polyhedra.enumeration import distinct_rows
from hlsmem.polyhedra.sets import entry_range

# Periods, in rows, that are looked for.
_PERIODS = (1, 2, 4, 8, 3, 6, 5, 12, 16)
# Rows are counted on where they are more than twice so many periods.
_FEWEST_PERIODS = 12
# Periods that are kept: what is tried first, and last. The first ones leave out a multiple of
# `_APART` periods: a state that repeats so many periods later fits in at once.
_FEWEST_KEPT, _MOST_KEPT, _APART = 6, 192, 4
# What all simulations with few rows may take together until a state repeats: one for each beat of a
# machine that is built, one for each look at a stream in a cycle that is simulated. The camera pipe
# at 1920x1080 takes 380,000.
MOST_WORK = 4_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """Rows of a time entry that are alike, `periods` of `period` rows, beginning with `first`."""

    entry: int
    first: int
    period: int
    periods: int

    def cut(self, kept: int) -> Cut:
        """The rows that are left out where only so many periods are kept."""
        return Cut(
            entry=self.entry,
            begin=self.first,
            first=self.first + kept * self.period,
            end=self.first + self.periods * self.period,
        )


def rows_alike(
    times: Sequence[Any], tables_of: Callable[[int], Sequence[Any] | None] = lambda _: ()
) -> Rows | None:
    """The longest run of rows that are alike in all sets of times; None where there are few.

    Rows are values of the outermost entry that has several in one of the sets: of nests one after
    the other those of their own outermost loops, which go on side by side. `tables_of` gives for
    that entry further sets, which begin with times; None where rows do not do.
    """
    for entry in range(times[0].dim(DimType.set)):
        found = [entry_range(one, entry) for one in times]
        if any(low < high for low, high in found):
            break
    else:
        return None
    least, greatest = min(low for low, _ in found), max(high for _, high in found)
    tables = tables_of(entry)
    if tables is None:
        return None
    for period in _PERIODS:
        if (greatest + 1 - least) // period <= 2 * _FEWEST_PERIODS:
            continue  # not even all rows are so many periods
        unlike = unlike_rows([*times, *tables], entry, period)
        if unlike is None:
            continue
        ends = [least + period - 1, *unlike, greatest + 1]
        length, end = max((b - a - 1, b) for a, b in pairwise(ends))
        first = end - length - period
        periods = (end - first) // period
        if periods > 2 * _FEWEST_PERIODS:
            return Rows(entry=entry, first=first, period=period, periods=periods)
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """Number of beats or instances: those before the rows that are alike, those of a period."""

    before: int
    period: int


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """The state at the end of a period: the cycle, and what the watched stream waited for."""

    period: int
    cycle: int
    waits: Counter[Wait]


@dataclass(frozen=True, slots=True, kw_only=True)
class Middle:
    """Middle of the whole run in a simulation: the beat of the watched stream.

    `before` and `behind` are the copies of what is left out on its two sides. Where it `is_inside`
    of one, the beat is that of the simulation behind the latter of the two ends, if the simulation
    goes on there like a copy; `earlier` is the same beat between the two ends.
    """

    beat: int
    before: int
    behind: int
    is_inside: bool = False
    earlier: int = 0


class Ends:
    """Watches a simulation of few rows at the ends of periods, until the state is one of before.

    `same` are the two ends with the same state; from the latter on the simulation is that of the
    whole run, where what was left out comes between. `half` is the beat of the watched stream in
    the middle of the whole run, `middle` where it lies in the simulation. `goes_on`: as far behind
    these two ends is a third one with their state. The simulation `is_vain` where no state can be
    one of before, or where what lies between two of the same does not fill what was left out:
    `short` periods do.
    """

    def __init__(self, machine: Machine, rows: Rows, kept: int, half: int) -> None:
        self.machine, self.rows, self.kept, self.half = machine, rows, kept, half
        self.streams = [self.count(_rows(stream)) for stream in machine.streams]
        self.paths = [self.count(path.rows) for path in machine.datapaths]
        self.readers = [self.count(_rows(reader.stream)) for reader in machine.readers]
        assert machine.watched is not None
        self.own = self.count(_rows(machine.watched))
        self.count_of = dict(zip(machine.streams, self.streams, strict=True))
        self.count_of_path = dict(zip(machine.datapaths, self.paths, strict=True))
        self.arbiters = {w.stream: w.arbiters for writers in machine.writers for w in writers}
        self.seen: dict[Hashable, End] = {}
        self.same: tuple[End, End] | None = None
        self.middle: Middle | None = None
        self.goes_on = self.is_vain = False
        self.next = 1
        machine.mark = self.mark
        machine.half = half

    def count(self, rows: Sequence[Any]) -> Count:
        """The instances, with their times, before the rows that are alike, and in a period."""
        first, period = self.rows.first, self.rows.period
        entry = self.rows.entry
        before = [own[own[:, entry] < first] for own in rows]
        inside = [own[(own[:, entry] >= first) & (own[:, entry] < first + period)] for own in rows]
        return Count(before=_distinct(before), period=_distinct(inside))

    def time(self, beat: int, periods: int) -> tuple[int, ...]:
        """The time of a beat of the watched stream, so many periods left out before it."""
        assert self.machine.watched is not None
        rows, found = self.rows, self.machine.watched.circuit.instances.rows[beat - 1].tolist()
        if found[rows.entry] < rows.first + self.kept * rows.period:
            found[rows.entry] += periods * rows.period
        return tuple(found)

    @property
    def mark(self) -> int | None:
        """The beats of the watched stream at the next end; None where there is none left."""
        if self.next >= self.kept or not self.own.period:
            return None
        if self.same is not None and self.next > self.third:
            return None
        return self.own.before + self.next * self.own.period

    @property
    def third(self) -> int:
        """The period as far behind the two ends as these are apart."""
        assert self.same is not None
        first, second = self.same
        return 2 * second.period - first.period

    @property
    def short(self) -> int:
        """The periods that remain where copies of those between the two ends fill what is left."""
        assert self.same is not None
        first, second = self.same
        return (self.rows.periods - self.kept) % (second.period - first.period)

    def after_cycle(self, cycle: int, waits: Counter[Wait], state: Callable[[], Hashable]) -> None:
        """Look at the state where the watched stream has come to an end of a period."""
        watched = self.machine.watched
        if self.mark is None or watched is None or watched.gone < self.mark:
            return
        end = End(period=self.next, cycle=cycle, waits=Counter(waits))
        self.next += 1
        if self.are_inside():
            key = (state(), *self.positions(end.period))
            if self.same is None and key in self.seen:
                self.same = self.seen[key], end
                self.middle = _middle(self, self.same)
                self.machine.half = self.middle.beat
                self.is_vain = self.short > 0
            elif self.same is not None and end.period == self.third:
                self.goes_on = self.seen.get(key) is self.same[1]
            self.seen[key] = end
        elif self.same is None:
            self.is_vain = self.are_past()
        self.machine.mark = self.mark

    def are_inside(self) -> bool:
        """True if every model with beats in rows that are alike is on one of these."""
        inside = all(one.before <= gone for one, gone in self.counts()) and not self.are_past()
        return (
            inside
            and all(self.stays(stream) for stream in self.machine.streams)
            and all(self.rests(path) for path in self.machine.datapaths)
        )

    def are_past(self) -> bool:
        """True if some model has all rows that are alike behind it: it is on none of them again."""
        return any(gone >= one.before + self.kept * one.period for one, gone in self.counts())

    def counts(self) -> Iterator[tuple[Count, int]]:
        """Progress of every model with beats in rows that are alike."""
        machine = self.machine
        pairs = chain(
            zip(self.streams, (stream.gone for stream in machine.streams), strict=True),
            zip(self.paths, (path.following for path in machine.datapaths), strict=True),
            zip(self.paths, (_oldest(path) for path in machine.datapaths), strict=True),
            zip(self.readers, (reader.taken for reader in machine.readers), strict=True),
        )
        return ((one, gone) for one, gone in pairs if one.period)

    def stays(self, stream: Stream) -> bool:
        """True if a stream without beats in rows that are alike sees nothing of their passing.

        What it waits for in another is behind it already, or comes after all of these.
        """
        if self.count_of[stream].period or stream.done:
            return True
        awaited = [(other, limit) for other, _, _, limit in stream.gates]
        for other, limit in [*awaited, *self.arbiters.get(stream, {}).items()]:
            count, beats = self.count_of[other], limit[stream.gone]
            if count.period and count.before < beats <= other.gone:
                return False
        return True

    def rests(self, path: Datapath) -> bool:
        """The same of a datapath without instances in rows that are alike."""
        if self.count_of_path[path].period or path.following >= len(path.kinds):
            return True
        for one in path.awaited:
            count, results = self.count_of_path[one.of], one.results[path.following]
            if count.period and count.before < results <= one.there:
                return False
        return True

    def positions(self, period: int) -> tuple[int, ...]:
        """Progress of every model, from the end of a period."""
        machine = self.machine
        streams = (
            s.gone - period * one.period
            for one, s in zip(self.streams, machine.streams, strict=True)
        )
        paths = (
            p.following - period * o.period
            for o, p in zip(self.paths, machine.datapaths, strict=True)
        )
        readers = (
            r.taken - period * one.period
            for one, r in zip(self.readers, machine.readers, strict=True)
        )
        return (*streams, *paths, *readers)


def _oldest(path: Datapath) -> int:
    """The oldest instance that a datapath looks at."""
    return min([path.following, *(stage for stage in path.stages if stage >= 0)])


def _rows(stream: Stream) -> list[Any]:
    """The times of the instances of a stream."""
    return [stream.circuit.instances.rows]


def _distinct(parts: Sequence[Any]) -> int:
    """The number of different rows in some arrays."""
    if len(parts) == 1:
        return len(parts[0])
    return len(distinct_rows(np.concatenate(parts)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeated:
    """A whole run, from a simulation of the `machine` in which rows were left out.

    After the cycle `until` of the simulation everything is `later` cycles later. `half_cycle` is
    that of the watched stream's beat in the middle of the whole run, `middle` its time, and `waits`
    are what held it back from then on. `lookups` are those of all simulations that it took to find.
    """

    machine: Machine
    lookups: int
    last: int
    half_cycle: int
    middle: tuple[int, ...]
    waits: Counter[Wait]
    until: int
    later: int

    def cycle(self, simulated: int) -> int:
        """The cycle of the whole run for one of the simulation."""
        return simulated + self.later * (simulated > self.until)


def run_of_rows(
    rows: Rows,
    whole: Sequence[PlainStream],
    half: int,
    machine_of: Callable[[int], Machine | None],
) -> Repeated | None:
    """The whole run, from simulations with few rows; None where no state of theirs repeats, nor
    would within `MOST_WORK`.

    `whole` are all its streams, `machine_of` gives the machine with so many periods kept, None
    where it cannot; `half` is the beat of its watched stream in the middle of the whole run.
    """
    streams = [stream for stream in whole if not stream.is_fill]
    inside = sum(rows.cut(0).beats(stream.instances.times) for stream in streams)
    beats = Count(
        before=sum(stream.beats for stream in streams) - inside, period=inside // rows.periods
    )
    work = 0
    kept = _FEWEST_KEPT + (rows.periods - _FEWEST_KEPT) % _APART
    # With more than half of the rows the whole run is as soon simulated.
    while kept < min(rows.periods // 2, _MOST_KEPT):
        work += beats.before + kept * beats.period
        if work >= MOST_WORK:
            return None
        machine = machine_of(kept)
        if machine is None:
            kept *= 2
            continue
        ends = Ends(machine, rows, kept, half)
        simulation = Simulation(machine, ends, MOST_WORK - work)
        last = simulation.run()
        work += simulation.lookups
        if ends.same is None and (last is not None or ends.is_vain):
            kept *= 2
        elif ends.is_vain:
            kept += ends.short
        elif last is None:
            return None
        else:
            return _whole(ends, simulation, last, machine_of, work)
    return None


def _middle(ends: Ends, same: tuple[End, End]) -> Middle:
    """Middle of the whole run, with the copies left out behind the latter end."""
    rows, half, (first, second) = ends.rows, ends.half, same
    apart = second.period - first.period
    copies, beats = (rows.periods - ends.kept) // apart, apart * ends.own.period
    until = ends.own.before + second.period * ends.own.period
    if half <= until:
        return Middle(beat=half, before=0, behind=copies)
    if half > until + copies * beats:
        return Middle(beat=half - copies * beats, before=copies, behind=0)
    copy, place = divmod(half - until - 1, beats)
    beat = until + place + 1
    return Middle(
        beat=beat, before=copy, behind=copies - copy, is_inside=True, earlier=beat - beats
    )


def _whole(
    ends: Ends,
    simulation: Simulation,
    last: int,
    machine_of: Callable[[int], Machine | None],
    lookups: int,
) -> Repeated:
    """The whole run from a simulation whose last event is in cycle `last`, after so many
    lookups."""
    assert ends.same is not None
    assert ends.middle is not None
    rows, (first, second), middle = ends.rows, ends.same, ends.middle
    apart, cycles = second.period - first.period, second.cycle - first.cycle
    copies = (rows.periods - ends.kept) // apart
    waits, half_cycle = simulation.waits - simulation.waits_before_half, simulation.half_cycle
    if middle.is_inside and not ends.goes_on:
        # What comes behind the two ends is not like what is left out: that before them is.
        again = machine_of(ends.kept)
        assert again is not None
        again.half = middle.earlier
        replayed = Simulation(again)
        replayed.run()
        waits, half_cycle = replayed.waits, replayed.half_cycle
        middle = Middle(beat=middle.earlier, before=middle.before + 1, behind=middle.behind - 1)
    for wait, number in (second.waits - first.waits).items():
        waits[wait] += middle.behind * number
    return Repeated(
        lookups=lookups,
        machine=ends.machine,
        last=last + copies * cycles,
        half_cycle=half_cycle + middle.before * cycles,
        middle=ends.time(middle.beat, middle.before * apart),
        waits=waits,
        until=second.cycle,
        later=copies * cycles,
    )
