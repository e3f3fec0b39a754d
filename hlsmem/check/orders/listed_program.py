"""A program listed at the plan's values: instances, values with their uses, dependences.

Nothing here is worked out by isl: accesses are points, and who reads what is found by walking
through them in the order of the program's times.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import field

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra.enumeration import distinct_points
from hlsmem.polyhedra.relations import sets_of
from hlsmem.polyhedra.sets import count, fix_parameters
from hlsmem.polyhedra.sweep import evaluate
from hlsmem.program.model import Program, Storage

# Instances that are looked at pair by pair.
MOST_INSTANCES = 4096
LIVE_IN = -1

Element = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Instance:
    """A statement instance with its loops and its time."""

    statement: int
    loops: Element
    time: Element


@dataclass(frozen=True, slots=True)
class Value:
    """A value that `writer` (an instance, or LIVE_IN) leaves in an element, and its readers."""

    element: Element
    writer: int
    uses: tuple[int, ...]
    is_live_out: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """Instances in an order that keeps all dependences; the values of every array.

    `after[x]` are the instances that have to come after x: flow of all arrays, and of external
    arrays and those with an element of several values what is overwritten.
    """

    program: Program
    instances: tuple[Instance, ...]
    values: dict[str, tuple[Value, ...]] = field(compare=False)
    after: tuple[frozenset[int], ...]


def too_large(program: Program) -> bool:
    """True if there are more instances than are listed."""
    total = sum(count(fix_parameters(one.domain, program.values)) for one in program.statements)
    return total > MOST_INSTANCES


def list_program(program: Program) -> Listing:
    """The listing of a program that is not `too_large`."""
    found = _instances(program)
    number = {(one.statement, one.loops): k for k, one in enumerate(found)}
    after: list[set[int]] = [set() for _ in found]
    values = {}
    for name, array in program.arrays.items():
        if array.storage is Storage.ROM:
            continue
        own, edges = _walk(program, name, found, number)
        values[name] = own
        several = len({value.element for value in own}) < len(own)
        for source, sink, is_flow in edges:
            if source != sink and (is_flow or several or array.storage is Storage.EXTERNAL):
                after[source].add(sink)
    return _sorted(
        Listing(
            program=program,
            instances=tuple(found),
            values=values,
            after=tuple(frozenset(one) for one in after),
        )
    )


def _instances(program: Program) -> list[Instance]:
    found = []
    for position, statement in enumerate(program.statements):
        domain = fix_parameters(statement.domain, program.values)
        points = distinct_points(domain)
        if not len(points):
            continue
        times = evaluate(
            fix_parameters(statement.schedule, program.values).intersect_domain(domain), points
        )
        found += [
            Instance(position, tuple(loops), tuple(time))
            for loops, time in zip(points.tolist(), times.tolist(), strict=True)
        ]
    return sorted(found, key=lambda one: (one.time, one.statement, one.loops))


def _walk(
    program: Program,
    array: str,
    found: Sequence[Instance],
    number: dict[tuple[int, Element], int],
) -> tuple[tuple[Value, ...], list[tuple[int, int, bool]]]:
    """The values of an array, and (source, sink, whether by a value) of its dependences."""
    events = sorted(_events(program, array, number), key=lambda e: (found[e[0]].time, e[1]))
    before = _live(program.live_in, program, array)
    last = dict.fromkeys(before, LIVE_IN)
    uses = dict[tuple[Element, int], list[int]]()
    since = dict[Element, list[int]]()
    edges = []
    for instance, is_write, element in events:
        writer = last.get(element)
        if is_write:
            if writer not in (None, LIVE_IN):
                edges.append((writer, instance, False))
            edges += [(reader, instance, False) for reader in since.pop(element, [])]
            last[element] = instance
            uses.setdefault((element, instance), [])
        elif writer is not None:
            uses.setdefault((element, writer), []).append(instance)
            since.setdefault(element, []).append(instance)
            if writer != LIVE_IN:
                edges.append((writer, instance, True))
    leaving = {
        (element, last[element])
        for element in _live(program.live_out, program, array)
        if element in last
    }
    for key in leaving:
        uses.setdefault(key, [])
    values = tuple(
        Value(element, writer, tuple(dict.fromkeys(readers)), (element, writer) in leaving)
        for (element, writer), readers in uses.items()
    )
    return values, edges


def _events(
    program: Program, array: str, number: dict[tuple[int, Element], int]
) -> Iterator[tuple[int, bool, Element]]:
    for position, statement in enumerate(program.statements):
        depth = len(statement.iterators)
        for is_write, accesses in ((False, statement.reads), (True, statement.writes)):
            for access in accesses:
                if access.array != array:
                    continue
                relation = fix_parameters(
                    access.relation.intersect_domain(statement.domain), program.values
                )
                for row in distinct_points(relation).tolist():
                    yield number[position, tuple(row[:depth])], is_write, tuple(row[depth:])


def _live(elements: object, program: Program, array: str) -> set[Element]:
    fixed = fix_parameters(elements, program.values)
    return {
        tuple(row)
        for one in sets_of(fixed)
        if one.get_tuple_name() == array
        for row in distinct_points(one).tolist()
    }


def _sorted(given: Listing) -> Listing:
    """The listing with instances numbered so that dependences go up: of equal times, too."""
    size = len(given.instances)
    missing = [0] * size
    for later in given.after:
        for sink in later:
            missing[sink] += 1
    ready = [k for k in range(size) if not missing[k]]
    order = []
    while ready:
        k = heapq.heappop(ready)
        order.append(k)
        for sink in given.after[k]:
            missing[sink] -= 1
            if not missing[sink]:
                heapq.heappush(ready, sink)
    place = {old: new for new, old in enumerate(order)} | {LIVE_IN: LIVE_IN}
    return Listing(
        program=given.program,
        instances=tuple(given.instances[old] for old in order),
        values={
            name: tuple(
                Value(
                    one.element,
                    place[one.writer],
                    tuple(place[u] for u in one.uses),
                    one.is_live_out,
                )
                for one in own
            )
            for name, own in given.values.items()
        },
        after=tuple(frozenset(place[sink] for sink in given.after[old]) for old in order),
    )
