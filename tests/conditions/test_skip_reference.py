"""Programs of the reference in hardware: the test chooses which instances run."""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

from hlsmem.check.c_runs.condition_outcomes import Outcome
from hlsmem.check.networks import network_run as network
from hlsmem.check.replayed.replay_check import runs_of
from hlsmem.check.replayed.run_events import Run
from hlsmem.check.rtl.bench_vectors import BenchRun
from hlsmem.check.rtl.rtl_verdicts import check_design
from hlsmem.check.rtl.simulated_device import read_device
from hlsmem.plan import to_json
from hlsmem.planner.hardware.conditional_cycles import idle_times
from hlsmem.planner.output_files import simulated_files
from hlsmem.planner.plan_assembly import Planning
from hlsmem.planner.planning_sequence import plan_hardware
from hlsmem.program.model import Program
from hlsmem.program.predicate_reads import with_predicate_reads
from hlsmem.tools.simulators import find_simulator
from tests.conditions.reference import (
    if_var,
    listing1,
    listing2,
    listing3,
    own_array_guarded,
    own_hold,
)
from tests.plans import put
from tests.steps import load

RUNS = (BenchRun(name="without stalls"), BenchRun(name="stalls", stall=0.2, seed=2))


@dataclass(frozen=True)
class Case:
    """A program, and how many elements its condition arrays have."""

    text: str
    sizes: dict[str, int]

    def vectors(self) -> Iterator[tuple[int, ...]]:
        """All values of all conditions."""
        return itertools.product((0, 1), repeat=sum(self.sizes.values()))


CASES = {
    "listing 2": Case(listing2(6), {"T": 6}),
    "own-hold": Case(own_hold(6), {"T": 6}),
    "own-array-guarded": Case(own_array_guarded(6), {"T": 6}),
    "if_var": Case(if_var(3), {"T": 3, "U": 3}),
    "listing 3": Case(listing3(3), {"T": 9}),
}
# Of those with many conditions; by default a few.
_SOME, _MOST = 3, 64


@dataclass(frozen=True)
class StorageChoice:
    """The values of an array in every outcome, in place of those that are drawn."""

    first: int
    vectors: Sequence[tuple[int, ...]]

    def drawn(self, kind: str, count: int, generator: object) -> np.ndarray:  # noqa: ARG002
        values = self.vectors[int(kind)][self.first : self.first + count]
        assert len(values) == count
        return np.array(values, dtype=np.int64)


class Made:
    """A planned design with its Verilog."""

    def __init__(self, folder: Path, text: str, control: str) -> None:
        (folder / "design.yaml").write_text(text)
        self.design = load(folder / "design.yaml", settings=[f"plan.control={control}"])
        self.planning: Planning = plan_hardware(self.design)
        put(folder, simulated_files(self.planning))
        self.sources = sorted((folder / "rtl").glob("*.v"))
        self.device = read_device(folder / "sim" / f"{self.planning.plan.design}.json")
        assert self.planning.program is not None
        self.program: Program = self.planning.program

    def runs(
        self, case: Case, vectors: Sequence[tuple[int, ...]], patch: pytest.MonkeyPatch
    ) -> Iterator[Run]:
        """The runs with these values of conditions."""
        starts = dict(
            zip(case.sizes, itertools.accumulate([0, *case.sizes.values()]), strict=False)
        )
        chosen = {name: StorageChoice(start, vectors) for name, start in starts.items()}
        patch.setattr(network, "choices_of", lambda _: chosen)
        outcomes = [Outcome(seed=1, kind=str(number)) for number in range(len(vectors))]
        planned = list(self.program.planned_arrays())
        return (run for run, _ in runs_of(self.program, planned, outcomes=outcomes))

    def check(self, run: Run) -> int:
        """Simulate a run; its cycles without stalls are those predicted."""
        program, skips = self.program, self.program.skips
        cycles = self.device.cycles
        device = self.device
        if skips:
            chosen = self.planning.placement.chosen
            assert chosen is not None
            cycles = chosen.run(program, idle_times(program, run)).cycles
            device = replace(device, cycles=cycles, bound=device.cycles)
        simulator = find_simulator(os.environ.get("PATH", ""))
        verdicts = check_design(
            with_predicate_reads(program), device, self.sources,
            json.loads(to_json(self.planning.plan)), run, simulator, runs=RUNS, static=False,
        )  # fmt: skip
        assert all(one.fine for one in verdicts), [one.detail for one in verdicts if not one.fine]
        assert cycles is not None
        return cycles


def check_vectors(
    made: Made, case: Case, vectors: Sequence[tuple[int, ...]], patch: pytest.MonkeyPatch
) -> None:
    found = [made.check(run) for run in made.runs(case, vectors, patch)]
    assert len(found) == len(vectors)
    assert max(found) <= (made.device.cycles or 0)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str, str], Made]:
    return lambda name, text, control: Made(
        tmp_path_factory.mktemp(name.replace(" ", "_")), text, control
    )


@pytest.mark.few("if_var")
@pytest.mark.parametrize("control", ["skip", "predicate"])
@pytest.mark.parametrize("name", CASES)
def test_some_vectors(
    name: str,
    control: str,
    made: Callable[[str, str, str], Made],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    case = CASES[name]
    every = [*case.vectors()]
    vectors = every[1 :: len(every) // _SOME][:_SOME]
    if control == "predicate":
        vectors = vectors[:1]
    check_vectors(made(name, case.text, control), case, vectors, monkeypatch)


@pytest.mark.long
@pytest.mark.parametrize("control", ["skip", "predicate"])
@pytest.mark.parametrize("name", CASES)
def test_all_vectors(
    name: str,
    control: str,
    made: Callable[[str, str, str], Made],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    case = CASES[name]
    every = [*case.vectors()]
    vectors = every[:: max(1, len(every) // _MOST)]
    check_vectors(made(name, case.text, control), case, vectors, monkeypatch)


def bounds_of(seed: int) -> tuple[int, ...]:
    """Values of m for each k, then of n at first and for each k."""
    generator = np.random.default_rng(seed)
    return (*generator.integers(0, 4, 3).tolist(), *generator.integers(0, 4, 4).tolist())


@pytest.mark.needs("iverilog")
@pytest.mark.parametrize(
    ("control", "seeds"),
    [
        pytest.param("skip", range(2), id="skip"),
        pytest.param("skip", range(16), id="skip, all", marks=pytest.mark.long),
        pytest.param("predicate", range(16), id="predicate, all", marks=pytest.mark.long),
    ],
)
def test_bounds_that_data_give(
    control: str,
    seeds: range,
    made: Callable[[str, str, str], Made],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Listing 1: an instance runs where its iterators are less than what is looked at."""
    case = Case(listing1(3, 3, 4), {"m": 3, "n": 4})
    one = made("listing 1", case.text, control)
    bounds = [bounds_of(seed) for seed in seeds]
    found = [one.check(run) for run in runs_with_bounds(one, bounds, monkeypatch)]
    assert max(found) <= (one.device.cycles or 0)


class Bounds:
    """The values that statements write into a scalar, one after the other, over and over."""

    def __init__(self, values: Sequence[Sequence[int]]) -> None:
        self.values = values
        self.taken: dict[str, int] = {}

    def drawn(self, kind: str, count: int, generator: object) -> np.ndarray:  # noqa: ARG002
        start = self.taken.get(kind, 0)
        self.taken[kind] = start + count
        own = self.values[int(kind)]
        return np.array([own[k % len(own)] for k in range(start, start + count)], dtype=np.int64)


def runs_with_bounds(
    made: Made, bounds: Sequence[tuple[int, ...]], patch: pytest.MonkeyPatch
) -> Iterator[Run]:
    chosen = {"m": Bounds([one[:3] for one in bounds]), "n": Bounds([one[3:] for one in bounds])}
    patch.setattr(network, "choices_of", lambda _: chosen)
    outcomes = [Outcome(seed=1, kind=str(number)) for number in range(len(bounds))]
    planned = list(made.program.planned_arrays())
    return (run for run, _ in runs_of(made.program, planned, outcomes=outcomes))
