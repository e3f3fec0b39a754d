"""Remarks on variables that the datapath keeps."""

from __future__ import annotations

from collections.abc import Iterator

from hlsmem.core.errors import Problem
from hlsmem.plan import Kept
from hlsmem.program.model import Storage
from hlsmem.program.options import Design


def kept_by_the_datapath(design: Design) -> tuple[Kept, ...]:
    """The variables that the datapath keeps, with the statements that touch each."""
    program = design.program
    if program is None:
        return ()
    return tuple(
        Kept(
            name=name,
            element=array.element.name,
            statements=tuple(
                one.name
                for one in program.statements
                if any(access.array == name for access in (*one.reads, *one.writes))
            ),
        )
        for name, array in program.arrays.items()
        if array.storage is Storage.DATAPATH
    )


def assumed_latencies(design: Design) -> Iterator[Problem]:
    """A remark on each sum of floats that waits for itself, and whose adder has no latency."""
    program = design.program
    if program is None:
        return
    for statement in program.statements:
        if statement.name in design.pipeline.latency:
            continue
        written = {one.array for one in statement.writes}
        for access in statement.reads:
            array = program.arrays[access.array]
            own = array.storage is Storage.DATAPATH and access.array in written
            if own and array.element.is_float:
                what = f"{statement.name} waits for its own {array.name!r}: one cycle is assumed"
                remedy = f"say how long it takes, as --set pipeline.latency.{statement.name}=4"
                yield Problem(what, remedy, statement.source_location)
                break
