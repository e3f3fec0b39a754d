"""The log of a simulation turned into accesses: which beat read or wrote which address when."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from hlsmem.check.rtl.device import WRITE, Device, DeviceMemory, DeviceStream
from hlsmem.check.rtl.frame import TraceField, trace_fields


@dataclass(frozen=True, slots=True)
class Access:
    """What a beat did to the memory: its cycle, and per operand (read) or copy (write) an address.

    None: no access (a wire, an operand that is not there, a value nobody stores).
    """

    cycle: int
    addresses: tuple[int | None, ...]


@dataclass(slots=True)
class RunAccesses:
    """One run: per stream its accesses, beat by beat; `stray` is an access no beat made."""

    streams: dict[str, list[Access]]
    stray: str | None = None
    unknown: str | None = None
    order: list[tuple[str, int]] = field(default_factory=list)  # (stream, beat) as they went


def read_log(lines: Iterable[str], device: Device) -> list[RunAccesses]:
    """The runs of a log; the last one may be cut off."""
    fields = trace_fields(device)
    places = _places(fields)
    runs = [_empty(device)]
    for line in lines:
        if line.startswith("run"):
            runs.append(_empty(device))
            continue
        cycle, word = line.split()
        run = runs[-1]
        try:
            _cycle(int(cycle), int(word, 16), device, places, run)
        except ValueError:
            run.unknown = run.unknown or f"a trace wire is unknown (x) at cycle {cycle}"
    return [run for run in runs if run.order or run.stray or run.unknown]


def _empty(device: Device) -> RunAccesses:
    return RunAccesses(streams={stream.name: [] for stream in device.traced})


_Key = tuple[str, str, int, int]
Places = Mapping[_Key, tuple[int, int]]


def _places(fields: tuple[TraceField, ...]) -> Places:
    """(shift, mask) of each field, by (kind, name, copy, bank)."""
    places, shift = {}, sum(one.width for one in fields)
    for one in fields:
        shift -= one.width
        places[one.kind, one.name, one.copy, one.bank] = (shift, (1 << one.width) - 1)
    return places


def _cycle(cycle: int, word: int, device: Device, places: Places, run: RunAccesses) -> None:
    """Give the accesses of one cycle to the beats that went in it."""

    def wire(kind: str, name: str, copy: int, bank: int = -1) -> int:
        place = places.get((kind, name, copy, bank))
        return 0 if place is None else word >> place[0] & place[1]

    explained: set[tuple[str, str, int, int]] = set()
    for stream in device.traced:
        if not wire("fire", stream.name, -1):
            continue
        memory = device.memory_of(stream.array)
        kind = "w" if stream.direction == WRITE else "r"
        addresses: list[int | None] = []
        for position, copy in enumerate(_copies(device, stream)):
            bank = -1
            if copy is not None and memory is not None and copy in memory.banked:
                if stream.direction == WRITE:
                    bank = _written(wire, memory, copy)
                else:
                    bank = wire("at", stream.name, position)
            if copy is None or not wire(f"{kind}_en", stream.array, copy, bank):
                addresses.append(None)
                continue
            explained.add((kind, stream.array, copy, bank))
            before = 0 if memory is None else max(bank, 0) * memory.bank_words
            addresses.append(before + wire(f"{kind}_addr", stream.array, copy, bank))
        run.order.append((stream.name, len(run.streams[stream.name])))
        run.streams[stream.name].append(Access(cycle, tuple(addresses)))
    for kind, name, copy, bank in places:
        if kind not in ("w_en", "r_en") or run.stray or not wire(kind, name, copy, bank):
            continue
        if (kind[0], name, copy, bank) not in explained:
            verb = "written" if kind == "w_en" else "read"
            what = f"bank {bank} of copy {copy}" if bank >= 0 else f"copy {copy}"
            run.stray = f"{what} of {name} is {verb} by no beat at {cycle}"


def _written(wire: Callable[[str, str, int, int], int], memory: DeviceMemory, copy: int) -> int:
    """The bank that a cycle writes, the first one where it writes several."""
    written = (bank for bank in range(memory.banks) if wire("w_en", memory.array, copy, bank))
    return next(written, 0)


def _copies(device: Device, stream: DeviceStream) -> tuple[int | None, ...]:
    if stream.direction == WRITE:
        memory = device.memory_of(stream.array)
        return () if memory is None else tuple(range(memory.copies))
    return stream.copies
