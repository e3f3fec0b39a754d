"""Counting at sizes where not everything can be listed, block by block, and formulas."""

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as some

from hlsmem.core.errors import LimitError
from hlsmem.core.quasi_polynomial import parse_quasi_polynomial
from hlsmem.lifetime import max_live as module
from hlsmem.lifetime import max_live_bound as bounds
from hlsmem.lifetime.conflict_witness import explain
from hlsmem.lifetime.live_interval import live_intervals
from hlsmem.lifetime.max_live import Peak, changes_of, in_step, max_live, peaks_at
from hlsmem.lifetime.occupancy import Occupancies, occupancies
from hlsmem.lifetime.storage_problem import Bound, StorageProblem
from hlsmem.lifetime.storage_problems import storage_problems
from hlsmem.polyhedra import Set
from hlsmem.polyhedra import point_runs as runs
from hlsmem.polyhedra.codes import code_within
from hlsmem.polyhedra.sets import count, fix_parameters
from hlsmem.program.model import Order, Program
from hlsmem.timing.events import events
from hlsmem.timing.value_flow import dataflow
from tests.programs import golden_case, make_program, program_from_golden


def _blur(size: int) -> Program:
    return program_from_golden(golden_case("001", "blur-interleaved"), {"N": size})


def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    # Blur begins and ends N^2 times each: 1000 and less at small sizes, 8192 at N = 64.
    monkeypatch.setattr(module, "LIMIT", 5_000)
    monkeypatch.setattr(module, "_MOST_RUNS", 0)


def _occupied(program: Program, array: str = "A") -> Occupancies:
    lives = live_intervals(
        program, program.arrays[array], dataflow(program, array), events(program)
    )
    return occupancies(lives)


def _bound(problems: tuple[StorageProblem, ...]) -> Bound:
    """The bound without what shows it again."""
    (problem,) = problems
    (bound,) = problem.bounds
    return replace(bound, when=None, proof=None)


def test_beyond_the_limit_the_formula_of_small_sizes_is_the_bound(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _few(monkeypatch)
    found = _bound(storage_problems(_blur(64)))
    assert found == Bound(kind="max-live", cells=129, expr="2*N + 1", status="proved")


@pytest.mark.parametrize(
    ("paper", "name", "points"),
    [
        ("001", "blur-interleaved", [(3,), (4,), (9,)]),
        ("001", "lbm-d3q19", [(2, 2), (2, 3), (3, 2), (4, 3)]),
        ("002", "jacobi1d-wavefront", [(1, 3), (2, 4), (5, 8), (3, 20)]),
    ],
)
def test_a_few_sizes_are_counted_at_once_as_one_by_one(
    monkeypatch: pytest.MonkeyPatch, paper: str, name: str, points: list[tuple[int, ...]]
) -> None:
    case = golden_case(paper, name)
    given = case["params"][0] if isinstance(case["params"], list) else case["params"]
    program = program_from_golden(case, given)
    (array,) = program.planned_arrays()
    occupied = _occupied(program, array.name)
    changes = changes_of(occupied, program.parameters)
    found = peaks_at(changes, points)
    assert found is not None
    for point in points:
        values = dict(zip(program.parameters, point, strict=True))
        peak, at_once = max_live(occupied, values), found.get(point, Peak(0, ()))
        assert peak == at_once
        assert peak.at_last == at_once.at_last
    monkeypatch.setattr(module, "_FEW", 3)
    assert peaks_at(changes, points) is None


def test_without_a_formula_there_is_no_bound_beyond_the_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _few(monkeypatch)
    case = golden_case("002", "jacobi1d-wavefront")
    (problem,) = storage_problems(program_from_golden(case, {"T": 300, "W": 200}))
    assert problem.bounds == ()


def test_numbers_too_large_to_count_have_the_bound_of_a_moment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Written as constants: no parameter has smaller sizes that a formula could come from."""
    program = make_program(
        values={"unused": 1},
        domains=["{ W[y, x] : 0 <= y, x < 50; R[y, x] : 0 < y < 50 and 0 <= x < 50 }"],
        schedules=["{ W[y, x] -> [y, x, 0]; R[y, x] -> [y, x, 1] }"],
        writes=["{ W[y, x] -> A[y, x] }"],
        reads=["{ R[y, x] -> A[y - 1, x] }"],
    )
    counted = _bound(storage_problems(program))
    _few(monkeypatch)
    monkeypatch.setattr(module, "LIMIT", 4_000)
    assert _bound(storage_problems(program)) == counted
    assert counted == Bound(kind="max-live", cells=51, expr="51", status="proved")


def test_what_is_too_much_to_list_is_not_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    given, values = _occupied(_blur(64), "blurx"), {"N": 64}
    monkeypatch.setattr(module, "_MOST_RUNS", 0)
    swept = max_live(given, values)
    assert swept == Peak(129, swept.event if swept else ())
    begun: list[int] = []
    monkeypatch.setattr(module.Sweep, "blocks", lambda _, most: begun.append(most) or iter(()))
    monkeypatch.setattr(module, "LIMIT", 2 * 64 * 64 - 2)
    assert max_live(given, values) is None
    assert not begun
    monkeypatch.setattr(module, "LIMIT", 2 * 64 * 64)
    max_live(given, values)
    assert begun


@pytest.mark.parametrize("size", [64, 128])
def test_a_formula_that_nothing_proves_is_called_fitted(
    monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr(bounds, "cardinality", lambda *_: None)
    found = _bound(storage_problems(_blur(size)))
    assert found == Bound(kind="max-live", cells=2 * size + 1, expr="2*N + 1", status="fitted")


def test_a_formula_of_small_sizes_that_fails_at_the_plans_is_not_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bounds, "cardinality", lambda *_: None)
    # Sixty elements in one half, N in the other: the more of them live at once.
    program = make_program(
        values={"N": 100},
        context="[N] -> { : N >= 2 }",
        domains=[
            "[N] -> { W[i] : 0 <= i < 60; U[i] : 0 <= i < 60 }",
            "[N] -> { R[i] : 0 <= i < N; V[i] : 0 <= i < N }",
        ],
        schedules=["[N] -> { W[i] -> [0, i]; U[i] -> [1, i]; R[i] -> [2, i]; V[i] -> [3, i] }"],
        writes=["[N] -> { W[i] -> A[i]; R[i] -> A[100 + i] }"],
        reads=["[N] -> { U[i] -> A[i]; V[i] -> A[100 + i] }"],
    )
    found = _bound(storage_problems(program))
    assert found == Bound(kind="max-live", cells=100, expr=None, status="counted at N=100")


def test_an_array_too_large_to_explain_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    _few(monkeypatch)
    with pytest.raises(LimitError, match=r"'blurx' lives and dies more than .* times"):
        explain(_blur(64), "blurx")


def test_a_size_at_which_nothing_is_written_has_no_bound() -> None:
    program = make_program(
        values={"N": 2},
        context="[N] -> { : N >= 1 }",
        domains=["[N] -> { S[i] : 3 <= i < N; T[i] : 0 <= i < N }"],
        schedules=["[N] -> { S[i] -> [i]; T[i] -> [i] }"],
        writes=["[N] -> { S[i] -> A[i] }"],
    )
    (problem,) = storage_problems(program)
    assert not problem.bounds


def _in_place(order: Order = Order.SEQUENTIAL) -> Program:
    """T rounds of S over an array that each of them updates in place, between two others."""
    return make_program(
        values={"N": 9, "T": 5},
        context="[N, T] -> { : N >= 1 and T >= 1 }",
        domains=["[N, T] -> { S[t, i] : 0 <= t < T and 0 <= i < N }"],
        schedules=["[N, T] -> { S[t, i] -> [t, i] }"],
        reads=["[N, T] -> { S[t, i] -> A[i] }"],
        writes=["[N, T] -> { S[t, i] -> A[i] }"],
        live_in=["[N, T] -> { A[i] : 0 <= i < N }"],
        live_out=["[N, T] -> { A[i] : 0 <= i < N }"],
        order=order,
    )


def test_an_element_updated_in_place_is_occupied_once() -> None:
    program = _in_place()
    occupied = _occupied(program)
    for relation in (occupied.begins, occupied.ends):
        assert count(fix_parameters(relation, program.values)) == 9
    assert _bound(storage_problems(program)) == Bound(
        kind="max-live", cells=9, expr="N", status="proved"
    )


def test_by_iterations_other_writes_may_come_between_a_read_and_a_write_of_its_step() -> None:
    # In one step, X writes A[N] after A[i] was read for the last time and before S writes it.
    texts = {
        "values": {"N": 4},
        "context": "[N] -> { : N >= 1 }",
        "domains": ["[N] -> { X[i] : 1 <= i < N; S[i] : 0 <= i < N; U[] }"],
        "schedules": ["[N] -> { X[i] -> [i, 0]; S[i] -> [i, 1]; U[] -> [N, 0] }"],
        "reads": ["[N] -> { S[i] -> A[0] : i > 0 }", "[N] -> { U[] -> A[0] }"],
        "writes": ["[N] -> { X[i] -> A[N]; S[i] -> A[0] }"],
    }
    by_step = make_program(order=Order.ITERATION, step_dimensions=1, **texts)
    one_by_one = make_program(**texts)
    assert _bound(storage_problems(by_step)).cells == 1
    assert _bound(storage_problems(one_by_one)).cells == 2


@pytest.mark.parametrize(("values", "cells"), [({"N": 4}, 8 + 4), ({"N": 12}, 140)])
def test_formulas_hold_where_few_small_sizes_could_mislead(values: dict, cells: int) -> None:
    # Jacobi in two dimensions, one of its two arrays: all but the corners live in the middle.
    program = make_program(
        values={"T": 3, **values},
        context="[T, N] -> { : T >= 1 and N >= 1 }",
        domains=[
            "[T, N] -> { S[t, i, j] : 0 <= t < T and 0 < i, j < N - 1;"
            " R[t, i, j] : 0 <= t < T and 0 < i, j < N - 1 }"
        ],
        schedules=["[T, N] -> { S[t, i, j] -> [t, 0, i, j]; R[t, i, j] -> [t, 1, i, j] }"],
        reads=[
            f"[T, N] -> {{ S[t, i, j] -> A[{i}, {j}] }}"
            for i, j in (("i", "j"), ("i - 1", "j"), ("i + 1", "j"), ("i", "j - 1"), ("i", "j + 1"))
        ],
        writes=["[T, N] -> { R[t, i, j] -> A[i, j] }"],
        live_in=["[T, N] -> { A[i, j] : 0 <= i, j < N }"],
    )
    found = _bound(storage_problems(program))
    assert (found.cells, found.expr) == (cells, "N^2 - 4")
    occupied = _occupied(program)
    for size in (4, 5, 9):
        at = {"T": 2, "N": size}
        peak = max_live(occupied, at)
        assert peak is not None
        assert peak.cells == parse_quasi_polynomial("N^2 - 4").evaluate(at)


@given(
    groups=some.lists(
        some.lists(some.lists(some.integers(0, 30), max_size=20), max_size=3),
        min_size=1,
        max_size=3,
    ),
    chunk=some.integers(1, 4),
)
@settings(max_examples=60, deadline=None, derandomize=True)
def test_streams_are_merged_in_step(groups: list[list[list[int]]], chunk: int) -> None:
    def stream(numbers: list[int]) -> Iterator[np.ndarray]:
        ordered = np.sort(np.array(numbers, dtype=np.int64))
        return (ordered[k : k + chunk] for k in range(0, len(ordered), chunk))

    blocks = list(in_step([[stream(numbers) for numbers in group] for group in groups]))
    for position, group in enumerate(groups):
        together = [number for block in blocks for number in block[position].tolist()]
        assert together == sorted(number for numbers in group for number in numbers)
    tops = [max(number for part in block for number in part.tolist()) for block in blocks]
    floors = [min(number for part in block for number in part.tolist()) for block in blocks]
    assert all(top < floor for top, floor in zip(tops, floors[1:], strict=False))


EVENT = some.builds(
    lambda form, a, b, c: form.format(a=a, b=b, c=c),
    some.sampled_from(
        [
            "0 <= n < 3 and 0 <= y < {a} and 0 <= x < {b} and r = {c} and e = 0",
            "0 <= n < 2 and 0 <= y < {a} and {c} <= x < {b} + y and r = 1 and e = x + y",
            "n = 1 and 0 <= y < {a} and x = {b} and r = 0 and 0 <= e < {c}",
            "0 <= n < 3 and y = {c} and 0 <= x <= n + {b} and r = 2 and e = -x",
            "0 <= n < 2 and 0 <= y < {a} and 0 <= x < {b} and x mod 2 = 1 and r = 1 and e = 7",
            "0 <= n < 3 and 0 <= y < {a} and x = {b} and 0 <= r < {c} and e = 9",
        ]
    ),
    some.integers(0, 6),
    some.integers(0, 12),
    some.integers(0, 3),
)
EVENTS = some.lists(EVENT, min_size=1, max_size=4).map(
    lambda found: Set(f"{{ [n, y, x, r, e] : {' or '.join(f'({one})' for one in found)} }}")
)


@given(EVENTS, EVENTS)
@example(Set("{ [n, 0, 0, 0, 0] : 0 <= n <= 2 }"), Set("{ [n, y, x, r, e] : false }"))
def test_the_peak_of_runs_is_that_of_all_events(begins: Set, ends: Set) -> None:
    code = code_within((0, 0, -1, 0), (3, 10, 30, 3))
    assert code is not None
    sweep = module.Sweep(begins.make_disjoint(), ends.make_disjoint(), code)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runs, "_FEW", 10_000)
        tops = sweep.tops(10_000, 1)
    assert tops is not None
    found: dict[tuple[int, ...], Peak] = {}
    expected: dict[tuple[int, ...], Peak] = {}
    module._note_peaks(found, *tops, code, 1)
    for block in sweep.blocks(10_000):
        assert block is not None
        module._note_peaks(expected, *block.alive(), code, 1)
    assert found == expected
    assert all(found[at].at_last == expected[at].at_last for at in found)


def test_a_frame_takes_as_many_numbers_as_it_has_rows() -> None:
    size = {"N": 100_000}
    (array,) = _blur(4).planned_arrays()
    occupied = _occupied(_blur(size["N"]), array.name)
    peak = max_live(occupied, size)
    assert peak is not None
    assert peak.cells == 2 * size["N"] + 1


def test_a_formula_of_many_parameters_takes_as_many_points_as_it_has_coefficients() -> None:
    """At most C(n + reach, reach) sizes: 3^n would be too many for the work limit of isl to see."""
    base = tuple(range(40))
    points = bounds._neighbours(base, 2)
    assert len(points) == len(set(points)) == math.comb(42, 2)
    assert all(sum(point) - sum(base) <= 2 and point >= base for point in points)
