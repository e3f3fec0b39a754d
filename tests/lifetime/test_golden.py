"""Conflict sets and max-live of the programs of three papers (tests/reference)."""

from typing import Any

import pytest

from hlsmem.core.quasi_polynomial import parse_quasi_polynomial
from hlsmem.lifetime.live_interval import live_intervals
from hlsmem.lifetime.max_live import max_live
from hlsmem.lifetime.occupancy import occupancies
from hlsmem.lifetime.storage_problem import StorageProblem
from hlsmem.lifetime.storage_problems import storage_problems
from hlsmem.polyhedra import Map, Set
from hlsmem.polyhedra.sets import (
    count,
    differences,
    fix_parameters,
    points,
    with_parameters,
    without_name,
)
from hlsmem.program.model import Order, Program
from hlsmem.timing.events import events
from hlsmem.timing.value_flow import dataflow
from tests.programs import golden_case, golden_cases, program_from_golden

# Every access of this variant keeps an element from the start to its last read of all: that
# is a memory-based reading, which hlsmem does not take.
_MEMORY_BASED = {"dynprog-c-livein-mem"}


def _cases() -> list[Any]:
    return [
        pytest.param(case, id=f"{number}-{case['id']}")
        for number in ("000", "001", "002")
        for case in golden_cases(number)
        if case["program"] is not None and case["id"] not in _MEMORY_BASED
    ]


def _sizes(case: Any) -> list[Any]:
    return case["params"] if isinstance(case["params"], list) else [case["params"]]


def _problem(case: Any, values: Any, *, strict: bool = False) -> tuple[Program, StorageProblem]:
    program = program_from_golden(case, values)
    (problem,) = storage_problems(program, strict=strict)
    return program, problem


@pytest.mark.few(0.5)
@pytest.mark.parametrize("case", _cases())
def test_differences_and_conflicts_have_the_listed_sizes(case: Any) -> None:
    sizes = _sizes(case)
    _, problem = _problem(case, sizes[0])
    for key in ("difference_count", "ds_points"):
        for values, expected in zip(sizes, case.get(key, ()), strict=False):
            assert len(points(fix_parameters(problem.differences, values))) == expected
    exact = case.get("conflicts_exact", ())
    exact = exact if isinstance(exact, list | tuple) else [exact]
    for values, expected in zip(sizes, exact, strict=False):
        # The files list each pair once.
        assert count(fix_parameters(problem.conflicts, values)) == 2 * expected


@pytest.mark.few(0.5)
@pytest.mark.parametrize("case", _cases())
def test_max_live_is_the_listed_one(case: Any) -> None:
    expected = case["max_live"]
    expected = expected if isinstance(expected, list) else [expected]
    program = program_from_golden(case, _sizes(case)[0])
    (array,) = program.planned_arrays()
    lives = live_intervals(program, array, dataflow(program, array.name), events(program))
    occupied = occupancies(lives)
    for values, cells in zip(_sizes(case), expected, strict=True):
        peak = max_live(occupied, values)
        assert peak is not None
        assert peak.cells == cells


@pytest.mark.few(0.5)
@pytest.mark.parametrize(
    "case",
    [case for case in _cases() if "differences" in case.values[0] or "pairs" in case.values[0]],
)
def test_differences_are_the_listed_set_for_all_parameters(case: Any) -> None:
    program, problem = _problem(case, _sizes(case)[0])
    if "pairs" in case:
        listed = differences(Map(case["pairs"]))
    else:
        listed = Set(case["differences"])
    listed = with_parameters(without_name(listed), program.parameters)
    assert problem.differences.is_equal(listed.intersect_params(program.context))


@pytest.mark.parametrize(
    "case",
    [case for case in golden_cases("001") if case.get("pairs_equal_program_for_all_params")],
    ids=lambda case: case["id"],
)
def test_conflicts_are_the_printed_pairs_for_all_parameters(case: Any) -> None:
    program, problem = _problem(case, _sizes(case)[0])
    printed = Map(case["pairs"]).intersect_params(program.context)
    name = problem.array.name
    found = problem.conflicts
    found = found.apply_domain(_unnamed(name, found)).apply_range(_unnamed(name, found))
    assert found.is_equal(printed.union(printed.reverse()))


def _unnamed(name: str, relation: Any) -> Any:
    names = ", ".join(f"x{k}" for k in range(relation.domain().tuple_dim()))
    return Map(f"{{ {name}[{names}] -> [{names}] }}")


@pytest.mark.parametrize(
    ("identifier", "strict_identifier"),
    [
        ("stencil-1d-5point", "stencil-1d-5point-strict"),
        ("stencil-1d-pllgm-tile", "stencil-1d-pllgm-tile-strict"),
        ("lbm-d2q9", "lbm-d2q9-strict"),
    ],
)
def test_strict_programs_have_the_listed_pairs_and_max_live(
    identifier: str, strict_identifier: str
) -> None:
    case, listed = golden_case("001", identifier), golden_case("001", strict_identifier)
    for values, cells in zip(_sizes(listed), listed["max_live"], strict=True):
        program, problem = _problem(case, values, strict=True)
        assert problem.bounds[0].cells == cells
    context = program.context
    wanted = differences(Map(listed["pairs"])).intersect_params(context)
    assert problem.differences.is_equal(with_parameters(wanted, program.parameters))


@pytest.mark.parametrize("identifier", ["s000-blur-interleaved", "s000-lbm-d2q9", "s000-reverse-l"])
def test_formulas_are_those_of_the_paper(identifier: str) -> None:
    case = golden_case("000", identifier)
    _, problem = _problem(case, _sizes(case)[-1])
    (bound,) = problem.bounds
    assert bound.kind == "max-live"
    listed = {
        "s000-blur-interleaved": "2*N + 1",
        "s000-lbm-d2q9": "N^2 + N + 1",
        "s000-reverse-l": "4*N - 4",
    }
    assert (bound.expr, bound.status) == (listed[identifier], "proved")


def test_the_bound_of_durbin_y_is_below_max_live_at_the_least_size_alone() -> None:
    case = golden_case("002", "durbin-y")
    program, problem = _problem(case, {"N": 100})
    (bound,) = problem.bounds
    # max(N, floor(3(N-1)/2)) in the paper's terms: the second from N = 3 on.
    assert (bound.cells, bound.expr, bound.status) == (148, "floor((3*N - 3)/2)", "proved")
    occupied = occupancies(
        live_intervals(program, program.arrays["y"], dataflow(program, "y"), events(program))
    )
    formula = parse_quasi_polynomial(bound.expr)
    for size in range(2, 30):
        peak = max_live(occupied, {"N": size})
        assert peak is not None
        assert formula.evaluate({"N": size}) == (1 if size == 2 else peak.cells)


def test_where_no_formula_fits_the_status_says_at_which_size_was_counted() -> None:
    case = golden_case("002", "jacobi1d-wavefront")
    _, problem = _problem(case, {"T": 16, "W": 8})
    (bound,) = problem.bounds
    assert (bound.cells, bound.expr, bound.status) == (12, None, "counted at T=16, W=8")


@pytest.mark.parametrize(
    ("order", "cells", "expr"),
    [(Order.SEQUENTIAL, 129, "2*N + 1"), (Order.ITERATION, 128, "2*N")],
)
def test_by_iterations_a_value_used_where_it_is_made_is_a_wire(
    order: Order, cells: int, expr: str
) -> None:
    case = golden_case("001", "blur-interleaved")
    (problem,) = storage_problems(program_from_golden(case, {"N": 64}, order=order))
    (bound,) = problem.bounds
    assert (bound.cells, bound.expr) == (cells, expr)


@pytest.mark.parametrize("identifier", ["blur-tiled-whole-n8-b4", "lbm-d3q19", "diamond-tile"])
def test_conflicts_and_differences_are_coalesced_unions_and_no_hulls(identifier: str) -> None:
    case = golden_case("001", identifier)
    _, problem = _problem(case, _sizes(case)[0])
    for union in (problem.conflicts.wrap(), problem.differences):
        assert len(union.get_basic_sets()) == len(union.coalesce().get_basic_sets())
    assert len(problem.differences.get_basic_sets()) > 1
    assert not problem.differences.is_equal(Set.from_basic_set(problem.differences.convex_hull()))
