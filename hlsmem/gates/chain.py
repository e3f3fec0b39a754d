"""Reuse chains: reads at constant distances behind the one write stream of an array.

A chain moves on by one element with every write beat; an operand is the element that came a
constant number of beats before. No addresses, no gates, one word an element that is held.
Published as reuse-distance FIFOs (Cong et al., "An Optimal Microarchitecture for Stencil
Computation Acceleration Based on Non-Uniform Partitioning of Data Reuse Buffers", DAC 2014).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import numpy as np

from hlsmem.banks.chains import segment
from hlsmem.gates.beats import BeatStream, array_streams
from hlsmem.gates.requirements import Dependences, clock_of, dependences
from hlsmem.gates.wires import mask_condition
from hlsmem.places import Place
from hlsmem.plan import Plan
from hlsmem.program import Array, Order, Program, Statement
from hlsmem.walk.affine import TRUE, Condition
from hlsmem.walk.compile import compile_walker, only_at
from hlsmem.walk.model import Walker


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainReader:
    """A read stream of a chain: its beat r leaves with write beat `emissions[r]`.

    `taps` has for every operand the beats between its element and that one (0: the same).
    `emit`, `last` and `taken` (per operand) are conditions of the writer's walker, None: always.
    """

    name: str
    statement: str
    latency: int
    taps: tuple[int, ...]
    emit: str | None
    last: str | None
    taken: tuple[str | None, ...]
    places: tuple[Place | None, ...]
    emissions: Any = field(compare=False, repr=False)
    instances: Any = field(compare=False, repr=False)

    @property
    def beats(self) -> int:
        return len(self.emissions)


@dataclass(frozen=True, slots=True)
class Gap:
    """The way from one tap to the next: `ram` beats in a RAM, then `registers` of them."""

    ram: int
    registers: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainCircuit:
    """One array in a chain: element of write beat n - k stands at position k after beat n.

    Position 0 is a register; `gaps[i]` leads from one of `positions` (0, then every distance
    that is read) to the next.
    """

    array: str
    bits: int
    writer: str
    statement: str
    latency: int
    walker: Walker
    readers: tuple[ChainReader, ...]
    positions: tuple[int, ...]
    gaps: tuple[Gap, ...]
    output_register: bool
    step_entries: int
    place: Place | None
    instances: Any = field(compare=False, repr=False)
    style: str = "auto"

    @property
    def beats(self) -> int:
        return self.walker.beats

    @property
    def words(self) -> int:
        """Elements it holds."""
        return self.positions[-1] + 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """What makes an array a chain: the streams, and per read stream its emissions and taps."""

    streams: tuple[BeatStream, ...]
    writer: int
    emissions: dict[int, Any]
    taps: dict[int, tuple[int, ...]]

    @property
    def words(self) -> int:
        return 1 + max(tap for taps in self.taps.values() for tap in taps)


def chain_pattern(program: Program, plan: Plan, array: Array) -> Pattern | None:
    """The chain that an array could be; None where it cannot.

    It takes one write stream, whose statement needs nothing that the readers make; reads at
    most one beat between two writes, all operands at constant distances.
    """
    streams = array_streams(program, plan, array)
    writers = [k for k, stream in enumerate(streams) if stream.is_write]
    readers = [k for k, stream in enumerate(streams) if not stream.is_write]
    if len(writers) != 1 or not readers:
        return None
    if any(stream.phase for stream in streams):
        return None
    writer = writers[0]
    if _feeds(program, streams[writer].statement) & {streams[r].statement for r in readers}:
        return None
    found = dependences(program, streams)
    clock = clock_of(program, streams)
    stepwise = program.order is Order.ITERATION
    steps = clock.step if stepwise else clock.code
    written = steps(streams[writer].times)
    emissions: dict[int, Any] = {}
    taps: dict[int, tuple[int, ...]] = {}
    for reader in readers:
        # In a step the chain has taken its element before it is read; else writes come last.
        now = steps(streams[reader].times) + int(stepwise)
        newest = np.searchsorted(written, now) - 1
        distances = _distances(streams[reader], found, reader, newest)
        if newest[0] < 0 or (np.diff(newest) <= 0).any() or distances is None:
            return None
        emissions[reader], taps[reader] = newest, distances
    return Pattern(streams=streams, writer=writer, emissions=emissions, taps=taps)


def _feeds(program: Program, name: str) -> set[str]:
    """The statements whose results get into `name`, itself among them."""
    statements = {statement.name: statement for statement in program.statements}
    planned = {array.name for array in program.planned_arrays()}
    writers: dict[str, set[str]] = {}
    for statement in program.statements:
        for access in statement.writes:
            writers.setdefault(access.array, set()).add(statement.name)
    found: set[str] = set()
    waiting = [name]
    while waiting:
        current = waiting.pop()
        if current in found or current not in statements:
            continue
        found.add(current)
        waiting += _sources(statements[current], planned, writers)
    return found


def _sources(statement: Statement, planned: set[str], writers: dict[str, set[str]]) -> list[str]:
    arrays = {access.array for access in statement.reads} & planned
    return [writer for array in arrays for writer in writers.get(array, ())]


def _distances(
    stream: BeatStream, found: Dependences, reader: int, newest: Any
) -> tuple[int, ...] | None:
    """Write beats between the element of each operand and the newest; None: not constant."""
    distances = []
    for operand, source in zip(stream.operands, found.wire_beat[reader], strict=True):
        behind = (newest - source)[operand.taken]
        if not behind.size:
            distances.append(0)
        elif (behind != behind[0]).any() or behind[0] < 0:
            return None
        else:
            distances.append(int(behind[0]))
    return tuple(distances)


def possible_chains(program: Program, plan: Plan) -> dict[str, int]:
    """The planned arrays that a chain could hold in no more words than they have, with its words.

    A chain moves on with the beats of a step, hence `order: iteration`; its handshake passes
    through in the same cycle, which slack rules out.
    """
    if program.order is not Order.ITERATION or plan.slack:
        return {}
    found: dict[str, int] = {}
    for array in program.planned_arrays():
        if array.name not in plan.arrays:
            continue
        memory = plan.memories[plan.arrays[array.name].place.memory]
        chain = chain_circuit(program, plan, array) if memory.kind == "ram" else None
        if chain is not None and chain.words <= memory.words:
            found[array.name] = chain.words
    return found


def with_chains(plan: Plan, words: Mapping[str, int]) -> Plan:
    """The plan with these arrays in chains of that many words."""
    chains = {plan.arrays[array].place.memory: size for array, size in words.items()}
    return replace(
        plan,
        memories={
            name: replace(memory, kind="chain", words=chains[name], copies=1)
            if name in chains
            else memory
            for name, memory in plan.memories.items()
        },
    )


def chain_circuit(
    program: Program, plan: Plan, array: Array, *, output_register: bool = False
) -> ChainCircuit | None:
    """The circuit of a chain; None where the array is none, or its walk is no box of loops."""
    pattern = chain_pattern(program, plan, array)
    if pattern is None:
        return None
    source = pattern.streams[pattern.writer]
    points = source.visits.points
    conditions: dict[str, Condition] = {}
    entries = program.time_dimensions + max(len(s.iterators) for s in program.statements)
    readers = []
    for number, (position, emissions) in enumerate(pattern.emissions.items()):
        stream = pattern.streams[position]
        names = _Named(conditions, points)
        emit = names.of(f"emit_{number}", emissions)
        last = names.only(f"last_{number}", int(emissions[-1]))
        taken = tuple(
            None if op.taken.all() else names.of(f"taken_{number}_{k}", emissions[op.taken])
            for k, op in enumerate(stream.operands)
        )
        if names.failed:
            return None
        readers.append(
            ChainReader(
                name=stream.name,
                statement=stream.statement,
                latency=stream.latency,
                taps=pattern.taps[position],
                emit=emit,
                last=last,
                taken=taken,
                places=tuple(operand.place for operand in stream.operands),
                emissions=emissions,
                instances=stream.times[:, 1 : 1 + entries],
            )
        )
    walker = compile_walker(source.node, source.loops, {}, conditions, source.visits)
    if walker.idle:
        return None
    bits = plan.arrays[array.name].bits
    positions = tuple(sorted({0, *(tap for reader in readers for tap in reader.taps)}))
    return ChainCircuit(
        array=array.name,
        bits=bits,
        writer=source.name,
        statement=source.statement,
        latency=source.latency,
        walker=walker,
        readers=tuple(readers),
        positions=positions,
        gaps=tuple(_gap(b - a, bits) for a, b in pairwise(positions)),
        output_register=output_register,
        step_entries=program.step_dimensions,
        place=source.operands[0].place,
        instances=source.times[:, 1 : 1 + entries],
        style=plan.memories[plan.arrays[array.name].place.memory].style,
    )


class _Named:
    """Conditions of the writer's loops that hold at given beats, by name."""

    def __init__(self, conditions: dict[str, Condition], points: Any) -> None:
        self.conditions, self.points, self.failed = conditions, points, False

    def only(self, name: str, beat: int) -> str | None:
        """At one beat alone: equalities share their comparators with the end of the walk."""
        if len(self.points) == 1:
            return None
        self.conditions[name] = only_at(self.points, beat)
        return name

    def of(self, name: str, beats: Any) -> str | None:
        mask = np.zeros(len(self.points), dtype=bool)
        mask[beats] = True
        condition = mask_condition(self.points, mask)
        if condition is None:
            self.failed = True
            return None
        if condition == TRUE:
            return None
        self.conditions[name] = condition
        return name


def _gap(length: int, bits: int) -> Gap:
    way = segment(length, bits)
    return Gap(way.ram, way.registers)


def gap_rams(circuit: ChainCircuit) -> Sequence[tuple[int, tuple[int, ...]]]:
    """RAM depths, deepest first, with the gaps of that depth: they share one wide RAM."""
    depths = sorted({gap.ram for gap in circuit.gaps if gap.ram}, reverse=True)
    return [
        (depth, tuple(k for k, gap in enumerate(circuit.gaps) if gap.ram == depth))
        for depth in depths
    ]
