"""The beats of every stream as tables of numbers, from the program alone; the places of a walk.

Where a loop of a walk is empty, the address generator passes a place without a beat, by itself, in
a cycle of its own. invariants.json says which places these are. That is a hint: places are put
between the beats of the program in the order of their loops, and beats are what the program's list
says, whatever is told of the others. A walk that passes other places does not fit its ghost: its
proof fails.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace

import numpy as np

from hlsmem.check.formal.model.ghost import NoGhost
from hlsmem.check.rtl.expected_beats import StreamBeats, Traffic
from hlsmem.check.rtl.simulated_device import WRITE
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra.isl_text import parse_set
from hlsmem.polyhedra.sets import count, points


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


@dataclass(frozen=True, slots=True)
class Places:
    """The loops of every place in order (int64, shape (places, loops)), and which are beats."""

    points: np.ndarray
    is_beat: np.ndarray

    @property
    def all_beats(self) -> bool:
        return bool(self.is_beat.all())


def places_of(beats: np.ndarray, idle: Sequence[str], number: int) -> Places:
    """The beats, in order, with the idle places between them; raises NoGhost.

    `idle` are sets of the loops without a place in common, which have `number` places.
    """
    sets = [parse_set(text, parameters=(), what="invariants.json") for text in idle]
    if sum(count(one) for one in sets) != number:
        raise NoGhost("its address generator has other places without a beat than are told")
    if not number:
        return Places(beats, np.ones(len(beats), dtype=bool))
    found = np.concatenate([beats, *(points(one) for one in sets)])
    order = np.lexsort(found.T[::-1])
    is_beat = order < len(beats)
    if (np.diff(order[is_beat]) < 0).any():
        raise NoGhost("its beats are not in the order of their coordinates")
    return Places(found[order], is_beat)


def at_places(table: BeatTable, is_beat: np.ndarray) -> BeatTable:
    """The table with a row at every place; those without a beat take and fetch nothing."""
    if is_beat.all():
        return table

    def spread(columns: Sequence[np.ndarray], nothing: int) -> tuple[np.ndarray, ...]:
        found = []
        for column in columns:
            wide = np.full((len(is_beat), *column.shape[1:]), nothing, dtype=column.dtype)
            wide[is_beat] = column
            found.append(wide)
        return tuple(found)

    (times,) = spread([table.times], 0)
    return replace(
        table,
        times=times,
        elements=spread(table.elements, 0),
        taken=spread(table.taken, 0),
        fetched=spread(table.fetched, 0),
        versions=spread(table.versions, -1),
        steps=spread([table.steps], 0)[0],
        ranks=spread([table.ranks], -1)[0],
    )
