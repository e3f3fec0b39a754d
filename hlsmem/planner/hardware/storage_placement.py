"""Placement of the arrays of a folding in hardware, and the rejected candidates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from types import MappingProxyType

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.wording import counted
from hlsmem.cycle_model import is_reached
from hlsmem.devices.primitives import Cost
from hlsmem.plan import CandidatePart, Memory, Part, Rejected, Stream, Target, Timing
from hlsmem.planner.array_folding import Folded
from hlsmem.program.conditional_writes import is_written_once
from hlsmem.program.model import Program
from hlsmem.program.options import Design
from hlsmem.storage.array_parts import operands_of
from hlsmem.storage.build import BuiltStorage, on_target
from hlsmem.storage.chooser import Outcome, StorageChoice
from hlsmem.storage.cycle_paths import top_paths
from hlsmem.storage.ram.kind import in_memory
from hlsmem.storage.ram.ram_ports import read_ports
from hlsmem.storage.reuse_chain.tap_formulas import tap_formulas
from hlsmem.storage.skipped_runs import CYCLES_ALLOWED
from hlsmem.storage.storage_candidates import Impossible

NOTHING: Mapping[str, Sequence[Impossible]] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Placement:
    """Placement of the arrays in hardware.

    `parts`, `memories` and `rejected` are by array, by name, by array. `chosen` is None where no
    Verilog is made: then arrays stand in RAMs as they are, and `timing` says why. `scheduled` says
    why FIFOs have the words that the schedule needs where processes were to run by themselves.
    """

    streams: tuple[Stream, ...]
    parts: Mapping[str, tuple[Part, ...]]
    memories: Mapping[str, Memory]
    rejected: Mapping[str, tuple[Rejected, ...]] = field(default_factory=dict)
    target: Target | None = None
    timing: Timing | None = None
    chosen: StorageChoice | None = None
    scheduled: str = ""

    @property
    def paths(self) -> tuple[tuple[str, str], ...] | None:
        """The paths within a cycle through the Verilog; None where there is none."""
        one = self.chosen
        if one is None or not one.circuits:
            return None
        return top_paths(one.circuits, one.junctions, one.elastic)

    @property
    def bits(self) -> int:
        """The bits of all words, those of branch FIFOs too."""
        waiting = () if self.chosen is None else self.chosen.elastic
        held = sum(memory.words * memory.bits for memory in self.memories.values())
        return held + sum(one.beats * one.bits for one in waiting)

    @property
    def resources(self) -> Cost:
        """Cost of all memories on the target; nothing where there is none."""
        return sum((memory.resources or Cost() for memory in self.memories.values()), Cost())

    @property
    def missed(self) -> float:
        """The cycles between steps where they are more than the source asks for, else 0."""
        timing = self.timing
        if timing is None or timing.asked is None or timing.interval is None:
            return 0
        return 0 if is_reached(timing.asked, timing.interval) else timing.interval

    @property
    def longest(self) -> int:
        """The beats of the longest stream of the run: it takes a cycle for each."""
        return max((stream.beats for stream in self.streams if not stream.is_fill), default=0)


def in_rams(
    found: Folded,
    streams: tuple[Stream, ...] = (),
    program: Program | None = None,
    impossible: Mapping[str, Sequence[Impossible]] = NOTHING,
    timing: Timing | None = None,
) -> Placement:
    """Every array in a RAM, or a register, with no circuit of it.

    `program` is that of the folding, or the same with what filters look at, which RAMs then serve.
    """
    program, target = program or found.program, target_of(found.design)
    parts, memories = dict[str, tuple[Part, ...]](), dict[str, Memory]()
    for problem in found.problems:
        array = problem.array if program is None else program.arrays[problem.array.name]
        mapping = found.choices[array.name].mapping
        operands = () if program is None else operands_of(program, array)
        held = in_memory(mapping, (), read_ports(program, array))
        memory = held.memory(array)
        parts[array.name] = (Part(memory=array.name, operands=operands, mapping=mapping),)
        memories[array.name] = memory if target is None else on_target(memory, None, target.device)
    others = {name: tuple(rejected((), None, impossible.get(name, ()))) for name in parts}
    return Placement(
        streams=streams,
        parts=parts,
        memories=memories,
        rejected=others,
        target=target,
        timing=timing,
    )


def placed(
    found: Folded,
    streams: tuple[Stream, ...],
    chosen: StorageChoice,
    impossible: Mapping[str, Sequence[Impossible]],
    timing: Timing,
) -> Placement:
    """The storage that was chosen; arrays without streams stand in RAMs."""
    plain = in_rams(found, streams, timing=timing)
    parts, memories = dict(plain.parts), dict[str, Memory]()
    others = dict[str, tuple[Rejected, ...]]()
    run = (chosen.prediction.cycles, chosen.waiting)
    for name in plain.parts:
        built = chosen.built.get(name)
        if built is None:
            memories[name] = plain.memories[name]
        else:
            memories |= built.memories
            parts[name] = tuple(_parts(built))
        outcomes = chosen.outcomes.get(name, ())
        others[name] = tuple(rejected(outcomes, built, impossible.get(name, ()), run))
    return replace(plain, parts=parts, memories=memories, rejected=others, chosen=chosen)


def target_of(design: Design) -> Target | None:
    """The target of a design; None where it names no device."""
    device = design.target.device
    return None if device is None else Target(device=device, block_rams=design.target.block_rams)


def _parts(built: BuiltStorage) -> Iterator[Part]:
    """The parts of an array as plan.json has them."""
    takes = [part.takes for part in built.parts] or [None]
    for name, taken, (block, held) in zip(
        built.memories, takes, built.candidate.shares, strict=True
    ):
        elements = None if taken is None else str(taken.set_tuple_name("").reset_tuple_id())
        part = held.part(name, block, elements)
        yield part if built.parts else replace(part, taps_expr=_formulas(built, name, part.taps))


def _formulas(
    built: BuiltStorage, name: str, taps: tuple[int, ...] | None
) -> tuple[str, ...] | None:
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
    taken: BuiltStorage | None,
    impossible: Sequence[Impossible] = (),
    run: tuple[int | None, int] | None = None,
) -> Iterator[Rejected]:
    """Rejected candidates, the cheapest first, then the kinds that cannot be.

    `run` are the cycles of the plan, and the words of its branch FIFOs.
    """
    listed = set() if taken is None else {_listed(taken)}
    for outcome in outcomes:
        built = outcome.built
        if built is None or outcome.reason:
            shares = outcome.candidate.shares
            parts = tuple(CandidatePart(operands=block, kind=held.name) for block, held in shares)
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
        share = CandidatePart(operands=one.block, kind=one.kind.name)
        yield Rejected(parts=(share,), reason=one.reason)


def _listed(built: BuiltStorage) -> tuple[CandidatePart, ...]:
    """Its parts, as a design takes them."""
    held = zip(built.candidate.shares, built.memories.values(), strict=True)
    return tuple(CandidatePart(operands=block, kind=memory.kind) for (block, _), memory in held)


def _dearer(
    outcome: Outcome,
    built: BuiltStorage,
    taken: BuiltStorage | None,
    run: tuple[int | None, int] | None,
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
