"""Constraints on an order, as points of loops: dependences and flows of values.

A loop of a statement is an entry of its time in the source that varies: for C the loops around
it, those that count down negated. Points are [loops of the source, loops of the target].
Dependences hold for all parameters, which are further entries at their end; flows are those at
the plan's values, since they only say how long values wait.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import DimType, Map, Set, UnionMap
from hlsmem.polyhedra.extremes import Points
from hlsmem.polyhedra.relations import fixed_entries, maps_of, rearrangement, union_map
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.program.model import Program, Statement, Storage
from hlsmem.timing.events import LIVE_IN, LIVE_OUT, instance_times
from hlsmem.timing.value_flow import accesses, dataflow


@dataclass(frozen=True, slots=True, kw_only=True)
class Nest:
    """A statement with its loops: `entries` of its time, outermost first.

    `group` is the first entry of its time, where that is a textual position: statements of one
    group stand in one outermost nest. `loops` maps its instances to [loops].
    """

    statement: Statement
    entries: tuple[int, ...]
    group: int
    loops: Any = field(compare=False, repr=False)

    @property
    def depth(self) -> int:
        """The number of loops."""
        return len(self.entries)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dependence:
    """Pairs of instances that touch one element, at least one writing, in source order.

    `relation` has them as { [loops] -> [loops] }.
    """

    source: int
    target: int
    points: Points
    relation: Any = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Flow:
    """Pairs of instances of which one writes a value of a planned array that the other reads.

    `relation` has them for all parameters, as { [loops] -> [loops] }.
    """

    array: str
    source: int
    target: int
    points: Points
    relation: Any = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dependences:
    """All of a program: its nests by position in the text, dependences, flows of values."""

    nests: tuple[Nest, ...]
    dependences: tuple[Dependence, ...]
    flows: tuple[Flow, ...]


def dependences(program: Program) -> Dependences:
    """The nests of a program with all that orders them; the program is in its source's order."""
    nests = tuple(_nest(program, one) for one in program.statements)
    position = {nest.statement.name: k for k, nest in enumerate(nests)}
    loops = union_map(nest.loops for nest in nests)
    found: dict[tuple[int, int], Any] = {}
    for name, array in program.arrays.items():
        if array.storage is Storage.ROM:
            continue
        for pair in maps_of(_conflicting(program, name)):
            ends = (
                position[pair.get_tuple_name(DimType.in_)],
                position[pair.get_tuple_name(DimType.out)],
            )
            found[ends] = found[ends].union(pair) if ends in found else pair
    over_loops = {ends: _over_loops(found[ends], loops) for ends in sorted(found)}
    every = tuple(
        Dependence(source=s, target=t, points=Points.of(pair), relation=pair)
        for (s, t), pair in over_loops.items()
    )
    flows = tuple(
        flow
        for array in program.planned_arrays()
        for flow in _flows(program, array.name, position, loops)
    )
    return Dependences(nests=nests, dependences=every, flows=flows)


def _nest(program: Program, statement: Statement) -> Nest:
    times = statement.schedule.intersect_domain(statement.domain)
    fixed = fixed_entries(times.range().coalesce())
    size = program.time_dimensions
    entries = tuple(entry for entry in range(size) if entry not in fixed)
    first = times.range().plain_get_val_if_fixed(DimType.set, 0)
    return Nest(
        statement=statement,
        entries=entries,
        group=int(first.to_python()) if 0 in fixed else 0,
        loops=times.apply_range(rearrangement(size, entries)).coalesce(),
    )


def _conflicting(program: Program, array: str) -> Any:
    """{ S[i] -> T[j] : both touch one element, one writes, the first is earlier }."""
    writes = accesses(program, array, writes=True)
    reads = accesses(program, array, writes=False)
    touching = reads.union(writes)
    pairs = writes.apply_range(touching.reverse()).union(reads.apply_range(writes.reverse()))
    times = instance_times(program)
    less = UnionMap.from_map(Map.lex_lt(Set.universe(_time_space(times)).get_space()))
    # What does not touch it is left out before instances are paired with each other.
    times = times.intersect_domain(touching.domain().universe())
    before = times.apply_range(less).apply_range(times.reverse())
    return pairs.intersect(before).coalesce()


def _time_space(times: Any) -> Any:
    return maps_of(times)[0].range().get_space()


def _over_loops(pair: Any, loops: Any) -> Any:
    """A relation of instances as one of their loops."""
    moved = UnionMap.from_map(pair).apply_domain(loops).apply_range(loops)
    return Map.from_union_map(moved)


def _flows(program: Program, array: str, position: dict[str, int], loops: Any) -> list[Flow]:
    found = []
    for use in maps_of(dataflow(program, array, only_last=True).uses.curry()):
        pair = use.range().unwrap()  # W[i] -> R[j]
        writer, reader = (pair.get_tuple_name(way) for way in (DimType.in_, DimType.out))
        if writer == LIVE_IN or reader == LIVE_OUT:
            continue
        relation = _over_loops(pair, loops)
        here = fix_parameters(relation, program.values)
        if not here.is_empty():
            flow = Flow(
                array=array,
                source=position[writer],
                target=position[reader],
                points=Points.of(here),
                relation=relation,
            )
            found.append(flow)
    return sorted(found, key=lambda flow: (flow.source, flow.target))
