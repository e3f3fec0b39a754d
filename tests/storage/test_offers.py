"""What plan.json lists as not taken is built when it is pasted, and passes the checks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from shutil import copytree

import pytest

from hlsmem.check import run_checks
from hlsmem.core.errors import InputError, LimitError
from hlsmem.devices.primitives import Cost
from hlsmem.emit.output_folder import write_folder
from hlsmem.plan import CandidatePart, Plan, Rejected
from hlsmem.planner.output_files import simulated_files
from hlsmem.planner.planning_sequence import plan_hardware
from tests.conftest import EXAMPLES
from tests.families import by_default
from tests.fuzz.compare import random_case
from tests.steps import load
from tests.test_examples import CELLS, SMALLER

Sizes = Mapping[str, int]

LATER = {name: SMALLER.get(name, {}) for name in CELLS if "conflicts" not in name}
# Random programs, how many run in `make test`, and how many ways of an example it builds at most.
PROGRAMS, MOST_BY_DEFAULT, MOST_WAYS = range(100), 1, 3


def listed(parts: Sequence[CandidatePart]) -> str:
    """Parts as a design takes them."""
    entries = (
        f"{{operands: [{', '.join(f'{s}.{k}' for s, k in one.operands)}], kind: {one.kind}}}"
        for one in parts
    )
    return f"[{', '.join(entries)}]"


def offered(plan: Plan) -> Iterator[tuple[str, Rejected]]:
    """The arrays of a plan with what they could have been held in."""
    for name, array in plan.arrays.items():
        yield from ((name, way) for way in array.notes.rejected if way.words is not None)


def held(plan: Plan, array: str) -> list[tuple[str, int]]:
    """(kind, words) of the memories of an array, in the order of its parts."""
    memories = [plan.memories[part.memory] for part in plan.arrays[array].hardware.parts]
    return [(memory.kind, memory.words) for memory in memories]


def example(name: str) -> Path:
    return EXAMPLES / name / "design.yaml"


@pytest.mark.few("sobel", "e1")
@pytest.mark.parametrize(
    ("file", "settings"),
    [
        (example("blur"), ("params.N=12",)),
        (example("blur"), ("params.N=12", "target.device=ecp5-25k")),
        (example("two_readers"), ("params.W=16", "params.H=8")),
        (example("sobel"), ("params.N=8", "order=iteration")),
        (example("durbin"), ("params.N=8", "target.device=ecp5-25k")),
        (example("e1"), ()),
    ],
    ids=lambda given: given.parent.name if isinstance(given, Path) else None,
)
def test_what_is_offered_is_planned_when_it_is_pasted(
    file: Path, settings: tuple[str, ...], tmp_path: Path
) -> None:
    """With the words and the cost that were told, a run that is no longer, and passing checks."""
    found = plan_hardware(load(file, settings=settings)).plan
    assert found.timing is not None
    registers = "yes" if found.timing.output_register else "no"
    same = (*settings, f"target.output_register={registers}") if found.target else settings
    ways = list(offered(found))
    assert ways
    ways = ways[:: by_default(1 + len(ways) // MOST_WAYS, 1)]
    for number, (array, way) in enumerate(ways):
        asked = (*same, f"arrays.{array}.parts={listed(way.parts)}")
        planning = plan_hardware(load(file, settings=asked))
        plan, out = planning.plan, tmp_path / str(number)
        assert [kind for kind, _ in held(plan, array)] == [one.kind for one in way.parts]
        assert sum(words for _, words in held(plan, array)) == way.words
        operands = [part.operands for part in plan.arrays[array].hardware.parts]
        assert operands == [one.operands for one in way.parts]
        assert plan.timing is not None
        assert plan.timing.cycles is not None
        if way.cycles is not None:
            assert plan.timing.cycles <= way.cycles
        if way.resources is not None:
            memories = [plan.memories[part.memory] for part in plan.arrays[array].hardware.parts]
            taken = sum((memory.resources or Cost() for memory in memories), Cost())
            assert taken == way.resources
        write_folder(out, simulated_files(planning))
        checks = run_checks(out, ("proof", "replay"))
        assert [verdict for verdict in checks.verdicts if not verdict.fine] == []


def wrong_with(file: Path, plan: Plan, sizes: Sizes, checks: Sequence[str]) -> list[str]:
    """The verdicts of what a plan offers that fail, with what was asked for."""
    wrong = []
    for number, (array, way) in enumerate(offered(plan)):
        setting = f"arrays.{array}.parts={listed(way.parts)}"
        planning = plan_hardware(load(file, parameters=sizes, settings=[setting]))
        out = file.parent / str(number)
        write_folder(out, simulated_files(planning))
        wrong += [f"{setting}: {v}" for v in run_checks(out, checks).verdicts if not v.fine]
    return wrong


@pytest.mark.long
@pytest.mark.parametrize("name", LATER)
def test_what_an_example_offers_passes_the_checks(name: str, tmp_path: Path) -> None:
    folder = copytree((EXAMPLES / name).parent, tmp_path / "example")
    file = folder / Path(name).name
    plan = plan_hardware(load(file, parameters=LATER[name])).plan
    assert wrong_with(file, plan, LATER[name], ("proof", "replay", "rtl")) == []


@pytest.mark.few(MOST_BY_DEFAULT)
@pytest.mark.parametrize("number", PROGRAMS)
def test_what_a_random_program_offers_passes_the_checks(number: int, tmp_path: Path) -> None:
    checks = ("proof", "replay") if number < MOST_BY_DEFAULT else ("proof", "replay", "rtl")
    file, plan = offering(number, tmp_path)
    assert wrong_with(file, plan, {}, checks) == [], file.read_text()


def offering(number: int, folder: Path) -> tuple[Path, Plan]:
    """The first sound program from ten times a number on whose plan offers anything."""
    for seed in count(10 * number):
        case = random_case(seed)
        (folder / f"{case.program.name}.c").write_text(case.program.text())
        file = folder / "design.yaml"
        file.write_text(case.design())
        try:
            plan = plan_hardware(load(file)).plan
        except (InputError, LimitError):
            continue
        if any(offered(plan)):
            return file, plan
    raise AssertionError
