"""The log of a simulation turned into accesses: which beat read or wrote which address when."""

from __future__ import annotations

from array import array as column
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field

import numpy as np

from hlsmem.check.rtl.simulated_device import WRITE, Device, DeviceMemory, DeviceStream
from hlsmem.check.rtl.simulation_frame import TraceField, trace_fields
from hlsmem.core.lazy_dataclass import dataclass

NO_ADDRESS = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamAccesses:
    """Accesses of the beats of a stream to the memory, in their order.

    Per beat its `cycle`, its `place` among all beats of the run, and per operand (read) or copy
    (write) an `address` (shape (beats, operands or copies)), NO_ADDRESS where there was no access
    (a wire, an operand that is not there, a value nobody stores).
    """

    cycle: np.ndarray = field(compare=False)
    place: np.ndarray = field(compare=False)
    address: np.ndarray = field(compare=False)

    def __len__(self) -> int:
        return len(self.cycle)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunAccesses:
    """One run: the accesses of each stream; `stray` is an access no beat made.

    `unknown` says where a trace wire had no value, `last` is the stream whose beat went last,
    `unruly` how the first stream broke the rules of AXI-Stream, in this run or in one before it
    that a reset broke off.
    """

    streams: Mapping[str, StreamAccesses]
    stray: str | None = None
    unknown: str | None = None
    last: str | None = None
    unruly: str | None = None


class _Growing:
    """A run while its log is read: numbers in flat columns, for there may be millions."""

    def __init__(self, device: Device) -> None:
        self.width = {s.name: len(_copies(device, s)) for s in device.traced}
        self.cycle = {name: column("q") for name in self.width}
        self.place = {name: column("q") for name in self.width}
        self.address = {name: column("q") for name in self.width}
        self.beats = 0
        self.stray: str | None = None
        self.unknown: str | None = None
        self.last: str | None = None
        self.unruly: str | None = None

    def add(self, name: str, cycle: int, addresses: list[int]) -> None:
        self.cycle[name].append(cycle)
        self.place[name].append(self.beats)
        self.address[name].extend(addresses)
        self.beats += 1
        self.last = name

    @property
    def is_empty(self) -> bool:
        return not (self.beats or self.stray or self.unknown or self.unruly)

    def finished(self) -> RunAccesses:
        streams = {
            name: StreamAccesses(
                cycle=np.array(self.cycle[name], dtype=np.int64),
                place=np.array(self.place[name], dtype=np.int64),
                address=np.array(self.address[name], dtype=np.int64).reshape(
                    len(self.cycle[name]), width
                ),
            )
            for name, width in self.width.items()
        }
        return RunAccesses(
            streams=streams,
            stray=self.stray,
            unknown=self.unknown,
            last=self.last,
            unruly=self.unruly,
        )


def read_log(lines: Iterable[str], device: Device) -> list[RunAccesses]:
    """The runs of a log; the last one may be cut off."""
    fields = trace_fields(device)
    places = _places(fields)
    found: list[RunAccesses] = []
    run = _Growing(device)
    for line in lines:
        if line.startswith("run"):
            found += [] if run.is_empty else [run.finished()]
            run = _Growing(device)
            continue
        if line.startswith("reset"):
            unruly, run = run.unruly, _Growing(device)
            run.unruly = unruly
            continue
        if line.startswith(tuple(_RULES)):
            run.unruly = run.unruly or _unruly_text(line)
            continue
        cycle, word = line.split()
        try:
            _cycle(int(cycle), int(word, 16), device, places, run)
        except ValueError:
            run.unknown = run.unknown or f"a trace wire is unknown (x) at cycle {cycle}"
    return found if run.is_empty else [*found, run.finished()]


_RULES = {
    "dropped": "takes a beat back that nobody has taken (tvalid falls)",
    "changed": "shows another beat before the one it offered is taken",
    "unknown": "is unknown (x): tvalid, tready, or what it offers",
}


def _unruly_text(line: str) -> str:
    """Violation of the handshake by a stream, from a line of the log.

    >>> _unruly_text("dropped m_a_C 7")
    'm_a_C takes a beat back that nobody has taken (tvalid falls), at cycle 7'
    """
    rule, name, cycle = line.split()
    return f"{name} {_RULES[rule]}, at cycle {cycle}"


_Key = tuple[str, str, int, int]
Places = Mapping[_Key, tuple[int, int]]


def _places(fields: tuple[TraceField, ...]) -> Places:
    """(shift, mask) of each field, by (kind, name, copy, bank)."""
    places, shift = {}, sum(one.width for one in fields)
    for one in fields:
        shift -= one.width
        places[one.kind, one.name, one.copy, one.bank] = (shift, (1 << one.width) - 1)
    return places


def _cycle(cycle: int, word: int, device: Device, places: Places, run: _Growing) -> None:
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
        addresses: list[int] = []
        for position, copy in enumerate(_copies(device, stream)):
            bank = -1
            if copy is not None and memory is not None and copy in memory.banked:
                if stream.direction == WRITE:
                    bank = _written(wire, memory, copy)
                else:
                    bank = wire("at", stream.name, position)
            if copy is None or not wire(f"{kind}_en", stream.array, copy, bank):
                addresses.append(NO_ADDRESS)
                continue
            explained.add((kind, stream.array, copy, bank))
            before = 0 if memory is None else max(bank, 0) * memory.bank_words
            addresses.append(before + wire(f"{kind}_addr", stream.array, copy, bank))
        run.add(stream.name, cycle, addresses)
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
