"""Source write beat of a read beat, or the one before it, as maps between times of two streams."""

from __future__ import annotations

from typing import Any

from hlsmem.polyhedra import DimType, Map
from hlsmem.polyhedra.extremes import lexmax
from hlsmem.polyhedra.relations import rearrangement
from hlsmem.program.model import Order, Program


def newest_before(program: Program, written: Any, read: Any) -> Any:
    """The map from times of read beats to that of the last write beat that has gone before.

    By iterations it may be of the same step, in sequential order it is of an earlier time.
    """
    stepwise = program.order is Order.ITERATION
    kept = program.step_dimensions if stepwise else program.time_dimensions
    return lexmax(_paired(written, read, kept, strict=not stepwise))


def last_before(program: Program, pairs: Any) -> Any:
    """Of the write beats that each read beat is paired with, the last one before it."""
    if pairs.is_single_valued():
        return pairs
    return lexmax(_later(pairs, program.time_dimensions).coalesce())


def later_steps(program: Program, pairs: Any) -> Any:
    """The pairs of read and write beats of which the read is of a later step, or time."""
    stepwise = program.order is Order.ITERATION
    kept = program.step_dimensions if stepwise else program.time_dimensions
    return _later(pairs, kept)


def _later(pairs: Any, kept: int) -> Any:
    """The pairs of read and write beats of which the read is later in its first `kept` entries.

    All times are compared, not those of the pairs: their sets would be joined twice.
    """
    of_read = rearrangement(pairs.dim(DimType.in_), range(kept))
    of_write = rearrangement(pairs.dim(DimType.out), range(kept))
    before = Map.lex_gt(of_read.range().get_space())
    return pairs.intersect(of_read.apply_range(before).apply_range(of_write.reverse()))


def _paired(written: Any, read: Any, kept: int, *, strict: bool) -> Any:
    """Read beats with the write beats before them, by their first `kept` entries."""
    of_write, of_read = _leading(written, kept), _leading(read, kept)
    steps = of_read.range().get_space()
    before = Map.lex_gt(steps) if strict else Map.lex_ge(steps)
    return of_read.apply_range(before).apply_range(of_write.reverse()).coalesce()


def _leading(times: Any, kept: int) -> Any:
    """The map from times to their first `kept` entries."""
    return rearrangement(times.dim(DimType.set), range(kept)).intersect_domain(times)
