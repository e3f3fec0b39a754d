"""Skipping ahead in a play where cycles repeat, without any change of its outcome.

What happens in a cycle follows from the state of the play and from what its tables say: limits
of gates and turns, idle places, wires, which streams an instance has. Let some cycles leave the
state as it was, but for every count moved on by its own constant. Then the next such period
does the same if all its lookups give the same answers as those of the period before it, and so
on. Here the lookups of many periods are made at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hlsmem.predict.machine import Machine
from hlsmem.predict.parts import Stream
from hlsmem.predict.waits import Wait

# The longest periods that are looked for by the cycles watched so far: short ones soon, those of a
# loop that waits for its own sum (nine values with three cycles each) where there are none. Then
# how many cycles must have repeated before, a period at least, how many periods are looked at
# first, and how many cycles the search rests when it has found nothing.
_LONGEST_PERIODS = {16: 4, 32: 4, 48: 16, 80: 16, 160: 64}
_REPEATED = 12
_FIRST_LOOK = 32
_LITTLE, _REST = 40, 100

Went = frozenset[Stream]


@dataclass(slots=True)
class Moment:
    """The counts before a cycle, each in the order of the machine's own, and who went in it."""

    gone: list[int]
    place: list[int]
    taken: list[int]
    went: Went = frozenset()


@dataclass(slots=True)
class Recording:
    """A period under way: the state before it and the moments of its cycles."""

    period: int
    shape: Hashable
    following: list[int]
    lowest: list[int]
    waits: dict[Wait, int]
    moments: list[Moment] = field(default_factory=list)


class Steady:
    """Watches a machine cycle by cycle, and moves it and its `waits` on by whole periods."""

    def __init__(self, machine: Machine, waits: Counter[Wait]) -> None:
        self.machine = machine
        self.waits = waits
        self.position = {stream: k for k, stream in enumerate(machine.streams)}
        self.history: list[Went] = []
        self.least = 1
        self.rest = 0
        self.recording: Recording | None = None

    def before_cycle(self) -> None:
        if self.recording is not None:
            self.recording.moments.append(self.moment())

    def skipped(self, went: Iterable[Stream]) -> int:
        """After a cycle in which the streams `went`: how many cycles have been skipped now."""
        recording = self.recording
        if recording is not None:
            recording.moments[-1].went = frozenset(went)
            if len(recording.moments) < recording.period:
                return 0
            self.recording = None
            periods = self.repeat(recording) if self.shape() == recording.shape else 0
            skipped = periods * recording.period
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

    def moment(self) -> Moment:
        return Moment(
            gone=[stream.gone for stream in self.machine.streams],
            place=[stream.place for stream in self.machine.streams],
            taken=[reader.taken for reader in self.machine.readers],
        )

    def record(self, period: int) -> None:
        paths = self.machine.datapaths
        self.recording = Recording(
            period=period,
            shape=self.shape(),
            following=[path.following for path in paths],
            lowest=[min([path.following, *(s for s in path.stages if s >= 0)]) for path in paths],
            waits=dict(self.waits),
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
            )
            for path in machine.datapaths
        )
        return streams, readers, wires, paths

    def repeat(self, recording: Recording) -> int:
        """Move the machine on by as many periods as are sure to be like the recorded one."""
        machine, start, end = self.machine, recording.moments[0], self.moment()
        gone = [b - a for a, b in zip(start.gone, end.gone, strict=True)]
        place = [b - a for a, b in zip(start.place, end.place, strict=True)]
        following = [
            path.following - a
            for path, a in zip(machine.datapaths, recording.following, strict=True)
        ]
        most = self.room(gone, place, following)
        if not any(gone) or most < 1:
            return 0
        ahead, sure = _FIRST_LOOK, 0
        while sure < most:
            ahead = min(ahead, most)
            answers = self.answers(recording, gone, place, ahead + 1)
            sure = min([ahead, *map(_agreeing, answers), *self.alike(recording, following, ahead)])
            if sure < ahead:
                break
            ahead *= 4
        self.move(recording, sure, gone, place, following)
        return sure

    def room(self, gone: list[int], place: list[int], following: list[int]) -> int:
        """Periods in which no stream and no datapath comes to its end, nor the watched stream to
        its half."""
        found = []
        for stream, beats, places in zip(self.machine.streams, gone, place, strict=True):
            if beats:
                end = stream.total
                if stream is self.machine.watched:
                    marks = (self.machine.half, self.machine.mark or 0)
                    end = min([end, *(mark for mark in marks if stream.gone < mark)])
                found.append((end - 1 - stream.gone) // beats)
            if places and stream.is_beat is not None:
                found.append((len(stream.is_beat) - 1 - stream.place) // places)
        for path, instances in zip(self.machine.datapaths, following, strict=True):
            if instances:
                found.append((len(path.kinds) - 1 - path.following) // instances)
        return min(found, default=0)

    def answers(
        self, recording: Recording, gone: list[int], place: list[int], periods: int
    ) -> Iterator[Any]:
        """Answers to every lookup of the recorded period, and of the same in the next ones.

        Arrays of shape (periods,), the recorded period first.
        """
        steps = np.arange(periods)
        for moment in recording.moments:
            for k, stream in enumerate(self.machine.streams):
                if stream.done:
                    continue
                beats = moment.gone[k] + steps * gone[k]
                if stream.is_beat is not None:
                    yield np.asarray(stream.is_beat)[moment.place[k] + steps * place[k]]
                for other, by_place, looks_back, limit in stream.gates:
                    if other.done:
                        continue
                    o = self.position[other]
                    passed, rate = (moment.place, place) if by_place else (moment.gone, gone)
                    is_read = stream.circuit.is_write and not other.circuit.is_write
                    own_cycle = is_read and not looks_back and other in moment.went
                    behind = passed[o] + int(own_cycle) + steps * rate[o]
                    yield np.asarray(limit)[beats] <= behind
            for writers in self.machine.writers:
                for writer in writers:
                    k = self.position[writer.stream]
                    if writer.stream.done:
                        continue
                    beats = moment.gone[k] + steps * gone[k]
                    for mark in writer.marks():
                        yield np.asarray(mark)[beats]
                    for other, limit in writer.turns.items():
                        o = self.position[other]
                        if not other.done:
                            yield np.asarray(limit)[beats] <= moment.place[o] + steps * place[o]
            for n, reader in enumerate(self.machine.readers):
                taken = moment.taken[n] + steps * gone[self.position[reader.stream]]
                for mark in reader.marks():
                    yield np.asarray(mark)[np.minimum(taken, len(mark) - 1)]

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


def _agreeing(answers: Any) -> int:
    """How many periods after the first have its answer."""
    differ = answers != answers[0]
    return int(differ.argmax()) - 1 if differ.any() else len(answers) - 1
