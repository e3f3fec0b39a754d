"""Parameters that a body reads at several places of several rows: each element is read once.

The loops then run over all elements that are read, a row and a column at a time, and the body
takes the others from registers and line buffers.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.host_loops.symbolic_sizes import Scale
from hlsmem.program.model import Array, Program
from hlsmem.source_edits.line_buffers import (
    LineBuffers,
    delays_of,
    has_jumps,
    is_in_body,
)
from hlsmem.source_edits.merged_bounds import Bounds, bounds_of, least
from hlsmem.source_edits.merged_nests import Arrival, Group
from hlsmem.source_edits.old_values import Style
from hlsmem.source_edits.text_structure import Plain
from hlsmem.source_edits.user_arrays import Kept, Use, UserFile, uses_of
from hlsmem.source_edits.window_lines import window_lines

PORTS = 2
"""Places that a body may read a memory at in one iteration."""
_MOST_SIDE = 16
"""Rows and columns of a window of registers."""


def with_arrivals(
    group: Group, program: Program, files: Mapping[str, UserFile], style: Style
) -> Group:
    """A group with the parameters that it reads once; its nests begin as many iterations later as
    the first of them has to wait for its elements. In a function that is called parameters have
    other names than the arrays that they are."""
    if (
        group.nests[0].is_called
        or _is_of_tasks(group)
        or has_jumps(group)
        or any(one.limits(k) is None for one in group.nests for k in range(group.depth))
    ):
        return group
    found = [
        arrival
        for array in program.arrays.values()
        if (arrival := _arrival(array, group, program, files, style.scale)) is not None
    ]
    if not found:
        return group
    wait = tuple(max(0, *(-one.shift[k] for one in found)) for k in range(group.depth))
    made = replace(
        group,
        shifts=tuple(_sum(one, wait) for one in group.shifts),
        arrivals=tuple(replace(one, shift=_sum(one.shift, wait)) for one in found),
    )
    bounds = bounds_of(made, style.scale)
    return group if bounds is None or windows_of(made, bounds, style) is None else made


def _is_of_tasks(group: Group) -> bool:
    """True if the block of a group is a DATAFLOW region, which has no statements between tasks."""
    nest = group.nests[0]
    return any(
        isinstance(one, Plain)
        and one.is_directive
        and re.search(r"(?i)\bdataflow\b", nest.file.text[one.start : one.stop])
        for one in nest.siblings
    )


def windows_of(group: Group, bounds: Sequence[Bounds], style: Style) -> list[LineBuffers] | None:
    """The parameters that a group reads once, as lines; None where sizes decide on their order."""
    found = [window_lines(one, bounds, style, group) for one in group.arrivals]
    made = [one for one in found if one is not None]
    return made if len(made) == len(found) else None


def _sum(one: Sequence[int], other: Sequence[int]) -> tuple[int, ...]:
    return tuple(a + b for a, b in zip(one, other, strict=True))


def _difference(one: Sequence[int], other: Sequence[int]) -> tuple[int, ...]:
    return tuple(a - b for a, b in zip(one, other, strict=True))


def _arrival(
    array: Array, group: Group, program: Program, files: Mapping[str, UserFile], scale: Scale
) -> Arrival | None:
    """A parameter as a group reads it once; None where that is no gain, or not possible.

    Its shift is against the times that the group has now: it may be negative.
    """
    place = array.source_location
    if not array.is_parameter or place is None or len(array.index) != group.depth:
        return None
    file = group.nests[0].file
    if array.extents is None or files.get(place.file) is not file:
        return None
    if any(one.array == array.name for own in program.statements for one in own.writes):
        return None
    uses = list(_uses_in(array, group, program, file))
    found = [delays_of(one, group) for one in uses]
    delays = [one for one in found if one is not None]
    places = {one for every in delays for one in every}
    if None in found or len(places) <= PORTS or len({one[:-1] for one in places}) == 1:
        return None
    window = None
    if any(
        len(one) > 1 or not is_in_body(file, use, group)
        for one, use in zip(delays, uses, strict=True)
    ):
        sides = [max(own) - min(own) + 1 for own in zip(*places, strict=True)]
        if any(one > 1 for one in sides[:-2]) or max(sides) > _MOST_SIDE:
            return None
        window = sides[-2], sides[-1]
    shift = tuple(min(one[k] for one in places) for k in range(group.depth))
    limits = _limits(array.extents, group, shift, places, scale)
    kind = element_type(array, file)
    if limits is None or kind is None:
        return None
    gaps = tuple(frozenset(_difference(one, shift) for one in every) for every in delays)
    return Arrival(
        array=array,
        kind=kind,
        limits=limits,
        shift=shift,
        uses=tuple(uses),
        gaps=gaps,
        window=window,
    )


def _uses_in(array: Array, group: Group, program: Program, file: UserFile) -> Iterator[Use]:
    """The accesses to an array in a group that edits can follow, of which no other array has the
    place."""
    others = {
        access.source_location
        for own in program.statements
        for access in own.sees
        if access.array != array.name
    }
    for use in uses_of(array, program, file):
        if isinstance(use, Kept) or use.access.source_location in others:
            continue
        if any(nest.start <= use.start < nest.stop for nest in group.nests):
            yield use


def _limits(
    extents: Sequence[QuasiPolynomial],
    group: Group,
    shift: Sequence[int],
    delays: Collection[Sequence[int]],
    scale: Scale,
) -> tuple[tuple[QuasiPolynomial, QuasiPolynomial], ...] | None:
    """The first index of each dimension that a group may read, and the one behind its last; None
    where sizes decide which they are."""
    found = []
    for k, extent in enumerate(extents):
        nests = group.limits(k) or []
        latest = max(one[k] for one in delays)
        lower = least([one - latest for one, _ in nests], scale)
        upper = least([shift[k] - one for _, one in nests], scale)
        if lower is None or upper is None:
            return None
        lower = least([-lower, QuasiPolynomial.constant(0)], scale)
        upper = least([-upper, extent], scale)
        if lower is None or upper is None:
            return None
        found.append((-lower, upper))
    return tuple(found)


def element_type(array: Array, file: UserFile) -> str | None:
    """The type of the elements of a parameter as its declaration has it, without `const`; None
    where there is no such text."""
    assert array.source_location is not None
    before = [one for one in file.tokens if one.start < array.source_location.start]
    while before and before[-1].text in ("&", "("):
        before.pop()
    depth, first = 0, len(before)
    while first and (depth or before[first - 1].text not in (",", "(", ";", "{")):
        first -= 1
        depth += before[first].text.count(">") - before[first].text.count("<")
    if first == len(before) or not first or any(one.kind == "directive" for one in before[first:]):
        return None
    text = file.text[before[first].start : before[-1].stop]
    if "*" in text or re.search(r"\bvolatile\b", text):
        return None
    return " ".join(re.sub(r"\b(?:const|static|register)\b", "", text).split()) or None
