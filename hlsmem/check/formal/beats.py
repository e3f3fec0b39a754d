"""The beats of every stream as tables of numbers, from the program alone."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

import numpy as np

from hlsmem.check.rtl.beats import StreamBeats, Traffic
from hlsmem.check.rtl.device import WRITE
from hlsmem.program import Order, Program


@dataclass(frozen=True, slots=True, kw_only=True)
class BeatTable:
    """A stream's beats: `times` has the time vector and behind it the coordinates (int64).

    Of operand k, `elements[k]` are the elements (int64, shape (beats, indices)), `taken[k]`
    whether the beat has it, `fetched[k]` whether it has to come from the memory: what is made
    in the step of the beat may come by a wire. Of a write, `fetched[0]` says whether somebody
    fetches its value. `versions[k]` number the writes of the values (-1: live-in, or not there),
    `steps` are the steps of the beats where these are atomic. `ranks` grow with the program's own
    order over the beats of all streams.
    """

    name: str
    is_write: bool
    times: np.ndarray = field(compare=False)
    elements: tuple[np.ndarray, ...] = field(compare=False)
    taken: tuple[np.ndarray, ...] = field(compare=False)
    fetched: tuple[np.ndarray, ...] = field(compare=False)
    versions: tuple[np.ndarray, ...] = field(compare=False)
    steps: np.ndarray = field(compare=False)
    ranks: np.ndarray = field(compare=False)


def beat_tables(program: Program, expected: Traffic) -> Mapping[str, BeatTable]:
    """The tables of all streams that have beats, by name."""
    wanted = {
        operand.version
        for stream in expected.streams.values()
        if stream.direction != WRITE
        for beat in stream.beats
        for operand in beat.operands
        if operand is not None and not beat.may_be_wired(operand)
    }
    ranks = _ranks(program, expected)
    return {
        name: _table(program, stream, wanted, ranks[name])
        for name, stream in expected.streams.items()
        if stream.beats
    }


def _ranks(program: Program, expected: Traffic) -> Mapping[str, np.ndarray]:
    """Per stream the places of its beats in the order of all; of one time the text decides."""
    textual = {statement.name: n for n, statement in enumerate(program.statements)}
    keys = [
        ((*beat.key[:-1], textual.get(stream.statement or "", 0), beat.key[-1]), name, number)
        for name, stream in expected.streams.items()
        for number, beat in enumerate(stream.beats)
    ]
    found = {
        name: np.zeros(len(stream.beats), dtype=np.int64)
        for name, stream in expected.streams.items()
    }
    for rank, (_, name, number) in enumerate(sorted(keys)):
        found[name][number] = rank
    return found


def _table(
    program: Program, stream: StreamBeats, wanted: Collection[int], ranks: np.ndarray
) -> BeatTable:
    count = max(len(beat.operands) for beat in stream.beats)
    is_write = stream.direction == WRITE
    rank = len(program.arrays[stream.array].index)
    absent = (0,) * rank
    elements = np.array(
        [[absent if o is None else o.element for o in beat.operands] for beat in stream.beats],
        dtype=np.int64,
    ).reshape(len(stream.beats), count, rank)
    taken = np.array([[o is not None for o in beat.operands] for beat in stream.beats])
    fetched = np.array(
        [
            [
                o is not None and (o.version in wanted if is_write else not beat.may_be_wired(o))
                for o in beat.operands
            ]
            for beat in stream.beats
        ]
    )
    versions = np.array(
        [[-1 if o is None else o.version for o in beat.operands] for beat in stream.beats]
    )
    return BeatTable(
        name=stream.name,
        is_write=is_write,
        times=np.array([_time(program, beat.key) for beat in stream.beats], dtype=np.int64),
        elements=tuple(elements[:, k] for k in range(count)),
        taken=tuple(taken[:, k] for k in range(count)),
        fetched=tuple(fetched[:, k] for k in range(count)),
        versions=tuple(versions[:, k] for k in range(count)),
        steps=np.array([beat.key[1] for beat in stream.beats], dtype=np.int64),
        ranks=ranks,
    )


def _time(program: Program, key: tuple[object, ...]) -> tuple[int, ...]:
    """Time and coordinates of a beat; of a fill or drain, its element (0 for a scalar)."""
    if len(key) == 2:
        return key[1] or (0,)  # type: ignore[return-value]
    if program.order is Order.SEQUENTIAL:
        return (*key[1], *key[3])  # type: ignore[misc]
    return (*key[3], *key[4])  # type: ignore[misc]
