"""Conditions that hold at some of the points of a nest and at no others, by few tests.

Bounds on single loops where that will do (`box_condition`); else an octagon with strides, all
but one, or a union of boxes (`condition_of_part`).
"""

from __future__ import annotations

from hlsmem.addressing.loop_forms import (
    FALSE,
    TRUE,
    Affine,
    Condition,
    Every,
    Test,
    every,
    loop_form,
    negated,
    some,
)
from hlsmem.addressing.loop_visits import simplified_condition
from hlsmem.addressing.nest_points import Points, box

_MOST_BOXES = 6


def condition_of_part(points: Points, part: Points) -> Condition | None:
    """The condition on the loops that holds at exactly those of the points that are a part.

    None where it is no octagon with strides, nor all but one, nor a union of few boxes.
    """
    if part.is_empty:
        return TRUE if points.is_empty else FALSE
    rest = points.minus(part)
    if rest.is_empty:
        return TRUE
    inside = _octagon(points, part)
    if inside is not None:
        return inside
    outside = _octagon(points, rest)
    if outside is not None:
        return negated(outside)
    return _union_of_boxes(points, part)


def _octagon(points: Points, part: Points) -> Condition | None:
    """The bounds on loops, their sums and differences that hold exactly in the part."""
    tests: list[Condition] = []
    for form in _features(points.loops):
        low, high = part.least(form), part.greatest(form)
        tests += [Test(form.plus(-low)), Test(form.scaled(-1).plus(high))]
        if len(form.factors) == 1 + form.factors.count(0):
            stride = part.stride(form.depth - 1)
            if stride > 1:
                tests.append(Test(form.plus(-low).modulo(stride), True))
    condition = every(tests)
    if not points.where(condition).minus(part).is_empty:
        return None
    return _with_equalities(simplified_condition(condition, points))


def _features(loops: int) -> list[Affine]:
    single = [loop_form(loop) for loop in range(loops)]
    pairs = [(a, b) for k, a in enumerate(single) for b in single[k + 1 :]]
    return [*single, *(a - b for a, b in pairs), *(a + b for a, b in pairs)]


def _with_equalities(condition: Condition) -> Condition:
    """form >= 0 and -form >= 0 as form == 0."""
    if not isinstance(condition, Every):
        return condition
    kept: list[Condition] = []
    for part in condition.conditions:
        opposite = Test(part.form.scaled(-1)) if isinstance(part, Test) else None
        if opposite in kept and isinstance(part, Test):
            kept[kept.index(opposite)] = Test(part.form, True)
        else:
            kept.append(part)
    return every(kept)


def _union_of_boxes(points: Points, part: Points) -> Condition | None:
    left = part
    boxes: list[Condition] = []
    while not left.is_empty:
        if len(boxes) == _MOST_BOXES:
            return None
        inside = _grown(points, part, left)
        condition = _octagon(points, inside)
        if condition is None:
            return None
        boxes.append(condition)
        left = left.minus(inside)
    return some(boxes)


def box_condition(points: Points, part: Points, most: int) -> Condition | None:
    """The condition that holds at exactly those of the points that are a part.

    None where that takes more than `most` boxes.
    """
    left = part
    boxes: list[Condition] = []
    while not left.is_empty:
        if len(boxes) == most:
            return None
        inside = _grown(points, part, left)
        boxes.append(_bounds(points, inside))
        left = left.minus(inside)
    return some(boxes)


def _grown(points: Points, part: Points, left: Points) -> Points:
    """The points of a box around the first of `left` in the part, grown along the last loops
    first."""
    rest = points.minus(part)
    low, high = list(left.first()), list(left.first())
    for loop in reversed(range(points.loops)):
        form = loop_form(loop)
        beside = box(low, high, but=loop)
        outside, inside = rest.where(beside), part.where(beside)
        above = outside.where(Test(form.plus(-high[loop] - 1)))
        below = outside.where(Test(form.scaled(-1).plus(low[loop] - 1)))
        if not above.is_empty:
            inside = inside.where(Test(form.scaled(-1).plus(above.least(form) - 1)))
        if not below.is_empty:
            inside = inside.where(Test(form.plus(-below.greatest(form) - 1)))
        low[loop], high[loop] = inside.least(form), inside.greatest(form)
    return points.where(box(low, high))


def _bounds(points: Points, inside: Points) -> Condition:
    tests: list[Condition] = []
    for loop in range(points.loops):
        form = loop_form(loop)
        low, high = inside.least(form), inside.greatest(form)
        tests += [Test(form.plus(-low)), Test(form.scaled(-1).plus(high))]
    return simplified_condition(every(tests), points)


def single_loops(condition: Condition) -> bool:
    """True if every test is of one loop alone."""
    if isinstance(condition, Test):
        return not condition.form.quotients and sum(f != 0 for f in condition.form.factors) == 1
    return all(single_loops(part) for part in condition.conditions)
