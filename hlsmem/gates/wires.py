"""Wires: values made and read in one step of `order: iteration` pass beside the memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hlsmem.errors import InputError, Problem
from hlsmem.gates.beats import BeatStream
from hlsmem.gates.requirements import Dependences
from hlsmem.walk.affine import FALSE, TRUE, Condition, Test, every, loop_form, negated


@dataclass(frozen=True, slots=True, kw_only=True)
class Wire:
    """From a write stream to an operand of a read stream (positions among the streams).

    `pushed` tells which written beats go into the wire, `wired` which read beats take one.
    """

    writer: int
    reader: int
    operand: int
    pushed: Condition
    wired: Condition


def wires_of(streams: Sequence[BeatStream], found: Dependences) -> tuple[Wire, ...]:
    """The wires of an array.

    Raises InputError where one value goes to several beats of a step, or where which beats
    take part is no box of the loops.
    """
    wires: list[Wire] = []
    for reader, columns in found.wired.items():
        for operand, writers in enumerate(columns):
            if streams[reader].operands[operand].same_as < operand:
                continue
            present = [int(w) for w in np.unique(writers) if w >= 0]
            if len(present) > 1:
                raise _refusal(streams[reader], "two statements of its own step in turn")
            for writer in present:
                mask = writers == writer
                beats = found.wire_beat[reader][operand][mask]
                if (np.diff(beats) <= 0).any():
                    raise _refusal(streams[reader], "one value of its own step several times")
                pushed = np.zeros(streams[writer].beats, dtype=bool)
                pushed[beats] = True
                ends = [
                    mask_condition(streams[writer].visits.points, pushed),
                    mask_condition(streams[reader].visits.points, mask),
                ]
                if ends[0] is None or ends[1] is None:
                    raise _refusal(streams[reader], "values of its own step at scattered times")
                wires.append(
                    Wire(
                        writer=writer,
                        reader=reader,
                        operand=operand,
                        pushed=ends[0],
                        wired=ends[1],
                    )
                )
    return tuple(wires)


def mask_condition(points: Any, mask: Any) -> Condition | None:
    """The condition on the loops that holds where `mask` does: a box (with strides) or all but one.

    None where it is neither.
    """
    if mask.all():
        return TRUE
    if not mask.any():
        return FALSE
    inside = _box(points, mask)
    if inside is not None:
        return inside
    outside = _box(points, ~mask)
    return None if outside is None else negated(outside)


def _box(points: Any, mask: Any) -> Condition | None:
    low, high = points[mask].min(axis=0), points[mask].max(axis=0)
    strides = np.gcd.reduce(points[mask] - low, axis=0)
    strides = np.where(strides == 0, 1, strides)
    inside = (points >= low) & (points <= high) & ((points - low) % strides == 0)
    if (inside.all(axis=1) != mask).any():
        return None
    tests: list[Condition] = []
    for loop in range(points.shape[1]):
        form, values = loop_form(loop).plus(-int(low[loop])), points[:, loop]
        if low[loop] == high[loop] and (values != low[loop]).any():
            tests.append(Test(form, True))
            continue
        if (values < low[loop]).any():
            tests.append(Test(form))
        if (values > high[loop]).any():
            tests.append(Test(form.scaled(-1).plus(int(high[loop] - low[loop]))))
        if ((values - low[loop]) % strides[loop]).any():
            tests.append(Test(form.modulo(int(strides[loop])), True))
    return every(tests)


def _refusal(stream: BeatStream, how: str) -> InputError:
    return InputError(
        Problem(
            f"{stream.statement} reads {stream.array} from {how}, which wires cannot do yet",
            "use order: sequential",
        )
    )
