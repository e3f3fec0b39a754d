"""Cycles that no storage undercuts: at most those of every run, and reached where values are waited
for alone."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from hlsmem.cycle_model import Datapaths, datapaths_of
from hlsmem.cycle_model.cycle_floor import least_cycles
from hlsmem.storage.build import circuits
from hlsmem.storage.kinds import Circuit
from hlsmem.storage.predicted_run import predict_circuits
from hlsmem.storage.ram.circuit import MemoryCircuit
from hlsmem.storage.ram.simulation import flows_of, reuses_of
from tests.dependences.test_random import plan_of, random_program
from tests.plans import hardware_of, laid
from tests.programs import make_program

EXAMPLES = Path(__file__).parents[2] / "examples"
# Without programs that read values of their own step at scattered times, which wires refuse.
SEEDS = [seed for seed in range(60) if seed not in {13, 23, 40}]


def least(memories: Sequence[Circuit], datapaths: Datapaths, *, with_reuses: bool = False) -> int:
    streams = [stream for memory in memories for stream in memory.streams]
    rams = [memory for memory in memories if isinstance(memory, MemoryCircuit)]
    flows = [flow for ram in rams for flow in flows_of(ram, 2)]
    reuses = [reuse for ram in rams for reuse in reuses_of(ram)] if with_reuses else []
    return least_cycles(streams, flows, datapaths, reuses)


@pytest.mark.few("0-True", "2-False")
@pytest.mark.parametrize("with_reuses", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_no_run_takes_fewer(seed: int, with_reuses: bool) -> None:
    chance = random.Random(seed)
    program = random_program(chance, size=12)
    memories = circuits(program, laid(plan_of(program, chance.choice([0, 1]))))
    latency = {statement.name: chance.choice([0, 1, 2, 5]) for statement in program.statements}
    datapaths = Datapaths(latency=latency)
    cycles = predict_circuits(memories, datapaths).cycles
    assert cycles is not None
    assert least(memories, datapaths, with_reuses=with_reuses) <= cycles


@pytest.mark.parametrize("latency", [0, 1, 3])
def test_the_bound_is_reached_where_every_cell_waits_for_its_reads(latency: int) -> None:
    """Reads are issued the cycle after their values are there; earlier ones would let the next
    value into a cell too soon for it."""
    chance = random.Random(177)
    program = random_program(chance, size=12)
    memories = circuits(program, laid(plan_of(program, chance.choice([0, 1]))))
    same = Datapaths(latency={one.name: latency for one in program.statements})
    assert least(memories, same, with_reuses=True) == predict_circuits(memories, same).cycles


def test_a_cell_written_again_waits_for_its_read() -> None:
    """A sum in one cell, begun anew for every value: the reset waits until the sum is read."""
    program = make_program(
        values={"N": 30},
        domains=[
            "[N] -> { P[i] : 0 <= i < N }",
            "[N] -> { S[i, k] : 0 <= i < N and 0 <= k < 3 }",
            "[N] -> { R[i] : 0 <= i < N }",
        ],
        schedules=[
            "[N] -> { P[i] -> [i, 0, 0] }",
            "[N] -> { S[i, k] -> [i, 1, k] }",
            "[N] -> { R[i] -> [i, 2, 0] }",
        ],
        writes=["[N] -> { P[i] -> A[0] }", "[N] -> { S[i, k] -> A[0] }"],
        reads=["[N] -> { S[i, k] -> A[0] }", "[N] -> { R[i] -> A[0] }"],
    )
    memories = circuits(program, laid(plan_of(program, 0)))
    datapaths = Datapaths(latency={"P": 0, "S": 1, "R": 0})
    cycles = predict_circuits(memories, datapaths).cycles
    assert cycles is not None
    bound = least(memories, datapaths, with_reuses=True)
    assert least(memories, datapaths) < bound <= cycles <= 1.05 * bound + 16


@pytest.mark.parametrize("latency", [1, 4])
def test_a_sum_takes_as_long_as_its_values_are_on_the_way(latency: int) -> None:
    """Each value is written, read a cycle later, and there in the next."""
    program = make_program(
        values={"N": 50},
        domains=["[N] -> { P[] }", "[N] -> { S[i] : 1 <= i < N }"],
        schedules=["[N] -> { P[] -> [0] }", "[N] -> { S[i] -> [i] }"],
        writes=["[N] -> { P[] -> A[0] }", "[N] -> { S[i] -> A[i] }"],
        reads=["[N] -> { S[i] -> A[i - 1] }"],
    )
    memories = circuits(program, laid(plan_of(program, 0)))
    named = Datapaths(latency={"P": 0, "S": latency})
    cycles = predict_circuits(memories, named).cycles
    assert cycles is not None
    assert cycles - 1 <= least(memories, named) <= cycles
    assert cycles > (2 + latency) * 49


def test_durbin_is_as_fast_as_its_sums_let_it() -> None:
    """No other storage of its four arrays is looked at."""
    planning = hardware_of(EXAMPLES / "durbin" / "design.yaml", settings=("params.N=20",))
    assert planning.program is not None
    assert planning.plan.timing is not None
    cycles = planning.plan.timing.cycles
    assert cycles is not None
    assert 0.95 * cycles <= least(planning.circuits, datapaths_of(planning.program)) <= cycles
    ways = [one for array in planning.plan.arrays.values() for one in array.notes.rejected]
    assert all(one.cycles is None for one in ways)
