"""Cycles in closed form are those of the simulation, cycle by cycle, and known only where they
are."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from hlsmem.cycle_model import Datapaths, datapaths_of
from hlsmem.cycle_model.cycle_prediction import Prediction
from hlsmem.plan import Memory
from hlsmem.planner.planning_sequence import plan_hardware
from hlsmem.program.model import Order, Program
from hlsmem.storage.array_parts import divided, operands_of
from hlsmem.storage.fifo.circuit import FifoCircuit, find_fifo
from hlsmem.storage.junctions import Junction, junctions
from hlsmem.storage.kinds import Circuit
from hlsmem.storage.predicted_run import NO_DEPTHS, network_of, simulated, without_stalls
from hlsmem.storage.reuse_chain.circuit import ChainCircuit, chain_circuit
from tests.dependences.test_random import plan_of
from tests.families import by_default
from tests.plans import hardware_of, laid
from tests.programs import make_program
from tests.steps import load

EXAMPLES = Path(__file__).parents[2] / "examples"


def random_network(chance: random.Random, sizes: Sequence[int] = (4, 5, 7)) -> Program:
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
        values={"N": chance.choice(sizes)},
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
        name: Memory(kind="ram", bits=array.bits, words=array.hardware.parts[0].mapping.cells)
        for name, array in plan.arrays.items()
    }
    plan = replace(plan, memories=memories)
    found: list[Circuit] = []
    for array in program.planned_arrays():
        registered = chance.random() < 0.5
        made = find_fifo(program, laid(plan)[array.name], array)
        if isinstance(made, FifoCircuit):
            made = replace(made, output_register=registered)
        if not isinstance(made, FifoCircuit) or chance.random() >= 0.7:
            made = chain_circuit(program, laid(plan)[array.name], array)
        if not isinstance(made, FifoCircuit | ChainCircuit):
            return None
        found.append(made)
    return found


def both(
    memories: Sequence[Circuit],
    datapaths: Datapaths,
    joined: Sequence[Junction] = (),
    depths: Mapping[str, int] = NO_DEPTHS,
) -> tuple[Prediction | None, Prediction]:
    """The prediction in closed form, where there is one, and by a simulation."""
    network = network_of(memories, joined, depths)
    return without_stalls(network, datapaths), simulated(network, datapaths)


def in_parts(program: Program, chance: random.Random) -> tuple[Program, tuple[Junction, ...]]:
    """The program with its first array in parts, by operand, and the junctions of these."""
    array = program.arrays["A0"]
    blocks = [(operand,) for operand in operands_of(program, array)]
    if len(blocks) < 2:
        return program, ()
    chance.shuffle(blocks)
    if len(blocks) > 2:
        blocks = [(*blocks[0], *blocks[1]), *blocks[2:]]
    blocks = [tuple(sorted(block, key=operands_of(program, array).index)) for block in blocks]
    own, parts = divided(program, array, blocks)
    return own, junctions(program, array, own, parts)


@cache
def compared(seed: int, *, divides: bool = False) -> str:
    chance = random.Random(seed)
    program = random_network(chance)
    joined: tuple[Junction, ...] = ()
    if divides:
        program, joined = in_parts(program, chance)
    memories = circuits_of(program, chance)
    if memories is None:
        return "memory"
    latency = {statement.name: chance.choice([0, 1, 1, 3]) for statement in program.statements}
    closed, simulated = both(memories, Datapaths(latency=latency), joined)
    if closed is None:
        return "played"
    assert closed == simulated
    return "closed"


def test_random_networks_take_the_cycles_of_their_play() -> None:
    kinds = Counter(compared(seed) for seed in range(by_default(6, 12)))
    assert kinds["closed"] >= 1
    assert kinds["played"] >= 1  # branches of different length meet, or a FIFO is full


def test_random_networks_of_arrays_in_parts_take_the_cycles_of_their_play() -> None:
    kinds = Counter(compared(seed, divides=True) for seed in (1, 3, 4, 67, 69, 77))
    assert kinds["closed"] == kinds["played"] == 3  # few are of FIFOs alone


def test_a_run_too_long_to_be_played_still_gives_verilog(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hlsmem.storage.predicted_run.ACCESSES", 100)
    planning = plan_hardware(
        load(EXAMPLES / "matmul_relu/design.yaml", parameters={"N": 4, "M": 6, "P": 4})
    )
    assert planning.circuits
    assert planning.plan.timing is not None
    assert planning.plan.timing.cycles is None
    assert "played up to 100" in (planning.plan.timing.reason or "")


@pytest.mark.long
@pytest.mark.parametrize("seed", range(12, 300))
@pytest.mark.parametrize("divides", [False, True])
def test_more_random_networks(seed: int, divides: bool) -> None:
    compared(seed, divides=divides)


@pytest.mark.few("window3-", "half", "echo", "fifo", "blur", "unsharp")
@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("window3", ("params.W=40", "params.H=12")),
        ("window3/unrolled", ("params.W=40", "params.H=12")),
        ("sobel", ("params.N=12", "order=iteration")),
        ("half", ("params.N=12", "order=iteration")),
        ("echo", ()),
        ("fifo", ()),
        ("two_readers", ("params.W=32", "params.H=8")),
        ("blur", ("params.N=9", "arrays.blurx.parts=operands")),
        ("unsharp", ("params.W=24", "params.H=8")),
        ("fifo", ("target.device=ecp5-25k", "target.output_register=yes")),
    ],
)
def test_examples_take_the_cycles_of_their_play(name: str, settings: tuple[str, ...]) -> None:
    file = EXAMPLES / (f"{name}.yaml" if "/" in name else f"{name}/design.yaml")
    planning = hardware_of(file, settings=settings)
    assert planning.program is not None
    depths = {one.stream: one.beats for one in planning.plan.elastic}
    joined = [one for built in planning.storage.values() for one in built.junctions]
    closed, simulated = both(planning.circuits, datapaths_of(planning.program), joined, depths)
    assert closed == simulated
    assert planning.prediction == simulated


@pytest.mark.long
def test_a_frame_of_any_size_takes_a_cycle_a_pixel() -> None:
    planning = hardware_of(EXAMPLES / "window3/design.yaml", parameters={"W": 3840, "H": 2160})
    assert planning.prediction is not None
    assert planning.prediction.cycles == 3840 * 2160 + 2
    assert planning.prediction.interval == 1
