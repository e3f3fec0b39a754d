"""The rules of lifetimes and cells by plain enumeration: loops over lists, no isl relations.

An oracle for small programs. Statement instances and elements are listed by isl; what
conflicts with what, and what a folded memory then holds, is worked out here step by step.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hlsmem.check.plans.time_rules import rules_of
from hlsmem.polyhedra.sets import fix_parameters, points
from hlsmem.program.model import Order, Program
from tests.holdings import part_in

Point = tuple[int, ...]
BEFORE: Point = (-1,)
AFTER: Point = (2,)


def _rows(value: Any, program: Program) -> list[Point]:
    return [tuple(row) for row in points(fix_parameters(value, program.values)).tolist()]


def _live(union: Any, array: str, program: Program) -> list[Point]:
    sets = union.get_set_list()
    own = [sets.get_at(i) for i in range(sets.n_set())]
    return sorted(
        {row for one in own if one.get_tuple_name() == array for row in _rows(one, program)}
    )


def _events(program: Program, array: str) -> list[tuple[Point, int, Point]]:
    """(time, 0 for a read and 1 for a write, element), sorted."""
    found = set()
    for statement in program.statements:
        schedule = statement.schedule.intersect_domain(statement.domain)
        depth = len(_names(statement.domain))
        times = {row[:depth]: row[depth:] for row in _rows(schedule, program)}
        for kind, accesses in ((0, statement.reads), (1, statement.writes)):
            for access in accesses:
                if access.array == array:
                    relation = access.relation.intersect_domain(statement.domain)
                    for row in _rows(relation, program):
                        found.add((times[row[:depth]], kind, row[depth:]))
    return sorted(found)


def _names(domain: Any) -> list[int]:
    from hlsmem.polyhedra import DimType

    return list(range(domain.dim(DimType.set)))


def _all_events(program: Program, array: str) -> list[tuple[Point, int, Point]]:
    """The events between the fill of what is live before and the drain of what is live after."""
    running = [((0, *time), kind, element) for time, kind, element in _events(program, array)]
    fills = [(BEFORE, 1, element) for element in _live(program.live_in, array, program)]
    drains = [(AFTER, 0, element) for element in _live(program.live_out, array, program)]
    return fills + running + drains


def _step(program: Program, time: Point) -> Point:
    if program.order is Order.ITERATION and time not in (BEFORE, AFTER):
        return time[: 1 + program.step_dimensions]
    return time


def conflicts(program: Program, array: str, *, strict: bool = False) -> set[frozenset[Point]]:
    """Pairs of elements that may not share a cell; ValueError where a read has no value."""
    events = _all_events(program, array)
    reads: dict[tuple[Point, Point], list[Point]] = {
        (element, time): [] for time, kind, element in events if kind == 1
    }
    for time, kind, element in events:
        if kind == 0:
            earlier = [w for e, w in reads if e == element and w < time]
            if not earlier:
                raise ValueError(f"{element} is read at {time} before it is written")
            source = max(earlier)
            if _step(program, source) != _step(program, time):
                reads[element, source].append(_step(program, time))
    values = {key: used for key, used in reads.items() if key[1] != BEFORE or used}
    found: set[frozenset[Point]] = set()
    for (first, start), used in values.items():
        for (second, other), _ in values.items():
            if first == second or other < start:
                continue
            ends = max(used, default=None)
            now = _step(program, other)
            still = ends is not None and (now <= ends if strict else now < ends)
            if still or other == start:
                found.add(frozenset((first, second)))
    return found


def address(document: Mapping[str, Any], array: str, element: Point) -> int:
    """The cell of an element by the numbers in plan.json, in memory-wide counting."""
    part = part_in(document["arrays"][array])
    start = part["base"]
    (only,) = part["mapping"]["pieces"]
    cell = 0
    for row, modulus, offset in zip(
        only["matrix_value"], only["modulus_value"], only["offset_value"], strict=True
    ):
        form = sum(factor * x for factor, x in zip(row, element, strict=True)) + offset
        cell = cell * modulus + form % modulus
    return int(start + cell)


def is_valid(program: Program, document: Mapping[str, Any], array: str) -> bool:
    """Whether no two conflicting elements of an array share a cell, at the plan's parameters."""
    strict = rules_of(document).strict
    return all(
        len({address(document, array, element) for element in pair}) == 2
        for pair in conflicts(program, array, strict=strict)
    )


def simulate(program: Program, document: Mapping[str, Any], array: str) -> bool:
    """Whether every read finds its own version of its element in a memory played step by step."""
    events = _all_events(program, array)
    versions = {(time, element) for time, kind, element in events if kind == 1}
    needed = set()
    fetches = []
    for time, kind, element in events:
        if kind == 0:
            source = max(t for t, e in versions if e == element and t < time)
            needed.add((source, element))
            if _step(program, source) != _step(program, time):
                fetches.append((_step(program, time), 0, time, element, source))
    stores = [
        (_step(program, time), 1, time, element, time)
        for time, element in versions
        if time != BEFORE or (time, element) in needed
    ]
    memory: dict[int, tuple[Point, Point]] = {}
    for _, kind, _, element, version in sorted(fetches + stores):
        cell = address(document, array, element)
        if kind == 1:
            memory[cell] = (element, version)
        elif memory.get(cell) != (element, version):
            return False
    return True
