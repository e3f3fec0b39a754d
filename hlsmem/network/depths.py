"""The depths of streams with which the tasks of DATAFLOW regions come to their end.

A task runs in the order of its text. It takes a word from a stream once it is there, and puts one
where the stream has room. Arrays between tasks are handed over whole, as by synthesis tools: a task
begins when those have ended that wrote what it reads; or else element by element. Such a network is
confluent (Kahn), so one run decides. Source: AMD UG1399, "Dataflow"; Parks, "Bounded scheduling of
process networks" (1995), for the streams that are full where it is stuck.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.wording import listed
from hlsmem.network.channels import Channel, channels_of
from hlsmem.network.firing import Net, Part, least_capacity, run
from hlsmem.network.listing import Listing, listing_of, orders_between, waits
from hlsmem.network.processes import processes_of
from hlsmem.polyhedra import DimType
from hlsmem.polyhedra.enumeration import distinct, distinct_points
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.program.model import Program, Task

MOST_FIRINGS = 200_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Needed:
    """The depth that a stream needs: with one less the network is stuck.

    Where that is so whatever the other streams have, it is needed `alone`; else while the others
    have the depths that they were asked to have, and those that are needed of them.
    """

    depth: int
    alone: bool


def streams_between(
    program: Program, streams: Collection[str]
) -> Mapping[str, tuple[str, str] | None]:
    """Of streams that the program writes and reads what keeps them from being one, and what to do;
    None where nothing does.

    A stream has one task that writes it, and one that reads it, and no data decide what passes.
    """
    processes = processes_of(program, "given")
    found: dict[str, tuple[str, str] | None] = {}
    for name in streams:
        uses = [
            (process.name, access in statement.writes, access.must and not statement.filters)
            for process in processes
            for statement in program.statements
            if statement.name in process.statements
            for access in (*statement.reads, *statement.writes)
            if access.array == name
        ]
        ends = [{p for p, is_write, _ in uses if is_write is end} for end in (True, False)]
        if not all(ends):
            continue  # a port: its other end is not in the program
        found[name] = None
        for tasks, does in zip(ends, ("write", "read"), strict=True):
            if len(tasks) > 1:
                why = f"{listed(sorted(tasks))} {does} it, and one task may"
                found[name] = why, "give each of them a stream of its own"
        if not all(sure for _, _, sure in uses):
            found[name] = "data decide what passes through it", "find its depth by simulation"
    return found


def net_of_tasks(program: Program, streams: Mapping[str, bool], *, whole: bool) -> Net | None:
    """The tasks of a program, with a part for each of the streams, in their order.

    Of the streams that are True all words that are written take room, of others those that are
    read. Arrays are handed over `whole`, or element by element. None where there is too much to
    run.
    """
    processes = processes_of(program, "given")
    listing = listing_of(program, processes)
    if listing is None:
        return None
    by_array: dict[str, list[Channel]] = {}
    for one in channels_of(program, {*streams, *_shared(program)}):
        by_array.setdefault(one.array, []).append(one)
    parts = [
        _stream(listing, name, by_array.get(name, []), is_counted=is_counted)
        for name, is_counted in streams.items()
    ]
    others = (one for name, found in by_array.items() if name not in streams for one in found)
    orders = [*_handed_over(listing, others, whole=whole), *orders_between(listing)]
    net = _of_events(Net(steps=listing.steps, parts=tuple(parts), orders=tuple(orders)))
    return None if sum(net.steps) > MOST_FIRINGS else net


def needed_depths(net: Net, asked: Sequence[int | None]) -> dict[int, Needed]:
    """The depths of parts that are deeper than those `asked` (None: any); none where these do.

    With all of them, and with those asked of the others, the network comes to its end.
    """
    anything: list[int | None] = [None] * len(net.parts)
    alone = {
        k: least_capacity(net, anything, k).most[k]
        for k, one in enumerate(asked)
        if one is not None
    }
    depths = [None if one is None else max(one, alone[k]) for k, one in enumerate(asked)]
    raised = dict[int, int]()
    while stuck := run(net, depths).deadlock:
        full = [one.channel for one in stuck.cycle if one.for_room]
        for one in full:
            raised[one], depths[one] = depths[one] or 0, None
    for one, words in raised.items():
        depths[one] = max(words, least_capacity(net, depths, one).most[one])
    return {
        k: Needed(depth=depth, alone=depth == alone[k])
        for k, (one, depth) in enumerate(zip(asked, depths, strict=True))
        if one is not None and depth is not None and depth > one
    }


def _shared(program: Program) -> Iterator[str]:
    """The arrays that several tasks use."""
    first = dict[str, tuple[Task, ...]]()
    for statement in program.statements:
        for access in (*statement.reads, *statement.writes):
            if first.setdefault(access.array, statement.tasks) != statement.tasks:
                yield access.array


def _stream(listing: Listing, name: str, channels: Sequence[Channel], *, is_counted: bool) -> Part:
    """The part of a stream that has one source and one sink."""
    statements = listing.program.statements
    writes = [(s, a) for s in statements for a in s.writes if a.array == name]
    sink = next(s for s in statements for a in s.reads if a.array == name)
    pairs = [listing.pairs(one) for one in channels]
    nothing = np.zeros(0, dtype=np.int64)
    read, seen = (np.concatenate([nothing, *(one[k] for one in pairs)]) for k in (0, 1))
    written = distinct(np.concatenate([listing.accesses(*one) for one in writes]))
    return listing.part(
        listing.process_of(writes[0][0]),
        listing.process_of(sink),
        (read, seen),
        written if is_counted else None,
    )


def _handed_over(listing: Listing, channels: Iterable[Channel], *, whole: bool) -> Iterator[Part]:
    """Parts by which a task waits for those that write arrays which it reads."""
    for channel in channels:
        source, sink = listing.process_of(channel.source), listing.process_of(channel.sink)
        before, after = listing.processes[source], listing.processes[sink]
        task = before.beside(after)
        if task is None:
            continue  # its own, or in the order of the text
        if not whole and not channel.conditional:
            yield listing.part(source, sink, listing.pairs(channel))
            continue
        rows = _runs(listing, channel, task.runs)
        own, others = (listing.code.leading(one, task.runs) for one in rows)
        clocks = [listing.clocks[k] for k in (source, sink)]
        of_source, of_sink = (listing.code.leading(one, task.runs) for one in clocks)
        begins = clocks[1][np.searchsorted(of_sink, own)]
        ends = np.searchsorted(of_source, others, side="right")
        yield waits(listing, (source, clocks[0]), (sink, begins), np.maximum.accumulate(ends))


def _runs(listing: Listing, channel: Channel, entries: int) -> tuple[np.ndarray, np.ndarray]:
    """Times of the runs of a region that read from a channel, in order, and of those that wrote."""
    uses = fix_parameters(channel.uses, listing.program.values)
    size = uses.dim(DimType.in_)
    for kind in (DimType.in_, DimType.out):
        uses = uses.project_out(kind, entries, size - entries)
    found = distinct_points(uses)
    rest = np.tile(listing.code.low[entries:], (len(found), 1))
    of_read, of_write = found[:, :entries], found[:, entries:]
    read, write = (listing.code.of_rows(np.hstack([one, rest])) for one in (of_read, of_write))
    return read, write


def _of_events(net: Net) -> Net:
    """The net without firings that take part in nothing."""
    used: list[set[int]] = [set() for _ in net.steps]
    for one in net.all_parts:
        used[one.source].update(one.pushed_at)
        used[one.sink].update(one.read_at)
    number = [{firing: k for k, firing in enumerate(sorted(own))} for own in used]

    def renumbered(one: Part) -> Part:
        source, sink = number[one.source], number[one.sink]
        return replace(
            one,
            pushed_at=tuple(source[k] for k in one.pushed_at),
            read_at=tuple(sink[k] for k in one.read_at),
            freed_at=tuple(sink.get(k, len(sink)) for k in one.freed_at),
        )

    return Net(
        steps=tuple(map(len, number)),
        parts=tuple(map(renumbered, net.parts)),
        orders=tuple(map(renumbered, net.orders)),
    )
