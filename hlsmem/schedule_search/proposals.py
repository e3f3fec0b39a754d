"""Orders worth planning, as settings of a design with a sentence each; nothing is planned here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, permutations

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra.limits import WorkLimitError, within
from hlsmem.program.model import Program
from hlsmem.program.options import SearchOptions
from hlsmem.schedule_search.found_schedule import Found
from hlsmem.schedule_search.order_in_words import sentence
from hlsmem.schedule_search.order_search import Search
from hlsmem.schedule_search.order_times import times_of
from hlsmem.schedule_search.row_candidates import Row

# Orders of a search that are looked at for some that differ in their bits.
_MOST_LOOKED_AT = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """An order: the text of its `schedule`, the rows that its times begin with, what it does.

    `kind` is fuse where every statement that touches a stream or an external array keeps its
    order, else interchange or strip; `by_columns` are the arrays touched in another order then.
    `bits` is an estimate.
    """

    kind: str
    what: str
    schedule: str
    rows: int
    bits: int
    by_columns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposals:
    """Orders by growing estimate, and some that may be illegal but would take few bits.

    `work` counts choices and distances; a search that was cut is not `complete`. `apart` are the
    arrays whose values pass from one outermost nest to another.
    """

    found: tuple[Proposal, ...]
    doubtful: tuple[Proposal, ...]
    work: int
    complete: bool
    apart: tuple[str, ...] = ()


def proposals(
    program: Program,
    options: SearchOptions,
    *,
    operations: int,
    limit: int,
    most: int,
    strips: bool = True,
    doubtful: int = 0,
) -> Proposals:
    """At most `most` orders of each kind that differ in their bits, and some `doubtful` ones.

    With `options.order` kept no others are looked for. `operations` limits isl, `limit` the
    choices looked at; where isl needs more, nothing is proposed.
    """
    source = program.source
    if not _is_searched(program):
        return Proposals(found=(), doubtful=(), work=0, complete=True)

    def work(_: object) -> Proposals:
        return _proposals(source, options, limit, most, strips=strips, doubtful=doubtful)

    try:
        return within(operations, work)
    except WorkLimitError:
        return Proposals(found=(), doubtful=(), work=operations, complete=False)


def _is_searched(program: Program) -> bool:
    """Tiles and lanes are those of one order; a statement alone has no other to run with."""
    several = len(program.source.statements) > 1
    return several and program.tile is None and not program.unroll


def _proposals(
    program: Program,
    options: SearchOptions,
    limit: int,
    most: int,
    *,
    strips: bool,
    doubtful: int,
) -> Proposals:
    search = Search(program, limit=limit)
    found = list(_distinct(search.orders(kept=True), most))
    if options.order == "any":
        search.limit += limit
        others = [one for one in _distinct(search.orders(kept=False), 2 * most) if one.turned]
        widths = options.strips if strips else ()
        cut = [
            stripped
            for one in found[:1]
            for width in widths
            if (stripped := search.in_strips(one, width)) is not None and stripped.turned
        ]
        found += [*others[:most], *cut]
    found.sort(key=lambda one: one.bits)
    nests = search.given.nests
    apart = [
        one.array
        for one in search.given.flows
        if nests[one.source].group != nests[one.target].group
    ]
    return Proposals(
        found=tuple(_proposal(search, one) for one in found),
        doubtful=tuple(_proposal(search, one) for one in islice(_unshifted(search), doubtful)),
        work=search.work,
        complete=search.complete,
        apart=tuple(dict.fromkeys(apart)),
    )


def _distinct(orders: Iterator[Found], most: int) -> Iterator[Found]:
    """The first orders of each estimate."""
    bits: set[int] = set()
    for one in islice(orders, _MOST_LOOKED_AT):
        if one.bits not in bits:
            bits.add(one.bits)
            yield one
            if len(bits) == most:
                return


def _unshifted(search: Search) -> Iterator[Found]:
    """All statements together at the same loops without any shift, those of fewest bits first."""
    nests = search.given.nests
    deepest = max((nest.depth for nest in nests), default=0)
    found = []
    for loops in permutations(range(deepest)):
        for size in range(1, deepest + 1):
            rows = tuple(
                tuple(Row.of(loop) if loop < nest.depth else Row() for loop in loops[:size])
                for nest in nests
            )
            order = Found(
                groups=(0,) * len(nests),
                rows=rows,
                shifts=((0,) * size,) * len(nests),
                bits=0,
            )
            found.append(replace(order, bits=search.bits(order), turned=search.turned_in(order)))
    yield from sorted(found, key=lambda one: one.bits)


def _proposal(search: Search, found: Found) -> Proposal:
    schedule, rows = times_of(search.program, search.given.nests, found)
    kind = "fuse" if found.kept else "strip" if found.strips else "interchange"
    return Proposal(
        kind=kind,
        what=sentence(search.program, search.given.nests, found),
        schedule=schedule,
        rows=rows,
        bits=found.bits,
        by_columns=found.turned,
    )
