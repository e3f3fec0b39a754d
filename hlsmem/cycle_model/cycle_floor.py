"""Cycles that no choice of storage undercuts: what the values that are read come to.

Every beat goes as early as the beats before it in its stream and the values that it reads let it;
nothing waits for a port or for a consumer. A simulation that reaches these cycles cannot be made
shorter by storage. Of a given storage it is known besides which reads go before a cell is written
again: with them the cycles are a bound for this storage alone, found in a small part of a
simulation's time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

import numpy as np

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.cycle_model.circuit_model import row_codes
from hlsmem.cycle_model.cycle_prediction import ENDING_CYCLES
from hlsmem.cycle_model.datapaths import Datapaths
from hlsmem.dependences.circuit_streams import PlainStream
from hlsmem.polyhedra.enumeration import distinct


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Reuse:
    """Cells of a write stream that hold what a read stream still has to read.

    Before each beat of the writer `beats` of the reader have been issued, shape (beats of the
    writer,); it goes `cycles` after the last of them at the earliest.
    """

    writer: PlainStream
    reader: PlainStream
    beats: Any = field(compare=False, repr=False)
    cycles: int


def least_cycles(
    streams: Sequence[PlainStream],
    flows: Sequence[Flow],
    datapaths: Datapaths,
    reuses: Sequence[Reuse] = (),
) -> int:
    """The cycles of a run in which beats wait for the values of these flows and for `reuses` alone.

    `streams` are all that take part, `datapaths` are those of every statement.
    Statements take their instances one after the other, one a cycle, in the order of time. A read
    is issued in the cycle after the one in which its value was written, at the earliest.
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
    issued: dict[str, list[int]] = {reuse.reader.name: [] for reuse in reuses}
    tables = [_table(name, inner, codes, flows, reuses, gone, issued) for name in statements]
    order = np.concatenate([table.codes for table in tables])
    which = np.repeat(np.arange(len(tables)), [len(table.codes) for table in tables])
    sequence = which[np.argsort(order, kind="stable")].tolist()
    last = [-1] * len(tables)
    position = [0] * len(tables)
    cycles = [datapaths.cycles(name) if name in reading else 0 for name in statements]
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
        for present, times, values in table.reads:
            if present[instance]:
                issue = times[-1] + 1 if times else 0
                for needs, written in values:
                    need = needs[instance]
                    if 0 < need <= len(written) and written[need - 1] >= issue:
                        issue = written[need - 1] + 1
                times.append(issue)
        done = taken + cycles[number]
        latest = done
        for present, times, waits in table.writes:
            if present[instance]:
                goes = max(done, times[-1] + 1) if times else done
                for needs, reads, after in waits:
                    need = needs[instance]
                    if 0 < need <= len(reads) and reads[need - 1] + after > goes:
                        goes = reads[need - 1] + after
                times.append(goes)
                latest = max(latest, goes)
        ending = max(ending, latest if table.writes else taken)
    return ending + ENDING_CYCLES


# Per instance of a statement the beats that go before it, and the cycles of those that have gone.
_Needs = tuple[list[int], list[int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Table:
    """The instances of a statement, in order: their codes, what each waits for, what it writes.

    `needs` have cycles until the value can be taken, too. `reads` are (whether each instance has a
    beat, the cycles of those that were issued, their needs); `writes` are (whether each instance
    has a beat, the cycles of those that have gone, the reads that go before them and how long).
    """

    codes: Any
    needs: list[tuple[list[int], list[int], int]]
    reads: list[tuple[list[bool], list[int], list[_Needs]]]
    writes: list[tuple[list[bool], list[int], list[tuple[list[int], list[int], int]]]]


def _table(
    statement: str,
    streams: Sequence[PlainStream],
    codes: Mapping[str, Any],
    flows: Sequence[Flow],
    reuses: Sequence[Reuse],
    gone: Mapping[str, list[int]],
    issued: Mapping[str, list[int]],
) -> _Table:
    own = [stream for stream in streams if stream.statement == statement]
    instances = distinct(np.concatenate([codes[stream.name] for stream in own]), runs=True)

    def by_instance(stream: PlainStream, values: Any, kind: type) -> list[Any]:
        found: Any = np.zeros(len(instances), dtype=kind)
        found[np.searchsorted(instances, codes[stream.name])] = values
        listed: list[Any] = found.tolist()
        return listed

    values = [
        (flow, by_instance(flow.reader, flow.beats, np.int64))
        for flow in flows
        if flow.reader.statement == statement and flow.writer.name in gone
    ]
    reads, writes = [], []
    for stream in own:
        present = by_instance(stream, True, np.bool_)
        if stream.is_write:
            waits = [
                (by_instance(stream, one.beats, np.int64), issued[one.reader.name], one.cycles)
                for one in reuses
                if one.writer.name == stream.name
            ]
            writes.append((present, gone[stream.name], waits))
        elif stream.name in issued:
            needs = [(n, gone[f.writer.name]) for f, n in values if f.reader.name == stream.name]
            reads.append((present, issued[stream.name], needs))
    return _Table(
        codes=instances,
        needs=[(needs, gone[flow.writer.name], flow.cycles) for flow, needs in values],
        reads=reads,
        writes=writes,
    )
