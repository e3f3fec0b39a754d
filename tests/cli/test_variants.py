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
    names = [variant.name for variant in variants()]
    for options in ([], ["--all"]):
        assert main(["compare", str(design), "--variants", *options]) == 0
        printed = capsys.readouterr().out
        assert "auto takes" in printed
        table = printed[printed.index("| variant") :].splitlines()
        rows = [line.split("|")[1].strip().split(", ") for line in table if line[:1] == "|"][2:]
        none = [
            one
            for line in table
            if line.startswith("no mapping by ")
            for one in line.removeprefix("no mapping by ").split(": ")[0].split(", ")
        ]
        assert sorted([*(name for row in rows for name in row), *none]) == sorted(names)
        both = {"exhaustive:opt", "exhaustive:re-optimised"}
        assert any(both <= set(row) for row in rows) == (not options)
        assert all(len(row) == 1 for row in rows) == bool(options)


def test_variants_of_one_mapping_stand_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without conflicts every variant gives the one cell."""
    file = tmp_path / "empty.yaml"
    text = DESIGN.replace("1 <= x < N and 0 <= y <= 1; [0,1]", "1 = 0")
    assert text != DESIGN
    file.write_text(text)
    for options, many in (([], 1), (["--all"], len(variants()))):
        assert main(["compare", str(file), "--variants", *options]) == 0
        told = capsys.readouterr().out
        assert told[told.index("| variant") :].count("the one cell") == many


def test_all_is_for_variants(design: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", str(design), "--all"]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err == "--all shows each variant in a line of its own; add --variants\n"


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
