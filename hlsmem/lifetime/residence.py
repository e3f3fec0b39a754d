"""When the elements of one array occupy a cell: residences, from write to last read.

A value lives in its cell from its write to its last read, at least during the instant of its
write. Live-in values are written before the start, live-out values are read after the end.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from hlsmem.order.dataflow import Dataflow
from hlsmem.order.events import Events, same_step
from hlsmem.polyhedra import DimType, Map, UnionMap
from hlsmem.polyhedra.relations import (
    dimension_names,
    fixed_entries,
    only_map,
    rearrangement,
)
from hlsmem.program import Array, Order, Program


@dataclass(frozen=True, slots=True, kw_only=True)
class Residences:
    """All residences of one array, within the context.

    `starts`: A[x] -> [event], the writes of all values. `stays`: A[x] -> [[event] -> [event]],
    from a value's write to each of its reads (the last one ends the residence); values
    nobody reads have none. Events are those of `order.events`, where `handovers` are explained
    too; `pattern` says for each entry there which entry it is here, or what number it always is.
    """

    array: Array
    starts: Any = field(compare=False)
    stays: Any = field(compare=False)
    handovers: Any = field(compare=False)
    pattern: tuple[int | str, ...]

    @property
    def dimensions(self) -> int:
        return sum(isinstance(entry, int) for entry in self.pattern)


def residences(program: Program, array: Array, flow: Dataflow, times: Events) -> Residences:
    """The residences of `array`; `times` are the events of the program in its own order.

    Reads in the same step as their source need no cell: they are left out.
    """
    uses = stored_uses(program, flow)
    size = times.dimensions
    same = UnionMap.from_map(rearrangement(size, range(size)))
    written = times.writes.product(same)  # [W[i] -> [event]] -> [[event] -> [event]]
    stays = uses.apply_range(times.ends).curry().apply_range(written).coalesce()
    starts = flow.values.apply_range(times.writes).coalesce()
    event = f"[{', '.join(dimension_names('t', size))}]"
    element = f"{array.name}[{', '.join(dimension_names('x', len(array.index)))}]"
    return Residences(
        array=array,
        starts=only_map(starts, Map(f"{{ {element} -> {event} : false }}")),
        stays=only_map(stays, Map(f"{{ {element} -> [{event} -> {event}] : false }}")),
        handovers=times.handovers,
        pattern=tuple(range(size)),
    )


def stored_uses(program: Program, flow: Dataflow) -> Any:
    """[A[x] -> W[i]] -> R[j]: the uses for which a value must be in a cell.

    All of them in sequential order; by iterations, those in a later step than the write.
    """
    if program.order is Order.SEQUENTIAL:
        return flow.uses
    return flow.uses.curry().subtract_range(same_step(program).wrap()).uncurry()


def without_constants(given: Residences) -> Residences:
    """The same residences without the event entries that never change: they order nothing."""
    ends = given.stays.range().unwrap().range()
    events = given.starts.range().union(ends)
    constant = fixed_entries(events)
    kept = [entry for entry in range(given.dimensions) if entry not in constant]
    shorter = rearrangement(given.dimensions, kept)
    return Residences(
        array=given.array,
        starts=given.starts.apply_range(shorter).coalesce(),
        stays=given.stays.apply_range(shorter.product(shorter)).coalesce(),
        handovers=_shortened(given, shorter),
        pattern=tuple(
            kept.index(entry)
            if entry in kept
            else str(events.plain_get_val_if_fixed(DimType.set, entry))
            for entry in range(given.dimensions)
        ),
    )


def _shortened(given: Residences, shorter: Any) -> Any:
    """The handovers between the events there are, without the entries that never change."""
    ends = given.stays.range().unwrap().range()
    between = given.handovers.intersect_domain(ends).intersect_range(given.starts.range())
    return between.apply_domain(shorter).apply_range(shorter)
