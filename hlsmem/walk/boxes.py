"""Conditions on points by bounds on single loops: unions of few boxes."""

from __future__ import annotations

from typing import Any

import numpy as np

from hlsmem.walk.affine import Condition, Test, every, loop_form, some
from hlsmem.walk.visits import simplified_condition


def box_condition(points: Any, mask: Any, most: int) -> Condition | None:
    """The condition that holds at exactly those points (rows) where `mask` does.

    None where that takes more than `most` boxes.
    """
    left = mask.copy()
    boxes: list[Condition] = []
    while left.any():
        if len(boxes) == most:
            return None
        inside = grown(points, mask, points[np.flatnonzero(left)[0]])
        boxes.append(_bounds(points, inside))
        left &= ~inside
    return some(boxes)


def grown(points: Any, mask: Any, seed: Any) -> Any:
    """The points of a box around `seed` inside the mask, grown along the last loops first."""
    low, high = seed.copy(), seed.copy()
    for loop in reversed(range(points.shape[1])):
        rest = [k for k in range(points.shape[1]) if k != loop]
        row = ((points[:, rest] >= low[rest]) & (points[:, rest] <= high[rest])).all(axis=1)
        outside = points[row & ~mask, loop]
        values = points[row & mask, loop]
        above = outside[outside > high[loop]].min(initial=values.max() + 1)
        below = outside[outside < low[loop]].max(initial=values.min() - 1)
        kept = values[(values > below) & (values < above)]
        low[loop], high[loop] = kept.min(), kept.max()
    return ((points >= low) & (points <= high)).all(axis=1)


def _bounds(points: Any, inside: Any) -> Condition:
    tests = []
    for loop in range(points.shape[1]):
        low, high = int(points[inside, loop].min()), int(points[inside, loop].max())
        tests += [Test(loop_form(loop).plus(-low)), Test(loop_form(loop).scaled(-1).plus(high))]
    return simplified_condition(every(tests), points)


def single_loops(condition: Condition) -> bool:
    """Whether every test is of one loop alone."""
    if isinstance(condition, Test):
        return not condition.form.quotients and sum(f != 0 for f in condition.form.factors) == 1
    return all(single_loops(part) for part in condition.conditions)
