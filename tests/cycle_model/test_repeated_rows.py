"""Runs of which a few rows were simulated are those of the whole simulation, in all that is
predicted."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from hlsmem.core.errors import LimitError
from hlsmem.cycle_model import Datapaths, datapaths_of
from hlsmem.storage.junctions import Junction
from hlsmem.storage.predicted_run import network_of, simulated, without_stalls
from tests.cycle_model.by_rows import way_of
from tests.cycle_model.test_closed_form import circuits_of, in_parts, random_network
from tests.families import by_default
from tests.plans import hardware_of

ROOT = Path(__file__).parents[2]


def compared(seed: int, monkeypatch: pytest.MonkeyPatch, *, divides: bool = False) -> str:
    chance = random.Random(seed)
    program = random_network(chance, sizes=(33, 40, 47))
    joined: tuple[Junction, ...] = ()
    if divides:
        try:
            program, joined = in_parts(program, chance)
        except LimitError:  # which beats a part takes is no box
            return "memory"
    memories = circuits_of(program, chance)
    if memories is None:
        return "memory"
    latency = {statement.name: chance.choice([0, 1, 2, 3]) for statement in program.statements}
    network = network_of(memories, joined)
    if without_stalls(network, Datapaths(latency=latency)) is not None:
        return "closed"
    return way_of(network, Datapaths(latency=latency), monkeypatch)


@pytest.mark.parametrize("divides", [False, True])
def test_random_networks(monkeypatch: pytest.MonkeyPatch, divides: bool) -> None:
    kinds = Counter(
        compared(seed, monkeypatch, divides=divides) for seed in range(by_default(4, 8))
    )
    assert kinds["rows"] >= 1


@pytest.mark.long
@pytest.mark.parametrize("divides", [False, True])
@pytest.mark.parametrize("seed", range(8, 150))
def test_more_random_networks(monkeypatch: pytest.MonkeyPatch, seed: int, divides: bool) -> None:
    compared(seed, monkeypatch, divides=divides)


@pytest.mark.long
def test_a_camera_pipe_without_branch_fifos_of_any_height() -> None:
    """Its stalls repeat with the rows: a few of them are simulated, of 2080."""
    planning = hardware_of(ROOT / "tests/designs/camera.yaml", parameters={"W": 24, "H": 2080})
    assert planning.program is not None
    network = network_of(planning.circuits)
    found = simulated(network, datapaths_of(planning.program))
    assert found.cycles is not None
    rows = [planned_cycles(height) for height in (40, 41)]
    assert found.cycles == rows[0] + (2080 - 40) * (rows[1] - rows[0])


def planned_cycles(height: int) -> int:
    """Cycles of the camera pipe without branch FIFOs, simulated whole."""
    parameters = {"W": 24, "H": height}
    planning = hardware_of(ROOT / "tests/designs/camera.yaml", parameters=parameters)
    assert planning.program is not None
    cycles = simulated(network_of(planning.circuits), datapaths_of(planning.program)).cycles
    assert cycles is not None
    return cycles
