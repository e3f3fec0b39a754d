"""The orders of isl's scheduler as times: candidates for C, with loops fused and apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from hlsmem.polyhedra import DimType, UnionMap
from hlsmem.polyhedra.limits import WorkLimitError
from hlsmem.polyhedra.relations import maps_of, rearrangement
from hlsmem.polyhedra.scheduler import schedule_times
from hlsmem.program.model import Program
from hlsmem.timing.events import instance_times


def scheduled_times(program: Program, pairs: Iterable[Any]) -> Iterator[dict[str, Any]]:
    """{ instance -> time } by statement, as isl orders the program where `pairs` of instances keep
    their order: at most two orders, one that fuses loops and one that does not.

    Raises WorkLimitError behind them where isl needs too much work for one.
    """
    domain = instance_times(program).domain()
    dependences = UnionMap("{ }")
    for pair in pairs:
        dependences = dependences.union(UnionMap.from_map(pair))
    cut: WorkLimitError | None = None
    for fuses in (True, False):
        try:
            found = schedule_times(domain, dependences, fuses=fuses)
        except WorkLimitError as limit:
            cut = limit
            continue
        if found is not None:
            yield _padded(program, maps_of(found))
    if cut is not None:
        raise cut


def _padded(program: Program, times: Iterable[Any]) -> dict[str, Any]:
    """Times of one length, with zeros behind."""
    found = {one.get_tuple_name(DimType.in_): one for one in times}
    size = max(one.dim(DimType.out) for one in found.values())
    zero = ["0"] * size
    padded = {}
    for one in program.statements:
        if one.name not in found:  # it never runs
            own = one.schedule.apply_range(rearrangement(program.time_dimensions, zero))
        else:
            depth = found[one.name].dim(DimType.out)
            step = rearrangement(depth, [*range(depth), *zero[depth:]])
            own = found[one.name].apply_range(step)
        padded[one.name] = own.intersect_domain(one.domain)
    return padded
