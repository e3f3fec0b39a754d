"""The order that C has of its own: the times that plan.json states."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from hlsmem.polyhedra import DimType, Map
from hlsmem.program.model import Order, Program

Document = Mapping[str, Any]


class NoTimes(Exception):
    """The times cannot be an order of the program; says why."""


def stated_times(document: Document) -> Mapping[str, str] | None:
    """The times of statements in plan.json, None where C has the plan's."""
    host = document["orders"]["host"]
    return (host["times"] or None) if host is not None else None


def with_host_times(program: Program, document: Document) -> Program:
    """The program in C's order, which is its own where plan.json states times.

    Raises NoTimes where these are no time for each instance.
    """
    texts = stated_times(document)
    if texts is None:
        return program
    if set(texts) != {one.name for one in program.statements}:
        raise NoTimes("its times are not those of the statements")
    found = []
    for one in program.statements:
        try:
            times = Map(texts[one.name])
        except Exception as error:
            raise NoTimes(f"the times of {one.name} are no map of isl") from error
        times = times.align_params(one.domain.get_space())
        if times.get_tuple_name(DimType.in_) != one.name or not times.is_single_valued():
            raise NoTimes(f"{one.name} has no one time for each instance")
        if not one.domain.intersect_params(program.context).is_subset(times.domain()):
            raise NoTimes(f"{one.name} has instances without a time")
        found.append(replace(one, schedule=times))
    sizes = {one.schedule.dim(DimType.out) for one in found}
    if len(sizes) != 1:
        raise NoTimes("its times have several lengths")
    (size,) = sizes
    return replace(
        program,
        statements=tuple(found),
        order=Order.SEQUENTIAL,
        time_dimensions=size,
        step_dimensions=size,
        iterator_names=(),
    )
