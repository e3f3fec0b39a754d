"""Faults found by the bench, in the user's terms: streams, beats, instances, elements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hlsmem.check.rtl.bench_vectors import lane_bits
from hlsmem.check.rtl.expected_beats import StreamBeats, element_text
from hlsmem.check.rtl.simulated_device import Device

_MOST_BLOCKED = 4


def fault_text(
    fault: Mapping[str, Any], device: Device, streams: Mapping[str, StreamBeats], bits: int
) -> str:
    """One line about a fault of the bench; `bits` is the width of an element it concerns."""
    match fault["what"]:
        case "no progress" | "busy falls too early":
            return f"{fault['what']} (cycle {fault['cycle']}): {_waiting(fault, device, streams)}"
        case "unknown":
            return f"{fault['port']} is {fault['seen']} (unknown) at cycle {fault['cycle']}"
        case "done too early" | "not told as done":
            name, left = device.streams[fault["stream"]].name, fault["what"]
            return f"{name} is {left}, at cycle {fault['cycle']} behind {fault['beat']} beats"
        case "data" | "tlast" | "tuser" | "a beat too many":
            return _beat_text(fault, device, streams, bits)
        case _:
            return f"{fault['what']} (cycle {fault['cycle']})"


def _waiting(fault: Mapping[str, Any], device: Device, streams: Mapping[str, StreamBeats]) -> str:
    blocked: Sequence[Mapping[str, int]] = fault["blocked"]
    if not blocked:
        return "all beats have gone, but busy stays high"
    texts = []
    for one in blocked[:_MOST_BLOCKED]:
        name = device.streams[one["stream"]].name
        stream = streams[name]
        texts.append(f"{name} waits with {stream.place_of(one['beat'])} of {stream.total}")
    more = len(blocked) - _MOST_BLOCKED
    return "; ".join(texts) + (f"; and {more} more" if more > 0 else "")


def _beat_text(
    fault: Mapping[str, Any], device: Device, streams: Mapping[str, StreamBeats], bits: int
) -> str:
    name = device.streams[fault["stream"]].name
    stream = streams[name]
    where = f"{name} {stream.place_of(fault['beat'])} at cycle {fault['cycle']}"
    match fault["what"]:
        case "data":
            return f"{where}: {_wrong_operand(fault, stream, bits)}"
        case "tlast":
            return f"{where}: tlast is {fault['seen']}"
        case "tuser":
            return f"{where}: tuser is {fault['seen']}, not {fault['wanted']:b}"
        case _:
            return f"{where}: a beat too many, the stream has {stream.total}"


def _wrong_operand(fault: Mapping[str, Any], stream: StreamBeats, bits: int) -> str:
    """The first operand whose lane differs: the element, what came, what was due."""
    lane = lane_bits(bits)
    seen = fault["seen"]
    for number, operand in enumerate(stream.beat(fault["beat"]).operands):
        if operand is None:
            continue
        part = seen[len(seen) - (number + 1) * lane : len(seen) - number * lane]
        if set(part) - {"0", "1"}:
            return f"{element_text(stream.array, operand.element)} is unknown ({part})"
        if int(part, 2) != operand.bits:
            element = element_text(stream.array, operand.element)
            return f"{element} is {_number(int(part, 2))}, not {_number(operand.bits)}"
    return "the padding is not 0"


def _number(bits: int) -> str:
    return str(bits) if bits < 1 << 16 else hex(bits)
