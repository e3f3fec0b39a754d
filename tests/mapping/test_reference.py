"""What else the reference files list: programs without printed conflicts, papers' mappings, bounds.

`test_golden` has the methods on printed conflicts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from math import prod
from typing import Any

import numpy as np
import pytest

from hlsmem.lifetime.storage_problem import Bound, StorageProblem
from hlsmem.lifetime.storage_problems import storage_problems
from hlsmem.mapping.basis import width_mapping
from hlsmem.mapping.certificate import Counterexample, everywhere, prove
from hlsmem.mapping.conflict_differences import conflicts_of
from hlsmem.mapping.finish import finished
from hlsmem.mapping.gauge_norm import hull_rows, successive_minima
from hlsmem.mapping.hyperplanes import Hyperplanes, storage_hyperplanes
from hlsmem.mapping.listed_conflicts import half_differences
from hlsmem.mapping.methods import method_named
from hlsmem.mapping.methods.exhaustive import convex_rows, half_points
from hlsmem.mapping.methods.lattice import constant_reuse_vectors, mapping_along
from hlsmem.mapping.methods.minima import rogers_lattices
from hlsmem.mapping.methods.successive import successive_moduli
from hlsmem.mapping.portfolio import plan_array
from hlsmem.mapping.search.least import clique_sizes, least_lattice
from hlsmem.mapping.storage_mapping import Certificate
from hlsmem.polyhedra import Map, Set
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.polyhedra.shortest import Norm
from tests.mapping.problems import (
    BUDGET,
    QUICK,
    as_found,
    collision,
    difference_points,
    golden_problems,
    piece_of,
    problem_of,
)
from tests.programs import golden_cases, program_from_golden

Case = dict[str, Any]

PRINTED = {
    (case["id"], position): problem
    for case, position, problem in golden_problems("000", "001", "002")
}
BALLS = ("ball3", "ball4")


def case_of(identifier: str) -> Case:
    return next(
        dict(case)
        for number in ("000", "001", "002")
        for case in golden_cases(number)
        if case["id"] == identifier
    )


def from_program(case: Mapping[str, Any], position: int) -> StorageProblem:
    (problem,) = storage_problems(program_from_golden(case, case["params"][position]))
    return problem


def problems(identifier: str) -> Iterator[tuple[int, StorageProblem]]:
    """The problem at each set of values: as printed, else from the program."""
    case = case_of(identifier)
    for position in range(len(case["params"])):
        printed = PRINTED.get((identifier, position))
        yield position, printed or from_program(case, position)


# Programs whose conflicts the papers do not print.

UNPRINTED = [
    case["id"]
    for number in ("001", "002")
    for case in golden_cases(number)
    if not case.get("differences") and not case.get("pairs") and case["id"] not in BALLS
]


def test_no_case_is_left_out() -> None:
    everything = {case["id"] for n in ("000", "001", "002") for case in golden_cases(n)}
    assert everything == {name for name, _ in PRINTED} | {*UNPRINTED, *BALLS}


@pytest.mark.parametrize("name", UNPRINTED)
def test_programs_have_the_listed_optimum_and_no_method_is_below(name: str) -> None:
    case = case_of(name)
    for position in {0, len(case["params"]) - 1} if case["id"] != "jacobi1d-wavefront" else {0}:
        problem = from_program(case, position)
        optimum = case["optimal_cells"][position]["cells"]
        differences = difference_points(problem)
        assert method_named("exhaustive").run(problem, BUDGET).cells == optimum  # type: ignore[union-attr]
        for method in QUICK:
            answer = method.run(problem, BUDGET)
            mapping = as_found(answer)
            assert answer.cells >= optimum  # type: ignore[union-attr]
            assert collision(mapping.pieces[0], problem.values, differences) is None


@pytest.mark.parametrize("name", BALLS)
def test_balls_have_the_listed_optimum(name: str) -> None:
    case = case_of(name)
    size = int(name[-1])
    for values, optimum in zip(case["params"][:4], case["optimal_cells"], strict=False):
        reach = int(values["r"] ** 0.5)
        box = np.indices((2 * reach + 1,) * size).reshape(size, -1).T - reach
        points = box[(box**2).sum(axis=1) <= values["r"]]
        half = points[len(points) // 2 + 1 :]
        found = least_lattice(half, bounds=clique_sizes(half), budget=BUDGET)
        assert found.least == optimum["cells"]


# Tables: what `auto` takes at fixed sizes.

TABLE_1 = [
    "s000-reverse-l",
    "s000-blur-interleaved",
    "s000-blur-tiled",
    "s000-lbm-d2q9",
    "s000-lbm-d3q19",
    "s000-lbm-d3q27",
    "s000-diamond-tile",
    "s000-heat-2d-tiled",
]
TABLE_I = [
    "produce-consume",
    "blur-interleaved",
    "blur-tiled",
    "harris-corner-tiled",
    "unsharp-mask-tiled",
    "lbm-d2q9",
    "lbm-d3q19",
    "lbm-d3q27",
    "diamond-tile",
    "stencil-1d-pllgm-tile",
]


def auto_cells(problem: StorageProblem, max_live: int) -> int:
    bound = Bound(kind="max-live", cells=max_live, expr=None, status="listed")
    return plan_array(replace(problem, bounds=(bound,)), budget=BUDGET).mapping.cells


@pytest.mark.few("s000-reverse", "s000-blur", "s000-diamond", "produce", "lbm", "stencil")
@pytest.mark.parametrize("name", [*TABLE_1, *TABLE_I])
def test_auto_equals_max_live_on_the_rows_of_two_tables(name: str) -> None:
    case = case_of(name)
    assert auto_cells(PRINTED[name, 0], case["max_live"][0]) == case["max_live"][0]


@pytest.mark.long
@pytest.mark.parametrize("name", [*TABLE_1, *TABLE_I])
def test_auto_equals_max_live_at_every_listed_size(name: str) -> None:
    case = case_of(name)
    for position, problem in problems(name):
        assert auto_cells(problem, case["max_live"][position]) == case["max_live"][position]


@pytest.mark.parametrize("position", [0, 1, 2])
def test_auto_takes_the_least_lattice_on_the_hexagon(position: int) -> None:
    problem = PRINTED["stencil-1d-hex-tile", position]
    max_live = case_of("stencil-1d-hex-tile")["max_live"][position]
    assert auto_cells(problem, max_live) == 6 * problem.values["B"] - 6


@pytest.mark.few("2", "7", "8")
@pytest.mark.parametrize("size", [2, 3, 7, 8, 19, 24])
def test_auto_on_triangles(size: int) -> None:
    (problem,) = (
        one for (name, _), one in PRINTED.items() if name == "hexagon" and one.values == {"N": size}
    )
    assert plan_array(problem, budget=BUDGET).mapping.cells == -(-3 * size**2 // 4)


@pytest.mark.few("3", "16")
@pytest.mark.parametrize("size", [3, 5, 16, 100])
def test_auto_on_durbin(size: int) -> None:
    (problem,) = (
        one
        for (name, _), one in PRINTED.items()
        if name == "durbin-y" and one.values == {"N": size}
    )
    assert plan_array(problem, budget=BUDGET).mapping.cells == 2 * size - 3


def test_a_tiled_blur_needs_192_cells_and_its_hull_500() -> None:
    case = case_of("tiled-blur")
    problem = from_program(case, 2)
    assert plan_array(problem, budget=BUDGET).mapping.cells == 192
    for position, expected in enumerate(case["optimal_cells_on_hull"]):
        problem = from_program(case, position)
        hull = fix_parameters(problem.differences, problem.values).polyhedral_hull()
        found = method_named("exhaustive").run(problem_of(Set.from_basic_set(hull)), BUDGET)
        assert found.cells == expected  # type: ignore[union-attr]


# Mappings of the papers.

WITH_PAPER = [case["id"] for case in golden_cases("000") if case.get("paper_mapping")]


def paper_piece(case: Mapping[str, Any]) -> Any:
    paper = case["paper_mapping"]
    return piece_of(paper.get("rows") or paper["matrix"], paper["modulus"])


@pytest.mark.parametrize("name", [*WITH_PAPER, *TABLE_I, "stencil-1d-hex-tile"])
def test_printed_mappings_have_the_listed_cells(name: str) -> None:
    case = case_of(name)
    for position, problem in problems(name):
        found = paper_piece(case).cells().evaluate(problem.values)
        assert found == case["paper_cells_at"][position]


@pytest.mark.parametrize(
    "name", [name for name in WITH_PAPER if case_of(name).get("paper_valid_proved_for")]
)
def test_printed_mappings_are_proved_and_lowered_as_far_as_listed(name: str) -> None:
    case = case_of(name)
    for position, problem in problems(name):
        conflicts = conflicts_of(problem)
        piece = paper_piece(case)
        assert isinstance(everywhere(piece, conflicts), Certificate)
        lowered = finished(piece, conflicts, BUDGET)
        assert (
            lowered.cells().evaluate(problem.values)
            == (case["paper_moduli_shrunk"][position]["cells"])
        )


@pytest.mark.parametrize("name", [*TABLE_I, "stencil-1d-hex-tile"])
def test_printed_rows_of_storage_hyperplanes_are_proved_for_all(name: str) -> None:
    case = case_of(name)
    problem = PRINTED[name, 0]
    found = prove(paper_piece(case), problem)
    assert isinstance(found, Certificate)
    assert found.scope == "all-parameters"


WITH_BETTER = [case["id"] for case in golden_cases("001") if case.get("better_mapping")]


@pytest.mark.parametrize("name", WITH_BETTER)
def test_better_mappings_than_printed_are_valid_and_ours_are_as_small(name: str) -> None:
    better = case_of(name)["better_mapping"]
    piece = piece_of(better["matrix"], better["modulus"])
    for _, problem in problems(name):
        assert not isinstance(prove(piece, problem), Counterexample)
        cells = piece.cells().evaluate(problem.values)
        assert method_named("exhaustive").run(problem, BUDGET).cells == cells  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "name", [name for name in WITH_PAPER if case_of(name).get("paper_violation")]
)
def test_what_invalid_mappings_miss_is_a_conflict(name: str) -> None:
    case = case_of(name)
    for position, problem in problems(name):
        difference = tuple(case["paper_violation"][position])
        assert list(difference) in difference_points(problem).tolist()
        piece = paper_piece(case)
        if case["paper_valid_at"][position]:
            continue
        assert collision(piece, problem.values, np.array([difference])) == difference
        assert isinstance(prove(piece, problem), Counterexample)


@pytest.mark.parametrize(
    ("name", "rows", "modulus"),
    [
        ("s000-lbm-d3q19", [[0, 0, 0, 1], [-1, 1, 0, 0], [-1, 0, 1, 0]], ["N", "N + 1", "N + 1"]),
        (
            "s000-lbm-d3q27",
            [[-1, 0, 0, 1], [-1, 1, 0, 0], [-1, 0, 1, 0]],
            ["N + 1", "N + 1", "N + 1"],
        ),
    ],
)
def test_corrected_mappings_are_proved(name: str, rows: Any, modulus: list[str]) -> None:
    assert isinstance(
        everywhere(piece_of(rows, modulus), conflicts_of(PRINTED[name, 0])), Certificate
    )


def test_listed_mappings_of_clak_are_judged_as_listed() -> None:
    judged = 0
    for name in ("durbin-y", "gauss-g_tmp"):
        for _, problem in problems(name):
            for other in case_of(name)["other_mappings"]:
                if any(other[key] != value for key, value in problem.values.items()):
                    continue
                found = prove(piece_of(other["matrix"], other["modulus"]), problem)
                assert isinstance(found, Certificate) == other["valid"]
                judged += 1
    assert judged > 50


def test_writing_before_reading_takes_a_cell_more() -> None:
    case = case_of("s000-lbm-d2q9")
    strict = case["strict_rule"]
    late = Set("[N] -> { [t,i,j] : t = i = j and -1 <= t <= 1 and N >= 2 }")
    for values, optimum in zip(strict["params"], strict["optimal_cells"], strict=True):
        problem = PRINTED["s000-lbm-d2q9", 0]
        problem = replace(
            problem, values={"N": values["N"]}, differences=problem.differences | late
        )
        assert method_named("exhaustive").run(problem, BUDGET).cells == optimum  # type: ignore[union-attr]


STRICT = {
    "stencil-1d-5point-strict": "stencil-1d-5point",
    "stencil-1d-pllgm-tile-strict": "stencil-1d-pllgm-tile",
    "lbm-d2q9-strict": "lbm-d2q9",
}


@pytest.mark.parametrize("name", STRICT)
def test_mappings_for_reads_first_under_the_strict_rule(name: str) -> None:
    plain = case_of(STRICT[name])
    mapping = plain.get("paper_mapping") or plain["better_mapping"]
    found = prove(piece_of(mapping["matrix"], mapping["modulus"]), PRINTED[name, 0])
    assert isinstance(found, Certificate) == case_of(name)["nonstrict_mapping_valid"]


def test_as_printed_a_polyhedron_of_the_diamond_misses_conflicts() -> None:
    literal, right = (
        Map(case_of(name)["pairs"]) for name in ("diamond-literal-L2", "diamond-tile")
    )
    for values, missing in zip([{"B": 4}, {"B": 6}], [10, 60], strict=True):
        counts = [len(_pairs(fix_parameters(pairs, values))) for pairs in (right, literal)]
        assert counts[0] - counts[1] == missing


def _pairs(relation: Any) -> np.ndarray:
    from hlsmem.polyhedra.sets import points

    return points(relation)


# Heuristics: what other norms, constants and sizes give.

NORMS = {"inf_only": Norm.MAX, "l1_then_inf": Norm.SUM_THEN_MAX}


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("name", [*TABLE_1, "own-h3-trap"])
def test_reuse_vectors_in_other_norms_take_the_listed_cells(name: str, norm: str) -> None:
    expected = case_of(name)["expected_by_method"]["heuristic3_other_norms"][norm]["cells"]
    conflicts = conflicts_of(PRINTED[name, 0])
    piece = mapping_along(conflicts, constant_reuse_vectors(conflicts, NORMS[norm]))
    assert piece is not None
    found = [piece.cells().evaluate(problem.values) for _, problem in problems(name)]
    assert found == expected


def test_an_extrusion_that_is_not_star_shaped_is_closed_again() -> None:
    """Literally, heuristic 2 returns the lattice of (0, 1) and (2, 0), which meets a conflict."""
    problem = PRINTED["own-extrusion-not-star", 0]
    assert isinstance(prove(piece_of([[1, 0]], [2]), problem), Counterexample)
    found = as_found(method_named("reuse").run(problem, BUDGET))
    assert found.cells == 3
    assert collision(found.pieces[0], {}, difference_points(problem)) is None


def test_the_shortest_vector_can_forbid_all_further_reuse() -> None:
    """Heuristic 3 takes 3(N + 1) cells, plain widths 15."""
    for _, problem in problems("own-h3-trap"):
        conflicts = conflicts_of(problem)
        piece = mapping_along(conflicts, constant_reuse_vectors(conflicts, Norm.MAX_THEN_SUM))
        assert piece is not None
        assert piece.cells().evaluate(problem.values) == 3 * (problem.values["N"] + 1)
        assert as_found(method_named("successive").run(problem, BUDGET)).cells == 15


def test_a_bounded_parameter_makes_the_least_width_no_least_size() -> None:
    case = case_of("diamond-bounded-context")
    literal = case["expected_by_method"]["smo_bounded_context"]["cells"][0]
    found = as_found(method_named("hyperplane").run(PRINTED[case["id"], 0], BUDGET))
    assert found.cells <= 13 < literal


@pytest.mark.long
def test_equal_parameters_are_replaced_by_one() -> None:
    case = case_of("lbm-aliased-parameters")
    literal = case["expected_by_method"]["smo_aliased"]
    problem = PRINTED[case["id"], 0]
    context = conflicts_of(problem).context.params()
    pieces = [
        piece.deltas() for piece in Map(case["pairs"]).intersect_params(context).get_basic_maps()
    ]
    (basic,) = context.get_basic_sets()
    found = storage_hyperplanes(pieces, basic, limit=40, most_steps=BUDGET)
    assert isinstance(found, Hyperplanes)
    assert [list(map(str, row)) for row in found.rows] == literal["matrix"]
    ours = as_found(method_named("hyperplane").run(problem, BUDGET))
    assert ours.cells <= literal["cells"][0]


WITH_SIZE = [case["id"] for case in golden_cases("001") if case.get("table_ii_size")]


@pytest.mark.parametrize("name", WITH_SIZE)
def test_formulas_give_the_cells_at_the_sizes_of_table_ii(name: str) -> None:
    case = case_of(name)
    table = case["table_ii_size"]
    conflicts = conflicts_of(PRINTED[name, 0])
    declared = successive_moduli(conflicts, tuple(range(conflicts.dimensions)))
    assert prod(m.evaluate(table["params"]) for m in declared) == table["successive_modulo_cells"]
    rows = tuple(tuple(map(int, row)) for row in case["paper_mapping"]["matrix"])
    assert width_mapping(conflicts, rows).cells().evaluate(table["params"]) == table["smo_cells"]
    better = case["better_mapping"]
    piece = piece_of(better["matrix"], better["modulus"])
    assert piece.cells().evaluate(table["params"]) == table["better_cells"]


CLAK = [
    (case["id"], position)
    for case in golden_cases("002")
    for position, expected in enumerate(case["expected_by_method"])
    if "rogers_power_of_2" in expected and case["params"][position].get("N", 9) > 2
]


@pytest.mark.parametrize(("name", "position"), CLAK)
def test_clak_takes_the_recomputed_cells(name: str, position: int) -> None:
    case = case_of(name)
    expected = case["expected_by_method"][position]
    problem = PRINTED.get((name, position)) or from_program(case, position)
    conflicts = conflicts_of(problem)
    points = half_differences(conflicts.differences_at, BUDGET)
    hull = hull_rows(conflicts.differences_at)
    assert points is not None
    assert hull is not None
    _, powers = next(iter(rogers_lattices(points, successive_minima(points, hull))))
    assert sorted(powers) == sorted(expected["rogers_power_of_2"]["modulus"])
    bases = as_found(method_named("bases").run(problem, BUDGET))
    assert bases.cells <= expected["widths_best_small_basis"]["cells"]
    rows = convex_rows(conflicts.differences_at)
    if rows is not None:
        widths = [int(width) for width in abs(points).max(axis=0, initial=0)]
        half = half_points(rows, widths)
        assert half is not None
        assert len(half) >= expected["packing_lower_bound_of_hull"]


def declared_extent(name: str, position: int) -> int | None:
    """The extent of all axes with which De Greef's form is a linearisation, if there is one."""
    window = case_of(name)["expected_by_method"][position]["de_greef_window"]
    strides = sorted(abs(entry) for entry in window["form"])
    extents = {b // a for a, b in pairwise(strides)}
    return extents.pop() if len(extents) == 1 and strides[0] == 1 else None


SQUARE = [one for one in CLAK if "tiled" not in one[0] and declared_extent(*one) is not None]


@pytest.mark.parametrize(("name", "position"), SQUARE)
def test_de_greef_takes_the_recomputed_cells(name: str, position: int) -> None:
    expected = case_of(name)["expected_by_method"][position]
    problem = PRINTED.get((name, position)) or from_program(case_of(name), position)
    extents = [declared_extent(name, position)] * len(problem.array.index)
    array = replace(problem.array, extents=piece_of([], extents).modulus)
    answer = method_named("linear").run(replace(problem, array=array), BUDGET)
    assert as_found(answer).cells == expected["de_greef_window"]["cells"]
    assert answer.cells <= expected["de_greef_least_modulus"]  # type: ignore[union-attr]


def test_de_greef_on_the_hull_of_figure_2() -> None:
    hull = PRINTED["fig2-hull-n9", 0]
    array = replace(hull.array, extents=piece_of([], [9, 9]).modulus)
    listed = case_of("fig2-hull-n9")["expected_by_method"]["de_greef_linear"]["cells"]
    answer = method_named("linear").run(replace(hull, array=array), BUDGET)
    assert as_found(answer).cells == min(listed)
