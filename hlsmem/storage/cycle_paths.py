"""Paths within a cycle through all circuits of a design, from its input ports to its outputs.

Each circuit, and each junction, says which signals of its streams follow others in the cycle; here
they are joined, and only ports are left. What a register holds follows nothing. That is by
structure: a path is there whether or not some values take it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from itertools import permutations
from typing import TYPE_CHECKING

from hlsmem.plan import Elastic
from hlsmem.storage.circuit import DATA, LAST, READY, USER, VALID, Follows
from hlsmem.storage.junctions import Junction

if TYPE_CHECKING:
    from hlsmem.storage.kinds import Circuit

_BROUGHT = (DATA, LAST, USER, VALID)


def top_paths(
    circuits: Sequence[Circuit], junctions: Sequence[Junction], elastic: Sequence[Elastic]
) -> tuple[tuple[str, str], ...]:
    """The (input port, output port) of every path, in the order of their names."""
    following: dict[tuple[str, str], set[tuple[str, str]]] = defaultdict(set)
    waiting = {one.stream for one in elastic}
    for circuit in circuits:
        for (stream, signal), (other, later) in circuit.follows():
            names = (f"{one}_now" if one in waiting else one for one in (stream, other))
            following[next(names), signal].add((next(names), later))
    writes = {one.name: one.is_write for circuit in circuits for one in circuit.streams}
    for source, target in (*_through_fifos(waiting, writes), *_through(junctions)):
        following[source].add(target)
    inner = {branch.stream for one in junctions for branch in one.branches}
    ends = {name for circuit in circuits for one in circuit.streams for name in one.sees}
    ports = {name: way for name, way in writes.items() if name not in inner | ends}
    ports |= {one.name: one.is_write for one in junctions}
    found = [
        (f"{name}_{signal}", f"{other}_{later}")
        for name, is_write in ports.items()
        for signal in ((*_BROUGHT,) if is_write else (READY,))
        for other, later in _reached((name, signal), following)
        if other in ports and later in ((READY,) if ports[other] else _BROUGHT)
    ]
    return tuple(sorted(found))


def _through_fifos(names: Collection[str], writes: dict[str, bool]) -> Iterator[Follows]:
    """Branch FIFOs take a beat where one goes."""
    for name in names:
        own, beyond = (f"{name}_now", READY), (name, READY)
        yield (own, beyond) if writes[name] else (beyond, own)


def _through(junctions: Sequence[Junction]) -> Iterator[Follows]:
    for one in junctions:
        branches = [branch.stream for branch in one.branches]
        for branch in branches:
            if one.is_write:
                yield (branch, READY), (one.name, READY)
                yield from (
                    ((one.name, signal), (branch, signal)) for signal in (VALID, DATA, LAST)
                )
            else:
                yield (one.name, READY), (branch, READY)
                for signal in (VALID, DATA, *((USER,) if one.has_user else ())):
                    yield (branch, signal), (one.name, signal)
        if not one.is_write:
            if not one.walks and branches:
                yield (branches[0], LAST), (one.name, LAST)
            yield from (((a, VALID), (b, READY)) for a, b in permutations(branches, 2))


def _reached(
    start: tuple[str, str], following: dict[tuple[str, str], set[tuple[str, str]]]
) -> set[tuple[str, str]]:
    """All signals that follow one, without it."""
    seen: set[tuple[str, str]] = set()
    waiting = [start]
    while waiting:
        new = following.get(waiting.pop(), set()) - seen
        seen |= new
        waiting += new
    return seen
