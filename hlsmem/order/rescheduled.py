"""A program whose instances have other times."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from hlsmem.polyhedra import DimType, Map
from hlsmem.program import Order, Program


def rescheduled(program: Program, schedules: Mapping[str, str]) -> Program:
    """The program with these times, isl maps by statement, one instance after the other.

    Raises ValueError where a statement has none, or they are not of one length.
    """
    missing = [one.name for one in program.statements if one.name not in schedules]
    if missing:
        raise ValueError(f"no times for {', '.join(missing)}")
    times = {name: Map(text) for name, text in schedules.items()}
    sizes = {one.dim(DimType.out) for one in times.values()}
    if len(sizes) != 1:
        raise ValueError("times are of several lengths")
    (size,) = sizes
    return replace(
        program,
        statements=tuple(replace(one, schedule=times[one.name]) for one in program.statements),
        order=Order.SEQUENTIAL,
        time_dimensions=size,
        step_dimensions=size,
        iterator_names=(),
    )
