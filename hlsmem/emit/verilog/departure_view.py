"""The departure of an array of which not all elements are written: the others leave as 0."""

from __future__ import annotations

from hlsmem.addressing.time_walk import time_walk
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.emit.verilog.walk_view import walk_view
from hlsmem.plan import PlannedPort
from hlsmem.polyhedra.relations import array_elements
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.program.model import Program, Statement
from hlsmem.verilog.generator_view import AddressGeneratorView


@dataclass(frozen=True, slots=True, kw_only=True)
class DepartureView:
    """A module between a stream of the memories and the port of its array."""

    name: str
    planned: PlannedPort
    generator: AddressGeneratorView


def departure_view(
    program: Program, top: str, port: PlannedPort, statement: Statement
) -> DepartureView | None:
    """Return the departure of what a statement reads; None where what is written leaves alone."""
    if not port.is_whole:
        return None
    declared = program.arrays[port.array].extents or ()
    elements = array_elements("", [one.evaluate(program.values) for one in declared])
    written = fix_parameters(statement.domain, program.values).reset_tuple_id().coalesce()
    if elements.is_subset(written):
        return None
    walk = time_walk(elements.identity())
    conditions = {"written": walk.is_at(written)}
    name = f"{top}_{port.array}_departure"
    generator = walk_view(walk, f"{name}_walk", port.name, {}, conditions, {})
    return DepartureView(name=name, planned=port, generator=generator)
