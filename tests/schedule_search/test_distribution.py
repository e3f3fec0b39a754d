"""Orders in which C's innermost loops are vectors: which are found, and that they are right."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from benchmarks.host.kernels import CASES
from hlsmem.planner.host.host_schedule import OPERATIONS as OPERATIONS_OF_C
from hlsmem.planner.host.host_schedule import rescheduled
from hlsmem.polyhedra import Map
from hlsmem.polyhedra.limits import WorkLimitError
from hlsmem.polyhedra.sets import points
from hlsmem.program.model import Program
from hlsmem.schedule_search.distribution import changed_at, distributed
from hlsmem.schedule_search.loop_times import Times
from hlsmem.timing.schedule_legality import same_values
from tests.emit.c.plans import program_of, read_design
from tests.host_loops.programs import kernel
from tests.steps import load

OPERATIONS = 20_000_000
KERNELS = {
    "matmul": "for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) for (int k = 0; k < N; k++)"
    " c[i][j] += a[i][k] * b[k][j];",
    "apart": "for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) {"
    " t[i][j] = a[i][j] + 1; if (i >= 1 && j >= 2) c[i][j] = t[i - 1][j] + t[i][j - 2]; }",
    "strips": "for (int j = 0; j < N; j++) { s[j] = b[0][j] * 2;"
    " for (int k = 0; k < 8; k++) if (j >= 8) c[0][j] += a[0][k] * s[j - k]; }",
    "columns": "for (int j = 0; j < N; j++) for (int i = 0; i < N; i++) c[0][j] += a[i][j];",
    "blur": "for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) {"
    " t[i][j] = a[i][j] + 1; if (i >= 2) c[i][j] = t[i - 2][j] + t[i][j]; }",
    "seidel": "for (int i = 1; i < N - 1; i++) for (int j = 1; j < N - 1; j++)"
    " c[i][j] = c[i - 1][j] + c[i][j - 1] + c[i][j] + c[i][j + 1] + c[i + 1][j];",
    "transposed": "for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) c[j][i] = a[i][j];",
    "diagonals": "for (int d = 0; d < N; d++) for (int j = 0; j < N - d; j++)"
    " t[d + j][j] = a[d + j][j] * 2;"
    " for (int i = 0; i < N; i++) for (int j = 0; j <= i; j++) c[i][j] = t[i][j] + b[i][j];",
    "recurrence": "for (int i = 0; i < N; i++) for (int j = 1; j < N; j++) {"
    " t[i][j] = c[i][j - 1] + 1; c[i][j] = t[i][j] * 2; }",
}
FOUND = {
    "matmul": {"S0": "[0, i, 0, 0, 0, k, j, 0]"},
    "apart": {"S0": "[0, i, 0, 0, j, 0]", "S1": "[0, i, 0, 1, j, 1]"},
    "strips": {"S0": "[0, o1, 0, j, 0, 0, 0]", "S1": "[0, o1, 1, 1, k, j, 0]"},
    "columns": {"S0": "[0, 0, 0, i, j, 0]"},
    "diagonals": {"S0": "[d + j, j, 0]", "S1": "[i, j, 1]"},
    "blur": {},
    "seidel": {},
    "transposed": {},
    "recurrence": {},
}


def program_in(folder: Path, body: str) -> Program:
    text = (
        "#define N 16\nvoid f(const float a[N][N], const float b[N][N], float c[N][N])\n"
        "{\n    float t[N][N], s[N];\n#pragma scop\n" + body + "\n#pragma endscop\n}\n"
    )
    settings = 'params: {N: 16}\ncontext: "[N] -> { : N >= 9 }"'
    return program_of(read_design(folder, text, settings))


@pytest.mark.parametrize("name", KERNELS)
def test_the_loop_that_is_a_vector(tmp_path: Path, name: str) -> None:
    found = distributed(program_in(tmp_path, KERNELS[name]), OPERATIONS) or {}
    texts = {key: text.split("-> ")[-1].split(" :")[0] for key, text in found.items()}
    assert texts == FOUND[name]


@pytest.mark.parametrize("name", [name for name, found in FOUND.items() if found])
def test_every_read_sees_the_same_value(tmp_path: Path, name: str) -> None:
    program = program_in(tmp_path, KERNELS[name])
    found = distributed(program, OPERATIONS)
    assert found is not None
    assert same_values(program, rescheduled(program, found))


def test_no_order_is_looked_for_beyond_the_limit(tmp_path: Path) -> None:
    with pytest.raises(WorkLimitError):
        distributed(program_in(tmp_path, KERNELS["matmul"]), 10)


def test_what_is_found_outlives_a_schedule_that_takes_too_much(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = program_in(tmp_path, KERNELS["matmul"])
    found = distributed(program, OPERATIONS)
    assert found is not None
    monkeypatch.setattr("hlsmem.polyhedra.scheduler.OPERATIONS", 10)
    with pytest.raises(WorkLimitError) as limit:
        distributed(program, OPERATIONS)
    assert limit.value.step == found


def test_isl_is_not_asked_where_dependences_have_many_pieces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What needs no other order to begin with is found all the same."""
    program = program_in(tmp_path, KERNELS["strips"])
    found = distributed(program, OPERATIONS)
    monkeypatch.setattr("hlsmem.polyhedra.scheduler.MOST_PIECES", 0)
    monkeypatch.setattr("hlsmem.polyhedra.scheduler._PIECES_EACH", 0)
    monkeypatch.delattr("hlsmem.schedule_search.distribution.scheduled_times")
    assert distributed(program, OPERATIONS) == found


@pytest.mark.long
def test_an_order_found_before_the_limit_is_kept(tmp_path: Path) -> None:
    """Of correlation the product's loops move first; that of its columns takes a search longer."""
    correlation = next(case.kernel for case in CASES if case.name == "correlation")
    program = program_of(load(correlation.design_in(tmp_path)))
    given = Times.of(program)

    def times_within(operations: int) -> Times:
        try:
            found = distributed(program, operations)
        except WorkLimitError as limit:
            found = limit.step
        assert found is not None
        return replace(given, schedules={name: Map(text) for name, text in found.items()})

    def innermost(times: Times) -> dict[str, str]:
        """The iterators of two statements that are their vector loops."""
        found = {}
        for one in (one for one in program.statements if one.name in ("S1", "S9")):
            text = str(times.schedules[one.name]).split("-> [")[-1].split("]")[0]
            found[one.name] = text.split(", ")[times.varying[one.name][-1]]
        return found

    early, default = times_within(700_000), times_within(OPERATIONS_OF_C)
    assert innermost(given) == {"S1": "i", "S9": "i"}
    assert innermost(early) == {"S1": "i", "S9": "b"}
    assert innermost(default) == {"S1": "j", "S9": "b"}
    assert early.is_legal()
    assert default.is_legal()
    assert given.figure() > 10 * early.figure() > 10 * default.figure()


def test_a_figure_counts_iterations_and_starts(tmp_path: Path) -> None:
    """16 rows of 16 iterations, a start each; the same where an iteration waits; jumps."""
    rows = Times.of(program_in(tmp_path / "rows", KERNELS["blur"]))
    assert rows.figure() == (16 + 14) * 16 + 16 * (16 + 14)
    waiting = Times.of(program_in(tmp_path / "waiting", KERNELS["seidel"]))
    assert waiting.figure() == 6 * 14 * 14 + 16 * 14
    jumps = Times.of(program_in(tmp_path / "jumps", KERNELS["transposed"]))
    assert jumps.figure() == 6 * 2.5 * 16 * 16 + 16 * 16


@pytest.mark.few(6)
@pytest.mark.parametrize("seed", range(120))
def test_legal_by_listing_all_pairs(tmp_path: Path, seed: int) -> None:
    """What is called legal keeps the order of every two listed instances that meet."""
    settings = 'params: {N: 7, M: 6}\ncontext: "[N, M] -> { : N = 7 and M = 6 }"'
    program = program_of(read_design(tmp_path, kernel(seed), settings))
    times = Times.of(program)
    given = listed(program, times)
    changes = [changed_at(times, *one) for one in product(times.loops(), (None, 3))]
    drawn = random.Random(seed).sample(changes, min(3, len(changes)))
    for change in filter(None, drawn):
        moved = listed(program, change)
        kept = all((given[a] < given[b]) == (moved[a] < moved[b]) for a, b in met(program))
        assert change.is_legal() == kept


Instance = tuple[str, tuple[int, ...]]


def listed(program: Program, times: Times) -> dict[Instance, tuple[int, ...]]:
    found: dict[Instance, tuple[int, ...]] = {}
    for one in program.statements:
        depth = len(one.iterators)
        for row in points(_at(program, times.at(one))).tolist():
            found[one.name, tuple(row[:depth])] = tuple(row[depth:])
    return found


def _at(program: Program, relation: object) -> object:
    from hlsmem.polyhedra.sets import fix_parameters

    return fix_parameters(relation, program.values)


def met(program: Program) -> set[tuple[Instance, Instance]]:
    touching: dict[tuple[object, ...], list[tuple[Instance, bool]]] = {}
    for one in program.statements:
        depth = len(one.iterators)
        for access in (*one.reads, *one.writes):
            relation = access.relation.intersect_domain(one.domain)
            for row in points(_at(program, relation)).tolist():
                place = (access.array, *row[depth:])
                touching.setdefault(place, []).append(
                    ((one.name, tuple(row[:depth])), access in one.writes)
                )
    return {
        (first, second)
        for same in touching.values()
        for (first, writes), (second, also) in product(same, same)
        if first != second and (writes or also)
    }
