"""The streams of an array as isl relations at the plan's parameters: beats, times and elements.

Nothing here grows with the extents. A beat is known by its time; fill and drain are streams of two
more statements, before and after the program, whose times are the indices of elements.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import field
from functools import cached_property
from typing import Any

from hlsmem.addressing.loop_visits import Visits, visits_of
from hlsmem.addressing.nest_points import Region
from hlsmem.core.budgets import ACCESSES
from hlsmem.core.errors import InputError, LimitError, Note, Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.source_location import SourceLocation
from hlsmem.polyhedra import DimType, Map, Set, UnionMap, Val
from hlsmem.polyhedra.enclosing_instances import bind
from hlsmem.polyhedra.generated_loops import Node, generate
from hlsmem.polyhedra.relations import rearrangement
from hlsmem.polyhedra.sets import count, fix_parameters, with_parameters
from hlsmem.program.model import Access, Array, Program, Statement
from hlsmem.timing.lanes import beat_times, lane_columns, lanes_of
from hlsmem.timing.program_edges import DRAIN, FILL, drained, filled


@dataclass(frozen=True, slots=True, kw_only=True)
class OperandRelation:
    """One access of a stream: `relation` maps instances to elements.

    `lane` says which of the instances of an unrolled beat makes it: entries of times with their
    values. `place` is where the access stands.
    """

    relation: Any = field(compare=False)
    source_location: SourceLocation | None
    lane: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """The loops of a stream, which run over `entries` of its times, outermost first.

    `inside` is the set of loop values of beats, as parameters.
    """

    loops: tuple[str, ...]
    entries: tuple[int, ...]
    key: Any = field(compare=False)
    node: Node = field(repr=False)
    inside: Any = field(compare=False)
    visits: Visits = field(compare=False, repr=False)


@dataclass(frozen=True, kw_only=True)
class StreamRelation:
    """A stream of one array; streams with `is_write` go into the memory.

    `schedule` maps the instances that have a beat to its time: the program's, with 0 for lanes,
    and the coordinates behind it where instances share times. `phase` is -1 for the fill, 1 for
    the drain, 0 for statements; `index` puts these in textual order between them. `names` are
    those of the entries of times.
    """

    name: str
    array: str
    statement: str
    is_write: bool
    phase: int
    index: int
    latency: int
    schedule: Any = field(compare=False, repr=False)
    operands: tuple[OperandRelation, ...] = field(repr=False)
    names: tuple[str, ...]

    @cached_property
    def times(self) -> Any:
        """The set of times of its beats."""
        return self.schedule.range().coalesce()

    @cached_property
    def beats(self) -> int:
        """The number of its beats."""
        return count(self.times)

    def elements(self, operand: int) -> Any:
        """The map from times of beats to the element of an operand, where it is there."""
        relation = self.operands[operand].relation
        return self.schedule.reverse().apply_range(relation).coalesce()

    def in_loops(self, times: Any) -> Region:
        """Some of the times of its beats in its loops."""
        kept = rearrangement(times.dim(DimType.set), self.walk.entries)
        return Region(times.apply(kept).coalesce())

    @cached_property
    def walk(self) -> Walk:
        """The loops over the entries of its times that vary."""
        entries = tuple(varying_entries(self.times)) or (self.times.dim(DimType.set) - 1,)
        key = _kept_entries(self.schedule, entries)
        loops = _loop_names(entries, self.names)
        node, inside = _loops(key, loops)
        return Walk(
            loops=loops,
            entries=entries,
            key=key,
            node=node,
            inside=inside,
            visits=visits_of(node, loops),
        )


def array_relations(program: Program, array: Array) -> tuple[StreamRelation, ...]:
    """Streams of one planned array: per statement reads then writes, fill and drain last.

    Raises InputError where a statement writes the array twice in an instance, and where unrolled
    instances cannot be told apart.
    """
    found: list[StreamRelation | None] = []
    for index, statement in enumerate(program.statements):
        for is_write, accesses in ((False, statement.reads), (True, statement.writes)):
            own = tuple(access for access in accesses if access.array == array.name)
            if own:
                found.append(stream_of_accesses(program, array, statement, index, own, is_write))
    found.append(_edge_stream(program, array, filled(program, array), FILL, -1))
    found.append(_edge_stream(program, array, drained(program, array), DRAIN, 1))
    return tuple(stream for stream in found if stream is not None)


def accesses_of(streams: Sequence[StreamRelation]) -> int:
    """Number of reads and writes of an array."""
    return sum(stream.beats * len(stream.operands) for stream in streams)


def refuse_many(streams: Sequence[StreamRelation], reason: str, most: int = ACCESSES) -> None:
    """Raise LimitError where an array has more accesses than are listed at `most`; `reason` is why
    they would be."""
    accesses = accesses_of(streams)
    if accesses > most:
        array = streams[0].array
        raise LimitError(
            Problem(
                f"{array} is read and written {accesses} times, and accesses are looked at one by"
                f" one up to {most}, as {reason}",
                "plan it with smaller parameters, see --param",
            )
        )


def stream_of_accesses(
    program: Program,
    array: Array,
    statement: Statement,
    index: int,
    accesses: Sequence[Access],
    is_write: bool,
) -> StreamRelation | None:
    """The stream of the instances of a statement that make any of some accesses; None: of none."""
    if is_write and len(accesses) > 1:
        raise InputError(
            Problem(
                f"{statement.name} writes {array.name} twice in one instance, its memory"
                " has one write port",
                "split the statement",
                accesses[1].source_location,
                (Note("the first write", accesses[0].source_location),),
            )
        )
    operands = tuple(_operands(program, statement, accesses))
    instances = operands[0].relation.domain()
    for operand in operands[1:]:
        instances = instances.union(operand.relation.domain())
    if instances.is_empty():
        return None
    # Of 50 pieces each, both had 2500 together.
    instances = instances.coalesce()
    schedule = _fixed(program, statement.schedule.intersect_domain(statement.domain)).coalesce()
    if not schedule.is_injective():
        _refuse_unrolled(program, statement)
        coordinates = Map.identity(instances.space.map_from_set()).reset_tuple_id(DimType.out)
        schedule = schedule.flat_range_product(coordinates)
    schedule = beat_times(program, schedule.intersect_domain(instances))
    return StreamRelation(
        name=f"{'s' if is_write else 'm'}_{array.name}_{statement.name}",
        array=array.name,
        statement=statement.name,
        is_write=is_write,
        phase=0,
        index=index,
        latency=statement.latency,
        schedule=schedule.coalesce(),
        operands=operands,
        names=program.iterator_names,
    )


def _operands(
    program: Program, statement: Statement, accesses: Sequence[Access]
) -> Iterator[OperandRelation]:
    """The operands of a beat, lane by lane."""
    columns = lane_columns(program)
    for lane, own in lanes_of(program, statement):
        for access in accesses:
            relation = _fixed(program, access.relation.intersect_domain(statement.domain))
            yield OperandRelation(
                relation=relation.intersect_domain(own),
                source_location=access.source_location,
                lane=tuple(zip(columns, lane, strict=True)),
            )


def _refuse_unrolled(program: Program, statement: Statement) -> None:
    """Instances of one time are told apart by their coordinates, lanes by entries of it."""
    if program.lanes:
        what = f"instances of {statement.name} have equal times, and loops are unrolled"
        raise InputError(Problem(what, "give them times of their own", statement.source_location))


def _edge_stream(
    program: Program, array: Array, elements: Any, what: str, phase: int
) -> StreamRelation | None:
    """The fill (phase -1) or the drain (phase 1) of `elements`, row-major."""
    if elements is None:
        return None
    elements = _fixed(program, elements)
    if elements.is_empty():
        return None
    identity = Map.identity(elements.space.map_from_set()).intersect_domain(elements)
    schedule = identity.reset_tuple_id(DimType.out)
    if not array.index:  # a scalar passes at a time of one entry, as any element
        schedule = schedule.add_dims(DimType.out, 1).fix_val(DimType.out, 0, Val(0))
    return StreamRelation(
        name=f"{'s' if what == FILL else 'm'}_{array.name}_{what}",
        array=array.name,
        statement=what,
        is_write=what == FILL,
        phase=phase,
        index=phase * (len(program.statements) + 1),
        latency=0,
        schedule=schedule.coalesce(),
        operands=(OperandRelation(relation=identity, source_location=None, lane=()),),
        names=array.index,
    )


def _fixed(program: Program, value: Any) -> Any:
    return fix_parameters(with_parameters(value, program.parameters), program.values)


def varying_entries(times: Any) -> list[int]:
    """The entries of a bounded set of times that have several values."""
    return [
        entry
        for entry in range(times.dim(DimType.set))
        if not times.dim_min_val(entry).eq(times.dim_max_val(entry))
    ]


def _kept_entries(schedule: Any, kept: Sequence[int]) -> Any:
    """The schedule with the entries in `kept` alone."""
    for entry in reversed(range(schedule.dim(DimType.out))):
        if entry not in kept:
            schedule = schedule.project_out(DimType.out, entry, 1)
    return schedule


# Names of address generator ports and signals, and Verilog's own words that may name a loop.
_TAKEN = frozenset(
    """always and assign beat begin buf case cell clk default disable done else end event for force
    function if initial inout input integer join last load module move nand negedge nor not or
    output parameter pmos posedge primitive real reg release repeat rst scalared signed specify
    state step strength supply0 supply1 table task time tran tri use vectored wait wand weak0
    while wire wor xnor xor""".split()  # noqa: SIM905
)


# What address generators call their own registers and ports.
_OURS = re.compile(
    r"(next|key|cell|bank|look|seen|asked|restart|offset|sum|taken|wired|pushed|after|before)_\w*|\w*_now(_\d+)?|sum|stored|on_beat|at_last"
)


def _loop_names(entries: Sequence[int], names: Sequence[str]) -> tuple[str, ...]:
    """A Verilog name for each loop: that of its time entry, if it has one of its own."""
    result: list[str] = []
    for entry in entries:
        name = names[entry] if entry < len(names) and names[entry] else f"t{entry}"
        if _OURS.fullmatch(name) or not name.isidentifier():
            name = f"t{entry}"
        elif name in _TAKEN:
            name = f"{name}_loop"
        while name in result:
            name = f"{name}_t{entry}"
        result.append(name)
    return tuple(result)


def _loops(key: Any, loops: tuple[str, ...]) -> tuple[Node, Any]:
    """The loops over the range of `key`, and that range as a parameter set."""
    keys = key.range().coalesce()
    order = Map.identity(keys.space.map_from_set()).intersect_domain(keys)
    named_order = order.set_tuple_name(DimType.in_, "beat")
    node = generate(UnionMap.from_map(named_order), Set("{ : }"), loops)
    if node is None:
        raise AssertionError("a stream without beats has no loops")
    return node, bind(keys, loops)
