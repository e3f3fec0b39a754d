"""Conditions on integer points that hold at given points and at no others."""

from __future__ import annotations

from dataclasses import replace
from math import gcd, prod

import numpy as np

from hlsmem.check.formal.model.ghost_forms import Form, Forms
from hlsmem.core.budgets import NUMBERS
from hlsmem.core.lazy_dataclass import dataclass

_MOST_BOXES = 24


@dataclass(frozen=True, slots=True)
class Range:
    """low <= form <= high, and form = low mod `stride`."""

    form: Form
    low: int
    high: int
    stride: int = 1


Region = tuple[tuple[Range, ...], ...]  # any of these, of each all


def region(forms: Forms, chosen: np.ndarray) -> Region | None:
    """A region that holds at the chosen of all points, and at none of the others."""
    if chosen.all():
        return ((),)
    hull = _hull(forms, chosen)
    if (_inside(hull, forms.points) == chosen).all():
        return (_needed(forms, hull, chosen),)
    return _boxes(forms, chosen)


def exact_region(forms: Forms) -> Region | None:
    """A region that holds at the points alone, among all integer points."""
    everywhere = np.ones(len(forms.points), dtype=bool)
    hull = _hull(forms, everywhere)
    box = hull[: forms.rank]
    cells = prod((one.high - one.low) // one.stride + 1 for one in box)
    if cells * forms.rank <= NUMBERS:
        axes = [np.arange(one.low, one.high + 1, one.stride) for one in box]
        grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, forms.rank)
        whole = _inside(hull, grid)
        if int(whole.sum()) == len(forms.points):
            return (box if whole.all() else hull,)
    return _boxes(forms, everywhere, exact=True)


def _hull(forms: Forms, chosen: np.ndarray) -> tuple[Range, ...]:
    """The ranges of coordinates, their differences and sums over the chosen points."""
    single = [_range(forms, forms.coordinate(k), chosen) for k in range(forms.rank)]
    found = list(single)
    for sign in (-1, 1):
        for k, one in enumerate(single):
            for other in single[k + 1 :]:
                pair = _range(forms, one.form.plus(other.form, sign), chosen)
                follows = pair.stride == max(1, gcd(_apart(one), _apart(other)))
                found.append(replace(pair, stride=1) if follows else pair)
    return tuple(found)


def _range(forms: Forms, form: Form, chosen: np.ndarray) -> Range:
    values = forms.values(form)[chosen]
    low, high = int(values.min()), int(values.max())
    return Range(form, low, high, max(1, int(np.gcd.reduce(values - low))))


def _apart(one: Range) -> int:
    """The stride of a range; 0: it has one value."""
    return 0 if one.low == one.high else one.stride


def _inside(ranges: tuple[Range, ...], points: np.ndarray) -> np.ndarray:
    inside = np.ones(len(points), dtype=bool)
    for one in ranges:
        values = points @ np.array(one.form.factors, dtype=np.int64)
        inside &= (
            (values >= one.low) & (values <= one.high) & ((values - one.low) % one.stride == 0)
        )
    return inside


def _needed(forms: Forms, ranges: tuple[Range, ...], chosen: np.ndarray) -> tuple[Range, ...]:
    """The ranges without those that say nothing more."""
    kept = list(ranges)
    for one in ranges[::-1]:
        others = tuple(other for other in kept if other is not one)
        if (_inside(others, forms.points) == chosen).all():
            kept = list(others)
    return tuple(kept)


def _boxes(forms: Forms, chosen: np.ndarray, exact: bool = False) -> Region | None:
    """A union of few boxes; with `exact` they hold no integer point beside the chosen."""
    left: np.ndarray = chosen.copy()
    found: list[tuple[Range, ...]] = []
    points = forms.points
    while left.any():
        if len(found) == _MOST_BOXES:
            return None
        start = points[int(np.argmax(left))]
        best: tuple[int, list[list[int]]] | None = None
        for order in _orders(forms.rank):
            low, high = start.copy(), start.copy()
            for axis in order:
                _grow(points, chosen, low, high, axis, exact)
            size = int((left & _between(points, low, high)).sum())
            if best is None or size > best[0]:
                best = size, [low.tolist(), high.tolist()]
        assert best is not None
        low, high = np.array(best[1][0]), np.array(best[1][1])
        found.append(
            tuple(
                Range(forms.coordinate(axis), int(low[axis]), int(high[axis]))
                for axis in range(forms.rank)
            )
        )
        left[_between(points, low, high)] = False
    return tuple(found)


def _orders(rank: int) -> list[list[int]]:
    return [list(range(rank)), list(range(rank))[::-1]]


def _between(points: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    inside: np.ndarray = np.all((points >= low) & (points <= high), axis=1)
    return inside


def _grow(
    points: np.ndarray,
    chosen: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    axis: int,
    exact: bool,
) -> None:
    """Widen the box along an axis while it holds chosen points only; exact: no others at all."""
    values = np.unique(points[:, axis])
    above, below = values[values > high[axis]], values[values < low[axis]][::-1]
    for bound, steps in ((high, above), (low, below)):
        for value in steps.tolist():
            before, bound[axis] = int(bound[axis]), value
            inside = _between(points, low, high)
            cells = int(np.prod(high - low + 1))
            if not chosen[inside].all() or (exact and int(inside.sum()) != cells):
                bound[axis] = before
                break


__all__ = ["Range", "Region", "exact_region", "region"]
