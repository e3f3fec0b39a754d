"""Reuse chains: reads at constant distances behind the one write stream of an array.

A chain moves on by one element with every write beat; an operand is the element that came a
constant number of beats before. No addresses, no gates, one word an element that is held.
Published as reuse-distance FIFOs (Cong et al., "An Optimal Microarchitecture for Stencil
Computation Acceleration Based on Non-Uniform Partitioning of Data Reuse Buffers", DAC 2014).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from hlsmem.gates.beats import BeatStream, array_streams
from hlsmem.gates.requirements import Dependences, clock_of, dependences
from hlsmem.gates.wires import mask_condition
from hlsmem.places import Place
from hlsmem.plan import Plan
from hlsmem.program import Array, Order, Program, Statement
from hlsmem.storage.chain.delays import Chain, chain_of
from hlsmem.walk.affine import TRUE, Condition
from hlsmem.walk.compile import compile_walker, only_at
from hlsmem.walk.model import Walker
from hlsmem.walk.region import Listed


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainReader:
    """A read stream of a chain: its beat r leaves with write beat `emissions[r]`.

    `distances` has for every operand how many elements it is behind the newest of that beat.
    `emit`, `last` and `taken` (per operand) are conditions of the writer's walker, None: always.
    """

    name: str
    statement: str
    latency: int
    distances: tuple[int, ...]
    emit: str | None
    last: str | None
    taken: tuple[str | None, ...]
    places: tuple[Place | None, ...]
    emissions: Any = field(compare=False, repr=False)
    instances: Any = field(compare=False, repr=False)

    @property
    def beats(self) -> int:
        return len(self.emissions)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainCircuit:
    """One array in a chain, with its write stream and all that read it.

    A write beat brings an element for every lane of the chain, the newest last in the beat.
    """

    array: str
    bits: int
    writer: str
    statement: str
    latency: int
    walker: Walker
    readers: tuple[ChainReader, ...]
    chain: Chain
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
        """Elements it holds: those behind the newest beat, and that one."""
        return self.chain.words + len(self.chain.lanes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """What makes an array a chain: the streams, and what `ChainReader` says of those that read."""

    streams: tuple[BeatStream, ...]
    writer: int
    emissions: dict[int, Any]
    distances: dict[int, tuple[int, ...]]


def chain_pattern(program: Program, plan: Plan, array: Array) -> Pattern | None:
    """The chain that an array could be; None where it cannot.

    It takes one write stream with all elements of its beats, whose statement needs nothing that
    the readers make; reads at most one beat between two writes, operands at constant distances.
    """
    streams = array_streams(program, plan, array)
    writers = [k for k, stream in enumerate(streams) if stream.is_write]
    readers = [k for k, stream in enumerate(streams) if not stream.is_write]
    if len(writers) != 1 or not readers:
        return None
    if any(stream.phase for stream in streams):
        return None
    writer = writers[0]
    if not all(operand.taken.all() for operand in streams[writer].operands):
        return None
    if _feeds(program, streams[writer].statement) & {streams[r].statement for r in readers}:
        return None
    found = dependences(program, streams)
    clock = clock_of(program, streams)
    stepwise = program.order is Order.ITERATION
    steps = clock.step if stepwise else clock.code
    written = steps(streams[writer].times)
    emissions: dict[int, Any] = {}
    distances: dict[int, tuple[int, ...]] = {}
    lanes = len(streams[writer].operands)
    for reader in readers:
        # In a step the chain has taken its element before it is read; else writes come last.
        now = steps(streams[reader].times) + int(stepwise)
        newest = np.searchsorted(written, now) - 1
        behind = _distances(streams[reader], found, reader, newest, lanes)
        if newest[0] < 0 or (np.diff(newest) <= 0).any() or behind is None:
            return None
        emissions[reader], distances[reader] = newest, behind
    return Pattern(streams=streams, writer=writer, emissions=emissions, distances=distances)


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
    stream: BeatStream, found: Dependences, reader: int, newest: Any, lanes: int
) -> tuple[int, ...] | None:
    """Elements between each operand and the newest of `lanes` a beat; None: not constant."""
    distances = []
    sources = zip(found.wire_beat[reader], found.wire_operand[reader], strict=True)
    for operand, (beat, place) in zip(stream.operands, sources, strict=True):
        behind = ((newest - beat) * lanes + lanes - 1 - place)[operand.taken]
        if not behind.size:
            distances.append(0)
        elif (behind != behind[0]).any() or behind[0] < 0:
            return None
        else:
            distances.append(int(behind[0]))
    return tuple(distances)


def possible_chains(program: Program, plan: Plan) -> dict[str, int]:
    """The planned arrays that a chain could hold in no more words than they have, with its words.

    Its newest beat is not counted for that, which a memory has in a skid or on a wire. A chain
    moves on with the beats of a step, hence `order: iteration`; its handshake passes through in
    the same cycle, which slack rules out.
    """
    if program.order is not Order.ITERATION or plan.slack:
        return {}
    found: dict[str, int] = {}
    for array in program.planned_arrays():
        if array.name not in plan.arrays:
            continue
        memory = plan.memories[plan.arrays[array.name].place.memory]
        chain = chain_circuit(program, plan, array) if memory.kind == "ram" else None
        if chain is not None and chain.chain.words <= memory.words:
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
                distances=pattern.distances[position],
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
    distances = (distance for reader in readers for distance in reader.distances)
    return ChainCircuit(
        array=array.name,
        bits=bits,
        writer=source.name,
        statement=source.statement,
        latency=source.latency,
        walker=walker,
        readers=tuple(readers),
        chain=chain_of(distances, bits, len(source.operands)),
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
        there = tuple(int(value) for value in self.points[beat])
        self.conditions[name] = only_at(Listed(self.points), there)
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
