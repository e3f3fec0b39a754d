"""Conflicts for a class of orders: elements that some order of it keeps alive together.

Source: docs/decisions/0016-schedule-classes.md. A value b does not meet a value a where, in
every order, b is written before a, or after a and all its uses.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.lifetime.storage_problem import Pairs, StorageProblem
from hlsmem.polyhedra import Map, UnionMap, UnionSet
from hlsmem.polyhedra.sets import differences, without_name
from hlsmem.program.model import Array, Program
from hlsmem.timing.events import LIVE_IN, LIVE_OUT
from hlsmem.timing.precedence import Precedence
from hlsmem.timing.value_flow import Dataflow


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassConflicts:
    """Values of one array that some order keeps alive together; UnionMaps of values.

    A value is [A[x] -> W[i]]. `meeting` { a -> b }: in some order b is not written before a,
    and not after all uses of a either. `not_dead_before` { a -> b }: in some order a is not
    dead when b is written.
    """

    meeting: Any = field(compare=False)
    not_dead_before: Any = field(compare=False)
    values: Any = field(compare=False)


def class_conflicts(flow: Dataflow, precedence: Precedence, *, strict: bool) -> ClassConflicts:
    """The conflicts of the values of a dataflow; `strict`: a cell is not read and overwritten
    at one time."""
    live_in = UnionSet(f"{{ {LIVE_IN}[] }}")
    live_out = UnionSet(f"{{ {LIVE_OUT}[] }}")
    values = flow.values.wrap()  # { [A[x] -> W[i]] }
    writer = flow.values.range_map()
    writers = writer.range()
    # Live-in values are there before all instances: nothing is before them, nor before
    # one another.
    not_before = precedence.not_before.union(
        UnionMap.from_domain_and_range(writers, live_in.intersect(writers))
    )
    late = precedence.not_before if strict else precedence.not_at_or_before
    uses = flow.uses.range()
    not_done = late.union(UnionMap.from_domain_and_range(live_out.intersect(uses), writers))
    not_done = not_done.union(UnionMap.from_domain_and_range(uses, live_in.intersect(writers)))
    back = writer.reverse()
    written = writer.apply_range(not_before.intersect_range(writers)).apply_range(back)
    read = flow.uses.apply_range(not_done.intersect_range(writers)).apply_range(back)
    not_dead = written.union(read)
    earlier = writer.apply_range(not_before.reverse()).apply_range(back)
    return ClassConflicts(
        meeting=not_dead.intersect(earlier), not_dead_before=not_dead, values=values
    )


def class_problem(
    program: Program, array: Array, flow: Dataflow, found: ClassConflicts
) -> StorageProblem:
    """The storage problem of one planned array for a class of orders, without bounds."""
    oriented = element_pairs(found.meeting, array)
    elements = flow.values.domain()
    space = oriented.domain().get_space()
    return StorageProblem(
        array=array,
        parameters=program.parameters,
        values=program.values,
        context=program.context,
        differences=without_name(differences(oriented, program.context)),
        pairs=Pairs(oriented, is_symmetric=False),
        elements=elements.extract_set(space).coalesce(),
    )


def element_pairs(meeting: Any, array: Array) -> Any:
    """{ x -> y } of different elements some of whose values meet: a Map."""
    pairs = meeting.domain_factor_domain().range_factor_domain()
    dims = ", ".join(f"x{k}" for k in range(len(array.index)))
    others = ", ".join(f"y{k}" for k in range(len(array.index)))
    if pairs.is_empty():
        return Map(f"{{ {array.name}[{dims}] -> {array.name}[{others}] : false }}")
    relation = Map.from_union_map(pairs)
    return relation.subtract(Map.identity(relation.get_space())).coalesce()
