"""Wires: values made and read in one step of `order: iteration` pass beside the memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hlsmem.addressing.loop_forms import Condition
from hlsmem.addressing.nest_points import Listed
from hlsmem.addressing.point_boxes import condition_of_part
from hlsmem.core.errors import LimitError, Problem
from hlsmem.dependences.requirements import Dependences
from hlsmem.dependences.stream_forms import BeatStream
from hlsmem.dependences.stream_pair import Wire
from hlsmem.polyhedra.enumeration import distinct


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
            present = [int(w) for w in distinct(writers) if w >= 0]
            if len(present) > 1:
                raise refusal(streams[reader], operand, "two statements of its own step in turn")
            for writer in present:
                mask = writers == writer
                beats = found.wire_beat[reader][operand][mask]
                if (np.diff(beats) <= 0).any():
                    raise refusal(
                        streams[reader], operand, "one value of its own step several times"
                    )
                pushed = np.zeros(streams[writer].beats, dtype=bool)
                pushed[beats] = True
                ends = [
                    mask_condition(streams[writer].visits.points, pushed),
                    mask_condition(streams[reader].visits.points, mask),
                ]
                if ends[0] is None or ends[1] is None:
                    raise refusal(
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
    """`condition_of_part` for the points (rows) where `mask` holds."""
    return condition_of_part(Listed(points), Listed(points, mask))


def refusal(stream: BeatStream, operand: int, how: str) -> LimitError:
    """Why there can be no wire to an operand."""
    return LimitError(
        Problem(
            f"{stream.statement} reads {stream.array} from {how}, which wires cannot do yet",
            "use order: sequential",
            stream.operands[operand].source_location,
        )
    )
