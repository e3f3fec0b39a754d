"""Replay of recorded accesses with tags: does every read find the value it is meant to find?

Twice: in the order of the schedule, because elastic timing can hide a modulus that is too small,
and in the order in which it happened, because equal values can hide a gate that opens too early.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from hlsmem.check.rtl.accesses import RunAccesses
from hlsmem.check.rtl.beats import Beat, Operand, StreamBeats, element_text
from hlsmem.check.rtl.device import READ, WRITE, Device


@dataclass(frozen=True, slots=True)
class Replayed:
    """How many reads were followed, and the first that found something else, as text."""

    reads: int
    fault: str | None


_Tag = tuple[tuple[int, ...], int]
_Step = tuple[str, int]


def replay_schedule(
    run: RunAccesses, streams: Mapping[str, StreamBeats], device: Device, array: str
) -> Replayed:
    """The accesses to `array` in schedule order, whenever the hardware made them."""
    steps = [
        (stream.beats[beat].key, name, beat)
        for name, stream in streams.items()
        if stream.array == array
        for beat in range(min(len(stream.beats), len(run.streams[name])))
    ]
    ordered = [(name, beat) for _, name, beat in sorted(steps)]
    return _replay(ordered, run, streams, device, array)


def replay_events(
    run: RunAccesses, streams: Mapping[str, StreamBeats], device: Device, array: str
) -> Replayed:
    """The accesses to `array` as they happened; reads of a cycle before its writes."""
    steps = [
        (run.streams[name][beat].cycle, streams[name].direction == WRITE, position, name, beat)
        for position, (name, beat) in enumerate(run.order)
        if name in streams and beat < len(streams[name].beats)
    ]
    ordered = [(name, beat) for _, _, _, name, beat in sorted(steps)]
    return _replay(ordered, run, streams, device, array)


def _replay(
    steps: list[_Step],
    run: RunAccesses,
    streams: Mapping[str, StreamBeats],
    device: Device,
    array: str,
) -> Replayed:
    copies = {stream.name: stream.copies for stream in device.traced}
    cells: dict[tuple[int, int], _Tag] = {}
    reads = 0
    for name, number in steps:
        stream, access = streams[name], run.streams[name][number]
        beat = stream.beats[number]
        if stream.direction == WRITE:
            operand = beat.operands[0]
            for copy, address in enumerate(access.addresses):
                if operand is not None and address is not None:
                    cells[copy, address] = (operand.element, operand.version)
            continue
        for operand, copy, address in _fetched(beat, copies[name], access.addresses):
            reads += 1
            found = cells.get((copy, address)) if address is not None else None
            if found != (operand.element, operand.version):
                where = f"{stream.name} {stream.place_of(number)} at cycle {access.cycle}"
                return Replayed(reads, f"{where}: {_mismatch(array, operand, address, found)}")
    return Replayed(reads, None)


def _fetched(
    beat: Beat, copies: tuple[int | None, ...], addresses: tuple[int | None, ...]
) -> Iterator[tuple[Operand, int, int | None]]:
    for operand, copy, address in zip(beat.operands, copies, addresses, strict=True):
        if operand is None or copy is None:
            continue
        if address is None and beat.may_be_wired(operand):
            continue
        yield operand, copy, address


def _mismatch(array: str, operand: Operand, address: int | None, found: _Tag | None) -> str:
    wanted = element_text(array, operand.element)
    if address is None:
        return f"{wanted} is not fetched from the memory"
    if found is None:
        return f"reads {wanted} from cell {address}, where nothing was written"
    element, version = found
    if element == operand.element:
        age = "an older" if version < operand.version else "a newer"
        return f"reads {wanted} from cell {address}, which holds {age} value of it"
    return f"reads {wanted} from cell {address}, which holds {element_text(array, element)}"


def wrong_address(
    run: RunAccesses,
    streams: Mapping[str, StreamBeats],
    addresses: Mapping[str, Mapping[tuple[int, ...], int]],
) -> str | None:
    """The first access, beat by beat, that uses another cell than the plan says, as text.

    `addresses` are the plan's addresses of the elements of each array.
    """
    for name, accesses in run.streams.items():
        stream = streams[name]
        for number, access in enumerate(accesses[: len(stream.beats)]):
            operands = stream.beats[number].operands
            if stream.direction == WRITE:
                operands = operands * len(access.addresses)
            for operand, address in zip(operands, access.addresses, strict=True):
                if operand is None or address is None:
                    continue
                planned = addresses[stream.array][operand.element]
                if address != planned:
                    verb = "reads" if stream.direction == READ else "writes"
                    return (
                        f"{name} {stream.place_of(number)} at cycle {access.cycle}: {verb} "
                        f"{element_text(stream.array, operand.element)} in cell {address}, "
                        f"the plan says {planned}"
                    )
    return None
