"""The order and the cells of the host C, where it may have cells of its own."""

from __future__ import annotations

from collections.abc import Mapping as Values
from dataclasses import replace

from hlsmem.classes import GIVEN
from hlsmem.emit.c import host_loops
from hlsmem.lifetime import conflict_problem
from hlsmem.mapping.certificate import prove
from hlsmem.mapping.methods import methods
from hlsmem.mapping.model import Certificate, Mapping
from hlsmem.mapping.portfolio import ask
from hlsmem.options import Design
from hlsmem.order import in_the_order_of_c, same_values
from hlsmem.pipeline.storage import Planning
from hlsmem.planfile import ArrayPlan, HostCandidate, HostCells, Plan
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.program import Array, ConflictInput, Order, Program
from hlsmem.shape.choice import Candidate, Question, choose

# Methods that are not asked for mappings of C: they take longer, or do not fold.
_NOT_ASKED = ("declared", "exhaustive", "family", "hyperplane")
_LARGER = 16
"""The sizes of the score are the plan's and so many times them."""


def with_host(planning: Planning) -> Planning:
    """The planning with cells for C alone, where `host.objective` is speed.

    Plans for a class of orders keep theirs, and so does C with tiles, which run in any order.
    Raises InputError for what host C is not available for.
    """
    design, plan = planning.design, planning.plan
    if design.host.objective != "speed" or design.plan.schedules != GIVEN or design.host.tiled:
        return planning
    program = host_program(planning)
    if program is None:
        return planning
    found = host_loops(design, program, plan)
    sizes = _sizes(program, symbolic=found.scale.symbolic)
    arrays = dict(plan.arrays)
    for array in program.planned_arrays():
        own = plan.arrays[array.name]
        walked = [one for one in found.loops if any(r.array == array.name for r in one.references)]
        if own.mapping.cells < 2 or len(own.mapping.pieces) > 1 or not walked:
            continue
        problem = conflict_problem(found.program, array)
        question = Question(
            problem=problem,
            elements=found.elements[array.name],
            scale=found.scale,
            loops=walked,
            sizes=sizes,
            most_cells=_most_cells(design, own, array),
        )
        asked = [one for one in methods() if one.name not in _NOT_ASKED]
        answers = ask(asked, problem, budget=design.plan.budget)
        mappings = [answer for _, answer in answers if isinstance(answer, Mapping)]
        choice = choose(question, [own.mapping, *mappings])
        if choice.taken.mapping is not own.mapping:
            taken = _listed(choice.taken)
            host = HostCells(
                mapping=choice.taken.mapping,
                order=found.program.order.value,
                shape=taken.shape,
                score=taken.score,
                front=tuple(map(_listed, choice.front)),
            )
            arrays[array.name] = replace(own, host=host)
    return replace(planning, plan=replace(plan, arrays=arrays))


def host_plan(plan: Plan) -> Plan:
    """The plan with C's own mappings in place of those that hardware has."""
    arrays = {
        name: array if array.host is None else replace(array, mapping=array.host.mapping)
        for name, array in plan.arrays.items()
    }
    return replace(plan, arrays=arrays)


def _listed(one: Candidate) -> HostCandidate:
    return HostCandidate(
        method=one.mapping.method,
        cells=one.mapping.cells,
        shape=one.shape,
        score=f"{one.figure:.2f}",
    )


def _most_cells(design: Design, own: ArrayPlan, array: Array) -> int:
    """The most cells that C may take: some percent more than the plan, or one row."""
    cells = own.mapping.cells
    row = array.extents[-1].evaluate(design.input.values) if array.extents else 0
    return max(cells + cells * design.host.extra_cells // 100, cells + row)


def _sizes(program: Program, *, symbolic: bool) -> tuple[Values[str, int], ...]:
    """The values of the parameters that the score is summed over."""
    given = dict(program.values)
    if not symbolic:
        return (given,)
    larger = {name: _LARGER * value for name, value in given.items()}
    fits = not fix_parameters(program.context, larger).is_empty()
    return (given, larger) if fits and larger != given else (given,)


def host_program(planning: Planning) -> Program | None:
    """The program in the order in which the host C runs it; None where there is no host C.

    Instances of equal times, or of a step with loops of its own, run one after the other in C.
    Where that changes a value, or elements whose cells the plan shares then meet, only the cells
    are stated in C; so they are for a tile, which is a part of the function. Cells that are C's
    own are right for its own order.
    """
    program = _serial(planning)
    own = (one.host for one in planning.plan.arrays.values() if one.host is not None)
    stepped = any(host.order == Order.ITERATION.value for host in own)
    return replace(program, order=Order.ITERATION) if program and stepped else program


def _serial(planning: Planning) -> Program | None:
    """The program with a time of its own for every instance or step."""
    program, given = planning.program, planning.design.input
    if program is None or program.tile is not None or isinstance(given, ConflictInput):
        return None
    serial = in_the_order_of_c(given, program)
    if serial is program:
        return program
    right = same_values(program, serial) and all(
        _separates(planning.plan.arrays[array.name].mapping, serial, array)
        for array in program.planned_arrays()
    )
    return serial if right else None


def _separates(mapping: Mapping, program: Program, array: Array) -> bool:
    """Whether a mapping is as valid for the program as its certificate says it is."""
    if len(mapping.pieces) != 1:
        return False
    found = prove(mapping.pieces[0], conflict_problem(program, array))
    if not isinstance(found, Certificate):
        return False
    return found.scope == mapping.certificate.scope or found.is_complete
