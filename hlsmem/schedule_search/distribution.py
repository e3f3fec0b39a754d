"""An order of the same instances in which more of C's innermost loops can run as vectors.

Below a loop the statements get loops of their own where none of them waits for another one of a
later iteration; the loop moves inside the others, in strips where arrays carry values from one of
its new loops to the next. Where that leaves loops that are no vectors the same is tried from isl's
orders, and from that in which loops are distributed at every level. All pairs of instances that
touch one place, one of them writing, keep their order: nothing is reassociated. Source: Allen and
Kennedy, "Automatic translation of Fortran programs to vector form" (TOPLAS 1987).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, groupby

from hlsmem.polyhedra.limits import Report, within
from hlsmem.polyhedra.relations import rearrangement
from hlsmem.polyhedra.scheduler import MOST_STATEMENTS, takes_long
from hlsmem.program.model import Program
from hlsmem.schedule_search.loop_times import TimeLoop, Times, may_move
from hlsmem.schedule_search.order_times import scheduled_times

STRIP = 256
"""Iterations of a strip: long enough for vectors, short enough for the nearest cache."""
GAIN = 0.9
"""Another order is taken where its loops take less than this of the given one's time."""
_MOST_CHANGES = 8


def distributed(program: Program, operations: int) -> dict[str, str] | None:
    """The times of all statements, isl maps, in another order that loops gain from.

    None where there is none, and of programs whose instances do not run one after the other, or
    touch elements that data choose. Raises WorkLimitError, its `step` the best that was found,
    where isl needs more than so many operations.
    """
    if not may_move(program):
        return None

    def work(report: Report) -> dict[str, str] | None:
        best: dict[str, str] | None = None
        for times in _ever_better(program):
            best = {name: str(one) for name, one in times.schedules.items()}
            report(best)
        return best

    return within(operations, work)


def apart(program: Program, operations: int) -> dict[str, str] | None:
    """The times of all statements, isl maps, with loops distributed at every level and then
    changed as long as they take less.

    None where there is nothing to distribute, and as `distributed`, as which it raises.
    """
    if not may_move(program):
        return None

    def work(report: Report) -> dict[str, str] | None:
        start = apart_at_every_level(Times.of(program))
        best: dict[str, str] | None = None
        if start is not None:
            for _, times in chain([(0.0, start)], _derived(start, start.figure())):
                best = {name: str(one) for name, one in times.schedules.items()}
                report(best)
        return best

    return within(operations, work)


def _ever_better(program: Program) -> Iterator[Times]:
    """Orders that take less than the given one, each less than those before it."""
    given = Times.of(program)
    least = given.figure()
    for figure, times in _derived(given, least):
        least = figure
        yield times
    # No order takes less than its iterations: isl is asked where some are of no vector yet.
    if given.iterations() >= GAIN * least:
        return
    for other in _starts(given):
        start, most = other.figure(), GAIN * least
        for figure, times in chain([(start, other)], _derived(other, start)):
            if figure < most:
                least = figure
                yield times


def _starts(given: Times) -> Iterator[Times]:
    """Other legal orders to begin with: those of isl, and the given one with its loops apart."""
    size = len(given.schedules)
    few = size <= MOST_STATEMENTS and not takes_long(given.pairs, size)
    for schedules in scheduled_times(given.program, given.pairs) if few else ():
        other = replace(given, schedules=schedules)
        if other.is_legal():
            yield other
    distributed_order = apart_at_every_level(given)
    if distributed_order is not None:
        yield distributed_order


def _derived(times: Times, figure: float) -> Iterator[tuple[float, Times]]:
    """The order with its loops changed as long as they then take less, with its figure."""
    for _ in range(_MOST_CHANGES):
        found = _better(times, figure)
        if found is None:
            return
        figure, times = found
        yield found


def apart_at_every_level(times: Times) -> Times | None:
    """The order in which statements share a loop where they need each other in both directions,
    or stand side by side in an innermost loop that may be a vector; None where that is the given
    one, or not legal."""
    found = times
    while True:
        split = (_split(found, loop) for loop in found.loops())
        changed = next((one for one in split if one is not None), None)
        if changed is None:
            break
        found = changed
    return None if found is times or not found.is_legal() else found


def _split(times: Times, loop: TimeLoop) -> Times | None:
    """The order with a loop for each group of its statements, outside of what is inside of it."""
    inner, entry = _is_innermost(times, loop), loop.entry
    groups = _groups(times, loop, inner=inner)
    if not inner:
        groups = _with_own_loops(times, groups)
    if len(groups) == 1:
        return None
    place = {name: str(number) for number, group in enumerate(groups) for name in group}
    schedules = {}
    for name, own in times.schedules.items():
        text: list[int | str] = list(range(times.size))
        text.insert(entry if name in place else times.size, place.get(name, "0"))
        schedules[name] = own.apply_range(rearrangement(times.size, text))
    return replace(times, schedules=schedules)


def _with_own_loops(times: Times, groups: list[list[str]]) -> list[list[str]]:
    """The groups, those in a row that stand in one innermost loop as one."""
    innermost = [{*one.names} for one in times.loops() if _is_innermost(times, one)]
    merged = groups[:1]
    for group in groups[1:]:
        if any({*merged[-1], *group} <= names for names in innermost):
            merged[-1] = [*merged[-1], *group]
        else:
            merged.append(group)
    return merged


def _is_innermost(times: Times, loop: TimeLoop) -> bool:
    """True where no statement of the loop is in a loop inside of it."""
    return all(times.varying[name][-1] == loop.entry for name in loop.names)


def _better(times: Times, least: float) -> tuple[float, Times] | None:
    """A legal order that differs at one loop and takes less, with its figure; None: none does.

    Inner loops come first: what they gain needs no longer lives than a row's.
    """
    loops = sorted(times.loops(), key=lambda loop: -loop.entry)
    for _, same in groupby(loops, key=lambda loop: loop.entry):
        changed = (changed_at(times, loop, strip) for loop in same for strip in (None, STRIP))
        legal = [one for one in changed if one is not None and one.is_legal()]
        figures = [(one.figure(), one) for one in legal]
        found = min(figures, key=lambda pair: pair[0], default=(least, times))
        if found[0] < GAIN * least:
            return found
    return None


def changed_at(times: Times, loop: TimeLoop, strip: int | None) -> Times | None:
    """The order with a loop inside of all others of its statements, these apart.

    None where that is the given one. Strips are for values that go from one new loop to another.
    """
    entry, names = loop.entry, loop.names
    inner = _is_innermost(times, loop)
    groups = _groups(times, loop, inner=inner)
    if inner and (len(groups) == 1 or strip):
        return None
    planned = {array.name for array in times.program.planned_arrays()}
    passed = len(groups) > 1 and any(
        a.array in planned for s in times.program.statements if s.name in names for a in s.writes
    )
    if not inner and (strip is not None) != passed:
        return None
    place = {name: number for number, group in enumerate(groups) for name in group}
    size = times.size
    schedules = {}
    for one in times.program.statements:
        text: list[int | str] = list(range(size))
        if one.name in place:
            last = times.varying[one.name][-1]
            head: list[int | str] = list(range(entry))
            cut = [] if strip is None else [f"floor(t{entry}/{strip})"]
            middle = list(range(entry + 1, last + 1))
            tail = list(range(last + 1, size))
            text = [*head, *cut, str(place[one.name]), *middle, entry, *tail]
        text += ["0"] * (size + (1 if strip is None else 2) - len(text))
        schedules[one.name] = times.schedules[one.name].apply_range(rearrangement(size, text))
    return replace(times, schedules=schedules)


def _groups(times: Times, loop: TimeLoop, *, inner: bool) -> list[list[str]]:
    """The statements below a loop by the new loops they are in, in an order that is right.

    Statements that need each other stay together; where the loop is innermost, so do those
    that wait for no other iteration.
    """
    names, entry = loop.names, loop.entry
    needs = times.meets(names, entry)
    reach = {name: {name} | {b for a, b in needs if a == name} for name in names}
    for middle in names:
        for name in names:
            if middle in reach[name]:
                reach[name] |= reach[middle]
    left, found = list(names), list[list[str]]()
    while left:
        # The first in the text of those that need nothing that is left but each other.
        first = next(
            name
            for name in left
            if all(other in reach[name] for other in left if name in reach[other])
        )
        together = [other for other in left if first in reach[other] and other in reach[first]]
        left = [name for name in left if name not in together]
        found.append(together)
    if not inner:
        return found
    waits = times.waits(names, entry)
    merged = list[list[str]]()
    for group in found:
        both = [*merged[-1], *group] if merged else group
        if merged and not any(a in both and b in both for a, b in waits):
            merged[-1] = both
        else:
            merged.append(group)
    return merged
