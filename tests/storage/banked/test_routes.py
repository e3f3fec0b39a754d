"""Routes to banks are the same whether they are found from isl or from beats that are listed."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from hlsmem.addressing.loop_visits import Visits
from hlsmem.core.errors import InputError, LimitError
from hlsmem.plan import Plan
from hlsmem.program.model import Program
from hlsmem.storage.ram import circuit
from hlsmem.storage.ram.circuit import memory_circuit
from tests.conftest import EXAMPLES
from tests.dependences.test_random import random_program
from tests.emit.verilog.test_banks import banked
from tests.families import by_default
from tests.plans import hardware_of, laid


def compared(program: Program, plan: Plan, monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Hold the routes of both kinds against each other; which were found."""
    kinds: Counter[str] = Counter()
    for array in program.planned_arrays():
        if plan.arrays[array.name].hardware.parts[0].banks is None:
            continue
        found = []
        for few in (1 << 30, 0):
            monkeypatch.setattr(circuit, "FEW_ACCESSES", few)
            memory = memory_circuit(program, laid(plan)[array.name], array)
            assert memory is not None
            found.append([stream.route for stream in memory.streams])
        listed, related = found
        assert related == listed
        for route in filter(None, listed):
            shared = "shared" if route.is_shared else "apart"
            kinds[shared if route.distances is None else "in one address"] += 1
    return kinds


@pytest.mark.few("window3")
@pytest.mark.parametrize("name", ["sobel", "window3"])
def test_examples(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    design = EXAMPLES / name / "design.yaml"
    sizes = {"W": 32, "H": 16} if name == "window3" else None
    planning = hardware_of(design, sizes, ("arrays.in.reads=banks",))
    assert planning.program is not None
    assert compared(planning.program, planning.plan, monkeypatch)


def test_random_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds: Counter[str] = Counter()
    for seed in by_default(range(2), range(200)):
        chance = random.Random(seed)
        try:
            program, plan = banked(random_program(chance), chance.choice([0, 1]))
            kinds += compared(program, plan, monkeypatch)
        except (InputError, LimitError):
            continue
    assert len(kinds) >= 2, kinds


@pytest.mark.long
def test_a_large_image_in_banks_is_not_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = Visits.points.fget
    assert listed is not None

    def few(visits: Visits) -> object:
        assert len(visits.region) < 100_000
        return listed(visits)

    monkeypatch.setattr(Visits, "points", property(few))
    planning = hardware_of(
        EXAMPLES / "window3" / "design.yaml", {"W": 3840, "H": 2160}, ("arrays.in.reads=banks",)
    )
    assert planning.plan.memories["in"].words == 7688
    assert planning.plan.timing.cycles is not None
