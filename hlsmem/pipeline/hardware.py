"""From mappings to hardware: what holds each array, the circuits, the plan."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from hlsmem.classes import GIVEN
from hlsmem.devices import family_of
from hlsmem.errors import LimitError
from hlsmem.lifetime.problem import StorageProblem
from hlsmem.looks import with_looks
from hlsmem.mapping.model import NoMapping
from hlsmem.mapping.portfolio import Choice, plan_array
from hlsmem.options import Design
from hlsmem.pipeline.attempts import (
    beats_for_all_where_refused,
    numbers_where_refused,
    with_the_better_control,
)
from hlsmem.pipeline.capacity import with_capacities
from hlsmem.pipeline.composition import composed, rejected, target_of
from hlsmem.pipeline.host import with_host
from hlsmem.pipeline.pragmas import judges_interval
from hlsmem.pipeline.remarks import kernel_remarks
from hlsmem.pipeline.storage import Planning, blocks_of, form_of, plan_storage
from hlsmem.planfile import Rejected, Timing
from hlsmem.predict import FULL_INTERVAL, Prediction, latencies, refuse_interval
from hlsmem.program import Program
from hlsmem.storage.build import Terms
from hlsmem.storage.candidates import Candidate, Finder, Impossible, Ranking
from hlsmem.storage.chooser import Chooser, Chosen
from hlsmem.storage.footprint import blocks_allowed, shortfall
from hlsmem.storage.parts import operands_of
from hlsmem.storage.prediction import predict_circuits
from hlsmem.storage.ram.kind import in_memory
from hlsmem.storage.ram.ports import read_ports
from hlsmem.storage.shares import Conditions

# Methods that are asked of whole arrays alone.
_SLOW = ("exhaustive", "family", "hyperplane")


@numbers_where_refused
@beats_for_all_where_refused
def plan_design(design: Design) -> Planning:
    """Plan every array of a design, the hardware for it with its cycles, and what C has apart.

    Raises InputError as `plan_hardware`, and as `with_host` does.
    """
    return with_host(plan_hardware(design))


@numbers_where_refused
@beats_for_all_where_refused
@with_the_better_control
def plan_hardware(design: Design) -> Planning:
    """The same without what C has apart, which takes a search of its own.

    Raises InputError as `plan_storage`, where the streams cannot hold together, and where the
    interval that is asked for cannot be reached.
    """
    return hardware_of(plan_storage(design))


def hardware_of(planning: Planning) -> Planning:
    """The planning of folded arrays with their hardware; raises as `plan_hardware`."""
    design = planning.design
    program = None if planning.program is None else with_looks(planning.program)
    if program is None or not planning.plan.streams:
        return _told(composed(planning))
    if planning.is_outside_of_its_class:
        reason = "no Verilog: the design's own schedule is not in the class of plan.schedules"
        timing = Timing(cycles=None, interval=None, reason=reason)
        return _told(composed(planning, timing=timing))
    asked = design.pipeline.interval
    candidates, impossible = _candidates(planning, program)
    try:
        terms = _terms(design, program)
        chosen = Chooser(program, candidates, terms).choose()
        chosen = with_capacities(design, program, chosen, terms)
        chosen = _with_fast_rams(design, program, chosen)
    except LimitError as error:
        timing = Timing(cycles=None, interval=None, reason=f"no Verilog: {error}", asked=asked)
        return _told(composed(_looked_at(planning, program), None, impossible, timing))
    streams = {one.array: one.streams for one in chosen.circuits}
    sinks = [(one.array, one.sink()) for one in chosen.junctions]
    streams |= {array: (sink,) for array, sink in sinks if sink is not None}
    if not judges_interval(design):
        refuse_interval(streams, chosen.prediction, asked)
    if _differs_by_run(chosen):  # how often steps start is for the data of a run to say
        chosen = replace(chosen, prediction=replace(chosen.prediction, interval=None))
    timing = _timing(design, chosen.prediction, chosen)
    return _told(composed(planning, chosen, impossible, timing))


def _looked_at(planning: Planning, program: Program) -> Planning:
    """The planning whose RAMs, which no Verilog has, also serve what streams look at."""
    if program is planning.program:
        return planning
    arrays, memories = dict(planning.plan.arrays), dict(planning.plan.memories)
    for array in program.planned_arrays():
        own = arrays[array.name]
        (part,) = own.parts
        arrays[array.name] = replace(
            own, parts=(replace(part, operands=operands_of(program, array)),)
        )
        held = in_memory(own.mapping, (), read_ports(program, array))
        memories[part.memory] = held.memory(array)
    return replace(planning, plan=replace(planning.plan, arrays=arrays, memories=memories))


def _told(planning: Planning) -> Planning:
    """The planning with what is to be said of the design in its report, and what it falls short."""
    given = planning.design.input
    if isinstance(given, Program):
        notes = [str(one) for one in (*given.notes, *kernel_remarks(planning))]
        plan = replace(planning.plan, remarks=(*planning.plan.remarks, *notes))
        planning = replace(planning, plan=plan)
    return _with_shortfall(planning)


def _with_shortfall(planning: Planning) -> Planning:
    found = shortfall(planning.plan)
    if found is None or planning.program is None or not planning.storage:
        return replace(planning, shortfall=found)
    others = dict(_not_asked_for(planning, planning.program))
    return replace(planning, shortfall=shortfall(planning.plan, others))


def _not_asked_for(
    planning: Planning, program: Program
) -> Iterator[tuple[str, tuple[Rejected, ...]]]:
    """What else could hold the arrays whose storage the design asks for."""
    terms = _terms(planning.design, program)
    for problem in planning.problems:
        array = problem.array
        if array.name not in planning.storage or (array.reads, array.parts) == ("auto", "auto"):
            continue
        free = replace(array, reads="auto", parts="auto")
        own = replace(program, arrays={**program.arrays, array.name: free})
        candidates, _ = _finder(planning, own, replace(problem, array=free)).candidates()
        chooser = Chooser(own, {array.name: candidates}, terms)
        taken = planning.storage[array.name]
        yield array.name, tuple(rejected(chooser.listed(array.name), taken))


def _candidates(
    planning: Planning, program: Program
) -> tuple[dict[str, list[Candidate]], dict[str, list[Impossible]]]:
    """Per array with streams what could hold it, and the kinds that cannot."""
    found: dict[str, list[Candidate]] = {}
    impossible: dict[str, list[Impossible]] = {}
    used = {stream.array for stream in planning.plan.streams}
    for problem in planning.problems:
        name = problem.array.name
        if name in used:
            finder = _finder(planning, program, problem)
            found[name], impossible[name] = finder.candidates()
    return found, impossible


def _finder(planning: Planning, program: Program, problem: StorageProblem) -> Finder:
    """What finds the candidates of one array."""
    design = planning.design
    conditions = Conditions(
        fold=partial(_folded, design, program),
        strict=design.plan.strict,
        slack=design.plan.slack,
        device=design.target.device,
        addressed=design.plan.schedules != GIVEN,
        channels=design.plan.channels,
    )
    ranking = Ranking(design.plan.objective, design.target.device)
    return Finder(program, problem, planning.choices[problem.array.name], conditions, ranking)


def _folded(design: Design, program: Program, problem: StorageProblem) -> Choice:
    """The mapping of the elements that a part reads, as that of a whole array is found."""
    return plan_array(
        problem,
        method=design.plan.method,
        budget=design.plan.budget,
        form=form_of(design),
        blocks=blocks_of(design, program, problem.array),
        known={one: NoMapping(method=one, reason="not asked of parts") for one in _SLOW},
    )


def _terms(design: Design, program: Program) -> Terms:
    """What the choice of storage has to keep to."""
    target = target_of(design)
    return Terms(
        latency=latencies(program),
        ranking=Ranking(design.plan.objective, design.target.device),
        strict=design.plan.strict,
        slack=design.plan.slack,
        device=design.target.device,
        blocks=None if target is None else blocks_allowed(target),
        output_register=design.target.output_register is True,
    )


def _with_fast_rams(design: Design, program: Program, chosen: Chosen) -> Chosen:
    """The choice with RAMs read through output registers, where it is left to the plan and
    they make a faster clock for as many blocks and no more cycles between steps.
    """
    target = design.target
    if target.output_register is not None or target.device is None:
        return chosen
    if not family_of(target.device).output_register or not chosen.blocks:
        return chosen
    fast = chosen.registered()
    try:
        depths = {one.stream: one.beats for one in chosen.elastic}
        prediction = predict_circuits(fast.circuits, latencies(program), fast.junctions, depths)
    except LimitError:
        return chosen
    before, after = chosen.prediction.interval, prediction.interval
    if before is None or after is None:
        return chosen
    # The latency is paid at the ends of a run; what every step pays is the interval.
    gains = fast.blocks <= chosen.blocks and after <= before * FULL_INTERVAL
    return replace(fast, prediction=prediction) if gains else chosen


def _timing(design: Design, prediction: Prediction, chosen: Chosen) -> Timing:
    return Timing(
        cycles=prediction.cycles,
        interval=prediction.interval,
        reason=prediction.reason,
        asked=design.pipeline.interval,
        output_register=any(built.output_register for built in chosen.built.values()),
        runs=() if _differs_by_run(chosen) else None,
    )


def _differs_by_run(chosen: Chosen) -> bool:
    """Whether streams pass over instances that do not run."""
    return any(stream.looks() for one in chosen.circuits for stream in one.streams)
