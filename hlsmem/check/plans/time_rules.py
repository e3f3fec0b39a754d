"""Rules of time as plan.json has them, and the times that it states for C."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import DimType, Map
from hlsmem.program.model import Order, Program

Document = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Rules:
    """`order` is sequential or iteration, "none" for a conflict set; `slack` counts beats."""

    order: str = "none"
    strict: bool = False
    slack: int = 0
    capacity: str = "schedule"
    control: str = "predicate"

    @property
    def is_selftimed(self) -> bool:
        """True if FIFOs have the words that self-timed processes need."""
        return self.capacity == "selftimed"


def rules_of(document: Mapping[str, Any]) -> Rules:
    """The rules in a plan.json document."""
    program = document["program"]
    if program is None:
        return Rules()
    capacity = program.get("capacity", "schedule")
    control = program.get("control", "predicate")
    return Rules(program["order"], bool(program["strict"]), program["slack"], capacity, control)


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
