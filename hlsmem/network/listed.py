"""Channels with their reads listed, at the plan's parameters: capacities, and what may run.

Source of the capacities: the definitions of sections 2 and 3 of Turjan, Kienhuis, Deprettere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any

import numpy as np

from hlsmem.network.channels import Channel
from hlsmem.network.firing import Net, Part
from hlsmem.network.processes import Process
from hlsmem.order.witness import instance_text
from hlsmem.polyhedra import DimType, Set
from hlsmem.polyhedra.codes import Code, code_within
from hlsmem.polyhedra.enumeration import bounding_box, distinct, distinct_points, distinct_rows
from hlsmem.polyhedra.sets import count, fix_parameters
from hlsmem.polyhedra.sweep import evaluate
from hlsmem.program import Program
from hlsmem.values import dataclass

MOST_READS = 1_000_000


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
    code = _code_of(uses.domain().union(uses.range()))
    if code is None:
        return None
    token, last = _tokens(*_pairs(uses, code))
    written, read = (code.leading(one, program.step_dimensions) for one in (token, last))
    return Capacities(
        text=_most_alive(token, last),
        cycle=_most_alive(written, read),
        window=_window(written, read),
    )


def listed_lag(uses: Any, writes: Any) -> int | None:
    """How many of `writes` come after the write of a value and not after its read, for all reads
    alike; None where it differs, above MOST_READS of them, or of times without a code."""
    if max(count(uses.domain()), count(writes)) > MOST_READS:
        return None
    code = _code_of(uses.domain().union(writes))
    if code is None:
        return None
    read, written = _pairs(uses, code)
    all_writes = code.of_rows(distinct_points(writes))
    lags = np.searchsorted(all_writes, read, side="right")
    lags -= np.searchsorted(all_writes, written, side="right")
    return int(lags[0]) if (lags == lags[0]).all() else None


def net_of(
    program: Program, processes: Sequence[Process], channels: Sequence[Channel]
) -> Net | None:
    """What fires when; None above MOST_READS instances or reads, or of times without a code."""
    fixed = [fix_parameters(one.uses, program.values) for one in channels]
    times = _times_of(program)
    size = sum(map(count, times.values())) + sum(count(one.domain()) for one in fixed)
    if size > MOST_READS:
        return None
    code = _code_of(reduce(Set.union, times.values()))
    if code is None:
        return None
    clocks = [
        distinct(np.concatenate([code.of_rows(distinct_points(times[s])) for s in one.statements]))
        for one in processes
    ]
    of_statement = {name: k for k, one in enumerate(processes) for name in one.statements}
    parts = []
    for channel, uses in zip(channels, fixed, strict=True):
        source, sink = of_statement[channel.source.name], of_statement[channel.sink.name]
        read, written = _pairs(uses, code)
        token, last = _tokens(read, written)
        parts.append(
            Part(
                source=source,
                sink=sink,
                pushed_at=tuple(np.searchsorted(clocks[source], token).tolist()),
                read_at=tuple(np.searchsorted(clocks[sink], read).tolist()),
                token=tuple(np.searchsorted(token, written).tolist()),
                freed_at=tuple(np.searchsorted(clocks[sink], last).tolist()),
            )
        )
    return Net(steps=tuple(len(one) for one in clocks), parts=tuple(parts))


def orders_of(
    program: Program, processes: Sequence[Process], arrays: Mapping[str, frozenset[str] | None]
) -> list[Part] | None:
    """Parts by which accesses of arrays keep the order of the schedule: writes and reads.

    With an array are the statements whose reads do, None: all.

    A read waits for the writes of its array before it, a write for the reads before it, as memories
    have them wait; so a run that ends with these ends in hardware, which waits for less.
    """
    of_statement = {name: k for k, one in enumerate(processes) for name in one.statements}
    times = _times_of(program)
    code = _code_of(reduce(Set.union, times.values()))
    if code is None:
        return None
    clocks = [
        distinct(np.concatenate([code.of_rows(distinct_points(times[s])) for s in one.statements]))
        for one in processes
    ]
    found = []
    for array, readers in arrays.items():
        reads, writes = dict[int, list[np.ndarray]](), dict[int, list[np.ndarray]]()
        for statement in program.statements:
            for accesses, into in ((statement.reads, reads), (statement.writes, writes)):
                for access in accesses:
                    if access.array != array:
                        continue
                    if into is reads and readers is not None and statement.name not in readers:
                        continue
                    domain = access.relation.domain().intersect(statement.domain)
                    made = statement.schedule.intersect_domain(domain).range()
                    rows = code.of_rows(distinct_points(fix_parameters(made, program.values)))
                    into.setdefault(of_statement[statement.name], []).append(rows)
        for first, second in ((writes, reads), (reads, writes)):
            for source, before in first.items():
                for sink, after in second.items():
                    if source != sink:
                        found.append(_ordered(clocks, (source, before), (sink, after)))
    return found


def _ordered(
    clocks: Sequence[np.ndarray],
    before: tuple[int, Sequence[np.ndarray]],
    after: tuple[int, Sequence[np.ndarray]],
) -> Part:
    """A part by which firings of one process wait for those of another at earlier times."""
    earlier = distinct(np.concatenate(before[1]))
    later = distinct(np.concatenate(after[1]))
    needed = np.searchsorted(earlier, later, side="left")  # so many come before
    later, needed = later[needed > 0], needed[needed > 0]
    return Part(
        source=before[0],
        sink=after[0],
        pushed_at=tuple(np.searchsorted(clocks[before[0]], earlier).tolist()),
        read_at=tuple(np.searchsorted(clocks[after[0]], later).tolist()),
        token=tuple((needed - 1).tolist()),
        freed_at=(),
    )


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


def _times_of(program: Program) -> dict[str, Any]:
    """When each statement runs, at the plan's parameters."""
    return {
        one.name: fix_parameters(
            one.schedule.intersect_domain(one.domain).range(), program.values
        ).coalesce()
        for one in program.statements
    }


def _code_of(times: Any) -> Code | None:
    """Times as one number each, in their order; None where 64 bits do not tell them apart."""
    box = bounding_box(times)
    return code_within([low for low, _ in box], [high for _, high in box])


def _pairs(uses: Any, code: Code) -> tuple[np.ndarray, np.ndarray]:
    """The numbers of reads, in their order, and of the writes that they see."""
    reads = distinct_points(uses.domain())
    return code.of_rows(reads), code.of_rows(evaluate(uses, reads))


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
