"""Cycles in closed form are those of the play, cycle by cycle, and known only where they are."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from hlsmem.pipeline import plan_design
from hlsmem.plan import Memory
from hlsmem.predict import latencies, predict_players
from hlsmem.predict.closed import closed_form
from hlsmem.predict.prediction import Prediction
from hlsmem.program import Order, Program
from hlsmem.read.design import load
from hlsmem.storage.chain.circuit import ChainCircuit, chain_circuit
from hlsmem.storage.circuits import Circuit
from hlsmem.storage.fifo.circuit import FifoCircuit, find_fifo
from hlsmem.storage.prediction import passage_of, players_of
from tests.gates.test_random import plan_of
from tests.programs import make_program

EXAMPLES = Path(__file__).parents[2] / "examples"


def random_network(chance: random.Random) -> Program:
    """Two or three stages of windows, each behind the one before it, some with a branch."""
    stages = chance.choice([2, 3])
    domains, schedules, reads, writes = (
        ["[N] -> { S0[y,x] : 0 <= y < N and 0 <= x < N + 2 }"],
        [],
        [],
        [],
    )
    schedules.append("{ S0[y,x] -> [y, x, 0] }")
    writes.append("{ S0[y,x] -> A0[y,x] }")
    top = left = 0
    for stage in range(1, stages + 1):
        up, back = chance.choice([0, 0, 1, 2]), chance.choice([0, 0, 1, 2])
        before = top, left
        top, left = top + up, left + back
        halved = stage == stages and chance.random() < 0.3
        guard = f"{top} <= y < N and {left} <= x < N + 2" + " and x mod 2 = 0" * halved
        domains.append(f"[N] -> {{ S{stage}[y,x] : {guard} }}")
        schedules.append(f"{{ S{stage}[y,x] -> [y, x, {stage}] }}")
        for dy in range(up + 1):
            for dx in range(back + 1):
                reads.append(f"{{ S{stage}[y,x] -> A{stage - 1}[y - {dy}, x - {dx}] }}")
        if stage > 1 and chance.random() < 0.4:
            reads.append(f"{{ S{stage}[y,x] -> A0[y, x] }}")
        if stage < stages:
            writes.append(f"{{ S{stage}[y,x] -> A{stage}[y,x] }}")
        assert before <= (top, left)
    return make_program(
        values={"N": chance.choice([4, 5, 7])},
        context="[N] -> { : N >= 4 }",
        domains=domains,
        schedules=schedules,
        reads=reads,
        writes=writes,
        planned=[f"A{stage}" for stage in range(stages)],
        order=Order.ITERATION,
        step_dimensions=2,
    )


def circuits_of(program: Program, chance: random.Random) -> list[Circuit] | None:
    """Every array in a FIFO or a chain, some FIFOs with an output register; None where one is
    neither."""
    plan = plan_of(program, 0)
    memories = {
        name: Memory(kind="ram", bits=array.bits, words=array.mapping.cells)
        for name, array in plan.arrays.items()
    }
    plan = replace(plan, memories=memories)
    found: list[Circuit] = []
    for array in program.planned_arrays():
        registered = chance.random() < 0.5
        made = find_fifo(program, plan, array, output_register=registered)
        if not isinstance(made, FifoCircuit) or chance.random() >= 0.7:
            made = chain_circuit(program, plan, array)
        if not isinstance(made, FifoCircuit | ChainCircuit):
            return None
        found.append(made)
    return found


def both(
    memories: Sequence[Circuit], latency: dict[str, int]
) -> tuple[Prediction | None, Prediction]:
    passages = [passage for memory in memories if (passage := passage_of(memory)) is not None]
    entries = memories[0].step_entries
    closed = closed_form(passages, entries, latency) if len(passages) == len(memories) else None
    return closed, predict_players([players_of(memory) for memory in memories], entries, latency)


@cache
def compared(seed: int) -> str:
    chance = random.Random(seed)
    program = random_network(chance)
    memories = circuits_of(program, chance)
    if memories is None:
        return "memory"
    latency = {statement.name: chance.choice([0, 1, 1, 3]) for statement in program.statements}
    closed, played = both(memories, latency)
    if closed is None:
        return "played"
    assert closed == played
    return "closed"


def test_random_networks_take_the_cycles_of_their_play() -> None:
    kinds = Counter(compared(seed) for seed in range(12))
    assert kinds["closed"] >= 3
    assert kinds["played"] >= 3  # branches of different length meet, or a FIFO is full


@pytest.mark.long
@pytest.mark.parametrize("seed", range(12, 300))
def test_more_random_networks(seed: int) -> None:
    compared(seed)


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("window3", ("params.W=40", "params.H=12")),
        ("window3/unrolled", ("params.W=40", "params.H=12")),
        ("sobel", ("params.N=12", "order=iteration")),
        ("half", ("params.N=12", "order=iteration")),
        ("echo", ()),
        ("fifo", ()),
        ("fifo", ("target.device=ecp5-25k", "target.output_register=yes")),
    ],
)
def test_examples_take_the_cycles_of_their_play(name: str, settings: tuple[str, ...]) -> None:
    file = EXAMPLES / (f"{name}.yaml" if "/" in name else f"{name}/design.yaml")
    planning = plan_design(load(file, settings=settings))
    assert planning.program is not None
    closed, played = both(planning.circuits, latencies(planning.program))
    assert closed == played
    assert planning.prediction == played


def test_a_frame_of_any_size_takes_a_cycle_a_pixel() -> None:
    planning = plan_design(
        load(EXAMPLES / "window3/design.yaml", parameters={"W": 3840, "H": 2160})
    )
    assert planning.prediction is not None
    assert planning.prediction.cycles == 3840 * 2160 + 2
    assert planning.prediction.interval == 1
