"""The plan, built once from all choices: memories, parts, what was not taken, cycles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from hlsmem.certainty import is_written_once
from hlsmem.options import Design
from hlsmem.pipeline.guards import guard_remarks
from hlsmem.pipeline.storage import Planning
from hlsmem.planfile import ArrayPlan, Memory, Part, Rejected, Target, Timing
from hlsmem.planfile import Share as Listed
from hlsmem.storage.build import Built
from hlsmem.storage.candidates import Impossible
from hlsmem.storage.chain.formulas import tap_formulas
from hlsmem.storage.chooser import Chosen, Outcome
from hlsmem.storage.circuits import on_target
from hlsmem.storage.paths import top_paths
from hlsmem.storage.runs import CYCLES_ALLOWED
from hlsmem.wording import counted

NOTHING: Mapping[str, Sequence[Impossible]] = MappingProxyType({})


def composed(
    planning: Planning,
    chosen: Chosen | None = None,
    impossible: Mapping[str, Sequence[Impossible]] = NOTHING,
    timing: Timing | None = None,
) -> Planning:
    """The planning with its whole plan, but for what C has apart.

    Without a choice arrays stand in RAMs as they are.
    """
    target = target_of(planning.design)
    run = None if chosen is None else (chosen.prediction.cycles, chosen.waiting)
    memories: dict[str, Memory] = {}
    arrays: dict[str, ArrayPlan] = {}
    for name, array in planning.plan.arrays.items():
        built = None if chosen is None else chosen.built.get(name)
        parts = array.parts if built is None else tuple(_parts(built))
        if built is not None:
            memories |= built.memories
        else:
            for part in parts:
                memory = planning.plan.memories[part.memory]
                if target is not None:
                    memory = on_target(memory, None, target.device)
                memories[part.memory] = memory
        outcomes = () if chosen is None else chosen.outcomes.get(name, ())
        others = tuple(rejected(outcomes, built, impossible.get(name, ()), run))
        arrays[name] = replace(array, parts=parts, rejected=others)
    plan = replace(
        planning.plan,
        memories=memories,
        arrays=arrays,
        timing=timing,
        target=target,
        remarks=guard_remarks(planning.design),
        elastic=() if chosen is None else chosen.elastic,
        paths=_paths(chosen),
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


def _paths(chosen: Chosen | None) -> tuple[tuple[str, str], ...] | None:
    """The paths within a cycle through the Verilog; None where there is none."""
    if chosen is None or not chosen.circuits:
        return None
    return top_paths(chosen.circuits, chosen.junctions, chosen.elastic)


def target_of(design: Design) -> Target | None:
    """The target of a design; None where it names no device."""
    options = design.target
    if options.device is None:
        return None
    return Target(device=options.device, block_rams=options.block_rams)


def _parts(built: Built) -> Iterator[Part]:
    """The parts of an array as plan.json has them."""
    takes = [part.takes for part in built.parts] or [None]
    for name, taken, (block, held) in zip(
        built.memories, takes, built.candidate.shares, strict=True
    ):
        elements = None if taken is None else str(taken.set_tuple_name("").reset_tuple_id())
        part = held.part(name, block, elements)
        yield part if built.parts else replace(part, taps_expr=_formulas(built, name, part.taps))


def _formulas(built: Built, name: str, taps: tuple[int, ...] | None) -> tuple[str, ...] | None:
    """The taps of a chain in the parameters; None where they are not known.

    Of elements with several values nothing proves them but at the plan's own parameters.
    """
    program = built.program
    if taps is None or (any(taps) and not is_written_once(program, name)):
        return None
    found = tap_formulas(program, program.arrays[name])
    if found is None or tuple(one.evaluate(program.values) for one in found) != taps:
        return None
    return tuple(str(one) for one in found)


def rejected(
    outcomes: Sequence[Outcome],
    taken: Built | None,
    impossible: Sequence[Impossible] = (),
    run: tuple[int | None, int] | None = None,
) -> Iterator[Rejected]:
    """What was not taken, the cheapest first, then the kinds that cannot be.

    `run` are the cycles of the plan, and the words of its branch FIFOs.
    """
    listed = set() if taken is None else {_listed(taken)}
    for outcome in outcomes:
        built = outcome.built
        if built is None or outcome.reason:
            shares = outcome.candidate.shares
            parts = tuple(Listed(operands=block, kind=held.name) for block, held in shares)
            yield Rejected(parts=parts, reason=outcome.reason)
        elif _listed(built) not in listed:  # of the same parts, the cheapest
            listed.add(_listed(built))
            yield Rejected(
                parts=_listed(built),
                words=built.words,
                resources=built.cost,
                cycles=outcome.cycles,
                reason=_dearer(outcome, built, taken, run),
            )
    for one in impossible:
        share = Listed(operands=one.block, kind=one.kind.name)
        yield Rejected(parts=(share,), reason=one.reason)


def _listed(built: Built) -> tuple[Listed, ...]:
    """Its parts, as a design takes them."""
    blocks = (block for block, _ in built.candidate.shares)
    kinds = (memory.kind for memory in built.memories.values())
    return tuple(
        Listed(operands=block, kind=kind) for block, kind in zip(blocks, kinds, strict=True)
    )


def _dearer(
    outcome: Outcome, built: Built, taken: Built | None, run: tuple[int | None, int] | None
) -> str:
    """Why what can be built is not taken; `run` is that of the plan, as in `rejected`."""
    if taken is None:
        return "no Verilog"
    cycles, waiting = run or (None, 0)
    own = outcome.cycles
    if own is not None and cycles is not None and own > CYCLES_ALLOWED * cycles:
        return "more cycles"
    if built.words > taken.words:
        return "more words"
    if outcome.waiting is not None and outcome.waiting > waiting:
        return f"{counted(outcome.waiting - waiting, 'word')} of branch FIFOs more"
    mine, other = built.cost, taken.cost
    if mine is not None and other is not None:
        if mine.blocks > other.blocks:
            return "more block RAMs"
        if mine.luts > other.luts:
            return "more LUTs"
    if len(built.circuits) > len(taken.circuits):
        return "saves too few words for another part"
    return "more logic for as many words" if built.words == taken.words else "more logic"
