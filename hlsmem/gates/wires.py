"""Wires: values made and read in one step of `order: iteration` pass beside the memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hlsmem.errors import LimitError, Problem
from hlsmem.gates.beats import BeatStream
from hlsmem.gates.requirements import Dependences
from hlsmem.walk.affine import (
    FALSE,
    TRUE,
    Affine,
    Condition,
    Every,
    Test,
    every,
    holds_at,
    loop_form,
    negated,
    some,
)
from hlsmem.walk.boxes import grown
from hlsmem.walk.visits import simplified_condition

_MOST_BOXES = 6


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

    Raises LimitError where one value goes to several beats of a step, or where which beats
    take part is no box of the loops.
    """
    wires: list[Wire] = []
    for reader, columns in found.wired.items():
        for operand, writers in enumerate(columns):
            if streams[reader].operands[operand].same_as < operand:
                continue
            present = [int(w) for w in np.unique(writers) if w >= 0]
            if len(present) > 1:
                raise _refusal(streams[reader], operand, "two statements of its own step in turn")
            for writer in present:
                mask = writers == writer
                beats = found.wire_beat[reader][operand][mask]
                if (np.diff(beats) <= 0).any():
                    raise _refusal(
                        streams[reader], operand, "one value of its own step several times"
                    )
                pushed = np.zeros(streams[writer].beats, dtype=bool)
                pushed[beats] = True
                ends = [
                    mask_condition(streams[writer].visits.points, pushed),
                    mask_condition(streams[reader].visits.points, mask),
                ]
                if ends[0] is None or ends[1] is None:
                    raise _refusal(
                        streams[reader], operand, "values of its own step at scattered times"
                    )
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
    """The condition on the loops that holds at exactly those points (rows) where `mask` does.

    None where it is no octagon with strides, nor all but one, nor a union of few boxes.
    """
    if mask.all():
        return TRUE
    if not mask.any():
        return FALSE
    inside = _octagon(points, mask)
    if inside is not None:
        return inside
    outside = _octagon(points, ~mask)
    if outside is not None:
        return negated(outside)
    return _union_of_boxes(points, mask)


def _octagon(points: Any, mask: Any) -> Condition | None:
    """The bounds on loops, their sums and differences that hold exactly in the mask."""
    tests: list[Condition] = []
    for form in _features(points.shape[1]):
        values = form.at(points.T)
        low, high = int(values[mask].min()), int(values[mask].max())
        tests += [Test(form.plus(-low)), Test(form.scaled(-1).plus(high))]
        stride = int(np.gcd.reduce(values[mask] - low))
        if stride > 1 and len(form.factors) == 1 + form.factors.count(0):
            tests.append(Test(form.plus(-low).modulo(stride), True))
    condition = every(tests)
    if (holds_at(condition, points.T) != mask).any():
        return None
    return _with_equalities(simplified_condition(condition, points))


def _features(loops: int) -> list[Affine]:
    single = [loop_form(loop) for loop in range(loops)]
    pairs = [(a, b) for k, a in enumerate(single) for b in single[k + 1 :]]
    return [*single, *(a - b for a, b in pairs), *(a + b for a, b in pairs)]


def _with_equalities(condition: Condition) -> Condition:
    """form >= 0 and -form >= 0 as form == 0."""
    if not isinstance(condition, Every):
        return condition
    kept: list[Condition] = []
    for part in condition.conditions:
        opposite = Test(part.form.scaled(-1)) if isinstance(part, Test) else None
        if opposite in kept and isinstance(part, Test):
            kept[kept.index(opposite)] = Test(part.form, True)
        else:
            kept.append(part)
    return every(kept)


def _union_of_boxes(points: Any, mask: Any) -> Condition | None:
    left = mask.copy()
    boxes: list[Condition] = []
    while left.any():
        if len(boxes) == _MOST_BOXES:
            return None
        inside = grown(points, mask, points[np.flatnonzero(left)[0]])
        condition = _octagon(points, inside)
        if condition is None:
            return None
        boxes.append(condition)
        left &= ~inside
    return some(boxes)


def _refusal(stream: BeatStream, operand: int, how: str) -> LimitError:
    return LimitError(
        Problem(
            f"{stream.statement} reads {stream.array} from {how}, which wires cannot do yet",
            "use order: sequential",
            stream.operands[operand].place,
        )
    )
