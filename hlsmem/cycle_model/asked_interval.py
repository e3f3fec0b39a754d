"""An initiation interval that was asked for, held against the one predicted."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from hlsmem.core.errors import InputError, Note, Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.source_location import SourceLocation
from hlsmem.core.wording import counted, every
from hlsmem.cycle_model.cycle_prediction import FULL_INTERVAL, Prediction
from hlsmem.cycle_model.stream_models import Hold
from hlsmem.cycle_model.wait_reasons import Wait
from hlsmem.dependences.circuit_streams import PlainStream


def is_reached(asked: int, interval: float) -> bool:
    """True if a step starts as often as is asked for, but for the ends of a run.

    >>> is_reached(2, 2.0), is_reached(1, 2.0)
    (True, False)
    """
    return interval <= asked * FULL_INTERVAL


def refuse_interval(
    memories: Mapping[str, Sequence[PlainStream]], prediction: Prediction, asked: int | None
) -> None:
    """Raise InputError where steps start further apart than `asked` cycles (None: not asked).

    `memories` has the streams of every array.

    Both accesses that keep them apart are named, and the least interval that would do.
    """
    interval = prediction.interval
    wait = prediction.wait
    if asked is None or interval is None or wait is None or is_reached(asked, interval):
        return
    wanted = "in every cycle" if asked == 1 else f"every {asked}"
    reached = f"a step starts {every(interval)}, not {wanted}"
    least = max(math.ceil(interval / FULL_INTERVAL), round(interval))
    remedy = f"set pipeline.interval to {least}"
    reason = _reason(memories, wait)
    raise InputError(
        Problem(
            f"{reason.what}: {reached}", remedy + reason.more, reason.source_location, reason.notes
        )
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reason:
    """Reason that keeps steps apart, other remedies, the place, and that of the other access."""

    what: str
    more: str = ""
    source_location: SourceLocation | None
    notes: tuple[Note, ...] = ()


def _reason(memories: Mapping[str, Sequence[PlainStream]], wait: Wait) -> _Reason:
    array, stream = _found(memories, wait.stream)
    if wait.other is None:
        return _Reason(what=wait.text(), source_location=stream.operands[0].source_location)
    rival = _found(memories, wait.other)[1]
    gates = [gate for gate in stream.gates if memories[array][gate.other] is rival]
    operand = gates[0].operand if gates else 0
    place, there = (
        one.operands[0 if one.is_write else operand].source_location for one in (stream, rival)
    )
    one, other = stream.statement, rival.statement
    match wait.hold:
        case Hold.GATE if not stream.is_write:
            what = f"{one} reads what {other} writes to {array!r}"
            if wait.round_cycles:
                what += f", which is back after {counted(wait.round_cycles, 'cycle')}"
            return _Reason(
                what=what,
                more=", or lower pipeline.latency",
                source_location=place,
                notes=(Note("the write", there),),
            )
        case Hold.GATE if not rival.is_write:
            what = f"{one} writes to {array!r} where {other} reads first"
            more, note = ", or raise plan.slack", "the read"
        case Hold.GATE:
            what = f"{one} overwrites in {array!r} what {other} writes"
            more, note = "", "the other write"
        case Hold.PORT:
            what = f"{one} and {other} write to {array!r} through its one write port"
            more, note = ", or let them write to two arrays", "the other write"
        case _:
            what, more, note = wait.text(), "", "the other access"
    return _Reason(what=what, more=more, source_location=place, notes=(Note(note, there),))


def _found(memories: Mapping[str, Sequence[PlainStream]], name: str) -> tuple[str, PlainStream]:
    return next((m, s) for m, streams in memories.items() for s in streams if s.name == name)
