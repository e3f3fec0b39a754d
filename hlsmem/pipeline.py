"""The arrows in order: design -> storage problems -> mappings -> placement -> plan -> files.

The only module that knows every step. All functions are pure; `cli` writes what they return.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from hlsmem.banks.choice import require_target
from hlsmem.banks.devices import family_of
from hlsmem.banks.inference import blocks
from hlsmem.banks.primitives import Style
from hlsmem.bounds import clique_of, with_bounds
from hlsmem.emit.c import emit_host
from hlsmem.emit.comparison import Comparison
from hlsmem.emit.explanation import Explained, unfolded_remark
from hlsmem.emit.picture import picture_files
from hlsmem.emit.verilog.files import rtl_files, stepper_files
from hlsmem.errors import InputError, LimitError, Problem
from hlsmem.footprint import block_rams, shortfall, with_banks, with_footprint
from hlsmem.gates.chain import possible_chains, with_chains
from hlsmem.gates.circuit import Circuit, circuits
from hlsmem.lifetime import (
    Bound,
    StorageProblem,
    conflict_problem,
    explain,
    storage_problems_within,
)
from hlsmem.lifetime.curve import life_curves
from hlsmem.mapping.certificate import prove
from hlsmem.mapping.form import Form
from hlsmem.mapping.model import Certificate, Mapping, NoMapping
from hlsmem.mapping.portfolio import Choice, plan_array
from hlsmem.mapping.sections import difference_plot
from hlsmem.options import Design, PlanOptions
from hlsmem.order import arranged, in_the_order_of_c, same_values
from hlsmem.place import place_array, place_of, read_ports, streams_of
from hlsmem.plan import ArrayPlan, Blocks, Candidate, Plan, Target, Timing, to_json
from hlsmem.predict import (
    FULL_INTERVAL,
    Prediction,
    latencies,
    predict_circuits,
    refuse_interval,
)
from hlsmem.program import Array, ConflictInput, Program, SourceFile
from hlsmem.quantity import Quantity
from hlsmem.version import TOOL

# Operations of isl that the analysis may take: about 15 s. PolyBench kernels need a twentieth.
# A budget above the default raises it in proportion.
_OPERATIONS = 20_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Planning:
    """A design with everything worked out on the way to its plan.

    `program` has the arrival and departure statements of streams; it is None for a bare
    conflict set. `circuits` and `prediction` are empty where no Verilog can be made for the
    streams; `plan.timing` says why. `shortfall` are block RAMs beyond the target's.
    """

    design: Design
    program: Program | None
    problems: tuple[StorageProblem, ...]
    plan: Plan
    circuits: tuple[Circuit, ...] = ()
    prediction: Prediction | None = None
    shortfall: Problem | None = None


def plan_design(design: Design) -> Planning:
    """Plan every array of a design, and the hardware for it with its cycles.

    Raises InputError as `plan_storage`, where the streams cannot hold together, and where the
    interval that is asked for cannot be reached.
    """
    planning = plan_storage(design)
    program = planning.program
    if program is None or not planning.plan.streams:
        return _on_target(planning)
    asked = design.pipeline.interval
    try:
        found = _with_fast_rams(min(_hardware(planning, program), key=_cycles), program)
    except LimitError as error:
        timing = Timing(cycles=None, interval=None, reason=f"no Verilog: {error}", asked=asked)
        return _on_target(replace(planning, plan=replace(planning.plan, timing=timing)))
    if found.prediction is not None:
        refuse_interval(found.circuits, found.prediction, asked)
    return _on_target(found)


def _arrays_of(design: Design) -> tuple[Array, ...]:
    """The arrays that a design plans."""
    if isinstance(design.input, ConflictInput):
        return tuple(conflict.array for conflict in design.input.conflicts.values())
    return design.input.planned_arrays()


def _on_target(planning: Planning) -> Planning:
    """The planning with what its memories take on the target of the design, if it names one."""
    options = planning.design.target
    if options.device is None:
        return planning
    target = Target(device=options.device, block_rams=options.block_rams)
    plan = with_footprint(
        planning.plan,
        planning.program,
        planning.problems,
        planning.circuits,
        target,
        interval=planning.design.pipeline.interval or 1,
    )
    return replace(planning, plan=plan, shortfall=shortfall(plan))


def _hardware(planning: Planning, program: Program) -> Iterator[Planning]:
    """The planning with its circuits: arrays in chains first, then without those that may stall.

    A chain stands still while somebody has not taken its last beat; where that costs cycles,
    memories whose readers each go at their own pace do better.
    """
    possible = possible_chains(program, planning.plan)
    chains = {k: v for k, v in possible.items() if program.arrays[k].reads == "auto"}
    choices = [chains, *({k: v for k, v in chains.items() if k != name} for name in chains), {}]
    if program.lanes:
        choices = choices[:1]  # a memory takes one element a beat
    tried: list[dict[str, int]] = []
    for choice in choices:
        if choice in tried:
            continue
        tried.append(choice)
        plan = with_chains(planning.plan, choice)
        plan = with_banks(plan, program, planning.problems, planning.design.target.device)
        found = _with_circuits(planning, program, plan)
        yield found
        if found.plan.timing is None or (found.plan.timing.interval or 0) <= FULL_INTERVAL:
            return


def _with_fast_rams(planning: Planning, program: Program) -> Planning:
    """The planning with RAMs read through output registers, where it is left to the plan and
    they make a faster clock for as many blocks and no more cycles between steps.
    """
    target = planning.design.target
    if target.output_register is not None or target.device is None:
        return planning
    if not family_of(target.device).output_register:
        return planning
    found = _with_circuits(planning, program, planning.plan, registered=True)
    blocks = [block_rams(one.plan, one.circuits, target.device) for one in (planning, found)]
    before, after = planning.plan.timing, found.plan.timing
    if before is None or after is None or before.interval is None or after.interval is None:
        return planning
    # The latency is paid at the ends of a run; what every step pays is the interval.
    gains = 0 < blocks[1] <= blocks[0] and after.interval <= before.interval * FULL_INTERVAL
    return found if gains else planning


def _with_circuits(
    planning: Planning, program: Program, plan: Plan, *, registered: bool | None = None
) -> Planning:
    if registered is None:
        registered = planning.design.target.output_register is True
    memories = circuits(program, plan, output_register=registered)
    prediction = predict_circuits(memories, latencies(program))
    timing = Timing(
        cycles=prediction.cycles,
        interval=prediction.interval,
        reason=prediction.reason,
        asked=planning.design.pipeline.interval,
        output_register=registered,
    )
    return replace(
        planning,
        plan=replace(plan, timing=timing),
        circuits=memories,
        prediction=prediction,
    )


def _cycles(planning: Planning) -> float:
    """For comparison: cycles that are not known are the most."""
    timing = planning.plan.timing
    return math.inf if timing is None or timing.cycles is None else timing.cycles


def plan_storage(design: Design) -> Planning:
    """Fold every array of a design and place it; no hardware yet.

    Raises InputError where the program reads what nothing writes, or a method that was asked
    for by name has no mapping.
    """
    program, problems = analyse(design)
    choices = _choices(design, program, problems)
    memories = {
        problem.array.name: place_array(
            problem.array,
            choices[problem.array.name].mapping,
            read_ports(program, problem.array),
        )
        for problem in problems
    }
    least = _cells_without_slack(design)
    arrays = {
        problem.array.name: _array_plan(
            design, program, problem, choices[problem.array.name], least.get(problem.array.name)
        )
        for problem in problems
    }
    plan = Plan(
        tool=TOOL,
        design=design.input.name,
        inputs={source.name: _hash(source.text) for source in design.sources},
        overrides=design.overrides,
        params=dict(design.input.values),
        order=program.order.value if program else "none",
        strict=design.plan.strict,
        slack=design.plan.slack,
        memories=memories,
        arrays=arrays,
        streams=streams_of(program) if program else (),
    )
    return Planning(design=design, program=program, problems=problems, plan=plan)


def _choices(
    design: Design, program: Program | None, problems: tuple[StorageProblem, ...]
) -> dict[str, Choice]:
    return {
        problem.array.name: plan_array(
            problem,
            method=design.plan.method,
            budget=design.plan.budget,
            form=_form(design),
            blocks=_blocks_of(design, program, problem.array),
        )
        for problem in problems
    }


def _blocks_of(
    design: Design, program: Program | None, array: Array
) -> Callable[[int], int] | None:
    """The block RAMs of so many cells with all their copies; None where cells are made small."""
    device = design.target.device
    if device is None or design.plan.objective != "blocks":
        return None
    copies = max(1, read_ports(program, array))
    style = Style(array.style)
    bits = array.element.bits
    return lambda cells: 0 if cells <= 1 else copies * blocks(device, cells, bits, style=style)


def _form(design: Design) -> Form:
    return Form(powers_of_two=design.plan.round == "pow2", components=design.plan.dimensions)


def _cells_without_slack(design: Design) -> dict[str, int]:
    """What the arrays would need at slack 0; empty where that is what is planned."""
    if design.plan.slack == 0:
        return {}
    tight = replace(design, plan=replace(design.plan, slack=0))
    choices = _choices(tight, *analyse(tight))
    return {name: choice.mapping.cells for name, choice in choices.items()}


def analyse(design: Design) -> tuple[Program | None, tuple[StorageProblem, ...]]:
    """The program with its streams, and one storage problem per planned array.

    Raises InputError for a device, or a style on it, that there is not, LimitError where that
    takes too long.
    """
    if design.target.device is not None:
        require_target(design.target.device, design.target.place, _arrays_of(design))
    if isinstance(design.input, ConflictInput):
        return None, _given_problems(design.input)
    program = arranged(design.input)
    options = design.plan
    operations = _OPERATIONS * max(1, options.budget // PlanOptions().budget)
    return program, storage_problems_within(
        operations, program, strict=options.strict, slack=options.slack
    )


def compare_methods(design: Design) -> tuple[Comparison, ...]:
    """Every method on every array of a design."""
    program, problems = analyse(design)
    found = []
    for problem in problems:
        choice = plan_array(
            problem,
            budget=design.plan.budget,
            form=_form(design),
            blocks=_blocks_of(design, program, problem.array),
            ask_all=True,
        )
        ports = read_ports(program, problem.array)
        answers = tuple(
            (
                method,
                answer,
                place_array(problem.array, answer, ports) if isinstance(answer, Mapping) else None,
            )
            for method, answer in choice.candidates
        )
        comparison = Comparison(
            array=problem.array,
            values=problem.values,
            bounds=with_bounds(problem, choice.mapping.cells, choice.bounds()),
            chosen=choice.mapping,
            answers=answers,
        )
        found.append(comparison)
    return tuple(found)


def explain_arrays(design: Design, array: str | None = None) -> tuple[Explained, ...]:
    """Why arrays are not smaller: all of them, or the one named.

    Raises InputError where the design plans no array of that name.
    """
    planning = plan_storage(design)
    names = tuple(planning.plan.arrays)
    if array is not None and array not in names:
        known = ", ".join(names) or "none"
        raise InputError(Problem(f"{array!r} is not a planned array", f"planned arrays: {known}"))
    return tuple(
        _explained(planning, problem)
        for problem in planning.problems
        if array in (None, problem.array.name)
    )


def _explained(planning: Planning, problem: StorageProblem) -> Explained:
    name = problem.array.name
    plan = planning.plan.arrays[name]
    explanation = None
    if planning.program is not None:
        explanation = explain(planning.program, name, strict=planning.plan.strict)
    clique = None
    if plan.mapping.cells > max(1, plan.max_live() or 0):
        clique = clique_of(problem, enough=plan.mapping.cells)
    points = () if clique is None else tuple(tuple(row) for row in clique.tolist())
    return Explained(plan=plan, explanation=explanation, clique=points)


def output_files(planning: Planning) -> dict[str, str]:
    """The files of OUT by name: plan.json, design/, host/, rtl/, sim/, pictures/."""
    design = planning.design
    files = {"plan.json": to_json(planning.plan)}
    files |= {f"design/{source.name}": source.text for source in design.sources}
    host = emit_host(design, host_program(planning), planning.plan)
    generated = [*host, *_verilog(planning)]
    return files | {source.name: source.text for source in generated} | pictures(planning)


def pictures(planning: Planning) -> dict[str, str]:
    """The pictures of arrays that need more than a register."""
    arrays = planning.plan.arrays
    drawn = [one for one in planning.problems if arrays[one.array.name].mapping.cells > 1]
    plots = {one.array.name: difference_plot(one, arrays[one.array.name].mapping) for one in drawn}
    return picture_files(
        planning.plan,
        life_curves(planning.program, drawn) if planning.program and drawn else {},
        {name: plot for name, plot in plots.items() if plot is not None},
    )


def host_program(planning: Planning) -> Program | None:
    """The program in the order in which the host C runs it; None where there is no host C.

    Instances of equal times, or of a step with loops of its own, run one after the other in C.
    Where that changes a value, or
    elements whose cells the plan shares then meet, only the cells are stated in C; so they are
    for a tile, which is a part of the function.
    """
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
    return found.scope == mapping.certificate.scope or found.scope == "all-parameters"


def _verilog(planning: Planning) -> tuple[SourceFile, ...]:
    if planning.program is None:
        return stepper_files(planning.plan)
    if planning.prediction is None or not planning.circuits:
        return ()
    return rtl_files(planning.plan, planning.circuits, planning.prediction)


def _given_problems(given: ConflictInput) -> tuple[StorageProblem, ...]:
    return tuple(
        StorageProblem(
            array=conflict.array,
            parameters=given.parameters,
            values=given.values,
            context=given.context,
            differences=conflict.differences,
            conflicts=conflict.pairs,
            elements=conflict.elements,
        )
        for conflict in given.conflicts.values()
    )


def _array_plan(
    design: Design,
    program: Program | None,
    problem: StorageProblem,
    choice: Choice,
    cells_without_slack: int | None,
) -> ArrayPlan:
    array, mapping = problem.array, choice.mapping
    declared = _declared(array)
    bounds = with_bounds(problem, mapping.cells, choice.bounds())
    blocks = _blocks(design, program, array, choice, bounds)
    return ArrayPlan(
        name=array.name,
        element=array.element.name,
        bits=array.element.bits,
        index=array.index,
        declared=declared,
        declared_cells=None if declared is None else declared.evaluate(problem.values),
        bounds=bounds,
        mapping=mapping,
        place=place_of(array),
        candidates=tuple(_candidate(method, answer) for method, answer in choice.candidates),
        remark="" if blocks else _remark(program, problem, mapping, design.plan.strict),
        cells_without_slack=cells_without_slack,
        cells_of_any_form=choice.cells_of_any_form,
        blocks=blocks,
    )


def _blocks(
    design: Design,
    program: Program | None,
    array: Array,
    choice: Choice,
    bounds: Sequence[Bound],
) -> Blocks | None:
    """The block RAMs of the mapping, where they are what was made small."""
    blocks_of = _blocks_of(design, program, array)
    if blocks_of is None or design.target.device is None:
        return None
    found = [answer.cells for _, answer in choice.candidates if isinstance(answer, Mapping)]
    return Blocks(
        device=design.target.device,
        count=blocks_of(choice.mapping.cells),
        least=blocks_of(max((bound.cells for bound in bounds), default=1)),
        fewest_cells=min(found),
    )


def _remark(
    program: Program | None, problem: StorageProblem, mapping: Mapping, strict: bool
) -> str:
    """Why an array does not fold, in one line; empty where it does."""
    declared = _declared(problem.array)
    cells = None if declared is None else declared.evaluate(problem.values)
    if program is None or cells is None or mapping.cells < cells or cells <= 1:
        return ""
    try:
        return unfolded_remark(explain(program, problem.array.name, strict=strict), cells)
    except LimitError:
        return ""  # too large to look at one by one


def _declared(array: Array) -> Quantity | None:
    return None if array.extents is None else Quantity.product(array.extents)


def _candidate(method: str, answer: Mapping | NoMapping) -> Candidate:
    if isinstance(answer, NoMapping):
        return Candidate(method=method, cells=None, reason=answer.reason)
    return Candidate(method=method, cells=answer.cells)


def _hash(text: str) -> str:
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()
