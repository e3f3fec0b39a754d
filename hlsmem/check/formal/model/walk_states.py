"""The places of a walk: the beats of a stream, and places without a beat between them.

Where a loop of a walk is empty, the address generator passes a place without a beat, by itself, in
a cycle of its own. rtl/invariants.json says which places these are. That is a hint: places are put
between the beats of the program in the order of their loops, and beats are what the program's list
says, whatever is told of the others. A walk that passes other places does not fit its ghost: its
proof fails.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from hlsmem.check.formal.model.beat_tables import BeatTable
from hlsmem.check.formal.model.ghost import NoGhost
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra.isl_text import parse_set
from hlsmem.polyhedra.sets import count, points


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
    sets = [parse_set(text, parameters=(), what="rtl/invariants.json") for text in idle]
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
