"""Replay of recorded accesses with tags: does every read find the value it is meant to find?

Twice: in the order of the schedule, because elastic timing can hide a modulus that is too small,
and in the order in which it happened, because equal values can hide a gate that opens too early.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field

import numpy as np

from hlsmem.check.replayed.array_values import Values
from hlsmem.check.rtl.access_log import NO_ADDRESS, RunAccesses
from hlsmem.check.rtl.expected_beats import StreamBeats, element_text
from hlsmem.check.rtl.simulated_device import READ, WRITE, Device
from hlsmem.core.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Replayed:
    """Number of reads that were followed, and the first that found another value, as text."""

    reads: int
    fault: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Events:
    """Accesses of one kind to the copies of a memory: `value` is what is written, or is due.

    `order` has the columns of their order, the first the most significant.
    """

    stream: np.ndarray = field(compare=False)  # its number
    beat: np.ndarray = field(compare=False)
    copy: np.ndarray = field(compare=False)
    address: np.ndarray = field(compare=False)
    value: np.ndarray = field(compare=False)
    order: np.ndarray = field(compare=False)
    write: np.ndarray = field(compare=False)


def replay(
    run: RunAccesses,
    streams: Mapping[str, StreamBeats],
    device: Device,
    array: str,
    kept: np.ndarray | None,
    *,
    as_it_happened: bool,
) -> Replayed:
    """The accesses to `array` as they happened, reads of a cycle before its writes, or else in
    schedule order, whenever the hardware made them.

    Of state `kept` are the addresses where the plan has its values: first contents are there.
    """
    own = [stream for stream in streams.values() if stream.array == array]
    parts = [
        part
        for number, stream in enumerate(own)
        for part in _events(run, stream, device, number, as_it_happened)
    ]
    if not parts:
        return Replayed(0, None)
    if kept is not None:
        parts += _first_contents(own[0].values, device, array, kept, parts[0].order.shape[1])
    events = _Events(
        **{
            name: np.concatenate([getattr(part, name) for part in parts])
            for name in ("stream", "beat", "copy", "address", "value", "order", "write")
        }
    )
    place = np.empty(len(events.beat), dtype=np.int64)
    place[np.lexsort(events.order.T[::-1])] = np.arange(len(place))
    found = _content(events, place)
    read = ~events.write
    tag = np.where(found >= 0, events.value[found], NO_ADDRESS)
    wrong = np.flatnonzero(read & ((events.address < 0) | (tag != events.value)))
    if not len(wrong):
        return Replayed(int(read.sum()), None)
    first = int(wrong[place[wrong].argmin()])
    stream, beat = own[int(events.stream[first])], int(events.beat[first])
    where = f"{stream.name} {stream.place_of(beat)} at cycle {run.streams[stream.name].cycle[beat]}"
    text = _mismatch(stream, int(events.value[first]), int(events.address[first]), int(tag[first]))
    return Replayed(int((read & (place < place[first])).sum()), f"{where}: {text}")


def _events(
    run: RunAccesses, stream: StreamBeats, device: Device, number: int, as_it_happened: bool
) -> Iterator[_Events]:
    """The writes to each copy, or the reads of each operand, of a stream's beats."""
    accesses = run.streams[stream.name]
    size = min(len(stream), len(accesses))
    if not size:  # a run that stops early may end before them
        return
    write = stream.direction == WRITE
    order = stream.rank[:size, None]
    if as_it_happened:
        columns = (accesses.cycle[:size], np.full(size, write), accesses.place[:size])
        order = np.stack(columns, axis=1)
    copies = next(one.copies for one in device.traced if one.name == stream.name)
    wired = stream.may_be_wired()[:size]
    for position in range(accesses.address.shape[1] if write else stream.operands):
        copy = position if write else copies[position]
        if copy is None:
            continue
        address = accesses.address[:size, position]
        value = stream.value[:size, 0 if write else position]
        made = stream.matters()[:size, 0 if write else position]
        if write:
            made = value >= 0  # what is stored of an instance that does not run is a fault
        made &= address >= 0 if write else (address >= 0) | ~wired[:, position]
        beat = np.flatnonzero(made)
        yield _Events(
            stream=np.full(len(beat), number),
            beat=beat,
            copy=np.full(len(beat), copy),
            address=address[beat],
            value=value[beat],
            order=np.column_stack([order[beat], np.full(len(beat), position)]),
            write=np.full(len(beat), write),
        )


def _first_contents(
    values: Values, device: Device, array: str, kept: np.ndarray, columns: int
) -> Iterator[_Events]:
    """Initial contents of the copies of state, as writes before all others."""
    initial = values.initial()
    many = len(initial)
    memory = device.memory_of(array)
    for copy in range(0 if memory is None else memory.copies):
        yield _Events(
            stream=np.zeros(many, dtype=np.int64),
            beat=np.zeros(many, dtype=np.int64),
            copy=np.full(many, copy),
            address=kept[initial],
            value=initial,
            order=np.full((many, columns), -1),
            write=np.ones(many, dtype=bool),
        )


def _content(events: _Events, place: np.ndarray) -> np.ndarray:
    """For each access the write that left what the cell holds, -1 where none did."""
    order = np.lexsort((place, events.address, events.copy))
    latest = np.maximum.accumulate(np.where(events.write[order], np.arange(len(order)), -1))
    source = np.where(latest >= 0, order[latest], -1)
    same = (events.copy[source] == events.copy[order]) & (source >= 0)
    same &= events.address[source] == events.address[order]
    found = np.empty(len(order), dtype=np.int64)
    found[order] = np.where(same, source, -1)
    return found


def _mismatch(stream: StreamBeats, value: int, address: int, found: int) -> str:
    values = stream.values
    wanted = element_text(stream.array, values.element[value].tolist())
    if address < 0:
        return f"{wanted} is not fetched from the memory"
    if found < 0:
        return f"reads {wanted} from cell {address}, where nothing was written"
    if (values.element[found] == values.element[value]).all():
        age = "an older" if values.version[found] < values.version[value] else "a newer"
        return f"reads {wanted} from cell {address}, which holds {age} value of it"
    other = element_text(stream.array, values.element[found].tolist())
    return f"reads {wanted} from cell {address}, which holds {other}"


def wrong_address(
    run: RunAccesses, streams: Mapping[str, StreamBeats], addresses: Mapping[str, np.ndarray]
) -> str | None:
    """The first access, beat by beat, that uses another cell than the plan says, as text.

    `addresses` are the plan's addresses of the values of each array.
    """
    for name, stream in streams.items():
        accesses = run.streams[name]
        size = min(len(stream), len(accesses))
        if not size:
            continue
        used = accesses.address[:size]
        value = stream.value[:size]
        if stream.direction == WRITE:
            value = np.repeat(value[:, :1], used.shape[1], axis=1)
        made = (value >= 0) & (used >= 0)
        planned = addresses[stream.array][value] if len(addresses[stream.array]) else used
        wrong = np.argwhere(made & (planned != used))
        if not len(wrong):
            continue
        beat, position = wrong[0].tolist()
        verb = "reads" if stream.direction == READ else "writes"
        element = stream.values.element[value[beat, position]].tolist()
        return (
            f"{name} {stream.place_of(beat)} at cycle {accesses.cycle[beat]}: {verb} "
            f"{element_text(stream.array, element)} in cell {used[beat, position]}, "
            f"the plan says {planned[beat, position]}"
        )
    return None
