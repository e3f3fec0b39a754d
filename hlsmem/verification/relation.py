"""Elements that some order of a class keeps alive together, and their differences, symbolic.

Values and reads are those of `occupancy`; what all orders keep is the relation of the class,
which `orders` compares with listed instances at the plan's values.
"""

from __future__ import annotations

from typing import Any

from hlsmem.classes import ScheduleClass
from hlsmem.order.classes import orders_of
from hlsmem.polyhedra import DimType, Map, Set, Val
from hlsmem.polyhedra.relations import union_map
from hlsmem.polyhedra.sets import without_name
from hlsmem.program import Program
from hlsmem.verification.occupancy import occupancy

_BEFORE, _RUNNING, _AFTER = 0, 1, 2


def class_differences(program: Program, array: str, asked: ScheduleClass, *, strict: bool) -> Any:
    """The differences of `class_pairs`: an anonymous set without 0, symmetric."""
    return differences_of(class_pairs(program, array, asked, strict=strict))


def differences_of(pairs: Any) -> Any:
    return without_name(pairs.deltas()).coalesce()


def class_pairs(program: Program, array: str, asked: ScheduleClass, *, strict: bool) -> Any:
    """{ x -> y } of different elements that some order keeps alive together, symmetric.

    Two elements x, y conflict where values of them do: in some order y is not written before x,
    and not after x and all reads of x. Live-in values come before all, live-out reads after.
    """
    kept = orders_of(program, asked).precedence
    own = occupancy(program, array, strict=strict)
    times = union_map(_running(program))
    time = own.values.range().get_space()
    not_before = _on_times(kept.not_before, times, time)
    not_before = not_before.union(_into(time, _BEFORE))
    not_done = _on_times(kept.not_before if strict else kept.not_at_or_before, times, time)
    not_done = not_done.union(_into(time, _BEFORE)).union(_into(time, _AFTER).reverse())
    written = own.values.range_map()  # { [x -> write] -> write }
    late = written.apply_range(not_before).union(own.reads.apply_range(not_done))
    alive = late.apply_range(written.reverse())
    earlier = written.apply_range(not_before.reverse()).apply_range(written.reverse())
    values = own.values.wrap()
    meeting = alive.intersect(earlier).intersect_domain(values).intersect_range(values)
    pairs = meeting.domain_factor_domain().range_factor_domain()
    apart = pairs.union(pairs.reverse()).subtract(Map.identity(pairs.get_space()))
    return apart.intersect_params(program.context).coalesce()


def _running(program: Program) -> list[Any]:
    """{ S[i] -> [running, time] } of every statement."""
    found = []
    for statement in program.statements:
        times = statement.schedule.intersect_domain(statement.domain)
        times = times.insert_dims(DimType.out, 0, 1)
        found.append(times.fix_val(DimType.out, 0, Val(_RUNNING)))
    return found


def _on_times(relation: Any, times: Any, time: Any) -> Any:
    """{ instance -> instance } as { time -> time }."""
    moved = times.reverse().apply_range(relation).apply_range(times)
    if moved.is_empty():
        return Map.empty(time.map_from_set())
    return Map.from_union_map(moved)


def _into(time: Any, phase: int) -> Any:
    """{ any time -> any time of a phase }."""
    everywhere = Set.universe(time)
    return Map.from_domain_and_range(everywhere, everywhere.fix_val(DimType.set, 0, Val(phase)))
