"""Runs with RAMs of which a few rows were simulated are those of the whole simulation."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from hlsmem.core.errors import LimitError
from hlsmem.cycle_model import Datapaths
from hlsmem.plan import Memory
from hlsmem.program.model import Program
from hlsmem.storage.build import Circuit
from hlsmem.storage.predicted_run import network_of
from hlsmem.storage.ram import circuit as ram
from hlsmem.storage.ram.circuit import memory_circuit
from hlsmem.storage.reuse_chain.circuit import ChainCircuit, chain_circuit
from tests.cycle_model.by_rows import way_of
from tests.cycle_model.test_closed_form import random_network
from tests.dependences.test_random import plan_of
from tests.families import by_default
from tests.plans import hardware_of, laid

ROOT = Path(__file__).parents[2]


def circuits_of(program: Program, chance: random.Random) -> list[Circuit]:
    """Every array in a memory, some in chains where that can be."""
    plan = plan_of(program, chance.choice([0, 0, 1]))
    memories = {
        name: Memory(kind="ram", bits=array.bits, words=array.hardware.parts[0].mapping.cells)
        for name, array in plan.arrays.items()
    }
    plan = replace(plan, memories=memories)
    found: list[Circuit] = []
    for array in program.planned_arrays():
        made: object = None
        if chance.random() < 0.3:
            made = chain_circuit(program, laid(plan)[array.name], array)
        if not isinstance(made, ChainCircuit):
            made = memory_circuit(program, laid(plan)[array.name], array)
        assert made is not None
        found.append(made)  # type: ignore[arg-type]
    return found


def compared(seed: int, monkeypatch: pytest.MonkeyPatch) -> str:
    """Whether the run was predicted by rows; the prediction has to be that of the whole
    simulation."""
    chance = random.Random(seed)
    program = random_network(chance, sizes=(33, 40, 47))
    with monkeypatch.context() as patched:
        if chance.random() < 0.7:  # from relations
            patched.setattr(ram, "FEW_ACCESSES", 0)
        try:
            memories = circuits_of(program, chance)
        except LimitError:  # a wire that is no box
            return "refused"
    latency = {statement.name: chance.choice([0, 1, 2, 3]) for statement in program.statements}
    network = network_of(memories)
    return way_of(network, Datapaths(latency=latency), monkeypatch)


def test_random_networks_of_memories(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = Counter(compared(seed, monkeypatch) for seed in range(by_default(4, 8)))
    assert kinds["rows"] >= 1


@pytest.mark.long
@pytest.mark.parametrize("seed", range(8, 150))
def test_more_random_networks_of_memories(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    compared(seed, monkeypatch)


@pytest.mark.long
def test_blocks_of_a_full_picture_are_those_of_few() -> None:
    """Up to 12 blocks have so few accesses that they are listed."""
    ends = []
    for blocks in (12, 506):
        planning = hardware_of(ROOT / "tests/designs/blocks.yaml", {"B": blocks})
        assert planning.prediction is not None
        assert planning.prediction.cycles is not None
        ends.append(planning.prediction.cycles - blocks * 64 * 64)
    assert ends == [3972, 3972]
