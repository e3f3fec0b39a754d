"""How long a loop's walk over cells takes, as a figure to compare frames of one program by.

An iteration counts 1 where its pointers move to neighbours and never wrap, and more by the
factors below. They come from measurements with gcc 12 -O3 on blur, harris, LBM and heat (segments)
and are guesses where it says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from hlsmem.expression import Expression, evaluate
from hlsmem.polyhedra.loops import Loop
from hlsmem.shape.frame import Frame
from hlsmem.shape.loop import Pointer, Reference, ShapedLoop, walk_of

SEGMENTS = ((1.0, 12.0), (16.0, 1.7), (64.0, 1.5), (130.0, 1.05), (1024.0, 1.0))
"""Iterations of a segment, and how much longer one takes than in a whole row; measured."""
JUMP = 2.5
"""For a stride beyond a neighbour: loads of vectors become gathers; guessed."""
REMAINDER = 12.0
"""For a `%` in every iteration; guessed from 8 to 31 measured."""
_UNKNOWN_TRIPS = 16


def score(frame: Frame, loops: Sequence[ShapedLoop], sizes: Sequence[Mapping[str, int]]) -> float:
    """Iterations of innermost loops that name the frame's array, each by its factors, summed."""
    return sum(_loop_score(frame, loop, values) for loop in loops for values in sizes)


def wrapping(frame: Frame, loops: Sequence[ShapedLoop]) -> int:
    """How many walks of the array wrap or keep their remainder."""
    walks = (walk_of(loop.loop, one, frame) for loop in loops for one in _own(frame, loop))
    return sum(not isinstance(walk, Pointer) or walk.wraps is not None for walk in walks)


def shape_word(frame: Frame, loops: Sequence[ShapedLoop]) -> str:
    """What loops do with the array: remainders, segments, rows, or straight where nothing wraps."""
    walks = [walk_of(loop.loop, one, frame) for loop in loops for one in _own(frame, loop)]
    if not frame.wraps:
        return "straight"
    if not all(isinstance(walk, Pointer) for walk in walks):
        return "remainders"
    split = any(isinstance(walk, Pointer) and walk.wraps is not None for walk in walks)
    return "segments" if split else "rows"


def _own(frame: Frame, loop: ShapedLoop) -> list[Reference]:
    """The references of the array, each element once: as every iteration names it, if one does."""
    found: dict[tuple[Expression, ...], Reference] = {}
    for one in loop.references:
        if one.array == frame.array and not (one.conditional and one.subscripts in found):
            found[one.subscripts] = one
    return list(found.values())


def _loop_score(frame: Frame, loop: ShapedLoop, values: Mapping[str, int]) -> float:
    references = _own(frame, loop)
    if not references:
        return 0.0
    times, trips = _trips((*loop.around, loop.loop), values)
    walks = [walk_of(loop.loop, one, frame) for one in references]
    pointers = [walk for walk in walks if isinstance(walk, Pointer)]
    if len(pointers) < len(walks):
        return times * REMAINDER
    near = all(abs(one.stride.evaluate(values)) <= 1 for one in pointers)
    cuts = sum(1 / one.wraps.evaluate(values) for one in pointers if one.wraps is not None)
    return times * (1.0 if near else JUMP) * factor_of(1 / (1 / max(trips, 1) + cuts))


def factor_of(segment: float) -> float:
    """The factor of a segment of so many iterations, between the measured ones by a line.

    >>> factor_of(64.0), factor_of(97.0), factor_of(5000.0)
    (1.5, 1.275, 1.0)
    """
    first, last = SEGMENTS[0], SEGMENTS[-1]
    if segment <= first[0]:
        return first[1]
    for (low, before), (high, behind) in pairwise(SEGMENTS):
        if segment <= high:
            return before + (behind - before) * (segment - low) / (high - low)
    return last[1]


def _value(expression: Expression, values: Mapping[str, int]) -> int | None:
    """The value of a bound; None where it needs a parameter without one."""
    try:
        return evaluate(expression, values)
    except KeyError:
        return None


def _trips(loops: Sequence[Loop], values: Mapping[str, int]) -> tuple[float, int]:
    """Iterations of the innermost of nested loops in all, and each time that it is entered.

    Outer loops are taken in their middle, which is exact where bounds are affine and few.
    """
    known, times, trips = dict(values), 1.0, 1
    for loop in loops:
        first = _value(loop.first, known) or 0
        last = None if loop.last is None else _value(loop.last, known)
        if last is None:
            last = first + loop.step * (_UNKNOWN_TRIPS - 1)
        trips = max(0, (last - first) // loop.step + 1)
        times *= trips
        known[loop.iterator] = (first + last) // 2
    return times, trips
