"""Runs of nests in sequence, of which a few rows were simulated, are those of the whole
simulation."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

from hlsmem.core.errors import LimitError
from hlsmem.cycle_model import Datapaths
from hlsmem.cycle_model import repeated_rows as rows
from hlsmem.cycle_model.stream_simulation import Simulation
from hlsmem.plan import Memory
from hlsmem.program.model import Order, Program
from hlsmem.storage import predicted_run as prediction
from hlsmem.storage.fifo.circuit import FifoCircuit, find_fifo
from hlsmem.storage.kinds import Circuit
from hlsmem.storage.predicted_run import Network, network_of, simulated
from hlsmem.storage.ram import circuit as ram
from hlsmem.storage.ram.circuit import memory_circuit
from tests.cycle_model.by_rows import way_of
from tests.dependences.test_random import plan_of
from tests.families import by_default
from tests.plans import laid
from tests.programs import make_program

# Which rows and columns of the nest before a nest reads, and how many times fewer it has itself.
_READS = ("y - {dy}, x - {dx}", "y - {dy}, x - {dx}", "2y + {dy}, x - {dx}", "x, y")


def random_nests(chance: random.Random) -> Program:
    """Two to four nests of two loops, each of which reads what one before it wrote."""
    nests = chance.choice([2, 3, 3, 4])
    columns = chance.choice([4, 6])
    domains = [f"[N] -> {{ S0[y,x] : 0 <= y < N and 0 <= x < {columns} }}"]
    schedules = ["{ S0[y,x] -> [0, y, x, 0] }"]
    reads: list[str] = []
    writes = ["{ S0[y,x] -> A0[y,x] }"]
    size = "N"
    for nest in range(1, nests):
        form = chance.choice(_READS)
        down, right = chance.choice([0, 0, 1, 2]), chance.choice([0, 0, 1])
        rows = f"{chance.choice([0, 2])} <= y < {size}"
        if form.startswith("2y"):
            size = f"floor({size}/2)"
            rows = f"0 <= 2y and 2y + {down} < N"
        if chance.random() < 0.2:
            rows += " and y mod 2 = 0"
        domains.append(f"[N] -> {{ S{nest}[y,x] : {rows} and 1 <= x < {columns} }}")
        schedules.append(f"{{ S{nest}[y,x] -> [{nest}, y, x, 0] }}")
        source = nest - 1 if chance.random() < 0.8 else chance.randrange(nest)
        for dy in range(down + 1):
            for dx in range(right + 1):
                element = form.format(dy=dy, dx=dx)
                reads.append(f"{{ S{nest}[y,x] -> A{source}[{element}] }}")
        if nest + 1 < nests:
            writes.append(f"{{ S{nest}[y,x] -> A{nest}[y,x] }}")
    return make_program(
        values={"N": chance.choice([60, 67, 75])},
        context="[N] -> { : N >= 8 }",
        domains=domains,
        schedules=schedules,
        reads=reads,
        writes=writes,
        planned=[f"A{nest}" for nest in range(nests - 1)],
        order=Order.SEQUENTIAL,
        drop_unprovided_reads=True,
    )


def circuits_of(program: Program, chance: random.Random) -> list[Circuit]:
    """Every array in a memory, some in FIFOs where that can be."""
    plan = plan_of(program, chance.choice([0, 0, 1]))
    memories = {
        name: Memory(kind="ram", bits=array.bits, words=array.hardware.parts[0].mapping.cells)
        for name, array in plan.arrays.items()
    }
    plan = replace(plan, memories=memories)
    found: list[Circuit] = []
    for array in program.planned_arrays():
        made = find_fifo(program, laid(plan)[array.name], array)
        if not isinstance(made, FifoCircuit) or chance.random() < 0.5:
            made = memory_circuit(program, laid(plan)[array.name], array)
        if made is not None:
            found.append(made)
    return found


def compared(seed: int, monkeypatch: pytest.MonkeyPatch) -> str:
    """Whether the run was predicted by rows; the prediction has to be that of the whole
    simulation."""
    chance = random.Random(seed)
    program = random_nests(chance)
    with monkeypatch.context() as patched:
        if chance.random() < 0.8:  # from relations
            patched.setattr(ram, "FEW_ACCESSES", 0)
        try:
            memories = circuits_of(program, chance)
        except LimitError:
            return "refused"
    latency = {statement.name: chance.choice([0, 1, 2, 3]) for statement in program.statements}
    network = network_of(memories)
    return way_of(network, Datapaths(latency=latency), monkeypatch)


def unequal_nests(rows: int) -> Network:
    """A nest that takes three cycles for each element which the one before it wrote in one: no two
    ends of rows have the same state, however many are simulated."""
    program = make_program(
        values={"N": rows},
        context="[N] -> { : N >= 8 }",
        domains=[
            "[N] -> { S0[y,x] : 0 <= y < N and 0 <= x < 4 }",
            "[N] -> { S1[y,x,z] : 0 <= y < N and 0 <= x < 4 and 0 <= z < 3 }",
        ],
        schedules=["{ S0[y,x] -> [0, y, x, 0] }", "{ S1[y,x,z] -> [1, y, x, z] }"],
        reads=["{ S1[y,x,z] -> A0[y,x] }"],
        writes=["{ S0[y,x] -> A0[y,x] }"],
        planned=["A0"],
        order=Order.SEQUENTIAL,
    )
    plan = plan_of(program, 0)
    memory = Memory(kind="ram", bits=32, words=plan.arrays["A0"].hardware.parts[0].mapping.cells)
    plan = replace(plan, memories={"A0": memory})
    (array,) = program.planned_arrays()
    circuit = memory_circuit(program, laid(plan)[array.name], array)
    assert circuit is not None
    return network_of([circuit])


@pytest.mark.parametrize(
    ("most", "kept"), [(1, []), (2_000, [6, 12, 24, 48]), (50_000, [6, 12, 24, 48, 96])]
)
def test_rows_are_played_in_vain_within_a_budget(
    monkeypatch: pytest.MonkeyPatch, most: int, kept: list[int]
) -> None:
    """Machines are built and cycles are simulated within it, over all attempts together; a longer
    run takes no more of them."""
    work: list[tuple[int, int]] = []

    class Counted(Simulation):
        def run(self) -> int | None:
            last = super().run()
            work.append((sum(s.total for s in self.machine.streams), self.lookups))
            return last

    monkeypatch.setattr(prediction, "MOST_WHOLE", 0)
    monkeypatch.setattr(prediction, "ACCESSES", 0)
    monkeypatch.setattr(rows, "Simulation", Counted)
    monkeypatch.setattr(rows, "MOST_WORK", most)
    for periods in (30 * 12 + 6, 60 * 12 + 6):
        work.clear()
        found = simulated(unequal_nests(periods), Datapaths(latency={"S0": 1, "S1": 1}))
        assert found.cycles is None
        assert [beats for beats, _ in work] == [16 * periods for periods in kept]
        assert sum(beats + lookups for beats, lookups in work) <= most


def test_random_nests(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = Counter(compared(seed, monkeypatch) for seed in range(by_default(4, 8)))
    assert kinds["rows"] >= 1


# In most runs, and where what comes behind the two ends is not like what lies between them.
@pytest.mark.parametrize(("seed", "plays"), [(2, 1), (247, 2)])
def test_the_last_machine_is_played_once_more_only_if_the_middle_is_not_seen(
    monkeypatch: pytest.MonkeyPatch, seed: int, plays: int
) -> None:
    simulated_by: list[int] = []

    class Counted(Simulation):
        def run(self) -> int | None:
            simulated_by.append(sum(s.total for s in self.machine.streams))
            return super().run()

    monkeypatch.setattr(rows, "Simulation", Counted)
    assert compared(seed, monkeypatch) == "rows"
    assert simulated_by.count(simulated_by[-1]) == plays


def test_a_play_ends_where_no_state_can_repeat(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a nest has run through all rows that are alike, the rest is not simulated."""
    left: list[int] = []

    class Counted(Simulation):
        def run(self) -> int | None:
            last = super().run()
            assert last is None
            left.append(sum(not stream.done for stream in self.machine.streams))
            return last

    monkeypatch.setattr(prediction, "MOST_WHOLE", 0)
    monkeypatch.setattr(prediction, "ACCESSES", 0)
    monkeypatch.setattr(rows, "Simulation", Counted)
    assert simulated(unequal_nests(366), Datapaths(latency={})).cycles is None
    assert left
    assert all(left)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(8, 150))
def test_more_random_nests(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    compared(seed, monkeypatch)
