"""Choice of the array parameters that are streams, where `kernel.parameters: auto` leaves it open.

One that is only read is a stream where its cells are at most half of its elements; one that is only
written where it holds one word. Others stay outside.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import reduce

from hlsmem.core.errors import InputError, LimitError
from hlsmem.lifetime.storage_problems import problem_or_alive_within
from hlsmem.mapping.portfolio import plan_array
from hlsmem.mapping.storage_mapping import NoMapping
from hlsmem.plan import FoundOrder, Outside
from hlsmem.planner.array_folding import Analysed, analysed, operations_of, shape_constraint_of
from hlsmem.polyhedra.sets import count, fix_parameters
from hlsmem.program.model import Access, Array, Program, Storage
from hlsmem.program.options import Design
from hlsmem.read.design import changed
from hlsmem.read.undecided import found_streams
from hlsmem.timing.planned_program import arranged_within

# Methods that take longer than what they save in cells is worth here.
_SLOW = ("exhaustive", "family", "hyperplane")


def leaves_parameters(design: Design) -> bool:
    """True if a design leaves it to the plan which parameters are streams."""
    return design.kernel is not None and bool(design.kernel.undecided)


def with_parameters(design: Design, order: FoundOrder | None = None) -> Analysed:
    """A design in its given order, analysed, with the parameters as streams that are to be.

    They stand among the overrides. Formulas of max-live are left out. Raises as `analysed`.
    """
    program, kernel = design.program, design.kernel
    if program is None or kernel is None:
        return analysed(design, order, has_formula=False)
    objections = {one: _objection(design, program, program.arrays[one]) for one in kernel.undecided}
    chosen = [name for name, why in objections.items() if why is None]
    found = None
    while chosen and found is None:
        try:
            own = changed(design, [found_streams(kernel, chosen)])
            if own.program is not None:
                own = replace(own, input=replace(own.program, notes=program.notes))
            found = analysed(own, order, has_formula=False)
        except (InputError, LimitError) as error:  # it does not go with what else is asked
            objections[chosen.pop()] = f"as a stream, {error.problems[0].what}"
    outside = {
        name: Outside(why=why, reads_a_step=_reads(program, name))
        for name, why in sorted(objections.items())
        if why is not None
    }
    return replace(found or analysed(design, order, has_formula=False), outside=outside)


def _objection(design: Design, program: Program, array: Array) -> str | None:
    """Why a parameter is no stream; None where it is one."""
    reads = [one for one in _accesses(program, "sees") if one.array == array.name]
    writes = [one for one in _accesses(program, "writes") if one.array == array.name]
    if reads and writes:
        return "it is read and written"
    if reads and not program.skips and not _reads(program, array.name):
        return "conditions alone look at it, which are bits of the beats that they let run"
    if any(access.chosen for access in (*reads, *writes)):
        return "data decide which elements are accessed"
    chosen = {one.array for one in _accesses(program, "sees", "writes") if one.chosen}
    for other in program.planned_arrays():
        if other.name in chosen:
            what = f"data decide which elements of {other.name!r} are accessed"
            return f"{what}, which no Verilog holds"
    streamed = replace(array, storage=Storage.STREAM)
    alone = replace(program, arrays={**program.arrays, array.name: streamed})
    operations, options = operations_of(design), design.plan
    elements = _elements(program, array)
    most = 1 if writes else elements // 2
    stays = f"{{}} of {elements} elements would stay on chip"
    try:
        arranged = arranged_within(operations, alone)
        problem = problem_or_alive_within(
            operations,
            arranged,
            arranged.arrays[array.name],
            most,
            strict=options.strict,
            slack=options.slack,
        )
    except (InputError, LimitError) as error:
        return f"as a stream, {error.problems[0].what}"
    if isinstance(problem, int):
        return stays.format(problem) if problem > most else None
    alive = max((b.cells for b in problem.bounds if b.kind == "max-live"), default=elements)
    if alive > most:
        return stays.format(alive)
    if writes:
        return None
    unasked = {name: NoMapping(method=name, reason="not asked here") for name in _SLOW}
    try:
        choice = plan_array(
            problem,
            budget=options.budget,
            shape_constraint=shape_constraint_of(design),
            known=unasked,
        )
    except InputError as error:
        return error.problems[0].what
    return None if choice.mapping.cells <= most else stays.format(choice.mapping.cells)


def _elements(program: Program, array: Array) -> int:
    """The elements that a parameter has, those that are touched where nothing declares it."""
    declared = array.declared_at(program.values)
    if declared is not None:
        return declared
    touched = [
        fix_parameters(access.relation.range(), program.values)
        for access in _accesses(program, "reads", "writes")
        if access.array == array.name
    ]
    return count(reduce(lambda one, other: one.union(other), touched)) if touched else 0


def _accesses(program: Program, *kinds: str) -> Iterator[Access]:
    return (
        access
        for statement in program.statements
        for kind in kinds
        for access in getattr(statement, kind)
    )


def _reads(program: Program, array: str) -> int:
    """The most elements of an array that a statement reads at once."""
    return max(
        (sum(one.array == array for one in statement.reads) for statement in program.statements),
        default=0,
    )
