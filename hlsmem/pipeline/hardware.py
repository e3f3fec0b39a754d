"""From mappings to hardware: what holds each array, the circuits, the plan."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from hlsmem.classes import GIVEN
from hlsmem.devices import family_of
from hlsmem.errors import InputError, LimitError
from hlsmem.lifetime import StorageProblem
from hlsmem.mapping.portfolio import Choice, plan_array
from hlsmem.options import Design
from hlsmem.pipeline.composition import composed
from hlsmem.pipeline.storage import Planning, blocks_of, form_of, plan_storage
from hlsmem.plan import Timing
from hlsmem.predict import FULL_INTERVAL, Prediction, latencies, refuse_interval
from hlsmem.program import Program
from hlsmem.storage.candidates import Candidate, Finder, Impossible, ranking
from hlsmem.storage.chooser import Built, Chooser, Chosen, build
from hlsmem.storage.footprint import blocks_taken, shortfall
from hlsmem.storage.prediction import predict_circuits, streams_of
from hlsmem.storage.shares import Conditions

# Methods that are asked of whole arrays alone.
_SLOW = ("exhaustive", "family", "hyperplane")


def plan_design(design: Design) -> Planning:
    """Plan every array of a design, and the hardware for it with its cycles.

    Raises InputError as `plan_storage`, where the streams cannot hold together, and where the
    interval that is asked for cannot be reached.
    """
    planning = plan_storage(design)
    program = planning.program
    if program is None or not planning.plan.streams:
        return _with_shortfall(composed(planning, None, {}, None))
    if planning.is_outside_of_its_class:
        reason = "no Verilog: the design's own schedule is not in the class of plan.schedules"
        timing = Timing(cycles=None, interval=None, reason=reason)
        return _with_shortfall(composed(planning, None, {}, timing))
    asked = design.pipeline.interval
    candidates, impossible = _candidates(planning, program)
    try:
        chosen = _with_fast_rams(planning, program, _chosen(planning, program, candidates))
    except LimitError as error:
        timing = Timing(cycles=None, interval=None, reason=f"no Verilog: {error}", asked=asked)
        return _with_shortfall(composed(planning, None, impossible, timing))
    streams = {one.array: streams_of(one) for one in chosen.circuits}
    sinks = [(one.array, one.sink()) for one in chosen.junctions]
    streams |= {array: (sink,) for array, sink in sinks if sink is not None}
    refuse_interval(streams, chosen.prediction, asked)
    timing = _timing(design, chosen.prediction, chosen)
    return _with_shortfall(composed(planning, chosen, impossible, timing))


def _with_shortfall(planning: Planning) -> Planning:
    return replace(planning, shortfall=shortfall(planning.plan))


def _candidates(
    planning: Planning, program: Program
) -> tuple[dict[str, list[Candidate]], dict[str, list[Impossible]]]:
    """Per array with streams what could hold it, and the kinds that cannot."""
    design = planning.design
    device = design.target.device
    rank = ranking(design.plan.objective, device)
    found: dict[str, list[Candidate]] = {}
    impossible: dict[str, list[Impossible]] = {}
    used = {stream.array for stream in planning.plan.streams}
    for problem in planning.problems:
        name = problem.array.name
        if name not in used:
            continue
        conditions = Conditions(
            fold=partial(_folded, design, program),
            strict=design.plan.strict,
            slack=design.plan.slack,
            device=device,
            addressed=design.plan.schedules != GIVEN,
        )
        finder = Finder(program, problem, planning.choices[name], conditions, rank)
        found[name], impossible[name] = finder.candidates()
    return found, impossible


def _folded(design: Design, program: Program, problem: StorageProblem) -> Choice:
    """The mapping of the elements that a part reads, as that of a whole array is found."""
    return plan_array(
        problem,
        method=design.plan.method,
        budget=design.plan.budget,
        form=form_of(design),
        blocks=blocks_of(design, program, problem.array),
        without=dict.fromkeys(_SLOW, "not asked of parts"),
    )


def _chooser(
    planning: Planning, program: Program, candidates: Mapping[str, list[Candidate]]
) -> Chooser:
    design = planning.design
    return Chooser(
        program,
        candidates,
        ranking(design.plan.objective, design.target.device),
        strict=design.plan.strict,
        slack=design.plan.slack,
        latency=latencies(program),
        output_register=design.target.output_register is True,
    )


def _chosen(
    planning: Planning, program: Program, candidates: Mapping[str, list[Candidate]]
) -> Chosen:
    return _chooser(planning, program, candidates).choose()


def _with_fast_rams(planning: Planning, program: Program, chosen: Chosen) -> Chosen:
    """The choice with RAMs read through output registers, where it is left to the plan and
    they make a faster clock for as many blocks and no more cycles between steps.
    """
    design = planning.design
    target = design.target
    if target.output_register is not None or target.device is None:
        return chosen
    if not family_of(target.device).output_register:
        return chosen
    blocks = blocks_taken(chosen.built.values(), target.device)
    if not blocks:
        return chosen
    try:
        built = {
            name: build(
                program,
                one.candidate,
                strict=design.plan.strict,
                slack=design.plan.slack,
                output_register=True,
            )
            for name, one in chosen.built.items()
        }
        circuits = [circuit for one in built.values() for circuit in one.circuits]
        joined = [junction for one in built.values() for junction in one.junctions]
        depths = {one.stream: one.beats for one in chosen.elastic}
        prediction = predict_circuits(circuits, latencies(program), joined, depths)
    except (InputError, LimitError):
        return chosen
    before, after = chosen.prediction.interval, prediction.interval
    if before is None or after is None:
        return chosen
    # The latency is paid at the ends of a run; what every step pays is the interval.
    gains = (
        blocks_taken(built.values(), target.device) <= blocks and after <= before * FULL_INTERVAL
    )
    return replace(chosen, built=built, prediction=prediction) if gains else chosen


def _timing(design: Design, prediction: Prediction, chosen: Chosen) -> Timing:
    return Timing(
        cycles=prediction.cycles,
        interval=prediction.interval,
        reason=prediction.reason,
        asked=design.pipeline.interval,
        output_register=any(_registered(built) for built in chosen.built.values()),
    )


def _registered(built: Built) -> bool:
    return built.output_register
