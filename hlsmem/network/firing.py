"""The run of a process network whose channels hold so many values each.

A process fires its instances in their own order, each as soon as all that it reads is there and,
after what it reads for the last time is gone, what it writes has room. Such a network is
confluent: what can fire stays able to, so one maximal run decides whether it comes to its end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from functools import cached_property

from hlsmem.core.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A channel in a net: processes by their numbers, and firings by theirs within the process.

    Of each value, in the order of writes, the firing that pushes it and the one that reads it
    last; of each read its firing and its value. With `by_number` a value has the cell of its number
    modulo the capacity, so that one waits for the value so many before it to be gone.
    """

    source: int
    sink: int
    pushed_at: tuple[int, ...]
    read_at: tuple[int, ...]
    token: tuple[int, ...]
    freed_at: tuple[int, ...]
    by_number: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Firings:
    """Effects of the firings of each process, by process and firing."""

    needs: tuple[dict[int, list[tuple[int, int]]], ...]  # (channel, value)
    frees: tuple[dict[int, list[tuple[int, int]]], ...]
    puts: tuple[dict[int, list[int]], ...]


@dataclass(frozen=True, kw_only=True)
class Net:
    """Processes with so many firings each, and channels between them.

    What `orders` hand over takes no room: by these, too, firings wait for others.
    """

    steps: tuple[int, ...]
    parts: tuple[Part, ...]
    orders: tuple[Part, ...] = ()

    @property
    def all_parts(self) -> tuple[Part, ...]:
        """The channels, then the orders."""
        return (*self.parts, *self.orders)

    @cached_property
    def _firings(self) -> _Firings:
        """Gathered once: a net is run as often as it has channels."""
        needs: tuple[dict[int, list[tuple[int, int]]], ...] = tuple({} for _ in self.steps)
        frees: tuple[dict[int, list[tuple[int, int]]], ...] = tuple({} for _ in self.steps)
        puts: tuple[dict[int, list[int]], ...] = tuple({} for _ in self.steps)
        for number, part in enumerate(self.all_parts):
            for firing, token in zip(part.read_at, part.token, strict=True):
                needs[part.sink].setdefault(firing, []).append((number, token))
            for token, firing in enumerate(part.freed_at):
                frees[part.sink].setdefault(firing, []).append((number, token))
            for firing in part.pushed_at:
                puts[part.source].setdefault(firing, []).append(number)
        return _Firings(needs=needs, frees=frees, puts=puts)


@dataclass(frozen=True, slots=True)
class Wait:
    """A process that cannot fire its next instance: a channel has no value, or no room.

    Channels have numbers, orders those behind.
    """

    process: int
    firing: int
    channel: int
    for_room: bool


@dataclass(frozen=True, slots=True)
class Deadlock:
    """Processes that wait for each other in a circle, each for the next one."""

    cycle: tuple[Wait, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """The end of a maximal run: what each channel held, and what stopped it.

    `most` are the most values at once, `windows` the most numbers from the oldest of them to the
    newest.
    """

    most: tuple[int, ...]
    windows: tuple[int, ...]
    deadlock: Deadlock | None


def run(net: Net, capacities: Sequence[int | None], *, last: int | None = None) -> Run:
    """The maximal run of a net whose channels have so many cells, None: any number.

    What pushes into the channel `last` fires only where nothing else can: then that channel
    never holds more than it has to.
    """
    state = _State.of(net, capacities)
    numbers = range(len(net.steps))
    moved = True
    while moved:
        moved = False
        for process in numbers:
            while state.may_fire(process) and not state.pushes(process, last):
                state.fire(process)
                moved = True
        if not moved and last is not None:
            source = net.parts[last].source
            if state.may_fire(source):
                state.fire(source)
                moved = True
    return Run(most=tuple(state.most), windows=tuple(state.windows), deadlock=state.deadlock())


def least_capacity(net: Net, capacities: Sequence[int | None], channel: int) -> Run:
    """The run in which a channel holds as few values at once as the others allow it."""
    free = [None if k == channel else one for k, one in enumerate(capacities)]
    return run(net, free, last=channel)


@dataclass(slots=True, kw_only=True)
class _State:
    """State of a run: the firings done, and the values that each channel holds."""

    net: Net
    capacities: Sequence[int | None]
    needs: Sequence[dict[int, list[tuple[int, int]]]]  # by process and firing: (channel, value)
    frees: Sequence[dict[int, list[tuple[int, int]]]]
    puts: Sequence[dict[int, list[int]]]
    next: list[int]
    pushed: list[int]
    held: list[int]
    most: list[int]
    windows: list[int]
    oldest: list[int]
    gone: list[set[int]] = field(default_factory=list)

    @staticmethod
    def of(net: Net, capacities: Sequence[int | None]) -> _State:
        firings = net._firings
        zeros = [0] * len(net.all_parts)
        return _State(
            net=net,
            capacities=[*capacities, *(None for _ in net.orders)],
            needs=firings.needs,
            frees=firings.frees,
            puts=firings.puts,
            next=[0] * len(net.steps),
            pushed=list(zeros),
            held=list(zeros),
            most=list(zeros),
            windows=list(zeros),
            oldest=list(zeros),
            gone=[set() for _ in zeros],
        )

    def pushes(self, process: int, channel: int | None) -> bool:
        """True if the next firing of a process puts a value into a channel."""
        return channel is not None and channel in self.puts[process].get(self.next[process], ())

    def may_fire(self, process: int) -> bool:
        return self.next[process] < self.net.steps[process] and self.waits(process) is None

    def waits(self, process: int) -> Wait | None:
        """Wait of the next firing of a process; None where it may fire."""
        firing = self.next[process]
        for channel, token in self.needs[process].get(firing, ()):
            if self.pushed[channel] <= token:
                return Wait(process, firing, channel, False)
        if firing not in self.puts[process]:
            return None
        freed = self.frees[process].get(firing, ())
        for channel in self.puts[process][firing]:
            room = self.capacities[channel]
            going = {token for one, token in freed if one == channel}
            if room is not None and self.taken(channel, going) >= room:
                return Wait(process, firing, channel, True)
        return None

    def taken(self, channel: int, going: set[int]) -> int:
        """Cells that the next value cannot have, once the values `going` are gone."""
        if not self.net.parts[channel].by_number:
            return self.held[channel] - len(going)
        oldest, gone = self.oldest[channel], self.gone[channel]
        while oldest < self.pushed[channel] and (oldest in gone or oldest in going):
            oldest += 1
        return self.pushed[channel] - oldest

    def fire(self, process: int) -> None:
        firing = self.next[process]
        self.next[process] += 1
        for channel, token in self.frees[process].get(firing, ()):
            self.held[channel] -= 1
            gone = self.gone[channel]
            gone.add(token)
            while self.oldest[channel] in gone:
                gone.discard(self.oldest[channel])
                self.oldest[channel] += 1
        for channel in self.puts[process].get(firing, ()):
            self.pushed[channel] += 1
            self.held[channel] += 1
            self.most[channel] = max(self.most[channel], self.held[channel])
            window = self.pushed[channel] - self.oldest[channel]
            self.windows[channel] = max(self.windows[channel], window)

    def deadlock(self) -> Deadlock | None:
        """The circle of waits, None where all have fired."""
        stuck = [k for k, steps in enumerate(self.net.steps) if self.next[k] < steps]
        if not stuck:
            return None
        path = list[Wait]()
        at = stuck[0]
        while at not in [one.process for one in path]:
            wait = self.waits(at)
            assert wait is not None
            path.append(wait)
            part = self.net.all_parts[wait.channel]
            at = part.sink if wait.for_room else part.source
        first = [one.process for one in path].index(at)
        return Deadlock(tuple(path[first:]))
