"""A program whose instances have other times."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from hlsmem.polyhedra import DimType, Map
from hlsmem.program.model import Order, Program, Statement

_FEW = 4
"""Values of an entry of times that C writes out."""


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
    statements = tuple(replace(one, schedule=times[one.name]) for one in program.statements)
    return replace(
        program,
        statements=statements,
        order=Order.SEQUENTIAL,
        time_dimensions=size,
        step_dimensions=size,
        iterator_names=(),
        written_out={one.name: tuple(_narrow(one)) for one in statements},
    )


def _narrow(statement: Statement) -> Iterator[int]:
    """The entries of the times of a statement that have several values, but few."""
    times = statement.schedule.intersect_domain(statement.domain).range()
    for entry in range(times.dim(DimType.set)):
        ends = times.dim_min_val(entry), times.dim_max_val(entry)
        if all(end.is_int() for end in ends):
            least, greatest = (int(end.to_python()) for end in ends)
            if 0 < greatest - least < _FEW:
                yield entry
