"""The cycles from frame to frame of a whole accelerator, where no port waits."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from hlsmem.core.errors import LimitError
from hlsmem.cycle_model import Prediction, joined_datapaths
from hlsmem.datapath.operand_beats import is_early
from hlsmem.datapath.processes import Process
from hlsmem.planner.hardware.storage_placement import Placement
from hlsmem.polyhedra.extremes import lexmax, lexmin
from hlsmem.polyhedra.relations import constant_point
from hlsmem.polyhedra.sets import count, fix_parameters
from hlsmem.program.model import Copy, Program, Statement

_BETWEEN = 1
"""The cycle in which nothing is busy: the next frame starts in it."""


def frame_cycles(
    program: Program, placement: Placement, processes: Sequence[Process]
) -> int | None:
    """Return the cycles from a frame to the next one; None where they are not predicted.

    Statements of a process are one datapath here, where the cycles of the memories are those of one
    for each. Where not all elements of an array are written it is predicted if those that are 0
    keep nothing waiting: they leave between beats that come as far apart as their places. It is
    not predicted where a process makes its first result before there is a frame.
    """
    chosen = placement.chosen
    streams = {one.name for one in placement.streams}
    if chosen is None or any(is_early(program, one, streams) for one in processes):
        return None
    prediction = chosen.prediction
    if any(len(one.statements) > 1 for one in processes) or _intervals(processes):
        latency = {one.name: one.module.latency for one in processes}
        groups = {
            one.name: [own.name for own in one.statements if not one.holds(own)]
            for one in processes
        }
        try:
            datapaths = joined_datapaths(program, latency, groups, _intervals(processes))
            prediction = chosen.run_with(datapaths)
        except LimitError:
            return None
    if prediction.cycles is None:
        return None
    period = prediction.cycles + _BETWEEN
    passing = [one for one in program.statements if isinstance(one.body, Copy)]
    begin = _cycles_of(prediction, "s", passing)
    leaving = _cycles_of(prediction, "m", passing)
    first = min((one for one, _ in begin.values()), default=0)
    if all(
        _keeps_pace(program, one, leaving[one.name], first, period)
        for one in passing
        if one.name in leaving
    ):
        return period
    return None


def _intervals(processes: Sequence[Process]) -> dict[str, int]:
    """The cycles from beat to beat of processes whose states take several."""
    found = {one.name: one.module.interval for one in processes}
    return {name: cycles for name, cycles in found.items() if cycles > 1}


def _cycles_of(
    prediction: Prediction, side: str, passing: Sequence[Statement]
) -> dict[str, tuple[int, int]]:
    """The cycles of the first and the last beat of statements that let arrays in, or out."""
    names = {
        f"{side}_{access.array}_{one.name}": one.name
        for one in passing
        for access in (one.writes if side == "s" else one.reads)
    }
    return {
        names[one.name]: (one.first_cycle, one.last_cycle)
        for one in prediction.streams
        if one.name in names
    }


def _keeps_pace(
    program: Program, statement: Statement, cycles: tuple[int, int], begin: int, period: int
) -> bool:
    """True if the elements of an array that nothing writes leave while others are awaited.

    `cycles` are those of the first and the last beat that the memories have, `begin` that of the
    first beat of a frame: `frames` of the departure counts it a cycle later.
    """
    array = program.arrays[statement.reads[0].array]
    extents = [int(one.evaluate(program.values)) for one in array.extents or ()]
    written = fix_parameters(statement.domain, program.values).coalesce()
    total = prod(extents)
    if array.transfer == "used" or not extents or count(written) == total:
        return True
    ends = [constant_point(one) for one in (lexmin(written), lexmax(written))]
    places = [_place(one, extents) for one in ends if one is not None]
    if len(places) < len(ends):
        return False
    (first, last), (early, late) = places, cycles
    before = late - period + total - last  # the frame before has left
    return late - early == last - first and early >= max(begin + 1, before) + first


def _place(element: Sequence[int], extents: Sequence[int]) -> int:
    """The place of an element, row by row."""
    place = 0
    for at, extent in zip(element, extents, strict=True):
        place = place * extent + at
    return place
