"""Moments: one event for every value of the parameters, and the elements alive at it.

As many elements as are alive at any one moment need a cell each: counting them by a formula
proves that no mapping has fewer cells, at any parameters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from hlsmem.lifetime.formula_fitting import fitted
from hlsmem.lifetime.live_interval import LiveIntervals
from hlsmem.lifetime.max_live import Peak
from hlsmem.lifetime.occupancy import Occupations
from hlsmem.polyhedra import DimType, Map, Set, Val
from hlsmem.polyhedra.extremes import lexmax, lexmin

Point = tuple[int, ...]


def alive_at(given: LiveIntervals, moment: Any) -> Any:
    """The elements alive at a moment, for all parameters at once.

    `moment` is a set of one event for every value of the parameters.
    """
    event = moment.get_space()
    begun = Map.lex_le(event).intersect_range(moment).domain()
    lasting = Map.lex_ge(event).intersect_range(moment).domain()
    values = given.stays.uncurry().intersect_range(lasting).domain().unwrap()  # A[x] -> [start]
    kept = values.intersect_range(begun).domain()
    return kept.union(given.starts.intersect_range(moment).domain()).coalesce()


def all_begun(given: Occupations) -> Any:
    """The moment at which the last element gets its first value."""
    return lexmax(lexmin(given.begins).range())


def last_begun(given: Occupations) -> Any:
    """The moment at which the last occupation begins."""
    return lexmax(given.begins.range())


def spread_moments(given: Occupations) -> Iterator[Any]:
    """A few moments at which occupations begin, without parameters: some first entries stand
    half-way between their least and greatest values, the others at either end."""
    events = given.begins.range()
    size = events.dim(DimType.set)
    for leading, end in product(range(size + 1), (0, 2)):
        moment = events
        for axis in range(size):
            low, high = moment.dim_min_val(axis).to_python(), moment.dim_max_val(axis).to_python()
            halves = 1 if axis < leading else end
            least = Val(low + (high - low) * halves // 2)
            moment = moment.lower_bound_val(DimType.set, axis, least)
            moment = moment.fix_val(DimType.set, axis, moment.dim_min_val(axis))
        yield moment


def fitted_moments(names: Sequence[str], peaks: Mapping[Point, Peak]) -> Iterator[Any]:
    """Moments through the peaks at some parameter values: affine, or rounded down.

    Through all of them, or without those at the least values, where borders meet.
    """
    levels = sorted({sum(point) for point in peaks})
    for least in levels[: len(levels) // 2]:
        kept = {point: peak for point, peak in peaks.items() if sum(point) >= least}
        moment = _moment(names, kept)
        if moment is not None:
            yield moment
            return


def _moment(names: Sequence[str], peaks: Mapping[Point, Peak]) -> Any | None:
    sizes = {len(peak.event) for peak in peaks.values()}
    entries = []
    for position in range(max(sizes, default=0)):
        samples = {point: peak.event[position] for point, peak in peaks.items()}
        entry = fitted(names, samples, degree=1)
        if entry is None:
            return None
        entries.append(str(entry))
    return Set(f"[{', '.join(names)}] -> {{ [{', '.join(entries)}] }}") if entries else None
