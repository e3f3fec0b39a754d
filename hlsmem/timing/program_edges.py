"""Edges of a program: `memory` arrays are filled and drained by streams, `state` stays in place."""

from __future__ import annotations

from typing import Any

from hlsmem.polyhedra import DimType
from hlsmem.polyhedra.relations import maps_of, named, sets_of
from hlsmem.program.model import Array, Program, Storage
from hlsmem.timing.events import LIVE_IN
from hlsmem.timing.value_flow import dataflow

# The statements of these streams, for their names.
FILL, DRAIN = "fill", "drain"


def filled(program: Program, array: Array) -> Any:
    """The elements whose value from before the program is read, or is live after it; or None."""
    if array.storage not in (Storage.MEMORY, Storage.STATE):
        return None
    values = maps_of(dataflow(program, array.name).values)
    kept = [one for one in values if one.get_tuple_name(DimType.out) == LIVE_IN]
    return kept[0].domain().intersect_params(program.context) if kept else None


def drained(program: Program, array: Array) -> Any:
    """The elements that are live after the program, or None."""
    if array.storage not in (Storage.MEMORY, Storage.STATE):
        return None
    found = sets_of(named(program.live_out, array.name))
    return found[0].intersect_params(program.context) if found else None
