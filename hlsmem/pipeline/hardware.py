"""From storage to circuits: arrays in chains, FIFOs or banks, and what RAMs are read through."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from hlsmem.devices import family_of
from hlsmem.errors import LimitError
from hlsmem.options import Design
from hlsmem.pipeline.storage import Planning, plan_storage
from hlsmem.plan import Plan, Target, Timing
from hlsmem.predict import FULL_INTERVAL, latencies, refuse_interval
from hlsmem.program import Program
from hlsmem.storage.chain.circuit import possible_chains, with_chains
from hlsmem.storage.circuits import circuits
from hlsmem.storage.fifo.circuit import possible_fifos, with_fifos
from hlsmem.storage.footprint import (
    block_rams,
    shortfall,
    with_banks,
    with_footprint,
    without_target,
)
from hlsmem.storage.prediction import predict_circuits, streams_of


def plan_design(design: Design) -> Planning:
    """Plan every array of a design, and the hardware for it with its cycles.

    Raises InputError as `plan_storage`, where the streams cannot hold together, and where the
    interval that is asked for cannot be reached.
    """
    planning = plan_storage(design)
    program = planning.program
    if program is None or not planning.plan.streams:
        return _on_target(planning)
    if planning.is_outside_of_its_class:
        reason = "no Verilog: the design's own schedule is not in the class of plan.schedules"
        timing = Timing(cycles=None, interval=None, reason=reason)
        return _on_target(replace(planning, plan=replace(planning.plan, timing=timing)))
    asked = design.pipeline.interval
    try:
        found = _with_fast_rams(min(_hardware(planning, program), key=_cycles), program)
    except LimitError as error:
        timing = Timing(cycles=None, interval=None, reason=f"no Verilog: {error}", asked=asked)
        return _on_target(replace(planning, plan=replace(planning.plan, timing=timing)))
    if found.prediction is not None:
        streams = {one.array: streams_of(one) for one in found.circuits}
        refuse_interval(streams, found.prediction, asked)
    return _on_target(found)


def _on_target(planning: Planning) -> Planning:
    """The planning with what its memories take on the target of the design, if it names one."""
    options = planning.design.target
    if options.device is None:
        return replace(planning, plan=without_target(planning.plan, planning.program))
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
    FIFOs and memories whose readers each go at their own pace do better.
    """
    left = {name for name, array in program.arrays.items() if array.reads == "auto"}
    possible = possible_chains(program, planning.plan)
    chains = {k: v for k, v in possible.items() if k in left}
    fifos = [name for name in possible_fifos(program, planning.plan) if name in left]
    fewer = [{k: v for k, v in chains.items() if k != name} for name in chains]
    choices = [*((choice, fifos) for choice in (chains, *fewer, {})), ({}, [])]
    if program.lanes:
        choices = choices[:1]  # a memory takes one element a beat
    tried: list[Plan] = []
    for choice, others in choices:
        plan = with_fifos(with_chains(planning.plan, choice), others)
        if plan in tried:
            continue
        tried.append(plan)
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
