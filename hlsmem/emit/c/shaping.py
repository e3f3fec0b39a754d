"""The shape of a region: steps of one iteration at a time, and cells numbered as loops walk."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from hlsmem.emit.c.code import Region, shaped_loops
from hlsmem.emit.c.folds import Fold
from hlsmem.errors import InputError
from hlsmem.program import Order
from hlsmem.quantity import Quantity
from hlsmem.shape.frame import Frame
from hlsmem.shape.scale import Scale
from hlsmem.shape.score import score
from hlsmem.shape.units import unit_of

Make = Callable[[str, Quantity | None], Fold]
"""Gives the fold of an array, its cells renumbered by a unit."""

_ALIKE = 1.05
"""Steps are taken where their loops score at most so much more: their stores come last."""


def shaped(region: Region, scale: Scale, make: Make) -> Region:
    """The region in the shape in which its loops compute fewest remainders.

    Where a remainder would change within a loop, all reads of an iteration come first, its values
    are locals, and its stores come last: a store then only meets reads of cells that die. Raises
    InputError where C cannot be made of the program.
    """
    if not any(frame.wraps for frame in _frames(region.folds).values()):
        return region
    best, least = _numbered(region, scale, make)
    for other in _in_steps(region):
        try:
            found, figure = _numbered(other, scale, make)
        except InputError:
            continue  # a step has loops of its own, or writes two folded elements
        if figure <= _ALIKE * least:
            best = found
    return best


def _frames(folds: Mapping[str, Fold]) -> dict[str, Frame]:
    """The frames of the arrays whose mapping is in one piece."""
    return {name: fold.frame for name, fold in folds.items() if fold.frame is not None}


def _numbered(region: Region, scale: Scale, make: Make) -> tuple[Region, float]:
    """The region with its cells numbered as its loops walk, and the score of its loops."""
    loops = shaped_loops(region)
    folds = dict(region.folds)
    for name, frame in _frames(region.folds).items():
        unit = unit_of(frame, loops, scale)
        if unit.constant_value() != 1:
            folds[name] = make(name, unit)
    figure = sum(score(frame, loops, [scale.values]) for frame in _frames(folds).values())
    return replace(region, folds=folds, writer=replace(region.writer, folds=folds)), figure


def _in_steps(region: Region) -> Iterator[Region]:
    """The region with an iteration as one atomic step, where that is another order.

    A mapping that is right for instances one after the other is right for steps, as a value made
    and used within one needs no cell there.
    """
    program = region.program
    loops = shaped_loops(region)
    walked = any(one.shape.pointers or one.shape.unshaped for one in loops)
    if program.order is not Order.ITERATION and walked:
        stepped = replace(program, order=Order.ITERATION)
        yield replace(region, program=stepped, writer=replace(region.writer, program=stepped))
