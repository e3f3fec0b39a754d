"""Skipping ahead in a simulation where cycles repeat, without any change of its outcome.

What happens in a cycle follows from the state of the simulation and from what its tables say:
limits of gates and write arbiters, idle places, wires, which streams an instance has. Let some
cycles leave the state as it was, but for every count moved on by its own constant. Then the next
such period does the same if all its lookups give the same answers as those of the period before it,
and so on. Here the lookups of many periods are made at once.

Short periods are seen in who goes in a cycle, those of outer loops at the ends of their iterations
(`rounds`). Inner loops are skipped before: of three loops of N iterations, some three of each are
simulated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import field
from typing import Any

import numpy as np

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.cycle_model.circuit_model import Machine
from hlsmem.cycle_model.repeated_rounds import Loops, Round, State, loops_of
from hlsmem.cycle_model.stream_models import Stream
from hlsmem.cycle_model.wait_reasons import Wait

# The longest periods that are looked for by the cycles watched so far: short ones soon, those of a
# loop that waits for its own sum (nine values with three cycles each) where there are none. Then
# how many cycles must have repeated before, a period at least, how many periods are looked at
# first, and how many cycles the search rests when it has found nothing.
_LONGEST_PERIODS = {16: 4, 32: 4, 48: 16, 80: 16, 160: 64}
_REPEATED = 12
_FIRST_LOOK = 32
_LITTLE, _REST = 40, 100
# Of iterations of outer loops: how many have to be left, and the answers that are looked at in one
# go.
_FEWEST_LEFT, _MOST_ANSWERS = 3, 1 << 18

Went = frozenset[Stream]


@dataclass(slots=True)
class Snapshot:
    """The counts before a cycle, each in the order of the machine's own."""

    gone: list[int]
    place: list[int]
    taken: list[int]
    following: list[int]
    results: list[int]


@dataclass(slots=True)
class Recording:
    """A period under way: the state before it and the snapshots of its cycles.

    `of` is what it is an iteration of, None where it is a short one. It `is_cut` where others like
    it could follow those that were skipped, but for a beat that must not be skipped over.
    """

    period: int
    shape: Hashable
    following: list[int]
    lowest: list[int]
    waits: dict[Wait, int]
    of: Round | None = None
    is_cut: bool = False
    snapshots: list[Snapshot] = field(default_factory=list)


class Steady:
    """Watches a machine cycle by cycle, and moves it and its `waits` on by whole periods."""

    def __init__(self, machine: Machine, waits: Counter[Wait]) -> None:
        self.machine = machine
        self.waits = waits
        self.position = {stream: k for k, stream in enumerate(machine.streams)}
        # The datapaths that wait for others, and these.
        several = (p for path in machine.datapaths for one in path.awaited for p in (path, one.of))
        self.awaiting = list(dict.fromkeys(several))
        self.awaited = [one for path in self.awaiting for one in path.awaited]
        self.history: list[Went] = []
        self.least = 1
        self.rest = 0
        self.cycle = 0
        self.recording: Recording | None = None
        self.loops: list[Loops] = list(loops_of(machine))

    def before_cycle(self) -> None:
        if self.recording is not None:
            self.recording.snapshots.append(self.snapshot())

    def skipped(self, went: Iterable[Stream]) -> int:
        """After a cycle in which the streams `went`: how many cycles have been skipped now."""
        skipped = self.passed(went)
        self.cycle += 1 + skipped
        return skipped

    def passed(self, went: Iterable[Stream]) -> int:
        found = [one.round(self.cycle, self.state, self.is_worth_while) for one in self.loops]
        longest = max(filter(None, found), key=lambda one: one.period, default=None)
        recording = self.recording
        if longest is not None and (recording is None or longest.period > recording.period):
            self.record(longest.period, longest)
            return 0
        if recording is not None:
            if len(recording.snapshots) < recording.period:
                return 0
            self.recording = None
            periods = self.repeat(recording) if self.shape() == recording.shape else 0
            skipped = periods * recording.period
            of = recording.of
            if of is not None:
                of.ended(is_skipped=skipped > 0 or recording.is_cut)
                if recording.is_cut and self.is_worth_while(of.since, marks=False):
                    self.record(recording.period, of)
            self.forget(recording.period + 1 if skipped < _LITTLE else 1)
            return skipped
        if self.rest:
            self.rest -= 1
            return 0
        self.history.append(frozenset(went))
        period = self.period()
        if period:
            self.record(period)
        return 0

    def state(self) -> State:
        """The shape of the state, and all counts."""
        now = self.snapshot()
        following = (path.following for path in self.machine.datapaths)
        return self.shape(), (*now.gone, *now.place, *now.taken, *following)

    def is_worth_while(self, since: Sequence[int], *, marks: bool = True) -> bool:
        """True if several more of an iteration are left."""
        streams = self.machine.streams
        gone, place = since[: len(streams)], since[len(streams) : 2 * len(streams)]
        following = since[len(since) - len(self.machine.datapaths) :]
        return self.room(gone, place, following, marks=marks) >= _FEWEST_LEFT

    def period(self) -> int:
        """The number of cycles that the last ones repeat; 0 if they do not."""
        history = self.history
        for period in range(self.least, _LONGEST_PERIODS.get(len(history), 0) + 1):
            repeated = max(_REPEATED, period)
            recent = history[-repeated:]
            if recent == history[-repeated - period : -period]:
                return period if any(recent) else 0
        if len(history) >= max(_LONGEST_PERIODS):
            self.forget(1)
            self.rest = _REST
        return 0

    def forget(self, least: int) -> None:
        """Watch anew, for periods of so many cycles at least: what repeated for a while only, as
        the values of a sum do, may be part of a longer period."""
        self.history.clear()
        self.least = least

    def snapshot(self) -> Snapshot:
        return Snapshot(
            gone=[stream.gone for stream in self.machine.streams],
            place=[stream.place for stream in self.machine.streams],
            taken=[reader.taken for reader in self.machine.readers],
            following=[path.following for path in self.awaiting],
            results=[one.there for one in self.awaited],
        )

    def record(self, period: int, of: Round | None = None) -> None:
        paths = self.machine.datapaths
        self.recording = Recording(
            period=period,
            shape=self.shape(),
            following=[path.following for path in paths],
            lowest=[min([path.following, *(s for s in path.stages if s >= 0)]) for path in paths],
            waits=dict(self.waits),
            of=of,
        )

    def shape(self) -> Hashable:
        """The state of the machine, all counts relative to each other."""
        machine = self.machine
        streams = tuple(
            (s.gone - s.seen[0], s.place - s.seen[1], s.done, s.seen[2], s.held)
            for s in machine.streams
        )
        readers = tuple(
            (r.stream.gone - r.taken, r.arrived - r.taken, *(u - r.taken for u in r.under_way))
            for r in machine.readers
        )
        wires = tuple((wire.inside, wire.visible) for wire in machine.wires)
        paths = tuple(
            (
                tuple(s - path.following if s >= 0 else None for s in path.stages),
                tuple(self.position[stream] for stream in path.accepted),
                path.missing and path.missing.of.name,
            )
            for path in machine.datapaths
        )
        return streams, readers, wires, paths

    def repeat(self, recording: Recording) -> int:
        """Move the machine on by as many periods as are sure to be like the recorded one."""
        machine, start, end = self.machine, recording.snapshots[0], self.snapshot()
        watched = machine.watched
        if (
            watched is not None
            and start.gone[self.position[watched]] < machine.half <= watched.gone
        ):
            recording.is_cut = True
            return 0  # waits are counted in a part of it
        gone = [b - a for a, b in zip(start.gone, end.gone, strict=True)]
        place = [b - a for a, b in zip(start.place, end.place, strict=True)]
        following = [
            path.following - a
            for path, a in zip(machine.datapaths, recording.following, strict=True)
        ]
        most = self.room(gone, place, following)
        if not any(gone) or most < 1:
            return 0
        most = min(most, max(_FEWEST_LEFT, _MOST_ANSWERS // recording.period))
        ahead, sure = min(_FIRST_LOOK, most), 0
        while sure < most:
            ahead = min(ahead, most)
            sure = ahead
            for answers in self.answers(recording, gone, place, following, ahead + 1):
                sure = min(sure, _agreeing(answers))
                if not sure:
                    return 0
            sure = min([sure, *self.alike(recording, following, ahead)])
            if sure < ahead:
                break
            ahead *= 4
        recording.is_cut = sure == most
        self.move(recording, sure, gone, place, following)
        return sure

    def room(
        self,
        gone: Sequence[int],
        place: Sequence[int],
        following: Sequence[int],
        *,
        marks: bool = True,
    ) -> int:
        """Periods in which no stream and no datapath comes to its end, nor, with `marks`, the
        watched stream to its half."""
        found = []
        for stream, beats, places in zip(self.machine.streams, gone, place, strict=True):
            if beats:
                end = stream.total
                if marks and stream is self.machine.watched:
                    several = (self.machine.half, self.machine.mark or 0)
                    end = min([end, *(mark for mark in several if stream.gone < mark)])
                found.append((end - 1 - stream.gone) // beats)
            if places and stream.is_beat is not None:
                found.append((len(stream.is_beat) - 1 - stream.place) // places)
        for path, instances in zip(self.machine.datapaths, following, strict=True):
            if instances:
                found.append((len(path.kinds) - 1 - path.following) // instances)
        return min(found, default=0)

    def answers(
        self,
        recording: Recording,
        gone: list[int],
        place: list[int],
        following: list[int],
        periods: int,
    ) -> Iterator[Any]:
        """Answers to every lookup of the recorded period, and of the same in the next ones.

        Arrays of shape (cycles of a period, periods), the recorded period first.
        """
        steps, snapshots = np.arange(periods), recording.snapshots
        after = [
            *(snapshot.gone for snapshot in snapshots[1:]),
            [s.gone for s in self.machine.streams],
        ]
        gone_then = np.array([snapshot.gone for snapshot in snapshots])
        went = np.array(after) > gone_then
        place_then = np.array([snapshot.place for snapshot in snapshots])
        taken_then = np.array([snapshot.taken for snapshot in snapshots])
        gone_at = [_ahead(gone_then[:, k], steps, rate) for k, rate in enumerate(gone)]
        place_at = [_ahead(place_then[:, k], steps, rate) for k, rate in enumerate(place)]
        for k, stream in enumerate(self.machine.streams):
            if stream.done:
                continue
            beats = gone_at[k]
            for _, takes in stream.predicate_reads:
                yield np.asarray(takes)[beats]
            if stream.is_beat is not None:
                yield np.asarray(stream.is_beat)[place_at[k]]
            for other, by_place, looks_back, limit in stream.gates:
                if other.done:
                    continue
                o = self.position[other]
                behind = (place_at if by_place else gone_at)[o]
                if stream.circuit.is_write and not other.circuit.is_write and not looks_back:
                    behind = behind + went[:, o, None]  # a read of its own cycle
                yield np.asarray(limit)[beats] <= behind
        for writers in self.machine.writers:
            for writer in writers:
                if writer.stream.done:
                    continue
                beats = gone_at[self.position[writer.stream]]
                for mark in writer.marks():
                    yield np.asarray(mark)[beats]
                for other, limit in writer.arbiters.items():
                    if not other.done:
                        yield np.asarray(limit)[beats] <= place_at[self.position[other]]
        for n, reader in enumerate(self.machine.readers):
            taken = _ahead(taken_then[:, n], steps, gone[self.position[reader.stream]])
            for mark in reader.marks():
                yield np.asarray(mark)[np.minimum(taken, len(mark) - 1)]
        yield from self._of_datapaths(snapshots, steps, following)

    def _of_datapaths(
        self, snapshots: Sequence[Snapshot], steps: np.ndarray, following: list[int]
    ) -> Iterator[Any]:
        """Mask of periods in which the results are there that each next beat waits for."""
        rates = dict(zip(self.machine.datapaths, following, strict=True))
        place = -1
        for n, path in enumerate(self.awaiting):
            at = _ahead(np.array([m.following[n] for m in snapshots]), steps, rates[path])
            for one in path.awaited:
                place += 1
                if not len(one.results):  # no beat waits for it
                    continue
                there = _ahead(
                    np.array([m.results[place] for m in snapshots]), steps, rates[one.of]
                )
                yield np.asarray(one.results)[np.minimum(at, len(one.results) - 1)] <= there

    def alike(self, recording: Recording, following: list[int], periods: int) -> Iterator[int]:
        """Per datapath, in how many of the next periods its instances have the same streams."""
        paths = zip(self.machine.datapaths, recording.lowest, following, strict=True)
        for path, lowest, rate in paths:
            if rate:
                kinds = np.asarray(path.kinds)[lowest : path.following + rate * periods + 1]
                differ = kinds[rate:] != kinds[:-rate]
                if differ.any():
                    yield max(0, (lowest + int(differ.argmax()) - path.following) // rate)

    def move(
        self,
        recording: Recording,
        periods: int,
        gone: list[int],
        place: list[int],
        following: list[int],
    ) -> None:
        machine = self.machine
        for k, stream in enumerate(machine.streams):
            beats, places = periods * gone[k], periods * place[k]
            stream.gone += beats
            stream.place += places
            if not stream.done:
                stream.seen = (stream.seen[0] + beats, stream.seen[1] + places, stream.seen[2])
        for wait, cycles in self.waits.items():
            self.waits[wait] += periods * (cycles - recording.waits.get(wait, 0))
        for reader in machine.readers:
            beats = periods * gone[self.position[reader.stream]]
            reader.taken += beats
            reader.arrived += beats
            reader.under_way = [count + beats for count in reader.under_way]
        for path, rate in zip(machine.datapaths, following, strict=True):
            path.following += periods * rate
            path.stages = [s + periods * rate if s >= 0 else s for s in path.stages]


def _ahead(counts: Any, steps: Any, rate: int) -> Any:
    """Counts of a period's cycles in so many periods from it."""
    return counts[:, None] + steps * rate


def _agreeing(answers: Any) -> int:
    """Number of periods after the first that have its answers."""
    differ = (answers != answers[:, :1]).any(axis=0)
    return int(differ.argmax()) - 1 if differ.any() else answers.shape[1] - 1
