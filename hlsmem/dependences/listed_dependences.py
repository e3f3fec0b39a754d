"""Dependences between the streams of a memory, from all their beats listed one by one.

Requirements that other requirements already bring about are left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hlsmem.addressing.loop_forms import Condition, Value
from hlsmem.addressing.nest_points import Listed
from hlsmem.dependences.earliest_release import Gate, GateMaker, WriteArbiter
from hlsmem.dependences.requirements import dependences
from hlsmem.dependences.step_wires import mask_condition, wires_of
from hlsmem.dependences.stream_forms import BeatStream
from hlsmem.dependences.stream_pair import Between, Wire
from hlsmem.program.model import Program

Pairs = Mapping[tuple[int, int], Any]


class ListedBetween(Between):
    """The answers from numpy.

    Raises InputError where streams cannot hold together.
    """

    def __init__(
        self,
        program: Program,
        streams: Sequence[BeatStream],
        slack: int,
        *,
        is_window: bool = False,
        limit: str = "",
    ) -> None:
        self.streams, self.limit = streams, limit
        self.found = dependences(program, streams, is_window=is_window)
        self.required = without_implied(self.found.required)
        self.maker = GateMaker(
            program,
            streams,
            self.required,
            closure(self.required),
            self.found.operands,
            slack=slack,
            is_window=is_window,
        )

    def points(self, stream: int) -> Listed:
        return Listed(self.streams[stream].visits.points)

    def is_fetched(self, reader: int, operand: int) -> bool:
        taken = self.streams[reader].operands[operand].taken
        return bool((taken & (self.found.wired[reader][operand] < 0)).any())

    def wires(self) -> tuple[Wire, ...]:
        return wires_of(self.streams, self.found)

    def stored(self, writer: int) -> Condition | None:
        return mask_condition(self.streams[writer].visits.points, self.found.stored[writer])

    def collides(self, writer: int, reader: int, operand: int) -> bool:
        required = self.found.required.get((writer, reader))
        if required is None:
            return False
        waits = required > 0
        last = required[waits] - 1
        written = self.streams[writer].operands[0].cells[waits]
        read = self.streams[reader].operands[operand]
        fetched = read.taken[last] & (self.found.wired[reader][operand][last] < 0)
        return bool((fetched & (read.cells[last] == written)).any())

    def waits(self, waiting: int, other: int) -> bool:
        return (waiting, other) in self.required

    def gates(self, stream: int, outputs: dict[str, Value]) -> tuple[Gate, ...]:
        return self.maker.gates(stream, outputs)

    def arbiters(self, stream: int, outputs: dict[str, Value]) -> tuple[WriteArbiter, ...]:
        return self.maker.arbiters(stream, outputs)

    def sources(self, reader: int) -> tuple[tuple[int, Any], ...]:
        if self.streams[reader].is_write:
            return ()
        return tuple(
            (other, beats)
            for (waiting, other), beats in self.found.required.items()
            if waiting == reader and self.streams[other].is_write
        )


def closure(required: Pairs) -> dict[tuple[int, int], Any]:
    """For every pair, what beats wait for directly, or because of whom they wait for.

    `required[a, b][j]` counts the beats of b that go before beat j of a; results are running
    maxima. Waiting longer for b up to the closure changes no behaviour.
    """
    waiting = _by_waiting(required)
    return {
        (waits, on): count
        for waits in waiting
        for on, count in _implied(waiting, waits).items()
        if count.any()
    }


def without_implied(required: Pairs) -> dict[tuple[int, int], Any]:
    """The requirements without those that the kept ones imply."""
    kept = dict(required)
    waiting = _by_waiting(required)
    for pair in sorted(required, key=lambda pair: (-int(required[pair].max()), pair)):
        waits, on = pair
        direct = waiting[waits].pop(on)
        implied = _implied(_leading_to(waiting, on), waits).get(on)
        if implied is not None and (implied >= required[pair]).all():
            del kept[pair]
        else:
            waiting[waits][on] = direct
    return kept


def _by_waiting(required: Pairs) -> dict[int, dict[int, Any]]:
    """Running maxima of the counts, by who waits and for whom: entry j is of the first j beats."""
    found: dict[int, dict[int, Any]] = {}
    for (waits, on), count in required.items():
        found.setdefault(waits, {})[on] = np.concatenate(([0], np.maximum.accumulate(count)))
    return found


def _leading_to(waiting: Mapping[int, Mapping[int, Any]], on: int) -> dict[int, dict[int, Any]]:
    """The counts on the ways by which somebody waits for `on`."""
    by_whom: dict[int, list[int]] = {}
    for waits, of in waiting.items():
        for one in of:
            by_whom.setdefault(one, []).append(waits)
    found, pending = {on}, [on]
    while pending:
        more = set(by_whom.get(pending.pop(), ())) - found
        found |= more
        pending += more
    return {
        waits: {one: count for one, count in waiting[waits].items() if one in found}
        for waits in found & waiting.keys()
    }


def _implied(waiting: Mapping[int, Mapping[int, Any]], waits: int) -> dict[int, Any]:
    """For whom the beats of `waits` wait in the end: what grows is passed on until nothing does."""
    found = {on: count[1:] for on, count in waiting.get(waits, {}).items()}
    pending = list(found)
    while pending:
        through = pending.pop()
        count = found[through]
        for on, further in waiting.get(through, {}).items():
            if on == waits:
                continue
            implied = further[count]
            known = found.get(on)
            if known is None or (implied > known).any():
                found[on] = implied if known is None else np.maximum(known, implied)
                if implied.any() and on not in pending:
                    pending.append(on)
    return found
