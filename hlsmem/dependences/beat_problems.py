"""Beats of an array that no circuit can serve, however they were found."""

from __future__ import annotations

from collections.abc import Sequence

from hlsmem.core.errors import Note, Problem
from hlsmem.dependences.stream_forms import BeatStream
from hlsmem.program.model import Order, Program

# A stream, and the element that a beat of it touches as text.
Touched = tuple[BeatStream, str]


def nothing_written(read: Touched, operand: int) -> Problem:
    """An operand reads what has no value yet."""
    stream, element = read
    return Problem(
        f"{stream.statement} reads {element}, which nothing wrote before",
        "add it to live_in or write it first",
        stream.operands[operand].source_location,
    )


def recurrence(program: Program, read: Touched, operand: int, written: BeatStream) -> Problem:
    """An iteration needs what an iteration before it makes, which is in the same step."""
    stream, element = read
    steps, remedy = (
        "several iterations in a step",
        "set pipeline.level to one that tells them apart",
    )
    if program.unroll:
        steps, remedy = "unrolled", "unroll another loop or none"
    what = (
        f"{steps}, {stream.statement} reads {element} in the step in which"
        f" {written.statement} makes it, in an iteration before"
    )
    return Problem(what, remedy, stream.operands[operand].source_location)


def shared_step(
    program: Program, one: Touched, other: Touched, time: Sequence[int], *, same_time: bool
) -> Problem:
    """Two write streams store values in one step, at `time`."""
    (first, element), (second, beside) = one, other
    when = "in one step" if program.order is Order.ITERATION else "at one time"
    what = (
        f"{first.statement} writes {element} and {second.statement} writes {beside} {when},"
        f" {list(time)}, but the memory of {first.array!r} has one write port"
    )
    remedy = "give the writes times of their own" if same_time else "use order: sequential"
    note = Note("the other write", second.operands[0].source_location)
    return Problem(what, remedy, first.operands[0].source_location, (note,))
