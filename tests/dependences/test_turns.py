"""Of two write streams the one goes first whose beat is earlier in time, then in the text."""

from __future__ import annotations

import random
from itertools import combinations, product

import pytest

from hlsmem.dependences.stream_forms import array_streams
from hlsmem.plan import Plan
from hlsmem.program.model import Program
from hlsmem.storage.build import circuits
from hlsmem.storage.ram.circuit import MemoryCircuit
from tests.addressing.generator_run import output_at, positions
from tests.dependences.cases import planned
from tests.dependences.test_random import plan_of, random_program
from tests.plans import laid

Beat = tuple[list[int], int]


def check(program: Program, plan: Plan) -> int:
    """Compare every write arbiter on every pair of beats; how many write arbiters there are."""
    found = circuits(program, laid(plan))
    for memory in found:
        array = program.arrays[memory.array]
        beats = {
            stream.name: [(time, stream.index) for time in times_of(program, stream.times)]
            for stream in array_streams(program, array, laid(plan)[array.name].addresses)
        }
        writers = [s.name for s in memory.streams if s.is_write]
        arbiters = [
            (memory.streams[t.first].name, memory.streams[t.second].name) for t in memory.arbiters
        ]
        assert sorted(map(sorted, arbiters)) == sorted(map(sorted, combinations(writers, 2)))
        for number, (first, second) in enumerate(arbiters):
            check_turn(memory, number, beats[first], beats[second])
    return sum(len(memory.arbiters) for memory in found)


def times_of(program: Program, times: object) -> list[list[int]]:
    return times[:, : 1 + program.time_dimensions].tolist()  # type: ignore[index,no-any-return]


def check_turn(memory: MemoryCircuit, number: int, mine: list[Beat], theirs: list[Beat]) -> None:
    """The address generators' own outputs, compared as the Verilog does it."""
    arbiter = memory.arbiters[number]
    first, second = memory.streams[arbiter.first], memory.streams[arbiter.second]
    walk = list(positions(second.generator))
    places = [number for number, place in enumerate(walk) if place.is_beat]
    keys = [[walk[p].registers[r] for r in second.generator.loop_registers] for p in places]
    own = [place for place in positions(first.generator) if place.is_beat]
    outputs = dict(first.generator.outputs)
    vectors = [
        [output_at(outputs[name], place.registers) for name in arbiter.vector] for place in own
    ]
    for (j, beat), (k, other) in product(enumerate(mine), enumerate(theirs)):
        goes_first = beat < other
        assert (places[k] >= arbiter.limit[j]) == goes_first
        assert (not arbiter.vector or vectors[j] < keys[k]) == goes_first


@pytest.mark.parametrize("name", ["heat", "durbin", "jacobi1d", "matmul_relu"])
def test_turns_follow_the_time(name: str) -> None:
    planning = planned(name)
    assert planning.program is not None
    assert check(planning.program, planning.plan)


def test_turns_of_random_programs_follow_the_time() -> None:
    chance = random.Random(4)
    seen = 0
    while seen < 4:
        program = random_program(chance)
        if len([s for s in program.statements if s.writes]) > 1:
            seen += check(program, plan_of(program, chance.choice([0, 1])))
