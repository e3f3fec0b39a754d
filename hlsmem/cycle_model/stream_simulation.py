"""The simulation: all streams of all memories, cycle by cycle, consumers always ready.

The rules are those of `docs/verilog.md`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from typing import Protocol

from hlsmem.core.errors import LimitError, Problem
from hlsmem.cycle_model.circuit_model import Machine
from hlsmem.cycle_model.steady_state import Steady
from hlsmem.cycle_model.stream_models import Hold, Issue, Reader, Stream, Writer
from hlsmem.cycle_model.wait_reasons import Wait, cause

# Cycles that are simulated one by one, and those times the streams (some twenty seconds); cycles
# that repeat are skipped and do not count.
MOST_SIMULATED = 1_000_000
MOST_LOOKS = 4_000_000
# A run of which a quarter of them has not simulated that part of all beats is given up.
_LEAST_PART = 1 / 32


class Watch(Protocol):
    """Observer of a simulation after each of its cycles; ends it where going on `is_vain`."""

    is_vain: bool

    def after_cycle(
        self, cycle: int, waits: Counter[Wait], state: Callable[[], Hashable]
    ) -> None: ...


class Simulation:
    """A run of a machine. `half_cycle` is the cycle of its watched stream's beat `half`, -1 before
    it, and `waits` are what held that stream back from then on, with the cycles of each. With
    `ends` they are counted from the start, and `waits_before_half` are those up to then.

    It is given up after `most_lookups`, one a stream in each cycle that is simulated."""

    def __init__(
        self, machine: Machine, ends: Watch | None = None, most_lookups: int = MOST_LOOKS
    ) -> None:
        self.machine, self.ends = machine, ends
        self.most_simulated = min(MOST_SIMULATED, most_lookups // max(1, len(machine.streams)))
        self.half_cycle = -1
        self.simulated = 0
        self.waits: Counter[Wait] = Counter()
        self.waits_before_half: Counter[Wait] = Counter()

    @property
    def lookups(self) -> int:
        """Those that were made."""
        return self.simulated * len(self.machine.streams)

    def run(self) -> int | None:
        """Simulation until everything has gone; the cycle of the last event.

        None where too many cycles are unlike those before them: `simulated` says how many, and
        where what watches it ends it.

        Raises LimitError if nothing moves: a defect of the plan, the blocked streams are named.
        """
        machine = self.machine
        patience = 4 + max((datapath.latency for datapath in machine.datapaths), default=0)
        cycle = still = 0
        steady = Steady(machine, self.waits)
        if not machine.streams:
            return cycle
        while self.simulated < self.most_simulated:
            self.simulated += 1
            if not machine.is_drawn:
                steady.before_cycle()
            went, moved = self.simulate(cycle)
            if moved:
                still = 0
                if any(stream.done for stream in machine.left):
                    machine.left = [stream for stream in machine.left if not stream.done]
                if not machine.left and all(r.is_over for r in machine.readers):
                    return cycle
            else:
                still += 1
                if still > patience:
                    raise self.stuck()
            if self.ends is not None:
                self.ends.after_cycle(cycle, self.waits, steady.shape)
                if self.ends.is_vain:
                    break
            cycle += 1 if machine.is_drawn else 1 + steady.skipped(went)
            if self.simulated == self.most_simulated // 4 and self.part_gone() < _LEAST_PART:
                break
        return None

    def part_gone(self) -> float:
        """The part of all beats that have gone."""
        streams = [s for s in self.machine.streams if not s.circuit.is_fill]
        return sum(s.gone for s in streams) / max(1, sum(s.total for s in streams))

    def simulate(self, cycle: int) -> tuple[list[Stream], bool]:
        """One cycle: the streams that had a beat, and whether anything moved."""
        machine = self.machine
        before = [stream.place for stream in machine.idling]
        issued, waiting = self.issue(cycle)
        offered = {stream for stream in machine.sources if not stream.done}
        for datapath in machine.datapaths:
            datapath.offer(offered)
        passed = machine.passed
        committed = self.commit(cycle, offered)
        for reader in waiting:
            if self.is_taken(reader, committed):
                reader.stream.go(cycle)
                issued.append(reader.stream)
        moved = bool(issued or committed) or machine.passed > passed
        watched = machine.watched
        if watched is not None and (self.half_cycle >= 0 or self.ends is not None):
            waits = watched.hold is not None and not watched.done
            self.waits.update([cause(machine, watched)] if waits else [])
        for datapath in machine.datapaths:
            moved = datapath.move(committed) or moved
        for reader in machine.predicate_reading:
            if reader.is_due:
                reader.take()
                reader.is_due = False
        for reader in machine.drains:
            if reader.is_valid():
                reader.take()
                moved = True
        for reader in machine.movers:
            if reader.move(cycle):
                issued.append(reader.stream)
                moved = True
        if watched is not None and watched.gone >= machine.half and self.half_cycle < 0:
            self.half_cycle = cycle
            self.waits_before_half = Counter(self.waits)
        for stream, place in zip(machine.idling, before, strict=True):
            if stream.place == place and not stream.done and not stream.is_beat[place]:  # type: ignore[index]
                stream.place += 1
                moved = True
        for reader in machine.readers:
            reader.end_cycle()
        for wire in machine.wires:
            wire.end_cycle()
        for stream in machine.left:
            stream.seen = (stream.gone, stream.place, stream.done)
            stream.held = (stream.hold, stream.by)
        return issued + committed, moved

    def issue(self, cycle: int) -> tuple[list[Stream], list[Reader]]:
        """Reads that go in this cycle, and those that do if their beat at the end is taken.

        Drains come last.
        """
        issued: list[Stream] = []
        waiting: list[Reader] = []
        for reader in self.machine.readers:
            answer = reader.issue(issued)
            if answer is Issue.YES:
                reader.stream.go(cycle)
                issued.append(reader.stream)
            elif answer is Issue.IF_TAKEN:
                waiting.append(reader)
        return issued, waiting

    def is_taken(self, reader: Reader, committed: list[Stream]) -> bool:
        """True if a reader's beat is taken in this cycle, given all results that have gone."""
        if reader.branch is not None:
            behind = self.is_taken(reader.branch, committed)
            return reader.is_valid() and reader.branch.has_room(is_taken=behind)
        return any(path.takes(reader, committed) for path in self.machine.datapaths)

    def commit(self, cycle: int, offered: set[Stream]) -> list[Stream]:
        """Writes that go in this cycle: one a memory, the earliest of those that could."""
        machine = self.machine
        committed: list[Stream] = []

        def is_taken(reader: Reader) -> bool:
            return self.is_taken(reader, committed)

        for writers in machine.writers:
            chosen: Writer | None = None
            passing: list[Stream] = []
            for writer in writers:
                stream = writer.stream
                if stream.done:
                    continue
                if stream.passes():
                    passing += [stream] if writer.could_go() else []
                    continue
                if stream not in offered:
                    stream.hold = Hold.RESULT
                elif not writer.has_room(is_taken):
                    continue
                elif writer.could_go():
                    if chosen is None:
                        chosen = writer
                    else:
                        first = chosen.is_before(writer)
                        last, chosen = (writer, chosen) if first else (chosen, writer)
                        last.stream.hold, last.stream.by = Hold.PORT, chosen.stream
            for stream in passing:
                stream.go(cycle)
            if chosen is not None:
                chosen.go(cycle)
                committed.append(chosen.stream)
            machine.passed += len(passing)
        return committed

    def stuck(self) -> LimitError:
        left = [
            f"{s.circuit.name} at beat {s.gone} of {s.total}"
            for s in self.machine.streams
            if not s.done
        ]
        what = f"the streams wait for each other: {', '.join(left)}"
        return LimitError(Problem(what, "report this plan: it is not your design's fault"))
