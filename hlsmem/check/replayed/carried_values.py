"""Values that the datapath keeps between instances, worked out from the program alone.

Such values have no stream: whoever plays the datapath takes the beats of an instance when those
that wrote its values have their results.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from hlsmem.check.replayed.array_values import Family, Ran, held, versions_of
from hlsmem.program.model import Program, Storage

Waits = dict[str, dict[str, np.ndarray]]
"""By statement, by the statement that it waits for: how many results, for each instance."""


def waits_of(
    program: Program,
    families: Sequence[Family],
    reading: Collection[str],
    ran: Mapping[str, np.ndarray] | None,
) -> Waits:
    """Return what instances wait for, of statements that wait for streams or for others that do.

    `reading` are the statements that read streams, `ran` says which instances run, None: all.
    Where streams have a beat for every instance, one that does not run passes the value on when
    its own result would be there: cycles do not depend on data.
    """
    kept = [one.name for one in program.arrays.values() if one.storage is Storage.DATAPATH]
    if not kept or program.lanes:
        return {}
    apart = {one.statement.name for one in families if one.statement.looks_apart}
    seen_to_run = ran and {
        name: rows if name in apart else np.ones_like(rows) for name, rows in ran.items()
    }
    found: Waits = {}
    versions = versions_of(families, set(kept))
    for array in kept:
        rank = len(program.arrays[array].index)
        none = np.zeros((0, rank), dtype=np.int64)
        outcome = None if seen_to_run is None else Ran(seen_to_run, none)
        own = held(program, families, array, none, versions, 0, none, outcome)
        for (writer, _), values in own.writes.items():
            row_of = np.full(len(own.values.element) + 1, -1, dtype=np.int64)
            rows = np.flatnonzero(values >= 0)
            row_of[values[rows]] = rows
            for (reader, _), seen in own.reads.items():
                needed = row_of[seen] + 1  # of what nothing provides, the last: -1
                if needed.any():
                    mine = found.setdefault(reader, {})
                    mine[writer] = np.maximum(mine.get(writer, 0), needed)
    return _running(_waiting(found, reading), ran, apart)


def _waiting(found: Waits, reading: Collection[str]) -> Waits:
    """Without those whose values are of numbers alone: they are always there."""
    known = set(reading)
    while True:
        more = {name for name, own in found.items() if name not in known and known & set(own)}
        if not more:
            break
        known |= more
    kept = {
        name: {writer: needed for writer, needed in own.items() if writer in known}
        for name, own in found.items()
    }
    return {name: own for name, own in kept.items() if own}


def _running(waits: Waits, ran: Mapping[str, np.ndarray] | None, apart: Collection[str]) -> Waits:
    """The same counted in instances that run, where streams pass over others."""
    if ran is None or not apart:
        return waits
    before = {name: np.append(0, np.cumsum(ran[name])) for name in apart}
    return {
        reader: {
            writer: (before[writer][needed] if writer in apart else needed)[
                ran[reader] if reader in apart else slice(None)
            ]
            for writer, needed in own.items()
        }
        for reader, own in waits.items()
    }
