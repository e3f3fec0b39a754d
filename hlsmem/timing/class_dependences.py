"""The dependences that every order of a class has to keep.

Flow by values of all arrays; of external arrays, and of arrays with an element that holds more
than one value, also what is overwritten: the reads of a value, and the write before.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import DimType, UnionAccessInfo, UnionMap, UnionSet
from hlsmem.polyhedra.relations import maps_of, union_map
from hlsmem.polyhedra.sets import without_parameters
from hlsmem.program.model import Program, Storage
from hlsmem.timing.events import LIVE_IN, LIVE_OUT, full_events
from hlsmem.timing.value_flow import (
    Dataflow,
    accesses,
    dataflow,
    free_name,
    primed,
    without_fixed_loops,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dependence:
    """Constraint of one array on an order: { W[i] -> R[j] }, the first runs before the second.

    `kind`: flow, anti or output. Live content is left out: it comes before and after all.
    """

    array: str
    kind: str
    relation: Any = field(compare=False)


def dependences(program: Program) -> tuple[Dependence, ...]:
    """The dependences of a program in its own order, array by array."""
    full = full_events(program)
    found = []
    for name, array in program.arrays.items():
        if array.storage is Storage.ROM:
            continue
        flow = dataflow(program, name, full)
        found.append(Dependence(array=name, kind="flow", relation=_flow(flow)))
        if array.storage in (Storage.EXTERNAL, Storage.DATAPATH) or not flow.written_once:
            found += _overwriting(program, name)
    return tuple(one for one in found if not one.relation.is_empty())


def union_of_dependences(found: Iterable[Dependence]) -> Any:
    """{ x -> y } of all of them together."""
    result = UnionMap("{ }")
    for one in found:
        result = result.union(one.relation)
    return result.coalesce()


def _flow(flow: Dataflow) -> Any:
    pairs = flow.uses.curry().range().unwrap()
    outside = UnionSet(f"{{ {LIVE_IN}[]; {LIVE_OUT}[] }}")
    return pairs.subtract_domain(outside).subtract_range(outside).coalesce()


def _overwriting(program: Program, array: str) -> list[Dependence]:
    """Last accesses of an element before a write of it, by the program's times."""
    full = full_events(program)
    reads = accesses(program, array, writes=False)
    sinks = primed(accesses(program, array, writes=True))
    sure = primed(accesses(program, array, writes=True, must=True))
    unsure = reads.union(primed(accesses(program, array, writes=True, must=False)))
    origin = free_name(reads.union(sinks))
    touched = [one for part in (reads, sinks) for one in maps_of(part)]
    flow = (
        UnionAccessInfo.from_sink(sinks)
        .set_must_source(sure)
        .set_may_source(unsure)
        .set_schedule_map(
            without_fixed_loops(full.reads.union(primed(full.writes)), touched, origin)
        )
        .compute_flow()
    )
    pairs = without_parameters(flow.get_may_dependence(), [origin])
    anti, output = list[Any](), list[Any]()
    for one in maps_of(pairs):
        source, sink = (one.get_tuple_name(kind) for kind in (DimType.in_, DimType.out))
        plain = one.set_tuple_name(DimType.in_, source.removesuffix("'"))
        plain = plain.set_tuple_name(DimType.out, sink.removesuffix("'"))
        (output if source.endswith("'") else anti).append(plain)
    return [
        Dependence(array=array, kind=kind, relation=_of_others(union_map(some)))
        for kind, some in (("anti", anti), ("output", output))
    ]


def _of_others(relation: Any) -> Any:
    """The pairs of different instances: one instance reads before it writes."""
    return relation.subtract(relation.domain().identity()).coalesce()
