"""Cost of variables that other files can see, were they static: for remarks alone."""

from __future__ import annotations

from dataclasses import replace

from hlsmem.core.errors import InputError, LimitError
from hlsmem.planner.array_folding import analyse, choices_of
from hlsmem.planner.plan_assembly import Planning
from hlsmem.polyhedra.relations import named
from hlsmem.program.model import Program, Storage
from hlsmem.program.options import Design
from hlsmem.read.c.static_arrays import unwritten_read


def cells_if_static(planning: Planning) -> dict[str, int]:
    """The cells of each array of the file that only its not being static keeps outside.

    What a call may read of an earlier one is left out, as is what takes too long.
    """
    design, program = planning.design, planning.design.program
    if program is None or program.kernel is None:
        return {}
    found = {
        name: _cells(design, program, name)
        for name in program.kernel.remarks
        if _is_visible(program, name) and unwritten_read(name, program.statements) is None
    }
    return {name: cells for name, cells in found.items() if cells is not None}


def _is_visible(program: Program, name: str) -> bool:
    array = program.arrays.get(name)
    if array is None or array.storage is not Storage.EXTERNAL or not array.is_shared:
        return False
    assert program.kernel is not None
    variable = program.kernel.variables[name]
    is_local = variable.declaration in program.kernel.function.body.block_items
    return "static" not in variable.declaration.storage and not is_local


def _cells(design: Design, program: Program, name: str) -> int | None:
    """The cells of an array that nobody else sees, all others left out."""
    arrays = {
        key: replace(one, storage=Storage.MEMORY if key == name else Storage.EXTERNAL)
        for key, one in program.arrays.items()
    }
    alone = replace(
        program,
        arrays=arrays,
        live_in=program.live_in.subtract(named(program.live_in, name)),
        live_out=program.live_out.subtract(named(program.live_out, name)),
    )
    try:
        own = replace(design, input=alone)
        return choices_of(own, *analyse(own))[name].mapping.cells
    except (InputError, LimitError):
        return None
