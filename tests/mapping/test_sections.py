"""What a picture of the conflicts shows, compared with listing points one by one."""

from itertools import product
from pathlib import Path
from typing import Any

import pytest

from hlsmem.lifetime.storage_problem import StorageProblem
from hlsmem.mapping.portfolio import plan_array
from hlsmem.mapping.sections import DifferencePlot, Section, difference_plot
from hlsmem.polyhedra import Set
from hlsmem.polyhedra.sets import fix_parameters, points
from hlsmem.program.model import Array, ElementType, Storage
from tests.plans import plan_storage
from tests.steps import load

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def _bare(differences: str, index: tuple[str, ...], size: int = 5) -> StorageProblem:
    array = Array(
        name="A",
        element=ElementType("int32"),
        index=index,
        extents=None,
        storage=Storage.MEMORY,
    )
    return StorageProblem(
        array=array,
        parameters=("N",),
        values={"N": size},
        context=Set("[N] -> { : N >= 2 }"),
        differences=Set(differences),
    )


BARE = {
    "line": ("[N] -> { [x] : -N < x < N }", ("x",)),
    "tall": ("[N] -> { [x, y] : -3N < x < 3N and -N < y < N }", ("x", "y")),
    "thin": ("[N] -> { [t, x, y] : -1 <= t <= 1 and -N < x - t, y < N }", ("t", "x", "y")),
    "round": (
        "[N] -> { [x, y, z] : -N < x + y + z < N and -N < x + y - z < N"
        " and -N < x - y + z < N and -N < -x + y + z < N }",
        ("x", "y", "z"),
    ),
    "four": ("[N] -> { [a, x, b, y] : -1 <= a <= 1 and b = 0 and -N < x, y < N }", tuple("axby")),
    "many": ("[N] -> { [x, y] : -20N < x, y < 20N and -20N < x - y < 20N }", ("x", "y")),
}


def _planned(name: str) -> tuple[Any, Any, DifferencePlot]:
    problem = _bare(*BARE[name])
    mapping = plan_array(problem, method="successive", budget=100_000).mapping
    plot = difference_plot(problem, mapping)
    assert plot is not None
    return problem, mapping, plot


def _shares_a_cell(mapping: Any, difference: tuple[int, ...], values: Any) -> bool:
    (piece,) = mapping.pieces
    rows, moduli = piece.matrix_at(values), piece.modulus_at(values)
    return all(
        sum(a * b for a, b in zip(row, difference, strict=True)) % modulus == 0
        for row, modulus in zip(rows, moduli, strict=True)
    )


def _difference(section: Section, index: tuple[str, ...], x: int, y: int) -> tuple[int, ...]:
    place = dict(section.fixed)
    if len(section.axes) == 2:
        place[section.axes[0]] = y
    place[section.axes[-1]] = x
    return tuple(place[name] for name in index)


@pytest.mark.few("round", "four", "thin", "tall", "line")
@pytest.mark.parametrize("name", BARE)
def test_the_lattice_is_where_elements_share_a_cell_and_meets_conflicts_in_0(name: str) -> None:
    problem, mapping, plot = _planned(name)
    conflicts = {tuple(row) for row in points(fix_parameters(problem.differences, {"N": 5}))
                 .tolist()}  # fmt: skip
    assert plot.conflicts == len(conflicts) - 1
    for section in plot.sections:
        window, index = section.window, problem.array.index
        shown = {_difference(section, index, *point) for point in section.lattice}
        rows = range(window.low, window.high + 1) if len(section.axes) == 2 else range(1)
        wanted = {
            _difference(section, index, x, y)
            for x, y in product(range(window.left, window.right + 1), rows)
        }
        assert shown == {at for at in wanted if _shares_a_cell(mapping, at, {"N": 5})}
        assert shown & conflicts <= {(0,) * len(index)}


@pytest.mark.parametrize("name", [name for name in BARE if name != "many"])
def test_runs_are_the_conflicts_of_the_plane(name: str) -> None:
    problem, _, plot = _planned(name)
    rows = points(fix_parameters(problem.differences, {"N": 5})).tolist()
    conflicts, index = {tuple(row) for row in rows}, problem.array.index
    found = set()
    for section in plot.sections:
        drawn = {
            _difference(section, index, x, y)
            for y, first, last in section.runs
            for x in range(first, last + 1)
        }
        place = [(index.index(axis), value) for axis, value in section.fixed]
        assert drawn == {at for at in conflicts if all(at[k] == value for k, value in place)}
        assert not section.is_cropped
        found |= drawn | {tuple(-entry for entry in at) for at in drawn}
    assert plot.is_complete == (found == conflicts)


def test_many_conflicts_are_outlined() -> None:
    _, _, plot = _planned("many")
    (section,) = plot.sections
    assert section.runs == ()
    (outline,) = section.outlines
    # The corners of the hexagon, each of them a square of side 1.
    assert {(99.5, 99.5), (-99.5, -99.5), (99.5, -0.5), (0.5, -99.5)} <= set(outline)
    assert len(outline) == 6


def test_planes_are_parallel_where_a_direction_is_thin_and_cross_in_0_elsewhere() -> None:
    _, _, thin = _planned("thin")
    assert [section.fixed for section in thin.sections] == [(("t", 0),), (("t", 1),)]
    assert len({section.window for section in thin.sections}) == 1
    _, _, everywhere = _planned("round")
    assert [set(section.axes) for section in everywhere.sections] == [
        {"y", "z"}, {"x", "z"}, {"x", "y"}
    ]  # fmt: skip
    assert not everywhere.is_complete


def test_the_longer_direction_is_horizontal() -> None:
    _, mapping, plot = _planned("tall")
    (section,) = plot.sections
    assert section.axes == ("y", "x")
    assert section.basis is not None
    (a, b), (c, d) = section.basis
    assert abs(a * d - b * c) == mapping.cells


@pytest.mark.parametrize("name", ["blur", "sobel", "durbin", "jacobi1d", "two_consumers"])
def test_the_area_of_the_lattice_cell_is_the_number_of_cells(name: str) -> None:
    planning = plan_storage(load(EXAMPLES / name / "design.yaml"))
    for problem in planning.problems:
        array = planning.plan.arrays[problem.array.name]
        plot = difference_plot(problem, array.hardware.parts[0].mapping)
        assert (plot is None) == (array.hardware.parts[0].mapping.cells == 1)
        for section in plot.sections if plot else ():
            if section.basis is not None:
                (a, b), (c, d) = section.basis
                assert abs(a * d - b * c) == array.hardware.parts[0].mapping.cells


def test_a_window_with_too_many_lattice_points_is_closer_to_0() -> None:
    # Two far elements conflict, and few others: a small modulus, a long way.
    problem = _bare(
        "[N] -> { [x, y] : (y = 0 and -1 <= x <= 1) or (-1 <= y <= 1 and x = 1000y) }", ("x", "y")
    )
    mapping = plan_array(problem, method="successive", budget=100_000).mapping
    plot = difference_plot(problem, mapping)
    assert plot is not None
    (section,) = plot.sections
    assert section.is_cropped
    assert 0 < len(section.lattice) <= 400
