"""Relative time of a loop's walk over cells, to compare frames of one program by.

An iteration counts 1 where its pointers move to neighbours and never wrap, and more by the
factors below. They come from measurements with gcc 12 -O3 on blur, harris, LBM and heat (segments)
and are guesses where it says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, product

from hlsmem.core.expression import Expression, evaluate
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.host_loops.cell_frame import CellFrame
from hlsmem.host_loops.pointer_loop import Pointer, Reference, ShapedLoop, walk_of
from hlsmem.polyhedra.generated_loops import Loop

SEGMENTS = ((1.0, 12.0), (16.0, 1.7), (64.0, 1.5), (130.0, 1.35), (256.0, 1.05), (1024.0, 1.0))
"""Iterations of a segment, and how much longer one takes than in a long row; measured, those of
130 and 256 with blur and harris at N=256 in two segments and in rows (1.52, 1.00; 1.00, 0.81)."""
JUMP = 2.5
"""For a stride beyond a neighbour: loads of vectors become gathers; guessed."""
REMAINDER = 12.0
"""For a `%` in every iteration; guessed from 8 to 31 measured."""
ALIASED = 1.3
"""For reads behind a store whose address is close in its low bits: they wait for it; measured on
harris, rows 8 bytes short of 4 pages apart against rows 4 pages apart (0.80, 0.61)."""
CROWDED = 1.1
"""For reads whose addresses are close in their low bits: they share ways of the cache; measured on
heat-2d, rows 8 to 32 bytes beyond 4 pages apart against 64 and more (0.50, 0.45)."""
PAGE, NEAR, LINE = 4096, 256, 64
"""Processors compare the addresses of stores and loads in bytes modulo the first; distances to its
multiples below the second are close, of two loads below the third. Equal ones do no harm: the load
stood before the store, or is that of the same line."""
_UNKNOWN_TRIPS = 16


def score(
    frame: CellFrame,
    loops: Sequence[ShapedLoop],
    sizes: Sequence[Mapping[str, int]],
    cell_bytes: int = 0,
) -> float:
    """Iterations of innermost loops that name the frame's array, each by its factors.

    It is per iteration, summed over the sizes, so that the largest does not decide alone. Where
    the size of a cell is not known, neither is whether stores and reads alias.
    """
    found = 0.0
    walked = [(loop, _walks(frame, loop)) for loop in loops]
    for values in sizes:
        figures = [_loop_score(frame, loop, walks, values, cell_bytes) for loop, walks in walked]
        iterations = sum(times for times, _ in figures)
        found += sum(figure for _, figure in figures) / (iterations or 1.0)
    return found


@dataclass(frozen=True, slots=True)
class Gap:
    """Distance of a read behind a store, or `of_reads` behind a read: in rows of the last modulus,
    in cells besides, and the cells of such a row."""

    rows: int
    cells: int
    pitch: int
    of_reads: bool

    def is_close(self, cell_bytes: int, more: int = 0) -> bool:
        """True if the processor may take one for the other, where rows are `more` cells longer."""
        gap = cell_bytes * (self.rows * (self.pitch + more) + self.cells)
        return is_close(gap, LINE if self.of_reads else NEAR)


def gaps(
    frame: CellFrame, loops: Sequence[ShapedLoop], sizes: Sequence[Mapping[str, int]]
) -> frozenset[Gap]:
    """The distances of reads of the array from its stores and from one another in each loop, in the
    middle of those around it; none of arrays with one row."""
    return frozenset(
        gap for loop in loops for values in sizes for gap in _gaps(frame, loop, values)
    )


def wrapping(frame: CellFrame, loops: Sequence[ShapedLoop]) -> int:
    """Number of walks of the array that wrap or keep their remainder."""
    walks = (walk for loop in loops for walk in _walks(frame, loop))
    return sum(not isinstance(walk, Pointer) or walk.wraps is not None for walk in walks)


def shape_word(frame: CellFrame, loops: Sequence[ShapedLoop]) -> str:
    """Shape of the loops over the array: remainders, segments, rows, or straight without a wrap."""
    walks = [walk for loop in loops for walk in _walks(frame, loop)]
    if not frame.wraps:
        return "straight"
    if not all(isinstance(walk, Pointer) for walk in walks):
        return "remainders"
    split = any(isinstance(walk, Pointer) and walk.wraps is not None for walk in walks)
    return "segments" if split else "rows"


def _own(frame: CellFrame, loop: ShapedLoop) -> list[Reference]:
    """The references of the array, each element once: as every iteration names it, if one does."""
    found: dict[tuple[Expression, ...], Reference] = {}
    for one in loop.references:
        if one.array == frame.array and not (one.conditional and one.subscripts in found):
            found[one.subscripts] = one
    return list(found.values())


def _walks(frame: CellFrame, loop: ShapedLoop) -> list[Pointer | str]:
    """The pointers of the array's references, or why there are none: alike at all sizes."""
    return [walk_of(loop.loop, one, frame) for one in _own(frame, loop)]


def _loop_score(
    frame: CellFrame,
    loop: ShapedLoop,
    walks: Sequence[Pointer | str],
    values: Mapping[str, int],
    cell_bytes: int,
) -> tuple[float, float]:
    """The iterations of a loop that names the array, and their score."""
    if not walks:
        return 0.0, 0.0
    times, trips = _trips((*loop.around, loop.loop), values)
    pointers = [walk for walk in walks if isinstance(walk, Pointer)]
    if len(pointers) < len(walks):
        return times, times * REMAINDER * factor_of(trips)
    near = all(abs(one.stride.evaluate(values)) <= 1 for one in pointers)
    cuts = sum(1 / one.wraps.evaluate(values) for one in pointers if one.wraps is not None)
    close = {gap.of_reads for gap in _gaps(frame, loop, values) if gap.is_close(cell_bytes)}
    stalls = ALIASED if False in close else CROWDED if close else 1.0
    factor = factor_of(1 / (1 / max(trips, 1) + cuts))
    return times, times * (1.0 if near else JUMP) * factor * stalls


def _gaps(frame: CellFrame, loop: ShapedLoop, values: Mapping[str, int]) -> Iterator[Gap]:
    """As `gaps`, of one loop at one size."""
    own = [one for one in loop.references if one.array == frame.array]
    stores = {one.subscripts for one in own if one.stores}
    reads = {one.subscripts for one in own if not one.stores}
    if len(frame.rows) < 2 or not reads:
        return
    known = _in_the_middle((*loop.around, loop.loop), values)
    pitch = frame.rows[-1].modulus.evaluate(values)
    cells = {one: divmod(_cell(frame, one, known), pitch) for one in stores | reads}
    for first, read in product(stores | reads, reads):
        (row, cell), (other, behind) = cells[first], cells[read]
        yield Gap(row - other, cell - behind, pitch, first not in stores)


def is_close(gap: int, near: int = NEAR) -> bool:
    """True if addresses so many bytes apart agree in their low bits, or nearly, but are not alike.

    >>> is_close(8), is_close(4088), is_close(4096), is_close(8192 - 256), is_close(4000, LINE)
    (False, True, False, False, False)
    """
    if abs(gap) < PAGE - near:
        return False
    return 0 < min(gap % PAGE, -gap % PAGE) < near


def _cell(frame: CellFrame, subscripts: tuple[Expression, ...], values: Mapping[str, int]) -> int:
    found = 0
    places = [_value(one, values) or 0 for one in subscripts]
    for row in frame.rows:
        size = row.modulus.evaluate(values)
        found = found * size + row.value(places, values) % size
    return found


def factor_of(segment: float) -> float:
    """The factor of a segment of so many iterations, between the measured ones by a line.

    >>> factor_of(64.0), factor_of(97.0), factor_of(5000.0)
    (1.5, 1.425, 1.0)
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
        first, last = _ends(loop, known)
        trips = max(0, (last - first) // loop.step + 1)
        times *= trips
        known[loop.iterator] = (first + last) // 2
    return times, trips


def _in_the_middle(loops: Sequence[Loop], values: Mapping[str, int]) -> dict[str, int]:
    """The values with variables of nested loops, each in its middle."""
    known = dict(values)
    for loop in loops:
        known[loop.iterator] = sum(_ends(loop, known)) // 2
    return known


def _ends(loop: Loop, values: Mapping[str, int]) -> tuple[int, int]:
    """The first and the last iteration."""
    first = _value(loop.first, values) or 0
    last = None if loop.last is None else _value(loop.last, values)
    return first, first + loop.step * (_UNKNOWN_TRIPS - 1) if last is None else last
