"""The plan, built once from all choices: memories, parts, what was not taken, cycles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from hlsmem.pipeline.storage import Planning
from hlsmem.plan import ArrayPlan, Memory, Part, Rejected, Target, Timing
from hlsmem.plan import Share as Listed
from hlsmem.storage.candidates import Candidate, Impossible
from hlsmem.storage.chain.circuit import ChainCircuit
from hlsmem.storage.chain.formulas import tap_formulas
from hlsmem.storage.chooser import Built, Chosen, Outcome
from hlsmem.storage.circuits import Circuit
from hlsmem.storage.cost import on_target


def composed(
    planning: Planning,
    chosen: Chosen | None,
    impossible: Mapping[str, Sequence[Impossible]],
    timing: Timing | None,
) -> Planning:
    """The planning with its whole plan. Without a choice arrays stand in RAMs as they are."""
    options = planning.design.target
    target = None
    if options.device is not None:
        target = Target(device=options.device, block_rams=options.block_rams)
    cycles = None if chosen is None else chosen.prediction.cycles
    memories: dict[str, Memory] = {}
    arrays: dict[str, ArrayPlan] = {}
    for name, array in planning.plan.arrays.items():
        built = None if chosen is None else chosen.built.get(name)
        parts, own = (array.parts, planning.plan.memories) if built is None else _parts(built)
        made = {} if built is None else {circuit.array: circuit for circuit in built.circuits}
        for part in parts:
            memory = own[part.memory]
            if target is not None:
                memory = on_target(memory, made.get(part.memory), target.device)
            memories[part.memory] = memory
        outcomes = () if chosen is None else chosen.outcomes.get(name, ())
        taken = None if built is None else built.candidate
        rejected = tuple(_rejected(outcomes, taken, impossible.get(name, ()), cycles))
        arrays[name] = replace(array, parts=parts, rejected=rejected)
    plan = replace(
        planning.plan,
        memories=memories,
        arrays=arrays,
        timing=timing,
        target=target,
        elastic=() if chosen is None else chosen.elastic,
    )
    if chosen is None:
        return replace(planning, plan=plan)
    return replace(
        planning,
        plan=plan,
        storage=chosen.built,
        circuits=chosen.circuits,
        prediction=chosen.prediction,
    )


def _parts(built: Built) -> tuple[tuple[Part, ...], dict[str, Memory]]:
    """The parts of an array as plan.json has them, with their memories."""
    parts, memories = [], {}
    names = [part.name for part in built.parts] or [built.candidate.array]
    takes = [part.takes for part in built.parts] or [None]
    circuits: dict[str, Circuit] = {circuit.array: circuit for circuit in built.circuits}
    for name, taken, (block, held) in zip(names, takes, built.candidate.shares, strict=True):
        circuit = circuits.get(name)
        memory = held.memory(built.program.arrays[name])
        addressed = held.kind not in ("chain", "fifo")
        if isinstance(circuit, ChainCircuit) and circuit.words == len(circuit.chain.lanes):
            memory = replace(memory, kind="registers")
        memories[name] = memory
        parts.append(
            Part(
                memory=name,
                operands=block,
                takes=None if taken is None else str(taken.set_tuple_name("").reset_tuple_id()),
                mapping=held.mapping if addressed else None,
                banks=held.banks,
                taps=held.taps,
                taps_expr=None if built.parts else _formulas(built, name, held.taps),
            )
        )
    return tuple(parts), memories


def _formulas(built: Built, name: str, taps: tuple[int, ...] | None) -> tuple[str, ...] | None:
    """The taps of a chain in the parameters; None where they are not known."""
    if taps is None:
        return None
    program = built.program
    found = tap_formulas(program, program.arrays[name])
    if found is None or tuple(one.evaluate(program.values) for one in found) != taps:
        return None
    return tuple(str(one) for one in found)


def _rejected(
    outcomes: Sequence[Outcome],
    taken: Candidate | None,
    impossible: Sequence[Impossible],
    least: int | None,
) -> Iterator[Rejected]:
    """What was not taken, the cheapest first, then the kinds that cannot be."""
    for outcome in outcomes:
        candidate = outcome.candidate
        if candidate == taken:
            continue
        yield Rejected(
            parts=tuple(Listed(operands=block, kind=held.kind) for block, held in candidate.shares),
            words=None if outcome.reason else candidate.words,
            resources=None if outcome.reason else candidate.cost,
            cycles=outcome.cycles,
            reason=outcome.reason or _dearer(outcome, taken, least),
        )
    for one in impossible:
        share = Listed(operands=one.block, kind=one.kind)
        yield Rejected(parts=(share,), reason=one.reason)


def _dearer(outcome: Outcome, taken: Candidate | None, cycles: int | None) -> str:
    """Why a candidate that can be built is not taken, whose run would take `cycles`."""
    candidate = outcome.candidate
    if taken is None:
        return "no Verilog"
    if outcome.cycles is not None and cycles is not None and outcome.cycles > cycles:
        return "more cycles"
    if candidate.words > taken.words:
        return "more words"
    own, other = candidate.cost, taken.cost
    if own is not None and other is not None:
        if own.blocks > other.blocks:
            return "more block RAMs"
        if own.luts > other.luts:
            return "more LUTs"
    if len(candidate.shares) > len(taken.shares):
        return "saves too few words for another part"
    return "more logic for as many words" if candidate.words == taken.words else "more logic"
