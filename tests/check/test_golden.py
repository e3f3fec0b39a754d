"""Conflicts and runs of the programs of three papers, against their recomputed numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from hlsmem.check.replayed.folded_memory import history_of, most_alive
from hlsmem.check.replayed.replay_check import live_elements, run_of
from hlsmem.lifetime.live_interval import live_intervals, with_slack, written_during
from hlsmem.lifetime.storage_problem import Pairs
from hlsmem.lifetime.storage_problems import storage_problems
from hlsmem.polyhedra import DimType, Val
from hlsmem.polyhedra.sets import count, differences, fix_parameters, without_name
from hlsmem.program.model import Order
from hlsmem.timing.events import events
from hlsmem.timing.value_flow import dataflow
from tests.mapping.problems import piece_of
from tests.programs import golden_case, golden_cases, program_from_golden
from tests.proof.mappings import PROVED, conflicts_of, why_not

# A memory-based reading, which hlsmem does not take.
_OTHER_RULE = "dynprog-c-livein-mem"
CASES = [
    pytest.param(case, id=f"{number}-{case['id']}")
    for number in ("000", "001", "002")
    for case in golden_cases(number)
    if case["program"] is not None and case["id"] != _OTHER_RULE
]
RUN = [
    ("000", "s000-reverse-l"),
    ("000", "s000-lbm-d2q9"),
    ("000", "s000-heat-2d-tiled"),
    ("001", "blur-tiled-whole-n8-b4-parallel"),
    ("002", "durbin-y"),
    ("002", "reg_detect-mean"),
    ("002", "dynprog-c-livein-val"),
    ("002", "dynprog-c-notlivein"),
    ("002", "gauss-g_tmp"),
    ("002", "tiled-blur"),
]

LATE = [
    ("000", "s000-reverse-l", 2),
    ("000", "s000-lbm-d2q9", 1),
    ("002", "durbin-y", 3),
    ("002", "reg_detect-mean", 1),
]


def at_values(context: Any, values: Any) -> Any:
    for name, value in values.items():
        position = context.find_dim_by_name(DimType.param, name)
        context = context.fix_val(DimType.param, position, Val(value))
    return context


def sizes(case: Any) -> list[Any]:
    return case["params"] if isinstance(case["params"], list) else [case["params"]]


@pytest.mark.few(0.5)
@pytest.mark.parametrize("case", CASES)
def test_differences_have_the_listed_sizes(case: Any) -> None:
    program = program_from_golden(case, sizes(case)[0])
    (array,) = program.planned_arrays()
    found = conflicts_of(program, array.name)
    for key in ("difference_count", "ds_points"):
        for values, expected in zip(sizes(case), case.get(key, ()), strict=False):
            assert count(fix_parameters(differences(found), values)) == expected
    pairs = case.get("conflicts_exact", ())
    pairs = pairs if isinstance(pairs, list | tuple) else [pairs]
    for values, expected in zip(sizes(case), pairs, strict=False):
        # The files list each pair once.
        assert count(fix_parameters(found, values)) == 2 * expected


@pytest.mark.few("000", "durbin", "tiled-blur")
@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("order", Order)
@pytest.mark.parametrize(("number", "name"), RUN)
def test_the_planner_works_out_the_same_conflicts(
    number: str, name: str, order: Order, strict: bool
) -> None:
    """Two paths that share no code, equal for all parameters of the context."""
    case = golden_case(number, name)
    program = program_from_golden(case, sizes(case)[0], order=order)
    (problem,) = storage_problems(program, strict=strict)
    found = conflicts_of(program, problem.array.name, strict=strict)
    assert found.is_equal(problem.conflicts)


@pytest.mark.parametrize("order", Order)
@pytest.mark.parametrize(("number", "name", "slack"), LATE)
def test_the_planner_keeps_values_as_long_when_there_is_slack(
    number: str, name: str, slack: int, order: Order
) -> None:
    case = golden_case(number, name)
    values = sizes(case)[0]
    program = program_from_golden(case, values, order=order)
    program = replace(program, context=at_values(program.context, values))
    times = events(program)
    (array,) = program.planned_arrays()
    flow = dataflow(program, array.name)
    lives = live_intervals(program, array, flow, with_slack(program, array.name, times, slack))
    found = conflicts_of(program, array.name, slack=slack)
    assert found.is_equal(Pairs(written_during(lives), is_symmetric=False).symmetric())


@pytest.mark.few("s000", "durbin", "gauss")
@pytest.mark.parametrize(("number", "name"), RUN)
def test_as_many_are_alive_at_once_as_listed(number: str, name: str) -> None:
    case = golden_case(number, name)
    expected = case["max_live"] if isinstance(case["max_live"], list) else [case["max_live"]]
    program = program_from_golden(case, sizes(case)[-1], single_valued=True)
    (array,) = program.planned_arrays()
    run, times = run_of(program, [array])
    history = history_of(
        program,
        run.accesses[array.name],
        times,
        live_in=live_elements(program, program.live_in, array),
        live_out=live_elements(program, program.live_out, array),
    )
    assert most_alive(history, strict=False) == expected[-1]


PRINTED = [
    pytest.param(case, id=case["id"])
    for case in golden_cases("000")
    if case["program"] is not None and case.get("paper_mapping") and case["id"] != _OTHER_RULE
]


@pytest.mark.parametrize("case", PRINTED)
def test_printed_mappings_are_accepted_only_where_they_are_valid(case: Any) -> None:
    """The errata: two mappings for lattice Boltzmann as printed let conflicts share a cell."""
    program = program_from_golden(case, sizes(case)[0])
    (array,) = program.planned_arrays()
    found = without_name(differences(conflicts_of(program, array.name)))
    paper = case["paper_mapping"]
    piece = piece_of(paper["rows"], paper["modulus"])
    said = why_not(piece, found, program.values, program.context)
    assert (said == PROVED) == case["paper_valid"]
    assert case["paper_valid"] or "share a cell" in said
    assert case["paper_valid"] == (case["id"] not in ("s000-lbm-d3q19", "s000-lbm-d3q27"))
