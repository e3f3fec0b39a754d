"""The rows of the reports are what the planner says, errata included."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from hlsmem.polyhedra import Set
from reports import classes, dataflow, networks, tilings
from reports.bodies import hull, means, slab
from reports.papers import (
    FIGURE_3,
    OUT,
    TABLE_1,
    TABLE_I,
    Entry,
    problem_of,
    row_of_figure_3,
    row_of_table_1,
    row_of_table_i,
    text,
    without_seconds,
)
from tests.lifetime.test_class_conflicts import CASES
from tests.programs import golden_case

HEX = next(entry for entry in TABLE_I if entry.design == "hex_tile")
DIAMOND = next(entry for entry in TABLE_1 if entry.design == "diamond_tile")


def test_a_printed_mapping_that_is_wrong_is_refuted() -> None:
    small = replace(DIAMOND, values=(("B", 4),))
    cells = row_of_table_1(small)
    assert cells[2:5] == ["(i mod (2*B - 1), t mod 2)", "14", "for all"]
    assert cells[7:10] == ["4*B - 2", "2*B^2 - B", "2*B^2 - B"]
    assert cells[12:16] == ["12", "12", "4*B - 4", "12"]
    wrong = replace(small, paper=([[1, 0], [0, 1]], [2, "2*B - 2"]))
    assert row_of_table_1(wrong)[4].startswith("**invalid**: difference (")


def test_hyperplanes_stand_for_all_parameters_beside_the_plan() -> None:
    cells = row_of_table_i(replace(HEX, values=(("B", 4),)))
    assert cells[2:4] == ["(-t + 3*i) mod (9*B - 8)", "28"]
    assert cells[5:9] == ["(t - 3*i) mod (9*B - 8)", "28", "signs", "3 of 3"]
    assert cells[13:15] == ["3*B^2 - 2*B", "40"]


def test_figure_3_has_every_column() -> None:
    (durbin,) = (entry for entry in FIGURE_3 if entry.array == "y")
    cells = row_of_figure_3(durbin)
    assert cells[5:11] == ["256", "200", "200", "200", "200", "197"]
    assert cells[12] == "1/99, 1"


@pytest.mark.few(0.25)
@pytest.mark.parametrize("entry", [*TABLE_1, *TABLE_I, *FIGURE_3], ids=lambda entry: entry.name)
def test_printed_mappings_have_the_indices_of_their_arrays(entry: Entry) -> None:
    assert entry.paper is not None
    matrix, modulus = entry.paper
    assert len(matrix) == len(modulus)
    size = len(problem_of(entry).array.index)
    assert all(len(row) == size for row in matrix)


def test_the_tables_need_nothing_of_the_tests() -> None:
    for name in ("papers", "bodies"):
        source = (OUT.parent / f"{name}.py").read_text(encoding="utf-8")
        assert "tests" not in source


def test_seconds_are_left_out_of_comparisons() -> None:
    first = "| a | seconds | b |\n|---|---|---|\n| 1 | 0.5 | 2 |\n\n| c |\n| 3 |"
    second = "| a | seconds | b |\n|---|---|---|\n| 1 | 0.7 | 2 |\n\n| c |\n| 3 |"
    assert without_seconds(first) == without_seconds(second)
    assert without_seconds(first) != without_seconds(first.replace("2 |", "4 |"))
    assert without_seconds(first) != without_seconds(first.replace("3 |", "4 |"))


@pytest.mark.parametrize("draw", [hull, slab])
def test_heuristics_on_random_bodies_keep_their_order(draw: Callable[[Random, int], Set]) -> None:
    figures = means(draw, 12, 2)
    rogers, heuristic_1a, *_, widths = (float(figure.split(" ± ")[0]) for figure in figures)
    assert rogers > heuristic_1a >= widths >= 1


@pytest.mark.long
def test_the_report_is_what_the_planner_says_now() -> None:
    assert without_seconds(OUT.read_text(encoding="utf-8")) == without_seconds(text())


def test_the_table_of_classes_is_what_is_planned() -> None:
    vectors, (asked, *_) = CASES["cc-e1-tiled"]
    expected = golden_case("003", "cc-e1-tiled")["expected"][1]
    cells = classes.row("cc-e1-tiled", vectors, asked, expected)
    assert cells[1:7] == ["tiled", "9x4", "8", "8", "12", "8"]
    (line,) = (
        line
        for line in classes.OUT.read_text(encoding="utf-8").splitlines()
        if line.startswith("| e1-tiled ") and " 9x4 " in line
    )
    assert [cell.strip() for cell in line.split("|")[1:-1]] == cells


@pytest.mark.long
def test_the_report_on_tilings_is_what_the_tiles_say_now() -> None:
    assert tilings.OUT.read_text() == tilings.text()


@pytest.mark.long
def test_the_report_on_dataflow_is_what_reads_get_now() -> None:
    assert dataflow.OUT.read_text() == dataflow.text()


@pytest.mark.dear
def test_the_report_on_networks_is_what_their_channels_say_now() -> None:
    report = networks.OUT.read_text()
    assert not [one for one in networks.sections() if one not in report]


@pytest.mark.long
def test_the_report_on_networks_is_what_kernels_are_planned_to() -> None:
    assert networks.OUT.read_text() == networks.text()
