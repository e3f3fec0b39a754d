"""`hlsmem compare --classes`: the price of independence, as golden-003 has it for E1."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hlsmem.cli.main import main

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
E1 = str(EXAMPLES / "e1" / "design.yaml")


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("sizes", "cells", "widths"),
    [
        ((12, 5), [7, 7, 11, 13, 15], [7, 11, 12, 14]),
        ((9, 9), [11, 11, 23, 25, 27], [11, 23, 24, 26]),
    ],
)
def test_the_price_of_independence_of_e1(
    sizes: tuple[int, int],
    cells: list[int],
    widths: list[int],
    capsys: pytest.CaptureFixture[str],
) -> None:
    at = ["--param", f"m={sizes[0]}", "--param", f"n={sizes[1]}"]
    assert main(["compare", E1, "--classes", "--json", *at]) == 0
    rows = json.loads(capsys.readouterr().out)["arrays"]["A"]
    names = ["given", "sequential", "tiled", "affine", "any"]
    assert [row["schedules"] for row in rows] == names
    assert [row["cells"] for row in rows] == cells
    assert [row["bound"] for row in rows[1:]] == widths


def test_a_class_that_does_not_apply_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    design = EXAMPLES.parent / "tests" / "refusals" / "yaml" / "class_band_goes_down.yaml"
    assert main(["compare", str(design), "--classes", "--param", "N=5", "--param", "T=4"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("A(t, i)")
    row = next(line for line in text.splitlines() if line.startswith("| tiled"))
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    assert cells[:4] == ["tiled", "-", "-", "-"]
    assert cells[4].startswith("refused: row 'i' of the tiled band goes down")


@pytest.mark.few(1)
def test_values_of_an_expanded_array_have_a_row_for_every_class(
    capsys: pytest.CaptureFixture[str],
) -> None:
    seidel = str(EXAMPLES / "seidel" / "design.yaml")
    assert main(["compare", seidel, "--classes", "--json"]) == 0
    arrays = json.loads(capsys.readouterr().out)["arrays"]
    assert list(arrays) == ["a_v"]
    assert {row["schedules"]: row["cells"] for row in arrays["a_v"]} == {
        "given": 10, "sequential": 10, "tiled": None, "affine": 10, "any": 10
    }  # fmt: skip
    assert arrays["a_v"][2]["reason"].startswith("row 'i' of the tiled band goes down")


@pytest.mark.parametrize("options", [[], ["--classes"], ["--variants"]])
def test_a_design_without_planned_arrays_says_so(
    options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    design = str(EXAMPLES.parent / "tests" / "seeds" / "004a-figure-1.yaml")
    assert main(["compare", design, *options]) == 0
    assert capsys.readouterr().out == (
        "no array is planned;"
        " plan.expand=[A] plans the values of an array A that the caller keeps\n"
    )
    assert main(["compare", design, *options, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"arrays": {}}


def test_what_has_one_schedule_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", E1, "--classes", "--set", "order=iteration"]) == 2
    capsys.readouterr()
    assert main(["compare", str(EXAMPLES / "blur/conflicts.yaml"), "--classes"]) == 2
    assert "a conflict set has no order" in capsys.readouterr().err
