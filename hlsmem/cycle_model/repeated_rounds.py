"""Iterations of outer loops that take as long, and leave the same state, as the one before.

They may take thousands of cycles, so nobody compares cycles: the state is looked at where a stream
comes to the end of an iteration. Where two of these left the same state, and took every count as
far, the next one is worth recording.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import field

import numpy as np

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.cycle_model.circuit_model import Machine
from hlsmem.cycle_model.stream_models import Column, Stream, column

# The fewest beats of an iteration, in the mean, and its most cycles.
_FEWEST_BEATS, _LONGEST = 8, 65536

Counts = tuple[int, ...]
State = tuple[Hashable, Counts]


@dataclass(frozen=True, slots=True)
class End:
    """The state at the end of an iteration: the cycle, the shape, all counts, and what all were
    moved on by since the end before."""

    cycle: int
    shape: Hashable
    counts: Counts
    since: Counts | None


@dataclass(slots=True)
class Loops:
    """Ends of the iterations of a stream's loops, but for the innermost.

    `ends` has for every beat the outermost loop of which it begins another iteration, `inner` where
    it begins none. `last` are the last ends of each loop. What was recorded for nothing rests, for
    twice as many ends each time.
    """

    stream: Stream
    ends: Column
    inner: int
    seen: int = 0
    last: dict[int, End] = field(default_factory=dict)
    rest: Counter[int] = field(default_factory=Counter)
    failed: Counter[int] = field(default_factory=Counter)

    def round(
        self, cycle: int, state: Callable[[], State], is_worth_while: Callable[[Counts], bool]
    ) -> Round | None:
        """An iteration that ends in this cycle as the one before it did, of the outermost loop."""
        gone = self.stream.gone
        if gone == self.seen:
            return None
        self.seen = gone
        first = self.inner if self.stream.done else self.ends[gone]
        if first == self.inner:
            return None
        (shape, counts), found = state(), None
        for loop in range(first, self.inner):
            before = self.last.get(loop)
            since = None if before is None else _differences(before.counts, counts)
            self.last[loop] = End(cycle, shape, counts, since)
            if found or before is None or since is None or since != before.since:
                continue
            period = cycle - before.cycle
            if before.shape != shape or period > _LONGEST or not is_worth_while(since):
                continue
            if not self.rests(loop):
                found = Round(self, loop, period, since)
        return found

    def rests(self, loop: int) -> bool:
        self.rest[loop] -= 1
        return self.rest[loop] >= 0


@dataclass(frozen=True, slots=True)
class Round:
    """The cycles of an iteration of a loop, which are to be recorded."""

    loops: Loops
    loop: int
    period: int
    since: Counts

    def ended(self, *, is_skipped: bool) -> None:
        """Note whether the record was of use."""
        loops, loop = self.loops, self.loop
        loops.failed[loop] = 0 if is_skipped else loops.failed[loop] + 1
        loops.rest[loop] = 0 if is_skipped else 1 << loops.failed[loop]


def loops_of(machine: Machine) -> Iterator[Loops]:
    """The loops of the longest stream of each statement, where they have several iterations of
    more than a few beats."""
    longest: dict[str, Stream] = {}
    for stream in machine.streams:
        circuit = stream.circuit
        if not (circuit.is_fill or circuit.is_drain):
            known = longest.setdefault(circuit.statement, stream)
            if stream.total > known.total:
                longest[circuit.statement] = stream
    for stream in longest.values():
        if stream.total < 4 * _FEWEST_BEATS:
            continue
        rows = stream.circuit.instances.rows
        begins = (rows[1:] != rows[:-1]).argmax(axis=1)
        entries, beats = np.unique(begins, return_counts=True)
        # Iterations of a loop end with those of the loops around it.
        kept = entries[stream.total >= _FEWEST_BEATS * (np.cumsum(beats) + 1)]
        if len(kept):
            ends = np.searchsorted(kept, begins).astype(np.int8)
            yield Loops(stream, column(np.append(np.int8(len(kept)), ends)), len(kept))


def _differences(before: Sequence[int], after: Sequence[int]) -> Counts:
    return tuple(b - a for a, b in zip(before, after, strict=True))
