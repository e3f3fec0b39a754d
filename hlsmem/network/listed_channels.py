"""Channels with their reads listed, at the plan's parameters: capacities, and what may run.

Source of the capacities: the definitions of sections 2 and 3 of Turjan, Kienhuis, Deprettere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.network.channels import Channel
from hlsmem.network.firing import Net
from hlsmem.network.listing import MOST_READS, code_of, listing_of, orders_between, pairs_of
from hlsmem.network.processes import Process
from hlsmem.polyhedra import DimType
from hlsmem.polyhedra.enumeration import distinct_points, distinct_rows
from hlsmem.polyhedra.sets import count, fix_parameters
from hlsmem.program.model import Program
from hlsmem.timing.instance_text import instance_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Capacities:
    """Values that wait in a channel at once, at most, in the order of the program.

    `text`: every instance has a time of its own. `cycle`: a step is one time, and what is read
    in the step that writes it does not wait. `window`: cells of a circular buffer that is
    addressed by the number of the value, by steps.
    """

    text: int
    cycle: int
    window: int


def capacities_of(program: Program, channel: Channel) -> Capacities | None:
    """The capacities of a channel; None above MOST_READS reads, or of times without a code."""
    uses = fix_parameters(channel.uses, program.values)
    if count(uses.domain()) > MOST_READS:
        return None
    code = code_of(uses.domain().union(uses.range()))
    if code is None:
        return None
    token, last = _tokens(*pairs_of(uses, code))
    written, read = (code.leading(one, program.step_dimensions) for one in (token, last))
    return Capacities(
        text=_most_alive(token, last),
        cycle=_most_alive(written, read),
        window=_window(written, read),
    )


def listed_lag(uses: Any, writes: Any) -> int | None:
    """Number of `writes` after the write of a value and not after its read, for all reads alike;
    None where it differs, above MOST_READS of them, or of times without a code."""
    if max(count(uses.domain()), count(writes)) > MOST_READS:
        return None
    code = code_of(uses.domain().union(writes))
    if code is None:
        return None
    read, written = pairs_of(uses, code)
    all_writes = code.of_rows(distinct_points(writes))
    lags = np.searchsorted(all_writes, read, side="right")
    lags -= np.searchsorted(all_writes, written, side="right")
    return int(lags[0]) if (lags == lags[0]).all() else None


def net_of(
    program: Program, processes: Sequence[Process], channels: Sequence[Channel]
) -> Net | None:
    """Net of the firings and their times, tasks as their text has them; None above MOST_READS
    instances or reads, or of times without a code."""
    fixed = (fix_parameters(one.uses, program.values) for one in channels)
    listing = listing_of(program, processes)
    if (
        listing is None
        or sum(map(len, listing.clocks)) + sum(count(one.domain()) for one in fixed) > MOST_READS
    ):
        return None
    parts = (
        listing.part(
            listing.process_of(one.source), listing.process_of(one.sink), listing.pairs(one)
        )
        for one in channels
    )
    return Net(steps=listing.steps, parts=tuple(parts), orders=tuple(orders_between(listing)))


def instance_of(program: Program, process: Process, firing: int) -> str:
    """The instance that a process fires after so many others, e.g. "C at y=2, x=0"."""
    statements = [one for one in program.statements if one.name in process.statements]
    times = [
        fix_parameters(one.schedule.intersect_domain(one.domain), program.values)
        for one in statements
    ]
    rows = np.concatenate([distinct_points(one.range()) for one in times])
    time = distinct_rows(rows)[firing].tolist()
    for statement, relation in zip(statements, times, strict=True):
        for k, value in enumerate(time):
            relation = relation.fix_val(DimType.out, k, value)
        if not relation.is_empty():
            return instance_text(statement, distinct_points(relation.domain())[0].tolist())
    raise ValueError(f"{process.name} fires nothing at {time}")


def _tokens(read: np.ndarray, written: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The values in the order of their writes: when written, when read last."""
    token, number = np.unique(written, return_inverse=True)
    last = np.zeros(len(token), dtype=np.int64)
    np.maximum.at(last, number, read)
    return token, last


def _most_alive(written: np.ndarray, last: np.ndarray) -> int:
    """The most values at one time, each alive from its write until before its last read."""
    begun = np.searchsorted(written, written, side="right")
    ended = np.searchsorted(np.sort(last), written, side="right")
    return int((begun - ended).max())


def _window(written: np.ndarray, last: np.ndarray) -> int:
    """The most numbers from the oldest value alive to the newest, both counted."""
    newest = np.nonzero(last > written)[0]
    oldest = np.searchsorted(np.maximum.accumulate(last), written[newest], side="right")
    return int((newest - oldest + 1).max(initial=0))
