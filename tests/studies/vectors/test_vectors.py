"""`hlsmem vectors` as people call it: text, JSON, picture, broken arguments."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from hlsmem.cli.main import main

DESIGN = str(Path(__file__).resolve().parents[3] / "examples" / "e1" / "design.yaml")


def test_json_has_all_kinds_and_the_schedules(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["vectors", DESIGN, "--store", "A=[2,0]", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["format"] == "hlsmem-vectors/1"
    array = document["arrays"]["A"]
    assert array["flow"] == [[1, 2], [1, 0], [1, -1]]
    shortest = {kind: one["shortest"][0] for kind, one in array["kinds"].items()}
    assert shortest == {"ov": [2, 0], "aov": [2, 1], "uov": [3, 0], "quov": [1, 2]}
    assert array["kinds"]["uov"]["certificate"][0] == {"flow": [1, 2], "times": [0, 0, 2]}
    assert array["kinds"]["quov"]["least"] == [1, 3]
    assert document["schedules"]["latency"] == 8
    assert document["schedules"]["best"] == {"S": "i"}


def test_text_names_schedules_and_refutations(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["vectors", DESIGN, "--kind", "uov", "--store", "A=[0, 1]"]) == 0
    text = capsys.readouterr().out
    assert "{ [i, j] : 3 - i <= j <= -5 + 2i }" in text
    assert "add up to 0 >= 1" in text
    assert main(["vectors", DESIGN, "--stores", "{ A[2, y] : -1 <= y <= 1 }"]) == 0
    assert "2S_j > -S_i and 3S_j <= S_i" in capsys.readouterr().out


def test_the_picture_is_svg(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "vectors.svg"
    assert main(["vectors", DESIGN, "--svg", str(file)]) == 0
    drawing = ElementTree.parse(file).getroot()
    assert drawing.tag.endswith("svg")
    assert sum(one.tag.endswith("circle") for one in drawing) > 5
    assert str(file) in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--store", "A=[0,0]"], "every element would be overwritten by itself"),
        (["--store", "A=[1]"], "has 1 entries, 'A' has 2 indices"),
        (["--store", "Q=[1]"], "there is no array 'Q'; there are: A"),
        (["--store", "A=2"], "not ARRAY=VECTOR; write it like A=[2,0]"),
        (["--stores", "{ A[2, y] : y >= 1 }"], "ends on all sides"),
        (["--array", "B"], "'B' is no planned array with an index; there are: A"),
    ],
)
def test_broken_arguments_are_refused(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["vectors", DESIGN, *arguments]) == 2
    told = capsys.readouterr()
    assert message in told.err
    assert told.out == ""


def test_a_vector_beyond_the_length_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["vectors", DESIGN, "--kind", "uov", "--length", "2"]) == 0
    assert "no vector of a length up to 2" in capsys.readouterr().out


def test_a_conflict_set_has_no_vectors(capsys: pytest.CaptureFixture[str]) -> None:
    design = Path(DESIGN).parents[1] / "blur" / "conflicts.yaml"
    assert main(["vectors", str(design)]) == 2
    assert "a conflict set has no reads and writes" in capsys.readouterr().err
