"""Branch FIFOs: whether they hold as many beats as the paths to their statement differ.

Start times of all statements are right when each comes no earlier than what it reads: what is left
on a way are the beats that wait there. They are worked out anew by going downhill: sums of
differences are least where shifting no set of statements by a cycle makes them less (Murota,
"Discrete Convex Analysis", SIAM 2003, theorem 7.14).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

# Statements up to which all sets of them are looked at.
MOST_STATEMENTS = 12


@dataclass(frozen=True)
class Way:
    """From one statement to another through a part: cycles, and bits of a beat that waits there.

    `stream` is the read stream. Where a part waits as a whole it stands for a statement, and
    there is a way of its write stream `into_part`.
    """

    source: str
    reader: str
    stream: str
    cycles: int
    bits: int
    into_part: bool = False


def balance_faults(ways: Sequence[Way], elastic: Sequence[dict[str, Any]]) -> Iterator[str]:
    """What is wrong with the branch FIFOs of a plan, given all ways between its statements."""
    held = {way.stream: way for way in ways}
    depths = {one["stream"]: one["beats"] for one in elastic}
    if len(depths) != len(elastic):
        yield "a stream has two branch FIFOs"
    for one in elastic:
        way = held.get(one["stream"])
        if way is None:
            yield f"{one['stream']} is no read stream of a chain, and goes into no part of its own"
        elif one["bits"] != way.bits:
            yield f"a beat of {way.stream} has {way.bits} bits, not {one['bits']}"
        elif one["waits_for"] not in _brought(ways, way):
            yield f"{one['waits_for']} brings {way.reader} nothing"
    if not all(stream in held for stream in depths):
        return
    earliest = _earliest(ways)
    if earliest is None:
        yield "the statements wait for each other in turn, which no FIFO mends"
        return
    least = _least(ways, earliest)
    known = {way.stream: _left(way, least) for way in ways}
    if not _is_balanced(ways, depths):
        for stream, beats in known.items():
            if depths.get(stream, 0) != beats:
                has = _counted(depths.get(stream, 0))
                yield f"{has} wait on {stream}, where the ways to its statement differ by {beats}"
    planned = sum(held[stream].bits * beats for stream, beats in depths.items())
    fewest = sum(held[stream].bits * beats for stream, beats in known.items())
    if len(statements_of(ways)) <= MOST_STATEMENTS and planned > fewest:
        yield f"{planned} bits wait in branch FIFOs, where {fewest} would do"


def _brought(ways: Sequence[Way], way: Way) -> set[str]:
    """The read streams of the statement that a way leads to, or of all that read its part."""
    readers = {way.reader}
    if way.into_part:
        readers = {one.reader for one in ways if one.source == way.reader}
    return {one.stream for one in ways if one.reader in readers}


def _left(way: Way, starts: Mapping[str, int]) -> int:
    """The beats that wait on a way with these start times."""
    return starts[way.reader] - starts[way.source] - way.cycles


def statements_of(ways: Sequence[Way]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for way in ways for name in (way.source, way.reader)))


def _earliest(ways: Sequence[Way]) -> dict[str, int] | None:
    """The earliest start times; None where the ways go round."""
    starts = dict.fromkeys(statements_of(ways), 0)
    for _ in range(len(starts) + 1):
        late = [way for way in ways if _left(way, starts) < 0]
        if not late:
            return starts
        for way in late:
            starts[way.reader] = max(starts[way.reader], starts[way.source] + way.cycles)
    return None


def _least(ways: Sequence[Way], earliest: Mapping[str, int]) -> dict[str, int]:
    """Start times with the fewest bits waiting, downhill from the earliest ones.

    None is earlier than the earliest, so all steps are to later times.
    """
    starts = dict(earliest)
    names = statements_of(ways)
    if len(names) > MOST_STATEMENTS:
        return starts
    sets = [set(one) for size in range(1, len(names)) for one in combinations(names, size)]
    while True:
        for moved in sets:
            longer = [w for w in ways if w.reader in moved and w.source not in moved]
            shorter = [w for w in ways if w.source in moved and w.reader not in moved]
            gain = sum(w.bits for w in shorter) - sum(w.bits for w in longer)
            if gain > 0 and all(_left(way, starts) > 0 for way in shorter):
                starts |= {name: starts[name] + 1 for name in moved}
                break
        else:
            return starts


def _is_balanced(ways: Sequence[Way], depths: Mapping[str, int]) -> bool:
    """Whether some start times leave exactly these beats on the ways."""
    ahead = [(way.source, way.reader, way.cycles + depths.get(way.stream, 0)) for way in ways]
    ahead += [(reader, source, -cycles) for source, reader, cycles in ahead]
    starts = dict.fromkeys(statements_of(ways), 0)
    for _ in range(len(starts) + 1):
        late = [one for one in ahead if starts[one[1]] < starts[one[0]] + one[2]]
        if not late:
            return True
        for source, reader, cycles in late:
            starts[reader] = max(starts[reader], starts[source] + cycles)
    return False


def _counted(beats: int) -> str:
    return f"{beats} beat{'' if beats == 1 else 's'}"
