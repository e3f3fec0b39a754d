"""Moments: one event for every value of the parameters, and the elements alive at it.

As many elements as are alive at any one moment need a cell each: counting them by a formula
proves that no mapping has fewer cells, at any parameters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hlsmem.lifetime.fitting import fitted
from hlsmem.lifetime.max_live import Peak
from hlsmem.lifetime.occupation import Occupations
from hlsmem.lifetime.residence import Residences
from hlsmem.polyhedra import Map, Set
from hlsmem.polyhedra.extremes import lexmax, lexmin

Point = tuple[int, ...]


def alive_at(given: Residences, moment: Any) -> Any:
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
