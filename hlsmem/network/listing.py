"""Times at which processes fire, at the plan's parameters, and firings that wait for others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from itertools import permutations
from typing import Any

import numpy as np

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.network.channels import Channel
from hlsmem.network.firing import Part
from hlsmem.network.processes import Process
from hlsmem.polyhedra import Set
from hlsmem.polyhedra.codes import Code, code_within
from hlsmem.polyhedra.enumeration import bounding_box, distinct, distinct_points
from hlsmem.polyhedra.sets import count, fix_parameters
from hlsmem.polyhedra.sweep import evaluate
from hlsmem.program.model import Access, Program, Statement

MOST_READS = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """Firings of processes at the plan's parameters: `clocks` are their times, each as one number,
    in order."""

    program: Program
    processes: tuple[Process, ...]
    code: Code
    clocks: tuple[np.ndarray, ...]

    @property
    def steps(self) -> tuple[int, ...]:
        """Number of firings of each process."""
        return tuple(map(len, self.clocks))

    def process_of(self, statement: Statement) -> int:
        """The number of the process of a statement."""
        names = (one.statements for one in self.processes)
        return next(k for k, own in enumerate(names) if statement.name in own)

    def accesses(self, statement: Statement, access: Access) -> np.ndarray:
        """The times of the instances of a statement that make an access."""
        domain = access.relation.domain().intersect(statement.domain)
        made = statement.schedule.intersect_domain(domain).range()
        return self.code.of_rows(distinct_points(fix_parameters(made, self.program.values)))

    def pairs(self, channel: Channel) -> tuple[np.ndarray, np.ndarray]:
        """The times of all reads of a channel, and of the writes that they see."""
        return pairs_of(fix_parameters(channel.uses, self.program.values), self.code)

    def part(
        self,
        source: int,
        sink: int,
        reads: tuple[np.ndarray, np.ndarray],
        written: np.ndarray | None = None,
    ) -> Part:
        """The part by which reads see writes, as `pairs` has both. Its values are those `written`
        (None: those that are read); what nothing reads is never gone."""
        read, seen = reads
        token = distinct(seen if written is None else written)
        value = np.searchsorted(token, seen)
        last = np.full(len(token), -1)
        np.maximum.at(last, value, np.searchsorted(self.clocks[sink], read))
        last[last < 0] = len(self.clocks[sink])
        return Part(
            source=source,
            sink=sink,
            pushed_at=tuple(np.searchsorted(self.clocks[source], token).tolist()),
            read_at=tuple(np.searchsorted(self.clocks[sink], read).tolist()),
            token=tuple(value.tolist()),
            freed_at=tuple(last.tolist()),
        )


def listing_of(program: Program, processes: Sequence[Process]) -> Listing | None:
    """Firings of processes; None above MOST_READS instances, or of times without a code."""
    times = times_of(program)
    if sum(map(count, times.values())) > MOST_READS:
        return None
    code = code_of(reduce(Set.union, times.values()))
    if code is None:
        return None
    of_statement = {name: code.of_rows(distinct_points(one)) for name, one in times.items()}
    clocks = (distinct(np.concatenate([of_statement[s] for s in p.statements])) for p in processes)
    return Listing(program=program, processes=tuple(processes), code=code, clocks=tuple(clocks))


def orders_between(listing: Listing) -> Iterator[Part]:
    """Parts by which tasks keep the order of the text where they are not side by side, and runs of
    a region that of the loops around it."""
    for (source, before), (sink, after) in permutations(enumerate(listing.processes), 2):
        if not (before.tasks and after.tasks):
            continue
        task = before.beside(after)
        if task is None or task.apart:
            entries = None if task is None else task.apart
            first, second = ((k, listing.clocks[k]) for k in (source, sink))
            yield ordered(listing, first, second, entries)


def orders_of(
    program: Program, processes: Sequence[Process], arrays: Mapping[str, frozenset[str] | None]
) -> list[Part] | None:
    """Parts by which accesses of arrays keep the order of the schedule: writes and reads.

    With an array are the statements whose reads do, None: all.

    A read waits for the writes of its array before it, a write for the reads before it, as memories
    have them wait; so a run that ends with these ends in hardware, which waits for less.
    """
    listing = listing_of(program, processes)
    if listing is None:
        return None
    found = []
    for array, readers in arrays.items():
        reads, writes = dict[int, list[np.ndarray]](), dict[int, list[np.ndarray]]()
        for statement in program.statements:
            for accesses, into in ((statement.reads, reads), (statement.writes, writes)):
                for access in accesses:
                    if access.array != array:
                        continue
                    if into is reads and readers is not None and statement.name not in readers:
                        continue
                    rows = listing.accesses(statement, access)
                    into.setdefault(listing.process_of(statement), []).append(rows)
        for first, second in ((writes, reads), (reads, writes)):
            for source, before in first.items():
                for sink, after in second.items():
                    if source != sink:
                        found.append(
                            ordered(
                                listing,
                                (source, distinct(np.concatenate(before))),
                                (sink, distinct(np.concatenate(after))),
                            )
                        )
    return found


def ordered(
    listing: Listing,
    before: tuple[int, np.ndarray],
    after: tuple[int, np.ndarray],
    entries: int | None = None,
) -> Part:
    """A part by which firings of one process wait for those of another at earlier times, or at
    times whose first `entries` are earlier: processes by number, with times in order."""
    source, earlier = before
    sink, later = after
    size = listing.program.time_dimensions if entries is None else entries
    keys, asked = (listing.code.leading(one, size) for one in (earlier, later))
    needed = np.searchsorted(keys, asked, side="left")  # so many come before
    return waits(listing, (source, earlier), (sink, later), needed)


def waits(
    listing: Listing,
    before: tuple[int, np.ndarray],
    after: tuple[int, np.ndarray],
    needed: np.ndarray,
) -> Part:
    """A part by which each firing `after` waits for so many firings `before`, ever more."""
    source, sink = before[0], after[0]
    steps, first = np.unique(needed, return_index=True)
    first, steps = first[steps > 0], steps[steps > 0]
    pushed_at = np.searchsorted(listing.clocks[source], before[1][steps - 1])
    return Part(
        source=source,
        sink=sink,
        pushed_at=tuple(pushed_at.tolist()),
        read_at=tuple(np.searchsorted(listing.clocks[sink], after[1][first]).tolist()),
        token=tuple(range(len(steps))),
        freed_at=(),
    )


def times_of(program: Program) -> dict[str, Any]:
    """Times at which each statement runs, at the plan's parameters."""
    return {
        one.name: fix_parameters(
            one.schedule.intersect_domain(one.domain).range(), program.values
        ).coalesce()
        for one in program.statements
    }


def code_of(times: Any) -> Code | None:
    """Times as one number each, in their order; None where 64 bits do not tell them apart."""
    box = bounding_box(times)
    return code_within([low for low, _ in box], [high for _, high in box])


def pairs_of(uses: Any, code: Code) -> tuple[np.ndarray, np.ndarray]:
    """The numbers of reads, in their order, and of the writes that they see."""
    reads = distinct_points(uses.domain())
    return code.of_rows(reads), code.of_rows(evaluate(uses, reads))
