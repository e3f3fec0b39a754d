"""The cycles of runs in which instances are skipped: what is played is what the program did.

A plan bounds the cycles of all runs. Of the outcomes of conditions that are simulated it also has
the exact ones, which takes a C compiler: the program itself decides which of its instances run.
Long runs have the bound alone, as cycles in which instances are passed over are played one by one.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hlsmem.errors import HlsmemError
from hlsmem.pipeline.storage import Planning
from hlsmem.planfile.model import Timing
from hlsmem.predict import latencies
from hlsmem.program import Program
from hlsmem.storage.prediction import predict_circuits

if TYPE_CHECKING:
    from hlsmem.verification.events import Run

# Cycles of a run that is played for each outcome: about a second.
_MOST_CYCLES = 50_000


def with_runs(planning: Planning) -> Planning:
    """The planning with the cycles of the runs that `check` simulates, where they differ.

    Without a C compiler, and for long runs, the bound alone stays.
    """
    program, timing = planning.program, planning.plan.timing
    if program is None or timing is None or timing.cycles is None or timing.runs is None:
        return planning
    if timing.cycles > _MOST_CYCLES:
        return planning
    return _with_cycles(planning, program, timing)


def _with_cycles(planning: Planning, program: Program, timing: Timing) -> Planning:
    # Most programs skip nothing, and their plans load nothing of the checks.
    from hlsmem.verification.instrument import NotUnderstood
    from hlsmem.verification.replay import Disagreement, outcomes_of, runs_of

    planned = [one for one in program.planned_arrays() if one.name in planning.plan.arrays]
    outcomes = outcomes_of(program)
    found = []
    try:
        played = runs_of(program, planned, outcomes=outcomes)
        for outcome, (run, _) in zip(outcomes, played, strict=True):
            cycles = cycles_of(planning, program, idle_times(program, run))
            if outcome is not None and cycles is not None:
                found.append((outcome.seed, cycles))
    except (HlsmemError, NotUnderstood, Disagreement):
        found = []
    plan = replace(planning.plan, timing=replace(timing, runs=tuple(found)))
    return replace(planning, plan=plan)


def idle_times(program: Program, run: Run) -> dict[str, Any]:
    """The times of the instances that do not run, by statement: arrays with a row for each."""
    from hlsmem.verification.rtl.values import Recorded, families_of, running

    families = families_of(program)
    ran = running(Recorded(run, families), families) or {}
    return {
        one.statement.name: one.times[~ran[one.statement.name]]
        for one in families
        if one.statement.filters
    }


def cycles_of(planning: Planning, program: Program, idle: dict[str, Any]) -> int | None:
    """The cycles of a run without stalls in which these instances do not run."""
    joined = [junction for built in planning.storage.values() for junction in built.junctions]
    depths = {one.stream: one.beats for one in planning.plan.elastic}
    return predict_circuits(planning.circuits, latencies(program), joined, depths, idle).cycles
