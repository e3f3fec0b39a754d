"""Test of the interval in plan.json, by the cycles of the longest stream's beats."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from hlsmem.check.plans.plan_holdings import parts_of
from hlsmem.check.rtl.access_log import RunAccesses
from hlsmem.check.rtl.expected_beats import StreamBeats

# plan.json has two digits.
_ROUNDED = Fraction(1, 100)


def other_interval(
    document: Mapping[str, Any], expected: Mapping[str, StreamBeats], run: RunAccesses
) -> str:
    """The fault of timing.interval by a run without stalls; "" where that fits.

    It is the cycles from the beat in the middle of the longest stream to its last, over the steps
    behind that of the former: not fewer than those with beats of the stream, nor more than all
    beats of that time. Of several longest streams any may be meant; of an array in several parts it
    is the stream of a part, whose beats no port shows.
    """
    stated = (document.get("timing") or {}).get("interval")
    inner = {
        name: stream
        for name, stream in expected.items()
        if stream.statement is not None and len(stream) and len(run.streams[name]) == len(stream)
    }
    if stated is None or not inner:
        return ""
    entries = document["program"]["step"]
    longest = max(len(stream) for stream in inner.values())
    if any(
        len(parts_of(document["arrays"][stream.array])) > 1
        for stream in inner.values()
        if len(stream) == longest
    ):
        return ""
    value, ranges = Fraction(stated), []
    for name, stream in inner.items():
        if len(stream) == longest:
            ranges.append(_range(stream, name, inner, run, entries))
    if any(low - _ROUNDED <= value <= high + _ROUNDED for low, high in ranges):
        return ""
    low, high = min(one for one, _ in ranges), max(one for _, one in ranges)
    measured = f"{float(low):.2f}" if low == high else f"{float(low):.2f} to {float(high):.2f}"
    return f"plan.json has a step start every {stated} cycles, measured are {measured}"


def _range(
    stream: StreamBeats,
    name: str,
    inner: Mapping[str, StreamBeats],
    run: RunAccesses,
    entries: int,
) -> tuple[Fraction, Fraction]:
    """The least and the most cycles per step, so many entries of time, of its second half."""
    cycles = run.streams[name].cycle
    half = max(1, len(stream) // 2)
    begin, end = int(cycles[half - 1]), int(cycles[-1])
    if half == len(stream):
        return Fraction(1), Fraction(1)
    steps = stream.step if stream.has_steps else stream.time[:, :entries]
    is_divided = bool((steps[half] == steps[half - 1]).all())
    own = max(1, len(np.unique(steps[half:], axis=0)) - is_divided)
    every = sum(
        int(((run.streams[other].cycle > begin) & (run.streams[other].cycle <= end)).sum())
        for other in inner
    )
    return Fraction(end - begin, max(every, own)), Fraction(end - begin, own)
