"""What `compare` prints, and what it says of methods without a mapping."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hlsmem.cli.main import main

TRIANGLE = """hlsmem: 1
name: triangle
params: {N: 4}
context: "[N] -> { : N >= 2 }"
arrays: {A: {type: int32, index: [a, b]}}
conflicts: {A: {differences: "[N] -> { [a,b] : -N < a < N and -N < b < N and -N < a - b < N }"}}
"""


@pytest.fixture
def triangle(tmp_path: Path) -> str:
    file = tmp_path / "triangle.yaml"
    file.write_text(TRIANGLE)
    return str(file)


def test_a_table_says_what_auto_takes_and_why(
    triangle: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", triangle]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "A(a, b) at N = 4: auto takes 12 cells by family, optimal"
    assert lines[1] == "  clique 12, counted at N=4"
    assert lines[2] == "  exhaustive 12, fewer than 12 excluded by bounds, at N=4"
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines[4:-5]]
    assert rows[0] == ["method", "cells", "words", "above bound", "work", "mapping", "certificate"]
    by_name = {row[0]: row[1:] for row in rows[2:]}
    assert by_name["successive"] == [
        *("16", "16", "4", "4", "(a mod N, b mod N)"),
        "proved for all parameters (by widths)",
    ]
    assert rows[2][0] == "family"
    cells = [int(row[1]) for row in rows[2:]]
    assert cells == sorted(cells)
    assert lines[-5:] == [
        "",
        "no mapping by declared: nothing declares the size: neither extents nor bounded elements"
        " are known",
        "no mapping by linear: nothing declares the size that a linearisation needs",
        "no mapping by vector: no elements are known that the vector could lead from and to",
        "no mapping by ov, aov, uov, quov: not applicable: a conflict set has no orders",
    ]


@pytest.mark.long
def test_the_document_holds_the_same(triangle: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", triangle, "--json", "--set", "plan.round=pow2"]) == 0
    (array,) = json.loads(capsys.readouterr().out)["arrays"].values()
    assert array["cells"] == 16
    assert array["standing"] == "4 above clique"
    assert [bound["cells"] for bound in array["bounds"]] == [12, 12]
    methods = {answer["method"]: answer for answer in array["methods"]}
    assert methods["exhaustive"]["above_bound"] == 4
    assert methods["declared"]["cells"] is None
    assert "nothing declares the size" in methods["declared"]["reason"]
    assert all(isinstance(answer["work"], int) for answer in methods.values())
