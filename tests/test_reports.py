"""The rows of the reports are what the planner says, errata included."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.read.design import load
from reports import classes, tilings
from reports.faults import small
from reports.papers import OUT, PAPERS, Entry, row, text
from tests.lifetime.test_classes import CASES
from tests.programs import golden_case

EXTENDED, HYPERPLANES, CLAK = PAPERS


def test_a_printed_mapping_that_is_wrong_is_refuted() -> None:
    cells = row(EXTENDED, Entry(case="s000-lbm-d2q9", values={"N": 4, "T": 3}))
    assert cells[3:5] == ["25", "for all"]
    cells = row(EXTENDED, Entry(case="s000-diamond-tile", values={"B": 4}))
    assert cells[3:5] == ["14", "for all"]
    assert (cells[8], cells[9], cells[10], cells[11]) == ("12", "12", "4*B - 4", "12")
    wrong = ([[1, 0], [0, 1]], [2, "2*B - 2"])
    cells = row(EXTENDED, Entry(case="s000-diamond-tile", values={"B": 4}, paper=wrong))
    assert cells[4].startswith("**invalid**: difference (")


def test_the_same_method_is_shown_before_moduli_are_lowered() -> None:
    cells = row(HYPERPLANES, Entry(case="stencil-1d-hex-tile", values={"B": 4}))
    assert cells[2:4] == ["(-tt + 3*ii) mod (9*B - 8)", "28"]
    assert cells[5:7] == ["(tt - 3*ii) mod (9*B - 8)", "28"]
    assert (cells[8], cells[9], cells[11]) == ("18", "18", "16")


def test_every_entry_has_a_mapping_of_its_paper() -> None:
    from reports.papers import _printed
    from tests.programs import golden_case

    for paper in PAPERS:
        for entry in paper.entries:
            assert _printed(golden_case(paper.number, entry.case), entry) is not None


@pytest.mark.long
def test_the_report_is_what_the_planner_says_now() -> None:
    assert OUT.read_text() == text(PAPERS)


EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("*/*.yaml"))


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_faults_are_planted_at_sizes_that_every_example_takes(file: Path) -> None:
    usual, size = load(file).input.values, small(file).input.values
    assert usual.keys() == size.keys()
    assert all(size[name] <= usual[name] for name in usual)


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
