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


def test_even_vectors_have_a_star_and_no_column(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["vectors", DESIGN]) == 0
    text = capsys.readouterr().out
    header = next(line for line in text.splitlines() if line.startswith("| kind"))
    assert [cell.strip() for cell in header.strip("|").split("|")] == [
        "kind", "shortest", "strict", "occupied", "allocated", "mapping"
    ]  # fmt: skip
    assert "| (1, 2)*, (2, 1)*, (3, 0) |" in text
    assert "| uov  | (3, 0)  " in text
    assert "\n* the most even of these\n" in text
    assert "is a sum of flow vectors" not in text
    assert main(["vectors", DESIGN, "--kind", "uov"]) == 0
    assert "*" not in capsys.readouterr().out.replace("2*", "")


@pytest.mark.parametrize(
    ("design", "note"),
    [
        ("seidel", "quov: none for rows t, i; rows t, t + i are legal"),
        ("papers/diamond_tile", "quov: none for rows t, i; rows t, t + i are legal"),
    ],
)
def test_rows_that_are_not_legal_are_told_with_their_least_skew(
    design: str, note: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(Path(DESIGN).parents[1] / design / "design.yaml")
    assert main(["vectors", file, "--kind", "quov"]) == 0
    *_, row, empty, told = capsys.readouterr().out.splitlines()
    assert row.startswith("| quov | none ")
    assert "| refused: row 'i' of the tiled band goes down along a flow dependence" in row
    assert (empty, told) == ("", note)


def test_a_skew_that_is_told_is_legal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two loops of data, read three ahead and two: each takes its own multiple of time."""
    (tmp_path / "k.c").write_text(
        "void k(float a[9][9]) {\n"
        "  for (int t = 0; t < 6; t++)\n"
        "    for (int i = 0; i < 6; i++)\n"
        "      for (int j = 0; j < 7; j++)\n"
        "        a[i][j] = a[i + 3][j] + a[i][j + 2];\n"
        "}\n"
    )
    values = ["--set", "plan.expand=[a]", "--kind", "quov", "--json"]
    assert main(["vectors", str(tmp_path / "k.c"), *values]) == 0
    (array,) = json.loads(capsys.readouterr().out)["arrays"].values()
    quov = array["kinds"]["quov"]
    assert quov["shortest"] == []
    assert quov["skew"] == "none for rows t, i, j; rows t, 3*t + i, 2*t + j are legal"


def test_a_design_without_planned_arrays_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    file = str(Path(DESIGN).parents[2] / "tests" / "seeds" / "004a-figure-1.yaml")
    assert main(["vectors", file]) == 0
    assert capsys.readouterr().out == (
        "no array with an index is planned;"
        " plan.expand=[A] plans the values of an array A that the caller keeps\n"
    )
    assert main(["vectors", file, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["arrays"] == {}
