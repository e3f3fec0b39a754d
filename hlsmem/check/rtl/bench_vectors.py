"""The JSON the bench reads: streams with their beats as words of tdata, statements, runs."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np

from hlsmem.check.rtl.expected_beats import Instances, StreamBeats, Traffic
from hlsmem.check.rtl.simulated_device import READ, WRITE, Device, DeviceStream
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.program.joined_statements import kept_after
from hlsmem.program.model import Program

_PATIENCE_CYCLES = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchRun:
    """One run of the bench: how likely each side is to begin a stall, and its datapath latency.

    `latency` is in cycles, None for the latency of each statement in the plan. `eager` plays
    no datapath: written beats are always there, so that nothing but the gates keeps order.
    `holds` are streams with the share of their beats that wait until nothing else goes on.
    `frames` follow each other at once, as start is held. `resets`: before the run, runs are broken
    off by a reset after so many beats of all streams.
    """

    name: str
    stall: float = 0.0
    seed: int = 0
    latency: int | None = None
    eager: bool = False
    holds: tuple[tuple[str, float], ...] = ()
    frames: int = 1
    resets: tuple[int, ...] = ()

    @property
    def is_plain(self) -> bool:
        """True if it takes the cycles that the plan predicts."""
        return not (self.stall or self.eager or self.holds) and self.latency is None


FRAMES = 3
RESETS = 5
RUNS = (
    BenchRun(name="without stalls", frames=FRAMES),
    BenchRun(name="eager writers", stall=0.1, seed=1, eager=True),
    BenchRun(name="stalls", stall=0.1, seed=2),
    BenchRun(name="stalls, latency 0", stall=0.15, seed=3, latency=0),
    BenchRun(name="stalls, latency 5", stall=0.05, seed=4, latency=5),
)
_MANY_BEATS = 25_000
_HELD_BEATS = 60
_MOST_HELD_RUNS_BEATS = 6_000
_MOST_BEATS_BEFORE_A_RESET = 5_000


def runs_for(device: Device, beats: int, *, whole: bool = True) -> tuple[BenchRun, ...]:
    """The runs for so many beats: fewer for many; for few ones one for each stream to lag.

    Where the beats are those of a `whole` run, some follow each other at once.
    """
    runs: tuple[BenchRun, ...] = RUNS if beats <= _MANY_BEATS else RUNS[:3]
    if not whole:
        runs = tuple(replace(run, frames=1) for run in runs)
    if beats * len(device.streams) <= _MOST_HELD_RUNS_BEATS:
        runs += tuple(
            _holding(f"{stream.name} lags", ((stream.name, 1.0),)) for stream in device.streams
        )
    else:
        shares = ((s.name, min(1.0, _HELD_BEATS / max(s.beats, 1))) for s in device.streams)
        runs += (_holding("streams lag in turn", tuple(shares)),)
    return with_resets(runs, beats)


def with_resets(runs: Sequence[BenchRun], beats: int) -> tuple[BenchRun, ...]:
    """The runs, with resets at seeded places before all but the first, which begins anew.

    >>> [len(run.resets) for run in with_resets([BenchRun(name="a")] * 4, 100)]
    [0, 2, 2, 1]
    """
    if beats < 2 or len(runs) < 2:
        return tuple(runs)
    most = min(beats, _MOST_BEATS_BEFORE_A_RESET)
    random = Random(beats)
    places = [random.randrange(1, most) for _ in range(RESETS)]
    return (
        runs[0],
        *(
            replace(run, resets=tuple(places[number :: len(runs) - 1]))
            for number, run in enumerate(runs[1:])
        ),
    )


def _holding(name: str, holds: tuple[tuple[str, float], ...]) -> BenchRun:
    return BenchRun(name=name, seed=5, eager=True, holds=holds)


def lane_bits(element_bits: int) -> int:
    """The bits an element takes in tdata: whole bytes."""
    return -(-element_bits // 8) * 8


def bench_vectors(
    program: Program,
    device: Device,
    traffic: Traffic,
    runs: Sequence[BenchRun],
    *,
    registered: bool = False,
    wired: Collection[str] = (),
    later: Sequence[Traffic] = (),
) -> dict[str, Any]:
    """The test vectors of the bench; the streams are in the order of the device.

    Of a program with state the frames behind the first have beats of their own, `later`.
    `registered` handshakes have no way through the device within a cycle; `wired` are the outputs
    that show what an input brings in the same cycle.
    """
    numbers = {stream.name: number for number, stream in enumerate(device.streams)}
    latencies = {statement.name: statement.latency for statement in program.statements}
    by_name = {statement.name: statement for statement in program.statements}
    slowest = max([*latencies.values(), *(run.latency or 0 for run in runs)])
    idle = sum(stream.idle for stream in device.streams)
    idle += 2 * sum(stream.passed for stream in traffic.streams.values())
    played = {
        name: one for name, one in traffic.instances.items() if one.waits or _reads(one, traffic)
    }
    places = {name: place for place, name in enumerate(played)}
    silent = max(
        (len(one) for one in played.values() if not any(one.patterns)), default=0
    )  # a datapath without beats moves on, and nobody sees it
    return {
        "whole": all(len(stream) == stream.total for stream in traffic.streams.values()),
        "streams": [
            _stream(stream, traffic.streams[stream.name], _bits(program, stream))
            for stream in device.streams
        ],
        "later": [
            [
                _words(
                    one.streams[stream.name],
                    _bits(program, stream),
                    junk=stream.direction == WRITE,
                )
                for stream in device.streams
            ]
            for one in later
        ],
        "setting": device.setting,
        "statements": [
            {
                "latency": latencies[name],
                **_instances(instances, traffic, numbers),
                "waits": [
                    [places[one], own.tolist(), kept_after(by_name[one], by_name[name])]
                    for one, own in instances.waits.items()
                ],
            }
            for name, instances in played.items()
        ],
        "runs": [
            {
                "name": run.name,
                "stall": run.stall,
                "seed": run.seed,
                "latency": run.latency,
                "eager": run.eager,
                "holds": [[numbers[name], share] for name, share in run.holds],
                "frames": run.frames,
                "resets": list(run.resets),
            }
            for run in runs
        ],
        # The handshake of a chain, a fork or a join may go through it, from what it gives to what
        # it takes.
        "passes_through": not registered
        and any(device.memory_of(s.array) is None for s in device.streams),
        "wired": sorted(numbers[name] for name in wired),
        "patience": _PATIENCE_CYCLES + 2 * idle + 4 * slowest * (1 + silent),
    }


def _bits(program: Program, stream: DeviceStream) -> int:
    return program.arrays[stream.array].element.bits


def _reads(instances: Instances, traffic: Traffic) -> bool:
    return any(
        traffic.streams[name].direction == READ for one in instances.patterns for name in one
    )


def _instances(
    instances: Instances, traffic: Traffic, numbers: Mapping[str, int]
) -> dict[str, Any]:
    """The kinds of instances, numbers of read streams and of write streams, and that of each."""
    kinds = [
        [
            [numbers[name] for name in one if traffic.streams[name].direction == direction]
            for direction in (READ, WRITE)
        ]
        for one in instances.patterns
    ]
    return {"kinds": kinds, "instances": instances.pattern.tolist()}


def _stream(stream: DeviceStream, beats: StreamBeats, bits: int) -> dict[str, Any]:
    write = stream.direction == WRITE
    return {
        "name": stream.name,
        "direction": "s" if write else "m",
        "bits": stream.bits,
        "early": stream.is_early,
        "total": beats.total,
        "skips": stream.squashes,
        "beats": _words(beats, bits, junk=write),
        "masks": _masks(beats, bits) if not beats.matters().all() else None,
        "users": _users(beats) if stream.user_bits else None,
    }


def _words(beats: StreamBeats, bits: int, *, junk: bool) -> list[int]:
    """tdata: the first operand lowest. Padding is 0; every other beat sent has ones in it."""
    lane = lane_bits(bits)
    value = beats.value
    known = beats.values.bits[value] if len(beats.values.bits) else value.astype(np.uint64)
    there = value >= 0 if junk else beats.matters()
    lanes = np.where(there, known, np.uint64(0))
    if junk:
        lanes[1::2] |= np.uint64((1 << lane) - (1 << bits))
    octets = lanes.astype("<u8").view(np.uint8).reshape(*value.shape, 8)[:, :, : lane // 8]
    return _integers(octets.reshape(len(value), value.shape[1] * (lane // 8)))


def _masks(beats: StreamBeats, bits: int) -> list[int]:
    """Ones where an operand is there and has a value: what else stands in a lane is free."""
    there = np.where(beats.matters(), 0xFF, 0).astype(np.uint8)
    return _integers(np.repeat(there, lane_bits(bits) // 8, axis=1))


def _users(beats: StreamBeats) -> list[int]:
    """tuser: of reads which operands are there, of guarded writes which instances run."""
    there = beats.matters() if beats.direction == WRITE else beats.value >= 0
    return _integers(np.packbits(there, axis=1, bitorder="little"))


def _integers(octets: np.ndarray) -> list[int]:
    """Rows of bytes, the lowest first, as integers."""
    width, data = octets.shape[1], octets.tobytes()
    return [int.from_bytes(data[k : k + width], "little") for k in range(0, len(data), width or 1)]
