"""Price of each read of an array: the cells and the max-live that would do without it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.source_location import SourceLocation
from hlsmem.lifetime.live_interval import live_intervals, with_slack
from hlsmem.lifetime.max_live import max_live
from hlsmem.lifetime.occupancy import occupancies
from hlsmem.program.model import Access, Copy, Program, Statement
from hlsmem.timing.events import events
from hlsmem.timing.value_flow import dataflow


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadPrice:
    """A read and what the array would take without it, all else the same.

    `text` is the read as the source has it. `cells` and `max_live` are those without it,
    max_live None where there are too many lives to count; `costs` are the cells that it adds.
    A price, never a change that is proposed: without the read the program is another one.
    """

    statement: str
    source_location: SourceLocation | None
    text: str
    cells: int
    max_live: int | None
    costs: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """The prices of an array's reads, the dearest first, and the reads that have none.

    `unpriced` are reads for which the work limit was hit. `none` says why no read has a price,
    where that is so.
    """

    reads: tuple[ReadPrice, ...] = ()
    unpriced: tuple[str, ...] = ()
    none: str = ""


@dataclass(frozen=True, slots=True)
class Without:
    """A read, and the program that does not make it."""

    statement: Statement
    read: Access
    program: Program


def without_each_read(program: Program, array: str) -> Iterator[Without]:
    """The program without each read of an array; equal relations of a statement count once.

    Departures of streams are no reads of the source.
    """
    for statement in program.statements:
        if isinstance(statement.body, Copy):
            continue
        left = [read for read in statement.reads if read.array == array]
        while left:
            first = left[0]
            same = [read for read in left if read.relation.is_equal(first.relation)]
            left = [read for read in left if all(read is not one for one in same)]
            reads = tuple(r for r in statement.reads if all(r is not one for one in same))
            others = tuple(
                replace(one, reads=reads) if one is statement else one for one in program.statements
            )
            yield Without(statement, first, replace(program, statements=others))


def count_max_live(
    program: Program, array: str, *, strict: bool = False, slack: int = 0
) -> int | None:
    """The most elements of an array alive at once, at the plan's values; None if too many lives."""
    ends = with_slack(program, array, events(program, strict=strict), slack)
    flow = dataflow(program, array, only_last=True)
    lives = live_intervals(program, program.arrays[array], flow, ends)
    peak = max_live(occupancies(lives), program.values)
    return None if peak is None else peak.cells


def read_text(read: Access) -> str:
    """A read as the source has it."""
    place = read.source_location
    if place is None or place.text is None:
        return read.array
    return place.text[place.column - 1 : place.column - 1 + place.length]
