"""The beats of every stream as tables of numbers, from the program alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

import numpy as np

from hlsmem.check.rtl.expected_beats import StreamBeats, Traffic
from hlsmem.check.rtl.simulated_device import WRITE
from hlsmem.core.lazy_dataclass import dataclass


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


def beat_tables(expected: Traffic) -> Mapping[str, BeatTable]:
    """The tables of all streams that have beats, by name."""
    wanted: dict[str, np.ndarray] = {}  # array -> which of its values somebody fetches
    for stream in expected.streams.values():
        if stream.direction != WRITE:
            fetched = stream.value[(stream.value >= 0) & ~stream.may_be_wired()]
            none = np.zeros(len(stream.values.element), dtype=bool)
            wanted.setdefault(stream.array, none)[fetched] = True
    return {
        name: _table(stream, wanted.get(stream.array))
        for name, stream in expected.streams.items()
        if len(stream)
    }


def _table(stream: StreamBeats, wanted: np.ndarray | None) -> BeatTable:
    is_write, value, values = stream.direction == WRITE, stream.value, stream.values
    taken = value >= 0
    if not is_write:
        fetched = taken & ~stream.may_be_wired()
    elif wanted is None:
        fetched = np.zeros(value.shape, dtype=bool)
    else:
        fetched = taken & wanted[value]
    elements = np.where(taken[:, :, None], values.element[value], 0)
    versions = np.where(taken, values.version[value], -1)
    count = stream.operands
    return BeatTable(
        name=stream.name,
        is_write=is_write,
        times=_times(stream),
        elements=tuple(elements[:, k] for k in range(count)),
        taken=tuple(taken[:, k] for k in range(count)),
        fetched=tuple(fetched[:, k] for k in range(count)),
        versions=tuple(versions[:, k] for k in range(count)),
        steps=stream.step if stream.has_steps else stream.time,
        ranks=stream.rank,
    )


def _times(stream: StreamBeats) -> np.ndarray:
    """Time and coordinates of each beat; of a fill or drain, its element (0 for a scalar)."""
    if stream.statement is not None:
        return np.concatenate([stream.time, stream.point], axis=1)
    if stream.time.shape[1]:
        return stream.time
    return np.zeros((len(stream), 1), dtype=np.int64)
