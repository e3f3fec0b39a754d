"""Two elements that share a cell in vain: who writes each, and who still reads the first."""

from __future__ import annotations

from typing import Any

import islpy as isl

from hlsmem_verify.algebra import Values
from hlsmem_verify.isl_values import Point, at_values
from hlsmem_verify.lives import Lives
from hlsmem_verify.naming import at_text, coordinates, element_text, fixed, touching


def clash_text(array: str, lives: Lives | None, pairs: Any, apart: Point, values: Values) -> str:
    """A conflicting pair of elements so far apart, at values of the parameters.

    `pairs` { x -> y } conflict; None where their differences alone are known. Without `lives`, or
    where these do not meet, nothing is told of who writes and reads them.
    """
    pair = _pair(pairs, apart, values)
    if pair is None:
        return f"elements that are {list(apart)} apart share a cell and conflict{at_text(values)}"
    both = _both(array, *pair)
    if lives is None:
        return f"{both}, and conflict{at_text(values)}"
    for one, other in (pair, pair[::-1]):
        meeting = _meeting(lives, one, other, values)
        if meeting is not None:
            story = _story(array, lives, (one, other), meeting, values)
            return f"{_both(array, one, other)}{at_text(values)}: {story}"
    return f"{both}, and some order of the class keeps both{at_text(values)}"


def _both(array: str, first: Point, second: Point) -> str:
    return f"{element_text(array, first)} and {element_text(array, second)} share a cell"


def _pair(pairs: Any, apart: Point, values: Values) -> tuple[Point, Point] | None:
    if pairs is None:
        return (0,) * len(apart), apart
    here = at_values(pairs, values)
    far = here.deltas_map()
    wanted = fixed(far.range().get_space(), apart)
    found = far.intersect_range(wanted).domain()
    if found.is_empty():  # what is said to conflict may be more than the program says
        return None
    _, point = coordinates(found.lexmin().sample_point())
    return point[len(apart) :], point[: len(apart)]


def _meeting(
    lives: Lives, first: Point, second: Point, values: Values
) -> tuple[Point, Point] | None:
    """(when `first` is written, when `second` is while `first` is still in its cell)."""
    births, until, cut = (
        at_values(one, values) for one in (lives.births, lives.until, lives.cut())
    )
    space = births.domain().get_space()
    mine, other = (births.intersect_domain(fixed(space, x)).range() for x in (first, second))
    stays = until.curry().intersect_domain(fixed(space, first)).range().unwrap()
    ends = (isl.Map.lex_ge if lives.strict else isl.Map.lex_gt)(cut.range().get_space())
    over = stays.apply_range(ends).apply_range(cut.reverse()).intersect_range(other)
    meets = over.intersect(isl.Map.lex_le(mine.get_space()))
    meets = meets.union(
        isl.Map.identity(mine.get_space().map_from_set()).intersect_domain(mine.intersect(other))
    )
    if meets.is_empty():
        return None
    _, times = coordinates(meets.wrap().lexmin().sample_point())
    half = len(times) // 2
    return times[:half], times[half:]


def _story(
    array: str,
    lives: Lives,
    elements: tuple[Point, Point],
    meeting: tuple[Point, Point],
    values: Values,
) -> str:
    (first, second), (born, over) = elements, meeting
    name, late = element_text(array, first), element_text(array, second)
    writer = _writer(lives, array, first, born, values)
    other = _writer(lives, array, second, over, values)
    stored = at_values(lives.stored, values)
    value = fixed(stored.domain().unwrap().wrap().get_space(), (*first, *born))
    reads = stored.intersect_domain(value).range()
    if reads.is_empty() or born == over:
        return f"{name} is {writer} and {late} is {other}"
    _, last = coordinates(reads.lexmax().sample_point())
    reader = (
        "the drain after the end"
        if last[0] == 2
        else touching(lives.program, array, True, first, last, values)
    )
    longer = f"needed by {reader} and {lives.slack} beats longer"
    needed = longer if lives.slack else f"still needed by {reader}"
    return f"{name} is {writer} and {needed} when {late} is {other}"


def _writer(lives: Lives, array: str, element: Point, time: Point, values: Values) -> str:
    if not time[0]:
        return "filled before the start"
    return "written by " + touching(lives.program, array, False, element, time, values)
