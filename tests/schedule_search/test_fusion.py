"""Loop nests that run as one: which do, how late each is, and that C then leaves the same bits."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hlsmem.plan import Plan
from hlsmem.planner.host.host_schedule import rescheduled
from hlsmem.polyhedra.limits import WorkLimitError
from hlsmem.program.model import Program
from hlsmem.program.options import Design
from hlsmem.schedule_search.fusion import fused, fused_times
from hlsmem.schedule_search.loop_times import Times
from hlsmem.timing.schedule_legality import same_values
from tests.emit.c.plans import program_of, read_design
from tests.host_loops.programs import SIZES, kernel, outcomes
from tests.plans import plan_storage, with_host

CACHE = 1024
LARGE = {"N": 64}
STAGES = (
    "for (int i = 0; i < N; i++) for (int j = 1; j < N; j++) t[i][j] = a[i][j - 1] + a[i][j];",
    "for (int i = 1; i < N - 1; i++) for (int j = 1; j < N; j++)"
    " u[i][j] = t[i - 1][j] + t[i + 1][j];",
    "for (int i = 3; i < N - 3; i++) for (int j = 1; j < N; j++)"
    " c[i][j] = u[i - 2][j] + u[i + 2][j] - t[i][j];",
)
ALONE = {
    "an element that parameters put far away": [
        STAGES[0],
        "for (int i = 0; i < N; i++) for (int j = 1; j < N; j++) c[i][j] = t[N - 1 - i][j];",
    ],
    "nothing goes from one to the other": [
        STAGES[0],
        "for (int i = 0; i < N; i++) for (int j = 1; j < N; j++) c[i][j] = b[i][j];",
    ],
    "a third nest has the whole array": [
        STAGES[0],
        "for (int i = 0; i < N; i++) for (int j = 1; j < N; j++) u[i][j] = t[i][j];",
        "for (int i = 1; i < N; i++) for (int j = 1; j < N; j++) c[i][j] = t[j][i] + b[i][j];",
    ],
    "more work than ways to memory": [
        "for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) for (int k = 0; k < N; k++)"
        " t[i][j] += a[i][k] * b[k][j];",
        "for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) c[i][j] = t[i][j];",
    ],
    "an argument that the first nest reads later": [
        "for (int i = 0; i < N; i++) for (int j = 1; j < N; j++) t[i][j] = c[N - 1 - i][j];",
        "for (int i = 0; i < N; i++) for (int j = 1; j < N; j++) c[i][j] = t[i][j];",
    ],
    "a statement that is in no loop": [
        STAGES[0],
        "s[0] = t[N - 1][1];",
        "for (int i = 0; i < N; i++) for (int j = 1; j < N; j++) c[i][j] = t[i][j] + s[0];",
    ],
}


def program_in(folder: Path, *stages: str) -> Program:
    text = (
        "#define N 16\nvoid f(const float a[N][N], const float b[N][N], float c[N][N])\n"
        "{\n    float t[N][N], u[N][N], s[N];\n#pragma scop\n"
        + "\n".join(stages)
        + "\n#pragma endscop\n}\n"
    )
    settings = 'params: {N: 16}\ncontext: "[N] -> { : N >= 9 }"'
    return program_of(read_design(folder, text, settings))


def rows(times: Times) -> dict[str, str]:
    """The fused entry of each statement."""
    found = {}
    for name, one in times.schedules.items():
        match = re.search(r"-> \[0, ([^,]*),", str(one))
        assert match is not None
        found[name] = match[1]
    return found


def test_each_nest_is_as_late_as_its_reads_need(tmp_path: Path) -> None:
    """By hand: u reads a row ahead in t, c two rows ahead in u, which is one late itself."""
    program = program_in(tmp_path, *STAGES)
    found = fused(Times.of(program), CACHE, LARGE)
    assert found is not None
    assert rows(found) == {"S0": "i", "S1": "1 + i", "S2": "3 + i"}
    texts = {name: str(one) for name, one in found.schedules.items()}
    assert same_values(program, rescheduled(program, texts))


def test_a_nest_that_reads_what_is_long_there_runs_ahead(tmp_path: Path) -> None:
    second = "for (int i = 5; i < N; i++) for (int j = 1; j < N; j++) c[i][j] = t[i - 4][j];"
    found = fused(Times.of(program_in(tmp_path, STAGES[0], second)), CACHE, LARGE)
    assert found is not None
    assert rows(found) == {"S0": "i", "S1": "-4 + i"}


@pytest.mark.parametrize("name", ALONE)
def test_nests_that_stay_apart(tmp_path: Path, name: str) -> None:
    times = Times.of(program_in(tmp_path, *ALONE[name]))
    assert fused(times, CACHE, LARGE) is None


def test_what_a_cache_holds_stays_as_it_is(tmp_path: Path) -> None:
    times = Times.of(program_in(tmp_path, *STAGES[:1], STAGES[1].replace("u[", "c[")))
    written = 4 * LARGE["N"] * (LARGE["N"] - 1)
    assert fused(times, written, LARGE) is None
    assert fused(times, written - 1, LARGE) is not None


def test_there_is_a_limit_on_the_work(tmp_path: Path) -> None:
    program = program_in(tmp_path, *STAGES)
    with pytest.raises(WorkLimitError):
        fused_times(program, None, CACHE, LARGE, 10)
    assert fused_times(program, None, CACHE, LARGE, 1_000_000) is not None


SETTINGS = """params: {N: 11, M: 9}
context: "[N, M] -> { : N >= 7 and M >= 6 }"
plan: {method: successive, budget: 20}"""


def planned(folder: Path, seeds: range) -> dict[int, tuple[Design, Plan]]:
    """Of random kernels those that C runs in an order of its own."""
    found = {}
    for seed in seeds:
        design = read_design(folder / str(seed), kernel(seed), SETTINGS)
        plan = with_host(plan_storage(design)).plan
        if plan.has_host_schedule:
            found[seed] = design, plan
    return found


@pytest.mark.few(1)
@pytest.mark.parametrize("batch", range(40))
def test_bits_of_the_original(tmp_path: Path, batch: int) -> None:
    """Random pipelines in C's own order, most of them fused, at three sizes."""
    cases = planned(tmp_path, range(4 * batch, 4 * batch + 4))
    assert cases
    told = outcomes(tmp_path, cases, SIZES)
    assert {key: one for key, one in told.items() if one != "equal"} == {}
