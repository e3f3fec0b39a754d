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
class BranchPath:
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


def balance_faults(paths: Sequence[BranchPath], elastic: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Faults of the branch FIFOs of a plan, given all paths between its statements."""
    held = {path.stream: path for path in paths}
    depths = {one["stream"]: one["beats"] for one in elastic}
    if len(depths) != len(elastic):
        yield "a stream has two branch FIFOs"
    for one in elastic:
        path = held.get(one["stream"])
        if path is None:
            yield f"{one['stream']} is no read stream of a chain, and goes into no part of its own"
        elif one["bits"] != path.bits:
            yield f"a beat of {path.stream} has {path.bits} bits, not {one['bits']}"
        elif one["waits_for"] not in _brought(paths, path):
            yield f"{one['waits_for']} brings {path.reader} nothing"
    if not all(stream in held for stream in depths):
        return
    earliest = _earliest(paths)
    if earliest is None:
        yield "the statements wait for each other in turn, which no FIFO mends"
        return
    least = _least(paths, earliest)
    known = {path.stream: _left(path, least) for path in paths}
    if not _is_balanced(paths, depths):
        for stream, beats in known.items():
            if depths.get(stream, 0) != beats:
                has = _counted(depths.get(stream, 0))
                yield f"{has} wait on {stream}, where the ways to its statement differ by {beats}"
    planned = sum(held[stream].bits * beats for stream, beats in depths.items())
    fewest = sum(held[stream].bits * beats for stream, beats in known.items())
    if len(statements_of(paths)) <= MOST_STATEMENTS and planned > fewest:
        yield f"{planned} bits wait in branch FIFOs, where {fewest} would do"


def _brought(paths: Sequence[BranchPath], path: BranchPath) -> set[str]:
    """The read streams of the statement that a way leads to, or of all that read its part."""
    readers = {path.reader}
    if path.into_part:
        readers = {one.reader for one in paths if one.source == path.reader}
    return {one.stream for one in paths if one.reader in readers}


def _left(path: BranchPath, starts: Mapping[str, int]) -> int:
    """The beats that wait on a way with these start times."""
    return starts[path.reader] - starts[path.source] - path.cycles


def statements_of(paths: Sequence[BranchPath]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for path in paths for name in (path.source, path.reader)))


def _earliest(paths: Sequence[BranchPath]) -> dict[str, int] | None:
    """The earliest start times; None where the ways go round."""
    starts = dict.fromkeys(statements_of(paths), 0)
    for _ in range(len(starts) + 1):
        late = [path for path in paths if _left(path, starts) < 0]
        if not late:
            return starts
        for path in late:
            starts[path.reader] = max(starts[path.reader], starts[path.source] + path.cycles)
    return None


def _least(paths: Sequence[BranchPath], earliest: Mapping[str, int]) -> dict[str, int]:
    """Start times with the fewest bits waiting, downhill from the earliest ones.

    None is earlier than the earliest, so all steps are to later times.
    """
    starts = dict(earliest)
    names = statements_of(paths)
    if len(names) > MOST_STATEMENTS:
        return starts
    sets = [set(one) for size in range(1, len(names)) for one in combinations(names, size)]
    while True:
        for moved in sets:
            longer = [w for w in paths if w.reader in moved and w.source not in moved]
            shorter = [w for w in paths if w.source in moved and w.reader not in moved]
            gain = sum(w.bits for w in shorter) - sum(w.bits for w in longer)
            if gain > 0 and all(_left(path, starts) > 0 for path in shorter):
                starts |= {name: starts[name] + 1 for name in moved}
                break
        else:
            return starts


def _is_balanced(paths: Sequence[BranchPath], depths: Mapping[str, int]) -> bool:
    """True if some start times leave exactly these beats on the paths."""
    ahead = [(path.source, path.reader, path.cycles + depths.get(path.stream, 0)) for path in paths]
    ahead += [(reader, source, -cycles) for source, reader, cycles in ahead]
    starts = dict.fromkeys(statements_of(paths), 0)
    for _ in range(len(starts) + 1):
        late = [one for one in ahead if starts[one[1]] < starts[one[0]] + one[2]]
        if not late:
            return True
        for source, reader, cycles in late:
            starts[reader] = max(starts[reader], starts[source] + cycles)
    return False


def _counted(beats: int) -> str:
    return f"{beats} beat{'' if beats == 1 else 's'}"
