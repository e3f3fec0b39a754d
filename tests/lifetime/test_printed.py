"""What three papers print, beside what their programs say: where they agree, and where not.

Numbers of pairs that are too many or too few are those of the corrections that the reference
files carry.
"""

from typing import Any

import pytest

from hlsmem.lifetime.live_interval import LiveIntervals, live_intervals
from hlsmem.lifetime.occupancy import occupancies
from hlsmem.lifetime.storage_problems import storage_problems
from hlsmem.polyhedra import Map, Set
from hlsmem.polyhedra.relations import rearrangement
from hlsmem.polyhedra.sets import (
    count,
    differences,
    fix_parameters,
    with_parameters,
    without_name,
)
from hlsmem.program.model import Program
from hlsmem.timing.events import events
from hlsmem.timing.value_flow import dataflow
from tests.programs import golden_case, golden_cases, program_from_golden

# Figures of seed 001 as printed, and the corrected program whose conflicts they show.
FIGURES = {"2(c)": "produce-consume", "4(c)": "blur-interleaved", "5(c)": "blur-tiled",
           "6(c)": "lbm-d2q9", "7": "diamond-tile"}  # fmt: skip


def _conflicts(program: Program) -> Any:
    """Conflicting pairs of the one planned array, both directions, with anonymous tuples."""
    (problem,) = storage_problems(program)
    return _anonymous(problem.conflicts, problem.array.name)


def _anonymous(relation: Any, name: str) -> Any:
    names = ", ".join(f"x{k}" for k in range(relation.domain().tuple_dim()))
    rename = Map(f"{{ {name}[{names}] -> [{names}] }}")
    return relation.apply_domain(rename).apply_range(rename)


def _printed(case: Any, program: Program) -> Any:
    pairs = Map(case["pairs"]).intersect_params(program.context)
    return pairs.union(pairs.reverse())


@pytest.mark.parametrize("figure", FIGURES)
def test_a_printed_set_holds_all_conflicts_and_has_the_differences_of_the_program(
    figure: str,
) -> None:
    case = golden_case("001", FIGURES[figure])
    program = program_from_golden(case, case["params"][0])
    exact, printed = _conflicts(program), _printed(case, program)
    assert exact.is_subset(printed)
    assert exact.is_equal(printed) == case["pairs_equal_program_for_all_params"]
    assert differences(exact).is_equal(differences(printed))
    for values, all_pairs, right in zip(
        case["params"], case["conflicts_pairs"], case["conflicts_exact"], strict=True
    ):
        assert count(fix_parameters(printed, values)) == 2 * all_pairs
        assert count(fix_parameters(exact, values)) == 2 * right


def test_figure_4_keeps_two_rows_too_long() -> None:
    case = golden_case("001", "blur-interleaved")
    for size in (3, 5, 8):
        program = program_from_golden(case, {"N": size})
        surplus = _printed(case, program).subtract(_conflicts(program))
        assert count(fix_parameters(surplus, {"N": size})) == 2 * size * (size - 1)


def test_figure_7_loses_conflicts_as_printed() -> None:
    literal, corrected = (
        golden_case("001", "diamond-literal-L2"),
        golden_case("001", "diamond-tile"),
    )
    for values, missing in zip(literal["params"], literal["missing_conflicts"], strict=True):
        program = program_from_golden(corrected, values)
        lost = _conflicts(program).subtract(_printed(literal, program))
        assert count(fix_parameters(lost, values)) == 2 * missing


def test_figure_6_of_the_extended_lattices_calls_the_tile_one_larger() -> None:
    printed = Set(golden_case("000", "s000-diamond-fig6-literal")["differences"])
    shift = Set("[B, C] -> { : C = B + 1 }")
    by_tile = printed.align_params(shift.get_space()).intersect_params(shift)
    for size in range(2, 8):
        program = program_from_golden(golden_case("000", "s000-diamond-tile"), {"B": size})
        (problem,) = storage_problems(program)
        exact = fix_parameters(problem.differences, {"B": size})
        assert fix_parameters(by_tile, {"C": size, "B": size - 1}).is_equal(exact)
        assert not fix_parameters(printed, {"B": size}).is_equal(exact)


def _full(relation: Any, lives: LiveIntervals) -> Any:
    """A[x] -> [event] with all entries of the events."""
    return relation.apply_range(rearrangement(lives.dimensions, lives.pattern))


def _lives(identifier: str, values: dict[str, int]) -> tuple[Program, LiveIntervals]:
    case = golden_case("002", identifier)
    program = program_from_golden(case, values)
    (array,) = program.planned_arrays()
    return program, live_intervals(program, array, dataflow(program, array.name), events(program))


def test_first_writes_and_last_reads_of_durbin_are_the_printed_ones_for_all_sizes() -> None:
    case = golden_case("002", "durbin-y")
    program, lives = _lives("durbin-y", {"N": 100})
    times = Map("{ [0, t0, t1, t2, t3, rank] -> [t0, t1, t2, t3] }")
    first = _full(lives.starts, lives).lexmin().apply_range(times)
    last = _full(lives.stays.range_factor_range(), lives).lexmax().apply_range(times)
    for found, printed in ((first, case["first_write"]), (last, case["last_read"])):
        listed = with_parameters(Map(printed), program.parameters)
        assert found.is_equal(listed.intersect_params(program.context))


def test_the_217_differences_of_dynprog_are_those_of_one_life_time_an_element() -> None:
    """From before the start to the last read, whether or not that value is ever read."""
    case = golden_case("002", "dynprog-c-livein-mem")
    listed = Set(case["differences"])
    for values, expected in zip(case["params"], case["ds_points"], strict=True):
        _, lives = _lives("dynprog-c-livein-val", values)
        reads = fix_parameters(lives.stays.range_factor_range(), values)
        # All are alive as soon as the program starts: any two that are ever read conflict.
        elements = without_name(reads.domain())
        found = differences(Map.from_domain_and_range(elements, elements))
        assert count(found) == expected
        assert found.is_equal(fix_parameters(listed, values))


@pytest.mark.parametrize(
    ("identifier", "points"), [("dynprog-c-livein-val", 215), ("dynprog-c-notlivein", 87)]
)
def test_both_value_based_readings_of_dynprog_have_the_listed_differences(
    identifier: str, points: int
) -> None:
    case = golden_case("002", identifier)
    assert case["ds_points"][case["params"].index({"N": 10})] == points
    (problem,) = storage_problems(program_from_golden(case, {"N": 10}))
    assert count(fix_parameters(problem.differences, {"N": 10})) == points


@pytest.mark.long
def test_every_program_of_the_papers_begins_and_ends_each_life_once() -> None:
    for number in ("000", "001", "002"):
        for case in golden_cases(number):
            if case["program"] is None:
                continue
            sizes = case["params"] if isinstance(case["params"], list) else [case["params"]]
            program = program_from_golden(case, sizes[0])
            (array,) = program.planned_arrays()
            found = live_intervals(program, array, dataflow(program, array.name), events(program))
            occupied = occupancies(found)
            begins, ends = (
                fix_parameters(one, sizes[0]) for one in (occupied.begins, occupied.ends)
            )
            assert count(begins) == count(ends) > 0
            assert begins.domain().is_equal(ends.domain())
