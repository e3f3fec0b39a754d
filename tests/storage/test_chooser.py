"""Of all candidates the cheapest that does not stall is taken."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hlsmem.core.errors import InputError, Problem
from hlsmem.cycle_model import datapaths_of
from hlsmem.plan import Elastic
from hlsmem.planner.array_folding import Folded, analysed, folded
from hlsmem.planner.hardware.hardware_planning import hardware_of
from hlsmem.planner.planning_sequence import plan_hardware
from hlsmem.program.model import Program
from hlsmem.storage import chooser as module
from hlsmem.storage.array_parts import operands_of
from hlsmem.storage.build import BuiltStorage, Terms
from hlsmem.storage.chooser import Chooser, StorageChoice
from hlsmem.storage.ram.kind import Ram, in_memory
from hlsmem.storage.skipped_runs import Run
from hlsmem.storage.storage_candidates import Candidate, Ranking
from tests.emit.c.plans import read_design
from tests.plans import plan_storage
from tests.steps import load

BLUR = Path(__file__).parents[2] / "examples" / "blur" / "design.yaml"


def candidates() -> tuple[Program, list[Candidate]]:
    """Blur in copies, and the same with more words each time."""
    planning = plan_storage(load(BLUR, parameters={"N": 6}))
    assert planning.program is not None
    program = planning.program
    array = program.arrays["blurx"]
    held = in_memory(planning.folded.choices["blurx"].mapping, (), 3)
    assert isinstance(held, Ram)
    block = operands_of(program, array)
    return program, [
        Candidate(array="blurx", shares=((block, replace(held, copies=held.copies + k)),))
        for k in range(3)
    ]


def chooser(program: Program, found: list[Candidate]) -> Chooser:
    terms = Terms(datapaths=datapaths_of(program), ranking=Ranking("auto", None))
    return Chooser(program, {"blurx": found}, terms)


def slower(monkeypatch: pytest.MonkeyPatch, one: Chooser, factors: dict[Candidate, float]) -> None:
    """Runs with some candidates take so many times the cycles."""
    honest = one.run

    def run(current: dict[str, BuiltStorage]) -> Run:
        found = honest(current)
        assert isinstance(found, Run)
        prediction = found.prediction
        assert prediction.cycles is not None
        factor = factors.get(current["blurx"].candidate, 1.0)
        cycles = int(prediction.cycles * factor)
        return replace(found, prediction=replace(prediction, cycles=cycles))

    monkeypatch.setattr(one, "run", run)


def test_without_stalls_the_cheapest_is_taken() -> None:
    program, found = candidates()
    assert chooser(program, found).choose().built["blurx"].candidate == found[0]


def test_a_candidate_that_stalls_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    program, found = candidates()
    one = chooser(program, found)
    slower(monkeypatch, one, {found[0]: 2.0, found[1]: 2.0})
    chosen = one.choose()
    assert chosen.built["blurx"].candidate == found[2]
    cycles = {outcome.candidate: outcome.cycles for outcome in chosen.outcomes["blurx"]}
    slow, fast = cycles[found[0]], cycles[found[2]]
    assert slow is not None
    assert fast is not None
    assert slow > 1.9 * fast


def test_hardly_more_cycles_are_no_stall(monkeypatch: pytest.MonkeyPatch) -> None:
    """A twentieth more is allowed: the cheaper of the two is taken."""
    program, found = candidates()
    one = chooser(program, found)
    slower(monkeypatch, one, {found[0]: 2.0, found[1]: 1.5 * 1.04, found[2]: 1.5})
    assert one.choose().built["blurx"].candidate == found[1]


@pytest.mark.parametrize(("beats", "taken"), [(4, 0), (5, 1)])
def test_words_of_branch_fifos_count(
    beats: int, taken: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A copy more takes 13 words; a beat of three operands takes three in a branch FIFO."""
    program, found = candidates()
    one = chooser(program, found)
    honest = one.run

    def run(current: dict[str, BuiltStorage]) -> Run:
        plain = honest(current)
        assert isinstance(plain, Run)
        if current["blurx"].candidate != found[0]:
            return plain
        (reader,) = (name for name in streams_of(current["blurx"]) if name.startswith("m_"))
        fifo = Elastic(stream=reader, beats=beats, bits=96, waits_for="m_b_S", latency={})
        return replace(plain, elastic=(fifo,))

    monkeypatch.setattr(one, "run", run)
    assert one.choose().built["blurx"].candidate == found[taken]


def streams_of(built: BuiltStorage) -> list[str]:
    return [stream.name for circuit in built.circuits for stream in circuit.streams]


def test_what_cannot_be_built_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    program, found = candidates()
    build = module.build

    def failing(program: Program, candidate: Candidate, terms: Terms, most: int) -> BuiltStorage:
        if candidate == found[0]:
            raise InputError(Problem("two ports are needed", "split it"))
        return build(program, candidate, terms, most)

    monkeypatch.setattr(module, "build", failing)
    chosen = chooser(program, found).choose()
    assert chosen.built["blurx"].candidate == found[1]
    reasons = {outcome.candidate: outcome.reason for outcome in chosen.outcomes["blurx"]}
    assert reasons[found[0]] == "two ports are needed"


STEPS = """#define T 5
#define N 24
void steps(const int in[T][N], int out[N])
{
    int a[T][N], b[T][N], c[T][N];
    for (int i = 0; i < N; i++) {
        a[0][i] = in[0][i];
        b[0][i] = in[0][i] + 1;
        c[0][i] = in[0][i] + 2;
    }
    for (int t = 1; t < T; t++)
        for (int i = t; i < N - t; i++) {
            a[t][i] = a[t - 1][i - 1] + b[t - 1][i] + in[t][i];
            b[t][i] = b[t - 1][i + 1] + c[t - 1][i];
            c[t][i] = c[t - 1][i - 1] + a[t - 1][i];
        }
    for (int i = T; i < N - T; i++)
        out[i] = a[T - 1][i] + b[T - 1][i] + c[T - 1][i];
}
"""


def test_candidates_that_save_nothing_together_are_not_tried_one_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Chooser, "bound", lambda *_: 0)  # nothing is hopeless by its bound
    honest, runs = module.run_of, list[Run]()

    def counted(*given: Any) -> Run:
        runs.append(honest(*given))
        return runs[-1]

    monkeypatch.setattr(module, "run_of", counted)
    design = read_design(tmp_path, STEPS)
    together = plan_hardware(design).plan
    few = len(runs)
    monkeypatch.setattr(Chooser, "together", lambda *_: frozenset())
    apart = plan_hardware(design).plan
    assert together.memories == apart.memories
    assert few < len(runs) - few


FORK = """\
#define W 20
#define H 10
void f(const unsigned char in[H][W], unsigned char out[H][W]) {
    unsigned char a[H][W], b[H][W], c[H][W];
#pragma scop
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            if (y >= 2 && x >= 2)
A:              a[y][x] = (in[y-2][x-2] + in[y-1][x-1] + in[y][x]) / 3;
            if (y >= 2 && x >= 3)
B:              b[y][x] = a[y][x] - a[y][x-1];
            if (y >= 3 && x >= 3)
C:              c[y][x] = b[y][x] + b[y-1][x] + in[y][x-3];
            if (y >= 3 && x >= 3)
E:              out[y][x] = c[y][x] + a[y][x] + in[y-1][x];
        }
#pragma endscop
}
"""
SETTINGS = (
    "order=iteration",
    "arrays.in.storage=stream",
    "pipeline.latency={A: 7, B: 3, C: 4, E: 1}",
    "target.device=ecp5-25k",
)


@pytest.fixture(scope="module")
def fork(tmp_path_factory: pytest.TempPathFactory) -> tuple[Folded, StorageChoice]:
    """The kernel, and what is chosen for it."""
    file = tmp_path_factory.mktemp("fork") / "f.c"
    file.write_text(FORK)
    found = folded(analysed(load(file, settings=SETTINGS)))
    chosen = hardware_of(found).chosen
    assert chosen is not None
    return found, chosen


@pytest.mark.dear
def test_more_candidates_are_tried_where_cycles_may_be_saved(
    fork: tuple[Folded, StorageChoice], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The three cheapest parts of `in` wait for each other at every end of a row: 328 cycles."""
    found, whole = fork
    monkeypatch.setattr(module, "MOST_TRIED", module.MOST_PREDICTED)
    before = hardware_of(found).chosen
    assert before is not None
    assert whole.prediction.cycles is not None
    assert before.prediction.cycles is not None
    assert whole.prediction.cycles * 1.05 < before.prediction.cycles
    assert whole.prediction.interval == 1


@pytest.mark.dear
def test_no_more_is_tried_where_as_much_work_went_into_runs_as_may(
    fork: tuple[Folded, StorageChoice],
) -> None:
    """What is taken then is what the rounds have come to: here, the first choice."""
    found, whole = fork
    cut = hardware_of(found, lookups=1).chosen
    assert cut is not None
    assert 1 < cut.lookups < whole.lookups
    assert cut.prediction.cycles is not None
    assert whole.prediction.cycles is not None
    assert cut.prediction.cycles > whole.prediction.cycles
