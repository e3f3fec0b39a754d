"""Any order of beats that the gates allow gives every read its own value, and always ends."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from hlsmem.dependences.earliest_release import CompareGate
from hlsmem.polyhedra.sets import fix_parameters, points, with_parameters
from hlsmem.program.model import Program, Storage
from hlsmem.storage.build import circuits
from hlsmem.storage.ram.circuit import MemoryCircuit, StreamCircuit
from tests.addressing.generator_run import holds, output_at, positions
from tests.dependences.cases import DESIGNS, planned
from tests.plans import laid

Element = tuple[int, ...]


@dataclass(slots=True)
class Walk:
    """A stream under way: its places, and the instance of each beat."""

    circuit: StreamCircuit
    places: list[tuple[bool, dict[str, int], dict[str, bool]]]
    instances: list[tuple[int, ...]]
    place: int = 0
    gone: int = 0

    @property
    def done(self) -> bool:
        return self.gone == self.circuit.beats


@dataclass(slots=True)
class Memory:
    """Folded cells with the tags of the values in them, one dictionary a copy."""

    cells: dict[int, object] = field(default_factory=dict)
    wires: dict[int, list[object]] = field(default_factory=dict)


def walk_of(circuit: StreamCircuit) -> Walk:
    generator = circuit.generator
    places = [
        (
            place.is_beat,
            {name: output_at(output, place.registers) for name, output in generator.outputs},
            {name: holds(guard, place.registers) for name, guard in generator.conditions},
        )
        for place in positions(generator)
    ]
    return Walk(circuit, places, [tuple(map(int, row)) for row in circuit.instances.rows])


def is_open(walk: Walk, walks: Sequence[Walk]) -> bool:
    for gate in walk.circuit.gates:
        other = walks[gate.other]
        passed = other.place if isinstance(gate, CompareGate) else other.gone
        if not other.done and passed < gate.limit[walk.gone]:
            return False
    return True


def accesses_of(program: Program, array: str, circuit: StreamCircuit) -> list[list[Element | None]]:
    """Per beat the elements of its operands, listed by isl and sorted by time."""
    if circuit.is_fill or circuit.is_drain:
        rank = len(program.arrays[array].index)
        return [[tuple(int(v) for v in row[:rank])] for row in circuit.instances.rows]
    statement = next(s for s in program.statements if s.name == circuit.statement)
    accesses = statement.writes if circuit.is_write else statement.reads
    found: dict[Element, list[Element | None]] = {}
    own = [access for access in accesses if access.array == array]
    for k, access in enumerate(own):
        relation = access.relation.intersect_domain(statement.domain)
        relation = fix_parameters(with_parameters(relation, program.parameters), program.values)
        width = statement.domain.n_dim()
        for row in points(relation):
            instance = tuple(int(v) for v in row[:width])
            found.setdefault(instance, [None] * len(own))[k] = tuple(int(v) for v in row[width:])
    schedule = fix_parameters(
        with_parameters(statement.schedule, program.parameters), program.values
    ).intersect_domain(fix_parameters(statement.domain, program.values))
    width = statement.domain.n_dim()
    times = {tuple(map(int, r[:width])): tuple(map(int, r[width:])) for r in points(schedule)}
    return [found[i] for i in sorted(found, key=lambda i: (times[i], i))]


@pytest.mark.parametrize("name", DESIGNS)
@pytest.mark.few("0-")
@pytest.mark.parametrize("seed", [0, 1])
def test_every_order_the_gates_allow_is_right(name: str, seed: int) -> None:
    planning = planned(name)
    assert planning.program is not None
    chance = random.Random(seed)
    for memory in circuits(planning.program, laid(planning.plan)):
        play(planning.program, memory, chance)


def play(program: Program, memory: MemoryCircuit, chance: random.Random) -> None:
    """Let beats go in a random order; readers must find the value of their own element."""
    walks = [walk_of(circuit) for circuit in memory.streams]
    elements = [accesses_of(program, memory.array, s) for s in memory.streams]
    sources = expected_sources(program, memory, elements)
    state = Memory(wires={k: [] for k in range(len(memory.wires))})
    speeds = [chance.choice([0.05, 0.5, 1.0]) for _ in walks]
    idle_turns = 0
    while not all(walk.done for walk in walks):
        moved = False
        for number in chance.sample(range(len(walks)), len(walks)):
            walk = walks[number]
            if walk.done or chance.random() > speeds[number]:
                continue
            if not walk.places[walk.place][0]:
                walk.place += 1
                moved = True
            elif is_open(walk, walks) and has_inputs(walk, walks, number):
                go(number, walk, memory, state, elements, sources)
                moved = True
        idle_turns = 0 if moved else idle_turns + 1
        assert idle_turns < 400, [(w.circuit.name, w.gone, w.circuit.beats) for w in walks]


def has_inputs(walk: Walk, walks: Sequence[Walk], number: int) -> bool:
    """A result follows the operands of its own instance: the datapath sees to that."""
    if not walk.circuit.is_write or walk.circuit.is_fill:
        return True
    mine = walk.instances[walk.gone]
    for other in walks:
        if other.circuit.statement == walk.circuit.statement and not other.circuit.is_write:
            waiting = other.instances[other.gone :]
            if waiting and waiting[0] <= mine:
                return False
    return number >= 0


def go(
    number: int,
    walk: Walk,
    memory: MemoryCircuit,
    state: Memory,
    elements: Sequence[list[list[Element | None]]],
    sources: dict[tuple[int, int, int], object],
) -> None:
    _, outputs, conditions = walk.places[walk.place]
    beat = elements[number][walk.gone]
    circuit = walk.circuit
    if circuit.is_write:
        tag = (number, walk.gone)
        for k, wire in enumerate(memory.wires):
            if wire.writer == number and conditions.get(f"pushed_{k}", True):
                state.wires[k].append(tag)
        if circuit.stored is None or conditions[circuit.stored]:
            state.cells[outputs.get("cell_0", 0)] = tag
    else:
        for k, operand in enumerate(circuit.operands):
            taken = operand.taken is None or conditions[operand.taken]
            assert taken == (beat[k] is not None)
            wired = operand.wire is not None and (
                operand.wired is None or conditions[operand.wired]
            )
            if taken and not wired:
                cell = outputs.get(operand.cell or "", 0)
                assert state.cells[cell] == sources[number, walk.gone, k], (circuit.name, k)
    walk.gone += 1
    walk.place += 1


def expected_sources(
    program: Program, memory: MemoryCircuit, elements: Sequence[list[list[Element | None]]]
) -> dict[tuple[int, int, int], object]:
    """Which write every operand must see: the program run in order, array unfolded."""
    events = sorted(timeline(program, memory, elements), key=lambda event: event[0])
    last: dict[Element, object] = {}
    result: dict[tuple[int, int, int], object] = {}
    for _, number, beat in events:
        stream = memory.streams[number]
        for k, element in enumerate(elements[number][beat]):
            if element is None:
                continue
            if stream.is_write:
                last[element] = (number, beat)
            else:
                result[number, beat, k] = last.get(element)
    return result


def timeline(
    program: Program, memory: MemoryCircuit, elements: Sequence[list[list[Element | None]]]
) -> Iterator[tuple[tuple[object, ...], int, int]]:
    for number, stream in enumerate(memory.streams):
        phase = -1 if stream.is_fill else 1 if stream.is_drain else 0
        for beat in range(len(elements[number])):
            time = tuple(stream.instances.rows[beat][: program.time_dimensions])
            yield (phase, time, stream.is_write, beat), number, beat


@pytest.mark.parametrize("name", ["blur", "sobel", "half", "heat"])
def test_a_gate_that_opens_a_beat_early_is_found_out(name: str) -> None:
    planning = planned(name)
    assert planning.program is not None
    memory = circuits(planning.program, laid(planning.plan))[0]
    for stream, circuit in enumerate(memory.streams):
        for number in range(len(circuit.gates)):
            faulty = opened_early(memory, stream, number)
            assert any(not survives(planning.program, faulty, seed) for seed in range(12))


def opened_early(memory: MemoryCircuit, stream: int, number: int) -> MemoryCircuit:
    """The circuit with one gate that asks for one beat less."""
    circuit = memory.streams[stream]
    gates = list(circuit.gates)
    gates[number] = replace(gates[number], limit=np.asarray(gates[number].limit) - 1)
    streams = list(memory.streams)
    streams[stream] = replace(circuit, gates=tuple(gates))
    return replace(memory, streams=tuple(streams))


def survives(program: Program, memory: MemoryCircuit, seed: int) -> bool:
    try:
        play(program, memory, random.Random(seed))
    except (AssertionError, KeyError):
        return False
    return True


def test_memory_arrays_are_filled_and_drained() -> None:
    planning = planned("heat")
    program = planning.program
    assert program is not None
    assert program.arrays["a"].storage is Storage.MEMORY
    memory = next(m for m in circuits(program, laid(planning.plan)) if m.array == "a")
    names = [stream.name for stream in memory.streams]
    assert names[-2:] == ["s_a_fill", "m_a_drain"]
    assert [stream.beats for stream in memory.streams[-2:]] == [12, 10]


def test_constant_distances_are_counted() -> None:
    planning = planned("blur")
    assert planning.program is not None
    (memory,) = circuits(planning.program, laid(planning.plan))
    gates = [gate for stream in memory.streams for gate in stream.gates]
    assert len(gates) == 2
    assert not any(isinstance(gate, CompareGate) for gate in gates)


def test_a_gate_that_depends_on_two_loops_waits_no_longer_than_it_must() -> None:
    """What path[i][k] becomes in iteration (k, i, k) is read at j > k alone."""
    planning = planned("paths")
    (memory,) = planning.circuits
    assert isinstance(memory, MemoryCircuit)
    reader = next(s for s in memory.streams if s.statement == "S0" and not s.is_write)
    gates = [gate for gate in reader.gates if isinstance(gate, CompareGate)]
    assert [gate.exact for gate in gates] == [True]


def test_idle_visits_are_counted() -> None:
    planning = planned("gaps")
    assert planning.program is not None
    (memory,) = circuits(planning.program, laid(planning.plan))
    reader = next(stream for stream in memory.streams if not stream.is_write)
    assert reader.generator.idle > 0
    assert len(walk_of(reader).places) == reader.beats + reader.generator.idle
