"""The order and the cells of the host C: the plan's, numbered as its loops walk, or its own."""

from __future__ import annotations

from collections.abc import Mapping as Values
from collections.abc import Sequence
from dataclasses import dataclass, replace

from hlsmem.classes import GIVEN
from hlsmem.emit.c import HostLoops, cells_of, host_loops, storage_bits, workspace_starts
from hlsmem.errors import InputError
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
from hlsmem.shape.frame import frame_of, renumbered
from hlsmem.shape.score import score
from hlsmem.shape.units import unit_of

# Methods that are not asked for mappings of C: they take longer, or do not fold.
_NOT_ASKED = ("declared", "exhaustive", "family", "hyperplane")
_ALIKE = 1.05
"""Steps are taken where their loops score at most so much more: their stores come last."""
_LARGER = 16
"""The sizes of the score are the plan's and so many times them."""


def with_host(planning: Planning) -> Planning:
    """The planning with the order and the cells of its host C, where that runs the whole.

    C has the plan's mappings, renumbered where its loops then walk over neighbours, or its own
    where `host.objective` is speed. Those of a class keep the plan's; with tiles, which run over
    other rows, also its numbers. Raises InputError for what host C is not available for.
    """
    program, design = _serial(planning), planning.design
    if program is None or planning.is_outside_of_its_class:
        return planning
    return replace(planning, plan=in_shape(design, program, planning.plan))


def in_shape(design: Design, program: Program, plan: Plan) -> Plan:
    """The plan with what C makes of its arrays; `program` has a time for every instance or step."""
    found = _walked(design, program, plan)
    frames, sizes = found.frames(), _sizes(program, symbolic=found.scale.symbolic)
    taken = {
        name: _taken(design, found, sizes, plan.arrays[name])
        if name in frames
        else _Taken(mapping=plan.arrays[name].mapping)
        for name in found.folds
    }
    at = workspace_starts(
        (
            replace(fold, cells=cells_of(taken[name].mapping.pieces, found.scale))
            for name, fold in found.folds.items()
        ),
        program.values,
    )
    hosts = {
        name: HostCells(
            mapping=one.mapping,
            order=found.program.order.value,
            cell_bytes=storage_bits(program.arrays[name].element) // 8,
            at=at.get(name),
            shape=one.shape,
            score=one.score,
            front=one.front,
        )
        for name, one in taken.items()
    }
    arrays = {n: replace(one, host=hosts.get(n)) for n, one in plan.arrays.items()}
    return replace(plan, arrays=arrays)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Taken:
    """What C takes for an array: as in `HostCells`."""

    mapping: Mapping
    shape: str = "pieces"
    score: str = "1.00"
    front: tuple[HostCandidate, ...] = ()


def _taken(
    design: Design, found: HostLoops, sizes: Sequence[Values[str, int]], own: ArrayPlan
) -> _Taken:
    """The plan's mapping as C's loops walk it, or a faster one where that is asked for."""
    array = found.program.arrays[own.name]
    named = (one for one in found.loops if any(r.array == own.name for r in one.references))
    walked = () if design.host.tiled else tuple(named)
    problem = conflict_problem(found.program, array)
    question = Question(
        problem=problem,
        elements=found.elements[own.name],
        scale=found.scale,
        loops=walked,
        sizes=sizes,
        most_cells=_most_cells(design, own, array),
    )
    mappings = [own.mapping]
    is_free = design.host.objective == "speed" and design.plan.schedules == GIVEN
    if is_free and own.mapping.cells > 1 and walked:
        asked = [one for one in methods() if one.name not in _NOT_ASKED]
        answers = ask(asked, problem, budget=design.plan.budget)
        mappings += [answer for _, answer in answers if isinstance(answer, Mapping)]
    choice = choose(question, mappings)
    taken = _listed(choice.taken)
    return _Taken(
        mapping=renumbered(choice.taken.mapping, choice.taken.frame, found.scale),
        shape=taken.shape,
        score=taken.score,
        front=tuple(map(_listed, choice.front)) if len(mappings) > 1 else (),
    )


def _walked(design: Design, program: Program, plan: Plan) -> HostLoops:
    """The loops of C in the order in which they compute fewest remainders.

    Where a remainder would change within a loop, an iteration is a step: its reads come first, its
    values are locals, its stores come last, and so only meet reads of cells that die. A mapping
    that is right for instances one after the other is right for steps, as a value made and used
    within one needs no cell there.
    """
    given = host_loops(design, program, plan)
    stays = design.host.tiled or program.order is Order.ITERATION
    if stays or not any(one.shape.pointers or one.shape.unshaped for one in given.loops):
        return given
    try:
        steps = host_loops(design, replace(program, order=Order.ITERATION), plan)
    except InputError:
        return given  # a step has loops of its own, or writes two folded elements
    return steps if _figure(steps) <= _ALIKE * _figure(given) else given


def _figure(found: HostLoops) -> float:
    """The score of all loops, with cells numbered as they walk."""
    figure = 0.0
    for name, frame in found.frames().items():
        unit = unit_of(frame, found.loops, found.scale)
        (piece,) = found.mappings[name].pieces
        own = frame_of(name, piece, found.elements[name], found.scale, unit)
        figure += score(own, found.loops, [found.scale.values])
    return figure


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
    are stated in C; so they are for a tile, which is a part of the function. `in_shape` says
    whether its iterations are steps.
    """
    program = _serial(planning)
    return None if program is None else in_its_steps(program, planning.plan)


def in_its_steps(program: Program, plan: Plan) -> Program:
    """The program with an iteration as a step where C takes it so."""
    own = (one.host for one in plan.arrays.values() if one.host is not None)
    stepped = any(host.order == Order.ITERATION.value for host in own)
    return replace(program, order=Order.ITERATION) if stepped else program


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
