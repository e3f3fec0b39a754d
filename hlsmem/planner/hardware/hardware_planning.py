"""From mappings to hardware: what holds each array, the circuits, the run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from hlsmem.core.errors import InputError, LimitError
from hlsmem.cycle_model import FULL_INTERVAL, datapaths_of, refuse_interval
from hlsmem.devices import family_of
from hlsmem.lifetime.storage_problem import StorageProblem
from hlsmem.mapping.portfolio import Choice, plan_array
from hlsmem.mapping.storage_mapping import NoMapping
from hlsmem.plan import Rejected, Timing
from hlsmem.planner.array_folding import Folded, blocks_of, shape_constraint_of
from hlsmem.planner.hardware.fifo_capacities import least_capacities
from hlsmem.planner.hardware.storage_placement import (
    Placement,
    in_rams,
    placed,
    rejected,
    target_of,
)
from hlsmem.program.model import Program
from hlsmem.program.options import Design
from hlsmem.program.predicate_reads import with_predicate_reads
from hlsmem.program.schedule_classes import GIVEN
from hlsmem.storage.build import BuiltStorage, Terms
from hlsmem.storage.chooser import Chooser, StorageChoice
from hlsmem.storage.memory_footprint import budget_of
from hlsmem.storage.part_streams import streams_of
from hlsmem.storage.partition_requests import Conditions
from hlsmem.storage.skipped_runs import CYCLES_ALLOWED, ENDS
from hlsmem.storage.storage_candidates import Candidate, Finder, Ranking

# Methods that are asked of whole arrays alone.
_SLOW = ("exhaustive", "family", "hyperplane")


def hardware_of(found: Folded, lookups: int | None = None) -> Placement:
    """Placement of folded arrays in hardware, with its circuits and its run.

    No other storage is looked at after so many `lookups` at runs that are simulated. Raises
    InputError where the streams cannot hold together, and where the interval that is asked for
    cannot be reached.
    """
    design = found.design
    program = None if found.program is None else with_predicate_reads(found.program)
    streams = () if program is None else streams_of(program)
    if program is None or not streams:
        return in_rams(found)
    if found.is_outside_of_its_class:
        reason = "no Verilog: the design's own schedule is not in the class of plan.schedules"
        timing = Timing(cycles=None, interval=None, reason=reason)
        return in_rams(found, streams, timing=timing)
    asked = design.pipeline.interval
    used = {one.array for one in streams}
    held = {
        one.array.name: _finder(found, program, one).candidates()
        for one in found.problems
        if one.array.name in used
    }
    candidates = {name: possible for name, (possible, _) in held.items()}
    impossible = {name: others for name, (_, others) in held.items()}
    try:
        terms = replace(_terms(design, program), lookups=lookups)
        chosen, scheduled = _chosen(design, program, candidates, terms)
        chosen = _with_fast_rams(design, program, chosen)
    except LimitError as error:
        timing = Timing(cycles=None, interval=None, reason=f"no Verilog: {error}", asked=asked)
        return in_rams(found, streams, program, impossible, timing)
    if design.kernel is None or not design.kernel.judges_interval:
        beats = {one.array: one.streams for one in chosen.circuits}
        sinks = [(one.array, one.sink()) for one in chosen.junctions]
        beats |= {array: (sink,) for array, sink in sinks if sink is not None}
        refuse_interval(beats, chosen.prediction, asked)
    if _differs_by_run(chosen):  # how often steps start is for the data of a run to say
        chosen = replace(chosen, prediction=replace(chosen.prediction, interval=None))
    placement = placed(found, streams, chosen, impossible, _timing(design, chosen))
    return replace(placement, scheduled=scheduled)


def _chosen(
    design: Design, program: Program, candidates: Mapping[str, Sequence[Candidate]], terms: Terms
) -> tuple[StorageChoice, str]:
    """The choice of storage, with the words that it takes where processes run by themselves.

    There FIFOs shrink, and nothing says before by how much: they are looked at beside the choice.
    """
    text = least_capacities(design, program, Chooser(program, candidates, terms).choose(), terms)
    by_fifos = {
        name: [one for one in found if all(held.is_selftimed for held in one.held)]
        for name, found in candidates.items()
    }
    taken = {name: built.candidate for name, built in text[0].built.items()}
    if design.plan.capacity != "selftimed" or not any(
        own and taken.get(name) not in own for name, own in by_fifos.items()
    ):
        return text
    own = {name: by_fifos[name] or found for name, found in candidates.items()}
    try:
        found = least_capacities(design, program, Chooser(program, own, terms).choose(), terms)
    except (InputError, LimitError):
        return text
    before, after = (one.prediction.cycles for one, _ in (text, found))
    is_slower = before is None or after is None or after > CYCLES_ALLOWED * before + ENDS
    return text if is_slower or _bits(program, found[0]) >= _bits(program, text[0]) else found


def _bits(program: Program, chosen: StorageChoice) -> int:
    return sum(
        held.words * program.arrays[name].element.bits
        for name, built in chosen.built.items()
        for held in built.candidate.held
    )


def not_asked_for(
    found: Folded, taken: Mapping[str, BuiltStorage]
) -> Iterator[tuple[str, tuple[Rejected, ...]]]:
    """Alternatives for the arrays whose storage the design asks for."""
    program = found.program
    if program is None:
        return
    terms = _terms(found.design, program)
    for problem in found.problems:
        array = problem.array
        if array.name not in taken or (array.reads, array.parts) == ("auto", "auto"):
            continue
        free = replace(array, reads="auto", parts="auto")
        own = replace(program, arrays={**program.arrays, array.name: free})
        candidates, _ = _finder(found, own, replace(problem, array=free)).candidates()
        chooser = Chooser(own, {array.name: candidates}, terms)
        yield array.name, tuple(rejected(chooser.listed(array.name), taken[array.name]))


def _finder(found: Folded, program: Program, problem: StorageProblem) -> Finder:
    """The finder of the candidates of one array."""
    design = found.design
    conditions = Conditions(
        fold=partial(_folded, design, program),
        strict=design.plan.strict,
        slack=design.plan.slack,
        device=design.target.device,
        addressed=design.plan.schedules != GIVEN,
        channels=design.plan.channels,
    )
    ranking = Ranking(design.plan.objective, design.target.device)
    return Finder(program, problem, found.choices[problem.array.name], conditions, ranking)


def _folded(design: Design, program: Program, problem: StorageProblem) -> Choice:
    """The mapping of the elements that a part reads, as that of a whole array is found."""
    return plan_array(
        problem,
        method=design.plan.method,
        budget=design.plan.budget,
        shape_constraint=shape_constraint_of(design),
        blocks=blocks_of(design, program, problem.array),
        known={one: NoMapping(method=one, reason="not asked of parts") for one in _SLOW},
    )


def _terms(design: Design, program: Program) -> Terms:
    """Constraints on the choice of storage."""
    target = target_of(design)
    return Terms(
        datapaths=datapaths_of(program),
        ranking=Ranking(design.plan.objective, design.target.device),
        slack=design.plan.slack,
        device=design.target.device,
        budget={} if target is None else budget_of(target),
        output_register=design.target.output_register is True,
    )


def _with_fast_rams(design: Design, program: Program, chosen: StorageChoice) -> StorageChoice:
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
        prediction = fast.run(program)
    except LimitError:
        return chosen
    before, after = chosen.prediction.interval, prediction.interval
    if before is None or after is None:
        return chosen
    # The latency is paid at the ends of a run; what every step pays is the interval.
    gains = fast.blocks <= chosen.blocks and after <= before * FULL_INTERVAL
    return replace(fast, prediction=prediction) if gains else chosen


def _timing(design: Design, chosen: StorageChoice) -> Timing:
    prediction = chosen.prediction
    return Timing(
        cycles=prediction.cycles,
        interval=prediction.interval,
        reason=prediction.reason,
        asked=design.pipeline.interval,
        output_register=any(built.output_register for built in chosen.built.values()),
        runs=() if _differs_by_run(chosen) else None,
    )


def _differs_by_run(chosen: StorageChoice) -> bool:
    """True if streams pass over instances that do not run."""
    return any(stream.predicate_reads() for one in chosen.circuits for stream in one.streams)
