"""Values within atomic steps: which operands a step makes itself, which values outlive it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.emit.c.folded_arrays import Fold
from hlsmem.emit.c.fragments import Local
from hlsmem.polyhedra import DimType, Map, UnionMap
from hlsmem.polyhedra.relations import maps_of, rearrangement
from hlsmem.program.model import Access, Copy, Program, Statement
from hlsmem.read.design_names import RESERVED
from hlsmem.timing.events import instance_times
from hlsmem.timing.value_flow import dataflow


@dataclass(frozen=True, slots=True, kw_only=True)
class Operand:
    """A read of a folded array: the instances that load it, and those that are passed it.

    `number` is the first read of the statement that reads the same elements.
    """

    number: int
    local: Local
    loaded: Any = field(compare=False)
    passed: Mapping[str, Any] = field(compare=False)  # writer's name -> map writer -> reader


@dataclass(frozen=True, slots=True, kw_only=True)
class StepFlow:
    """All operands of folded arrays by (statement, number of the read).

    `stored` are the instances whose value outlives their step, by (statement, number of the
    write); `live` those that anybody needs, by statement.
    """

    operands: Mapping[tuple[str, int], Operand]
    stored: Mapping[tuple[str, int], Any] = field(compare=False)
    live: Mapping[str, Any] = field(compare=False)


def step_flow(program: Program, folds: Mapping[str, Fold], leading: int) -> StepFlow:
    """The flow of values where instances that agree on `leading` entries are one step."""
    together = _same_step(program, leading)
    uses = {name: dataflow(program, name).uses for name in folds}
    operands: dict[tuple[str, int], Operand] = {}
    for statement in program.statements:
        for position, access in enumerate(statement.reads):
            if access.array in folds:
                first = _first_alike(statement, access)
                operands[statement.name, position] = (
                    operands[statement.name, first]
                    if first < position
                    else _operand(
                        program, folds, statement, position, access, uses[access.array], together
                    )
                )
    stored = {
        (statement.name, position): _stored(statement, access, uses[access.array], together)
        for statement in program.statements
        for position, access in enumerate(statement.writes)
        if access.array in folds
    }
    live = _live_instances(program, folds, operands, stored)
    return StepFlow(operands=operands, stored=stored, live=live)


def _first_alike(statement: Statement, access: Access) -> int:
    """The number of the first read that reads the same elements in the same instances."""
    return next(
        position
        for position, other in enumerate(statement.reads)
        if other is access
        or (other.array == access.array and other.relation.is_equal(access.relation))
    )


def is_arrival(statement: Statement) -> bool:
    return isinstance(statement.body, Copy) and bool(statement.writes)


def has_effect(statement: Statement) -> bool:
    """True if running a statement has an effect: a process that writes nothing has none."""
    return bool(statement.writes) or isinstance(statement.body, Copy)


def is_departure(statement: Statement) -> bool:
    return isinstance(statement.body, Copy) and not statement.writes


def _same_step(program: Program, leading: int) -> Any:
    step = UnionMap.from_map(rearrangement(program.time_dimensions, range(leading)))
    steps = instance_times(program).apply_range(step)
    return steps.apply_range(steps.reverse())


def _operand(
    program: Program,
    folds: Mapping[str, Fold],
    statement: Statement,
    position: int,
    access: Access,
    uses: Any,
    together: Any,
) -> Operand:
    relation = access.relation.intersect_domain(statement.domain)
    relation = relation.intersect_params(program.context)
    passed: dict[str, Any] = {}
    loaded = relation.domain()
    for one in maps_of(uses):  # [A[x] -> W[i]] -> R[j]
        if one.get_tuple_name(DimType.out) != statement.name:
            continue
        pair = one.domain().unwrap()
        reading = pair.domain_map().apply_range(relation.reverse())
        flow = one.intersect(reading).curry().range().unwrap()  # W[i] -> R[j]
        flow = UnionMap.from_map(flow).intersect(together)
        if flow.is_empty():
            continue
        source = Map.from_union_map(flow)
        passed[pair.get_tuple_name(DimType.out)] = source
        loaded = loaded.subtract(source.range())
    local = Local(name=f"{RESERVED}{statement.name}_{position}", type=folds[access.array].type)
    return Operand(number=position, local=local, loaded=loaded.coalesce(), passed=passed)


def _stored(statement: Statement, access: Access, uses: Any, together: Any) -> Any:
    """The instances whose value is needed after their step."""
    relation = access.relation.intersect_domain(statement.domain)
    found = relation.domain().subtract(relation.domain())
    later = uses.curry().subtract_range(together.wrap()).uncurry()
    for one in maps_of(later):
        pair = one.domain().unwrap()
        if pair.get_tuple_name(DimType.out) == statement.name:
            found = found.union(pair.reverse().intersect(relation).domain())
    return found.coalesce()


def _live_instances(
    program: Program,
    folds: Mapping[str, Fold],
    operands: Mapping[tuple[str, int], Operand],
    stored: Mapping[tuple[str, int], Any],
) -> dict[str, Any]:
    """The instances that anybody needs: they write out, store, or pass on to one that does."""
    live: dict[str, Any] = {}
    for statement in program.statements:
        needed = statement.domain
        if not has_effect(statement):
            needed = needed.subtract(needed)
        elif statement.writes and all(a.array in folds for a in statement.writes):
            needed = needed.subtract(needed)
            for position, _ in enumerate(statement.writes):
                needed = needed.union(stored[statement.name, position])
        live[statement.name] = needed
    changed = True
    while changed:
        changed = False
        for (reader, _), operand in operands.items():
            for source, relation in operand.passed.items():
                more = relation.intersect_range(live[reader]).domain()
                if not more.is_subset(live[source]):
                    live[source] = live[source].union(more).coalesce()
                    changed = True
    return live
