"""`hlsmem compare --variants`: every variant under its name, as a table and as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hlsmem.cli.command import main
from hlsmem.mapping.methods import variants
from tests.conftest import EXAMPLES

DESIGN = """hlsmem: 1
name: bare
params: {N: 8}
context: "[N] -> { : N >= 3 }"
arrays: {A: {type: int32, index: [x, y]}}
conflicts:
  A: {differences: "[N] -> { [x,y] : 1 <= x < N and 0 <= y <= 1; [0,1] }"}
"""


@pytest.fixture
def design(tmp_path: Path) -> Path:
    file = tmp_path / "design.yaml"
    file.write_text(DESIGN)
    return file


def test_every_variant_has_a_row_or_a_reason(
    design: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", str(design), "--variants"]) == 0
    printed = capsys.readouterr().out
    for variant in variants():
        assert f"| {variant.name} " in printed or variant.name in printed.split("no mapping by")[-1]
    assert "auto takes" in printed


def test_json_has_what_the_searches_measured(
    design: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", str(design), "--variants", "--json"]) == 0
    array = json.loads(capsys.readouterr().out)["arrays"]["A"]
    by_name = {entry["variant"]: entry for entry in array["variants"]}
    assert set(by_name) == {variant.name for variant in variants()}
    rogers = by_name["minima:rogers"]["found"]
    assert rogers[0] == {"what": "successive minimum", "vector": [1, 0], "value": "1/7"}
    assert by_name["gauge:2-unit"]["found"][0]["what"] == "gauge F"
    assert by_name["minima:rogers"]["source"].startswith("Alias, Baray, Darte")
    methods = {entry["method"]: entry for entry in array["methods"]}
    assert {one["what"] for one in methods["lattice"]["found"]} == {"reuse vector", "width"}


def test_a_variant_can_be_planned(
    design: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert main(["plan", str(design), "--method", "minima:rogers", "-o", str(out)]) == 0
    planned = json.loads((out / "plan.json").read_text())["arrays"]["A"]["holdings"]
    (part,) = planned["hardware"]["parts"]
    assert part["mapping"]["method"] == "minima:rogers"
    capsys.readouterr()


def test_a_variant_that_cannot_run_says_why_and_what_else_there_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    design = str(EXAMPLES / "papers/lbm_d2q9/design.yaml")
    out = str(tmp_path / "out")
    assert main(["plan", design, "--method", "reuse:parametric", "-o", out]) == 2
    assert (
        "array 'A' has no mapping by 'reuse:parametric': 1 constant reuse vector found, 2 needed:"
        " only the count of the last one may depend on the parameters;"
        " `hlsmem compare --variants` shows which variants have one"
    ) in capsys.readouterr().err
