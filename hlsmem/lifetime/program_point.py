"""Program points: one event for every value of the parameters, and the elements alive at it.

As many elements as are alive at any one program point need a cell each: counting them by a formula
proves that no mapping has fewer cells, at any parameters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from hlsmem.lifetime.formula_fitting import fitted
from hlsmem.lifetime.live_interval import LiveIntervals
from hlsmem.lifetime.max_live import Peak
from hlsmem.lifetime.occupancy import Occupancies
from hlsmem.polyhedra import DimType, Map, Set, Val
from hlsmem.polyhedra.extremes import lexmax, lexmin
from hlsmem.polyhedra.sets import entry_range

Point = tuple[int, ...]


def alive_at(given: LiveIntervals, program_point: Any) -> Any:
    """The elements alive at a program point, for all parameters at once.

    `program_point` is a set of one event for every value of the parameters.
    """
    event = program_point.get_space()
    begun = Map.lex_le(event).intersect_range(program_point).domain()
    lasting = Map.lex_ge(event).intersect_range(program_point).domain()
    values = given.stays.uncurry().intersect_range(lasting).domain().unwrap()  # A[x] -> [start]
    kept = values.intersect_range(begun).domain()
    return kept.union(given.starts.intersect_range(program_point).domain()).coalesce()


def all_begun(given: Occupancies) -> Any:
    """The program point at which the last element gets its first value."""
    return lexmax(lexmin(given.begins).range())


def last_begun(given: Occupancies) -> Any:
    """The program point at which the last occupancy begins."""
    return lexmax(given.begins.range())


def spread_program_points(given: Occupancies) -> Iterator[Any]:
    """A few program points at which occupancies begin, without parameters: some first entries stand
    half-way between their least and greatest values, the others at either end."""
    events = given.begins.range()
    size = events.dim(DimType.set)
    for leading, end in product(range(size + 1), (0, 2)):
        program_point = events
        for axis in range(size):
            low, high = entry_range(program_point, axis)
            halves = 1 if axis < leading else end
            least = Val(low + (high - low) * halves // 2)
            program_point = program_point.lower_bound_val(DimType.set, axis, least)
            program_point = program_point.fix_val(
                DimType.set, axis, program_point.dim_min_val(axis)
            )
        yield program_point


def fitted_program_points(names: Sequence[str], peaks: Mapping[Point, Peak]) -> Iterator[Any]:
    """Program points through the peaks at some parameter values: affine, or rounded down.

    Through all of them, or without those at the least values, where borders meet.
    """
    levels = sorted({sum(point) for point in peaks})
    for least in levels[: len(levels) // 2]:
        kept = {point: peak for point, peak in peaks.items() if sum(point) >= least}
        program_point = _program_point(names, kept)
        if program_point is not None:
            yield program_point
            return


def _program_point(names: Sequence[str], peaks: Mapping[Point, Peak]) -> Any | None:
    sizes = {len(peak.event) for peak in peaks.values()}
    entries = []
    for position in range(max(sizes, default=0)):
        samples = {point: peak.event[position] for point, peak in peaks.items()}
        entry = fitted(names, samples, degree=1)
        if entry is None:
            return None
        entries.append(str(entry))
    return Set(f"[{', '.join(names)}] -> {{ [{', '.join(entries)}] }}") if entries else None
