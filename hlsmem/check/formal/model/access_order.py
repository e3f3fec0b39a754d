"""The order of accesses in a buffer: what its gates promise against what its beats need."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hlsmem.check.formal.circuits.gate_proof import Stream, gate_task, promises
from hlsmem.check.formal.model.beat_order import (
    KEPT,
    Bound,
    Tenants,
    needs,
    stuck,
    together,
    unmet,
    waits_for_later,
)
from hlsmem.check.formal.model.beat_tables import BeatTable
from hlsmem.check.formal.model.stream_claims import Piece
from hlsmem.check.formal.proof_tasks import Task
from hlsmem.check.plans.plan_banks import cells as banked_cells
from hlsmem.check.plans.plan_banks import read_banked
from hlsmem.check.plans.plan_holdings import is_window
from hlsmem.check.plans.plan_mapping import addresses, read_folding
from hlsmem.check.rtl.simulated_device import DeviceStream
from hlsmem.core.lazy_dataclass import dataclass

_RAM = re.compile(
    r"hlsmem_(?P<kind>ram|ram_output|register) #\((?P<parameters>[^;]*?)\n *\) u_(?P<name>\w+) \("
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ordering:
    """The proofs of an array's gates, and a need that they do not meet.

    `early` is a beat that nothing keeps from going before what it needs, `late` one that waits
    for a beat behind it in the program's order, or, in a window, for itself in the end.
    """

    tasks: tuple[Task, ...]
    needed: tuple[Bound, ...]
    early: tuple[Bound, int] | None
    late: tuple[Bound, int] | None


def ordering_of(
    array: str,
    streams: Sequence[DeviceStream],
    tables: Mapping[str, BeatTable],
    hints: Mapping[str, Any],
    document: Mapping[str, Any],
    buffer: str,
    pieces: Mapping[str, Piece],
    *,
    is_state: bool = False,
) -> Ordering:
    """`tables`, `hints` and `pieces` by stream; `document` is plan.json. Raises NoGhost."""
    own = {
        stream.name: Stream(stream, pieces[stream.name], hints[stream.name].get("gates", ()))
        for stream in streams
        if stream.name in pieces
    }
    tenants = _tenants(array, streams, tables, document, buffer, pieces, is_state=is_state)
    promised = promises(own)
    beats = {name: len(table.ranks) for name, table in tenants.tables.items() if name != KEPT}
    progress = together(promised, beats)
    needed = needs(tenants)
    return Ordering(
        tasks=tuple(gate_task(one, own, progress, buffer) for one in own.values()),
        needed=needed,
        early=unmet(needed, progress),
        late=(
            stuck(promised, beats)
            if is_window(document["arrays"][array])
            else waits_for_later(promised, tenants.tables)
        ),
    )


def _tenants(
    array: str,
    streams: Sequence[DeviceStream],
    tables: Mapping[str, BeatTable],
    document: Mapping[str, Any],
    buffer: str,
    pieces: Mapping[str, Piece],
    *,
    is_state: bool,
) -> Tenants:
    chosen = {stream.name: tables[stream.name] for stream in streams if stream.beats}
    if is_state:
        chosen[KEPT] = _kept([table for table in chosen.values() if not table.is_write])
    apart, behind = _copies_apart(array, buffer), _copies_behind(array, buffer)
    return Tenants(
        tables=chosen,
        cells={
            name: [_cells(array, elements, document) for elements in table.elements]
            for name, table in chosen.items()
        },
        stored={
            name: _stored(table, pieces.get(name))
            for name, table in chosen.items()
            if table.is_write
        },
        apart={s.name: {k for k, copy in enumerate(s.copies) if copy in apart} for s in streams},
        behind={s.name: {k for k, copy in enumerate(s.copies) if copy in behind} for s in streams},
    )


def _kept(readers: Sequence[BeatTable]) -> BeatTable:
    """State that is held before a run and read in it, as writes before all others."""
    first = [
        elements[fetched & (versions < 0)]
        for table in readers
        for elements, versions, fetched in zip(
            table.elements, table.versions, table.fetched, strict=True
        )
    ]
    found = np.unique(np.concatenate(first), axis=0) if first else np.zeros((0, 0), np.int64)
    many = len(found)
    return BeatTable(
        name=KEPT,
        is_write=True,
        times=np.zeros((many, 1), dtype=np.int64),
        elements=(found,),
        taken=(np.ones(many, dtype=bool),),
        fetched=(np.ones(many, dtype=bool),),
        versions=(np.full(many, -1),),
        steps=np.zeros((many, 1), dtype=np.int64),
        ranks=np.full(many, -1),
    )


def _stored(table: BeatTable, piece: Piece | None) -> np.ndarray:
    everything = np.ones(len(table.ranks), dtype=bool)
    return everything if piece is None or piece.stored is None else piece.stored


def _cells(array: str, elements: np.ndarray, document: Mapping[str, Any]) -> np.ndarray:
    entry = document["arrays"][array]
    banked = read_banked(array, entry)
    if banked is not None:
        return banked_cells(banked, elements)
    return addresses(read_folding(array, entry), elements, document["params"])


def _copies_apart(array: str, buffer: str) -> set[int]:
    """The copies whose RAM must not be read and written in one cell on one edge."""
    found = set()
    for ram in _RAM.finditer(buffer):
        copy = re.fullmatch(rf"{re.escape(array)}_(\d+)(?:_b\d+)?", ram["name"])
        answers = ram["kind"] == "register" or ".COLLISION(1)" in ram["parameters"]
        if copy is not None and not answers:
            found.add(int(copy[1]))
    return found


def _copies_behind(array: str, buffer: str) -> set[int]:
    """The copies with a register in front of the read ports of their RAMs."""
    return {
        int(found[1]) for found in re.finditer(rf"reg {re.escape(array)}_(\d+)_b\d+_asked;", buffer)
    }
