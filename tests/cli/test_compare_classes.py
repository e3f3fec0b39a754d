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
    assert "not applicable: tiled: row 'i' of the tiled band goes down" in text


def test_what_has_one_schedule_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", E1, "--classes", "--set", "order=iteration"]) == 2
    capsys.readouterr()
    assert main(["compare", str(EXAMPLES / "blur/conflicts.yaml"), "--classes"]) == 2
    assert "a conflict set has no order" in capsys.readouterr().err
