"""Skipping ahead changes nothing: the same events in the same cycles, counted the same."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeGuard

import pytest

from hlsmem.cycle_model import Datapaths, datapaths_of
from hlsmem.cycle_model.circuit_model import Machine
from hlsmem.cycle_model.steady_state import Steady
from hlsmem.cycle_model.stream_simulation import Simulation
from hlsmem.cycle_model.wait_reasons import Wait
from hlsmem.program.model import Program
from hlsmem.storage.build import circuits
from hlsmem.storage.fifo.circuit import FifoCircuit
from hlsmem.storage.kinds import Circuit
from hlsmem.storage.predicted_run import NO_DEPTHS
from hlsmem.storage.reuse_chain.circuit import ChainCircuit
from tests.cycle_model.test_cycle_prediction import EXAMPLES
from tests.dependences.cases import DESIGNS, OWN, planned
from tests.dependences.test_random import plan_of, random_program
from tests.plans import hardware_of, laid, plan_storage
from tests.programs import make_program
from tests.steps import load

FIFOS = OWN / "fifos.yaml"
Outcome = tuple[int | None, list[tuple[int, int]], Counter[Wait], int]


def outcome(
    memories: Sequence[Circuit], datapaths: Datapaths, depths: Mapping[str, int]
) -> Outcome:
    machine = Machine([memory.players(depths) for memory in memories], datapaths)
    simulation = Simulation(machine)
    cycles = simulation.run()
    ends = [(stream.first_cycle, stream.last_cycle) for stream in machine.streams]
    return cycles, ends, simulation.waits, simulation.half_cycle


def skipped_and_plain(
    memories: Sequence[Circuit],
    datapaths: Datapaths,
    patch: pytest.MonkeyPatch,
    depths: Mapping[str, int] = NO_DEPTHS,
) -> int:
    """Compare the two simulations; how many cycles were skipped."""
    skips: list[int] = []
    skipped = Steady.skipped

    def counted(self: Steady, went: list[object]) -> int:
        skips.append(skipped(self, went))  # type: ignore[arg-type]
        return skips[-1]

    with patch.context() as context:
        context.setattr(Steady, "skipped", counted)
        fast = outcome(memories, datapaths, depths)
    with patch.context() as context:
        context.setattr(Steady, "skipped", lambda *_: 0)
        context.setattr(Steady, "before_cycle", lambda _: None)
        assert outcome(memories, datapaths, depths) == fast
    return sum(skips)


@pytest.mark.parametrize("name", DESIGNS)
def test_designs(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    planning = planned(name)
    program = planning.program
    assert program is not None
    skipped_and_plain(planning.circuits, datapaths_of(program), monkeypatch)
    slower = circuits(program, laid(planning.plan), output_register=True)
    skipped_and_plain(
        slower, Datapaths(latency=dict.fromkeys(datapaths_of(program).latency, 3)), monkeypatch
    )


@pytest.mark.few("blur", "half")
@pytest.mark.parametrize(
    ("name", "parameters", "least"),
    [
        ("blur", {"N": 40}, 500),
        ("half", {"N": 64}, 300),  # a beat of the reader every other cycle
        ("matmul_relu", {"N": 3, "M": 40, "P": 3}, 100),  # a sum goes round in three cycles
        ("jacobi1d", {"N": 90, "T": 3}, 100),
    ],
)
def test_long_rows_are_skipped(
    name: str, parameters: dict[str, int], least: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    planning = hardware_of(EXAMPLES / name / "design.yaml", parameters=parameters)
    assert planning.program is not None
    named = datapaths_of(planning.program)
    assert skipped_and_plain(planning.circuits, named, monkeypatch) > least


@pytest.mark.parametrize("name", ["blur", "half"])
def test_wires_that_some_beats_use(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    file, settings = EXAMPLES / name / "design.yaml", ["order=iteration"]
    planning = plan_storage(load(file, parameters={"N": 64}, settings=settings))
    assert planning.program is not None
    memories = [c for c in circuits(planning.program, laid(planning.plan)) if not is_chain(c)]
    assert any(memory.wires for memory in memories)
    assert skipped_and_plain(memories, Datapaths(latency={}), monkeypatch) > 500


@pytest.mark.few("blur-1", "half-1")
@pytest.mark.parametrize("latency", [1, 0, 4])
@pytest.mark.parametrize("name", ["blur", "half", "sobel", "two_consumers"])
def test_chains(name: str, latency: int, monkeypatch: pytest.MonkeyPatch) -> None:
    file, settings = EXAMPLES / name / "design.yaml", ["order=iteration"]
    planning = hardware_of(file, parameters={"N": 64}, settings=settings)
    assert planning.program is not None
    assert all(map(is_chain, planning.circuits))
    named = Datapaths(latency=dict.fromkeys(datapaths_of(planning.program).latency, latency))
    assert skipped_and_plain(planning.circuits, named, monkeypatch) > 0


@pytest.mark.parametrize(("latency", "registered"), [(0, "no"), (1, "yes"), (9, "no")])
def test_fifos(latency: int, registered: str, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = [f"target.output_register={registered}", "target.device=ecp5"]
    planning = hardware_of(FIFOS, parameters={"N": 400}, settings=settings)
    assert planning.program is not None
    assert all(isinstance(circuit, FifoCircuit) for circuit in planning.circuits)
    named = Datapaths(latency=dict.fromkeys(datapaths_of(planning.program).latency, latency))
    assert skipped_and_plain(planning.circuits, named, monkeypatch) > 0


MIXED = Path(__file__).parents[1] / "storage/designs/mixed.yaml"


@pytest.mark.parametrize("file", [EXAMPLES / "unsharp/design.yaml", MIXED])
def test_branch_fifos(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Behind a chain and behind a RAM."""
    planning = hardware_of(file, parameters={"N": 48} if file == MIXED else {})
    assert planning.program is not None
    assert planning.prediction is not None
    depths = {one.stream: one.beats for one in planning.plan.elastic}
    assert depths
    named, cycles = datapaths_of(planning.program), planning.prediction.cycles
    assert cycles is not None
    assert 2 * skipped_and_plain(planning.circuits, named, monkeypatch, depths) > cycles


def is_chain(circuit: Circuit) -> TypeGuard[ChainCircuit]:
    return isinstance(circuit, ChainCircuit)


# What changes in the middle of a long run, and nothing else with it.
CHANGES = {
    "a second operand": make_program(
        values={"N": 300},
        domains=[
            "[N] -> { P[i] : 0 <= i < N }",
            "[N] -> { Q[i] : N <= 2i < 2N }",
            "[N] -> { C[i] : 0 <= i < N }",
        ],
        schedules=[f"[N] -> {{ {s}[i] -> [i, {slot}] }}" for slot, s in enumerate("PQC")],
        writes=[
            "[N] -> { P[i] -> A[i] }",
            "[N] -> { Q[i] -> B[i] }",
            "[N] -> { C[i] -> D[i] }",
        ],
        reads=["[N] -> { C[i] -> A[i] }", "[N] -> { C[i] -> B[i] : N <= 2i }"],
        planned=("A", "B", "D"),
    ),
    "the end of idle places": make_program(
        values={"N": 600},
        domains=[
            "[N] -> { P[i] : 0 <= i < N }",
            "[N] -> { C[i, k] : 0 <= i < N and i <= 200k <= i + 80 }",
        ],
        schedules=["[N] -> { P[i] -> [i, 0, 0] }", "[N] -> { C[i, k] -> [i, 1, k] }"],
        writes=["[N] -> { P[i] -> A[i] }"],
        reads=["[N] -> { C[i, k] -> A[i] }"],
    ),
    "a write that is earlier": make_program(
        values={"N": 120},
        domains=[f"[N] -> {{ {name}[i] : 0 <= i < N }}" for name in "PQC"],
        schedules=[
            "[N] -> { P[i] -> [0, i, 0] }",
            "[N] -> { Q[i] -> [0, i + 60, 1] }",
            "[N] -> { C[i] -> [1, i, 0] }",
        ],
        writes=["[N] -> { P[i] -> A[i] }", "[N] -> { Q[i] -> A[i + N] }"],
        reads=["[N] -> { C[i] -> A[i + N] }"],
    ),
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("latency", [0, 1, 40])
def test_a_change_in_a_long_run(change: str, latency: int, monkeypatch: pytest.MonkeyPatch) -> None:
    program = CHANGES[change]
    memories = circuits(program, laid(plan_of(program, 0)))
    assert skipped_and_plain(memories, Datapaths(latency={"C": latency}), monkeypatch) > 30


def iterations_of_rows(reads: Sequence[str], second: str) -> Program:
    """Two statements in rows of 16 beats: what the second reads, and its instances."""
    return make_program(
        values={"N": 40},
        domains=["[N] -> { P[y, x] : 0 <= y < N and 0 <= x < 16 }", second],
        schedules=["[N] -> { P[y, x] -> [y, 0, x] }", "[N] -> { C[y, x] -> [y, 1, x] }"],
        writes=["[N] -> { P[y, x] -> A[y, x] }"],
        reads=reads,
    )


# Rows of which the inner loop is no period: what changes with x, or for good in the middle row.
ROWS = {
    "two places of a row": iterations_of_rows(
        ["[N] -> { C[y, x] -> A[y, x] }"],
        "[N] -> { C[y, x] : 0 <= y < N and 0 <= x < 16 and not (x = 3 or x = 10) }",
    ),
    "idle places from a row on": iterations_of_rows(
        ["[N] -> { C[y, x] -> A[y, x] }"],
        "[N] -> { C[y, x] : 0 <= y < N and 0 <= x < 16 and not (x = 3 and 2y >= N) }",
    ),
    "an operand from a row on": iterations_of_rows(
        ["[N] -> { C[y, x] -> A[y, x] }", "[N] -> { C[y, x] -> A[y - 1, x] : 3y >= 2N }"],
        "[N] -> { C[y, x] : 0 <= y < N and 0 <= x < 16 }",
    ),
}


@pytest.mark.parametrize("latency", [1, 5])
@pytest.mark.parametrize("rows", ROWS)
def test_rows_of_an_outer_loop(rows: str, latency: int, monkeypatch: pytest.MonkeyPatch) -> None:
    memories = circuits(ROWS[rows], laid(plan_of(ROWS[rows], 0)))
    assert skipped_and_plain(memories, Datapaths(latency={"C": latency}), monkeypatch) > 200


def test_a_product_is_skipped_in_all_its_loops(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of three loops some iterations of each are simulated, the others are skipped as a whole."""
    planning = hardware_of(EXAMPLES / "matmul_relu" / "design.yaml", parameters={"N": 24})
    assert planning.program is not None
    assert planning.plan.timing is not None
    skipped = skipped_and_plain(planning.circuits, datapaths_of(planning.program), monkeypatch)
    assert planning.plan.timing.cycles is not None
    assert 3 * skipped > 2 * planning.plan.timing.cycles


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", range(6))
def test_random_programs(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(seed)
    program = random_program(chance, size=24)
    memories = circuits(program, laid(plan_of(program, chance.choice([0, 1]))))
    named = {statement.name: chance.choice([0, 1, 2, 5]) for statement in program.statements}
    skipped_and_plain(memories, Datapaths(latency=named), monkeypatch)
