"""Cycles that no choice of storage undercuts: what the values that are read come to.

Every beat goes as early as the beats before it in its stream and the values that it reads let it;
nothing waits for a cell to be free, for a port, or for a consumer. A play that reaches these cycles
cannot be made shorter by storage.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hlsmem.gates.streams import PlainStream
from hlsmem.predict.machine import distinct, row_codes
from hlsmem.predict.prediction import ENDING_CYCLES


@dataclass(frozen=True, slots=True, kw_only=True)
class Flow:
    """Values from a write stream to a read stream.

    Before each beat of the reader `beats` of the writer have gone, shape (beats of the reader,);
    the value of one can be taken `cycles` after it.
    """

    reader: PlainStream
    writer: PlainStream
    beats: Any = field(compare=False, repr=False)
    cycles: int


def least_cycles(
    streams: Sequence[PlainStream], flows: Sequence[Flow], latency: Mapping[str, int]
) -> int:
    """The cycles of a run in which beats wait for the values of these flows alone.

    `streams` are all that take part, `latency` are the cycles of every statement's datapath.
    Statements take their instances one after the other, one a cycle, in the order of time.
    """
    inner = [stream for stream in streams if not (stream.is_fill or stream.is_drain)]
    if not inner:
        return ENDING_CYCLES
    codes = dict(
        zip([s.name for s in inner], row_codes([s.instances.rows for s in inner]), strict=True)
    )
    statements = list(dict.fromkeys(stream.statement for stream in inner))
    reading = {stream.statement for stream in inner if not stream.is_write}
    gone: dict[str, list[int]] = {stream.name: [] for stream in inner if stream.is_write}
    tables = [_table(name, inner, codes, flows, gone) for name in statements]
    order = np.concatenate([table.codes for table in tables])
    which = np.repeat(np.arange(len(tables)), [len(table.codes) for table in tables])
    sequence = which[np.argsort(order, kind="stable")].tolist()
    last = [-1] * len(tables)
    position = [0] * len(tables)
    cycles = [latency.get(name, 1) if name in reading else 0 for name in statements]
    ending = 0
    for number in sequence:
        table, instance = tables[number], position[number]
        taken = last[number] + 1
        for needs, times, after in table.needs:
            need = needs[instance]
            if 0 < need <= len(times) and times[need - 1] + after > taken:
                taken = times[need - 1] + after
        last[number] = taken
        position[number] = instance + 1
        done = taken + cycles[number]
        for present, times in table.writes:
            if present[instance]:
                times.append(done)
        ending = max(ending, done if table.writes else taken)
    return ending + ENDING_CYCLES


@dataclass(frozen=True, slots=True, kw_only=True)
class _Table:
    """The instances of a statement, in order: their codes, what each waits for, what it writes.

    `needs` are (beats that go before each instance, cycles of the beats that have gone, cycles
    until the value can be taken); `writes` are (whether each instance has a beat, those cycles).
    """

    codes: Any
    needs: list[tuple[list[int], list[int], int]]
    writes: list[tuple[list[bool], list[int]]]


def _table(
    statement: str,
    streams: Sequence[PlainStream],
    codes: Mapping[str, Any],
    flows: Sequence[Flow],
    gone: Mapping[str, list[int]],
) -> _Table:
    own = [stream for stream in streams if stream.statement == statement]
    instances = distinct([codes[stream.name] for stream in own])
    needs = []
    for flow in flows:
        if flow.reader.statement == statement and flow.writer.name in gone:
            wanted = np.zeros(len(instances), dtype=np.int64)
            wanted[np.searchsorted(instances, codes[flow.reader.name])] = flow.beats
            needs.append((wanted.tolist(), gone[flow.writer.name], flow.cycles))
    writes = []
    for stream in own:
        if stream.is_write:
            present = np.zeros(len(instances), dtype=bool)
            present[np.searchsorted(instances, codes[stream.name])] = True
            writes.append((present.tolist(), gone[stream.name]))
    return _Table(codes=instances, needs=needs, writes=writes)
