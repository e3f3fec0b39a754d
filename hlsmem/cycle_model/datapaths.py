"""The user's datapaths: how long each takes, and the values that they keep among themselves.

An array that the datapath keeps (`arrays.X.storage: datapath`) has no memory and no stream. What
reads it takes its beats when the instance that wrote the value has its results: a step that needs
its own result of d steps before starts every ceil(latency / d) cycles.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field, replace
from types import MappingProxyType
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.dependences.circuit_streams import Instances, PlainStream
from hlsmem.dependences.row_period import Cut
from hlsmem.polyhedra import DimType, Map
from hlsmem.polyhedra.extremes import lexmax, lexmin
from hlsmem.polyhedra.relations import maps_of, union_map
from hlsmem.polyhedra.sets import fix_parameters, points
from hlsmem.program.joined_statements import kept_after
from hlsmem.program.model import Program, Statement, Storage
from hlsmem.program.predicate_reads import with_predicate_reads
from hlsmem.timing.events import LIVE_IN, LIVE_OUT, full_events, instance_times
from hlsmem.timing.value_flow import dataflow


@dataclass(frozen=True, slots=True, kw_only=True)
class Carried:
    """Values that go from one statement to another, or to itself, within the datapath.

    `sources` is { [time of the reader] -> [time of a writer] }. With a `cut` the times are those of
    a run with rows left out. They are there `cycles` behind the writer's beat; None: its latency.
    """

    array: str
    writer: str
    reader: str
    sources: Any = field(compare=False, repr=False)
    cycles: int | None = None
    cut: Cut | None = None

    def pairs(self) -> tuple[Any, Any]:
        """The times of readers and of their writers, a row each."""
        rows = points(self.sources.wrap())
        size = self.sources.dim(DimType.in_)
        reader, writer = rows[:, :size], rows[:, size:]
        if self.cut is None:
            return reader, writer
        cut, entry = self.cut, self.cut.entry
        own = reader[:, entry]
        stays = (own < cut.first) | (own >= cut.end)
        reader, writer = reader[stays], writer[stays].copy()
        # Rows in front of the cut stand for those that were left out.
        left_out = (writer[:, entry] >= cut.first) & (writer[:, entry] < cut.end)
        writer[left_out, entry] -= cut.rows
        return reader, writer

    def is_clear(self) -> bool:
        """True if the rows that stand for those left out are like them."""
        if self.cut is None:
            return True
        reader, writer = replace(self, cut=None).pairs()
        own, row = reader[:, self.cut.entry], writer[:, self.cut.entry]
        moved = (own >= self.cut.end) & (row >= self.cut.first) & (row < self.cut.end)
        return bool((row[moved] - self.cut.rows >= self.cut.begin).all())

    def table(self, entry: int) -> Any:
        """{ [time, distance] }: what is looked up at each time, as far as rows go."""
        size = self.sources.dim(DimType.in_)
        t, s = ([f"{name}{k}" for k in range(size)] for name in "ts")
        ends = [f"s{k} - t{k}" if k == entry else f"s{k}" for k in range(size)]
        text = f"{{ [{', '.join(t + s)}] -> [{', '.join(t + ends)}] }}"
        return self.sources.wrap().flatten().apply(Map(text))


@dataclass(frozen=True, slots=True, kw_only=True)
class Datapaths:
    """The datapath of every statement: its `latency` in cycles, and what it keeps for others.

    `instances` are those of the statements that write or read what is `carried`. Statements that
    make one beat together are `joined`: by statement the name of their process, and
    { [time of an instance] -> [time of the beat that it is part of] }.
    """

    latency: Mapping[str, int]
    carried: tuple[Carried, ...] = ()
    instances: Mapping[str, Instances] = field(
        default_factory=lambda: MappingProxyType({}), compare=False
    )
    joined: Mapping[str, tuple[str, Any]] = field(
        default_factory=lambda: MappingProxyType({}), compare=False
    )

    def process_of(self, statement: str) -> str:
        """The name of the datapath that a statement is part of."""
        return self.joined[statement][0] if statement in self.joined else statement

    def of_process(self, stream: PlainStream) -> PlainStream:
        """A stream as one of its process's, a beat of it at the time of the process's."""
        if stream.statement not in self.joined:
            return stream
        name, times = self.joined[stream.statement]
        return replace(stream, statement=name, instances=stream.instances.at(times))

    def cycles(self, statement: str) -> int:
        """The cycles from operands to result."""
        return self.latency.get(statement, 1)

    def waiting(self, reading: Sequence[str]) -> tuple[list[str], list[Carried]]:
        """The statements whose results are not there from the start, and what they carry.

        `reading` are those that read streams. What is computed of numbers alone is always there.
        """
        found = list(reading)
        while True:
            more = [c.reader for c in self.carried if c.writer in found and c.reader not in found]
            if not more:
                return found, [c for c in self.carried if c.writer in found]
            found += dict.fromkeys(more)

    def without(self, cut: Cut) -> Datapaths:
        """Those of a run with a cut."""
        return replace(
            self,
            carried=tuple(replace(one, cut=cut) for one in self.carried),
            instances={name: one.without(cut) for name, one in self.instances.items()},
        )

    def is_clear(self) -> bool:
        """True if every lookup in a run with a cut is there."""
        return all(one.is_clear() for one in self.carried)

    def row_times(self) -> list[Any]:
        return [one.times for one in self.instances.values()]

    def row_tables(self, entry: int) -> list[Any]:
        return [one.table(entry) for one in self.carried]


def datapaths_of(program: Program) -> Datapaths:
    """The datapaths of a program with its streams arranged."""
    latency = {statement.name: statement.latency for statement in program.statements}
    kept = [one.name for one in program.arrays.values() if one.storage is Storage.DATAPATH]
    if not kept or program.lanes:
        return Datapaths(latency=latency)
    program = with_predicate_reads(program)
    carried = tuple(_carried(program, kept))
    size = program.time_dimensions
    named = {name for one in carried for name in (one.writer, one.reader)}
    instances = {}
    for statement in program.statements:
        if statement.name in named:
            times = statement.schedule.intersect_domain(statement.domain).range()
            times = fix_parameters(times, program.values).coalesce()
            instances[statement.name] = Instances(times, size)
    return Datapaths(latency=latency, carried=carried, instances=instances)


def joined_datapaths(
    program: Program,
    latency: Mapping[str, int],
    groups: Mapping[str, Collection[str]],
    intervals: Mapping[str, int],
) -> Datapaths:
    """The datapaths of a program whose statements are processes, by name their `latency` and the
    names of their statements; each keeps what its own hand on.

    Those of a process in one nest share the beats of the deepest. One in front of its innermost
    loops is part of the first of their beats, one behind of the last. Those with `intervals` take
    a beat so many cycles behind the one before it in these loops.
    """
    size = program.time_dimensions
    instances, joined, carried = {}, {}, []
    for name, names in groups.items():
        statements = [one for one in program.statements if one.name in names]
        deepest = max(statements, key=lambda one: len(one.iterators))
        beats = _times(program, deepest)
        instances[name] = Instances(beats.range().coalesce(), size)
        if name in intervals:
            outer = min(len(one.iterators) for one in statements)
            sources = _before(beats, outer)
            own = Carried(
                array=name, writer=name, reader=name, sources=sources, cycles=intervals[name]
            )
            carried.append(own)
        for one in statements:
            own, depth = _times(program, one), len(one.iterators)
            at = beats.project_out(DimType.in_, depth, len(deepest.iterators) - depth)
            at = lexmin(at) if _is_in_front(statements, one, deepest) else lexmax(at)
            inside = own.reset_tuple_id(DimType.in_).reverse()
            joined[one.name] = name, inside.apply_range(at.reset_tuple_id(DimType.in_))
    return Datapaths(latency=latency, carried=tuple(carried), instances=instances, joined=joined)


def _before(beats: Any, outer: int) -> Any:
    """{ [time of a beat] -> [time of the one before it] }, both in one iteration of outer loops."""
    own = beats.domain()
    depth = own.dim(DimType.set)
    named = [f"i{k}" for k in range(depth)]
    others = [*named[:outer], *(f"j{k}" for k in range(outer, depth))]
    same = Map(f"{{ [{', '.join(named)}] -> [{', '.join(others)}] }}")
    plain = own.reset_tuple_id()
    earlier = same.intersect_domain(plain).intersect_range(plain)
    earlier = lexmax(earlier.intersect(Map.lex_gt(plain.get_space())))
    times = beats.reset_tuple_id(DimType.in_)
    return earlier.apply_domain(times).apply_range(times).coalesce()


def _is_in_front(statements: Sequence[Statement], one: Statement, deepest: Statement) -> bool:
    return statements.index(one) < statements.index(deepest)


def _times(program: Program, statement: Statement) -> Any:
    """{ instance -> time } at the values of the parameters."""
    return fix_parameters(statement.schedule.intersect_domain(statement.domain), program.values)


def _carried(program: Program, arrays: Sequence[str]) -> Iterator[Carried]:
    full, times = full_events(program), instance_times(program)
    by_name = {one.name: one for one in program.statements}
    for array in arrays:
        pairs = dataflow(program, array, full).uses.curry().range().unwrap()
        for pair in maps_of(pairs):
            writer, reader = pair.get_tuple_name(DimType.in_), pair.get_tuple_name(DimType.out)
            if writer == LIVE_IN or reader == LIVE_OUT:
                continue
            own = union_map([pair]).apply_domain(times).apply_range(times).reverse()
            sources = fix_parameters(Map.from_union_map(own), program.values).coalesce()
            yield Carried(
                array=array,
                writer=writer,
                reader=reader,
                sources=sources,
                cycles=kept_after(by_name[writer], by_name[reader]),
            )
