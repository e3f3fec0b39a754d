"""Conditions that cannot be told, and filters that differ inside of their condition."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.cli.main import main
from tests.read.loading import changed

DESIGN = """\
hlsmem: 1
name: guard
params: {N: 8}
context: "[N] -> { : N >= 3 }"
arrays: {c: {type: uint1, extents: [N]}, m: {type: uint1, extents: []}, s: {extents: []}}
network:
  line:
    statements:
      M: {domain: "{ M[] }", schedule: "{ M[] -> [0,0,0,0] }", writes: ["{ M[] -> m[] }"]}
      T:
        domain: "[N] -> { T[i] : 0 <= i < N }"
        schedule: "{ T[i] -> [1,i,0,0] }"
        writes: ["{ T[i] -> c[i] }"]
      S:
        domain: "[N] -> { S[i,j] : 0 <= i,j < N }"
        schedule: "{ S[i,j] -> [1,i,1,j] }"
        writes: ["{ S[i,j] -> s[] }"]
        filter: {access: ["{ S[i,j] -> c[i] }", "{ S[i,j] -> m[] }"], value: "{ S[i,j] -> [1,1] }", loops: 1}
      R:
        domain: "[N] -> { R[i] : 0 <= i < N }"
        schedule: "{ R[i] -> [1,i,2,0] }"
        reads: ["{ R[i] -> s[] }"]
"""  # noqa: E501


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def messages(text: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """The messages about a design, without the lines shown below them."""
    Path("design.yaml").write_text(text)
    assert main(["dataflow", "design.yaml"]) == 2
    lines = capsys.readouterr().err.splitlines()
    return [line.partition(": ")[2] for line in lines if not line.startswith(" ")]


def test_the_design_is_fine_as_it_stands(capsys: pytest.CaptureFixture[str]) -> None:
    Path("design.yaml").write_text(DESIGN)
    assert main(["dataflow", "design.yaml"]) == 0
    assert "guard: 1 read, 2 elements of filters, control: least" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        (
            [("T[i] -> [1,i,0,0]", "T[i] -> [1,i,3,0]")],
            "the filter of S at i=0, j=0 looks at c[0] before it is written;"
            " write it first, or add it to live_in",
        ),
        (
            [("S[i,j] -> c[i] }", "[N] -> { S[i,j] -> c[N-1-i] }"), ('"{ [N]', '"[N]')],
            "the filter of S at i=0, j=0 looks at c[7] before it is written;"
            " write it first, or add it to live_in",
        ),
        (
            [
                ("M[] -> [0,0,0,0]", "M[] -> [2,0,0,0]"),
                ("S[i,j] -> s[]", "S[i,j] -> m[]"),
                ("loops: 1", "loops: 2"),
            ],
            "the filter of S at i=0, j=0 waits for m, which the statement writes itself;"
            " let another statement write it before",
        ),
        (
            [("loops: 1", "loops: 4")],
            "the filter of 'S' stands in 4 loops, but the statement in 2;"
            " count the loops around the condition",
        ),
        (
            [("loops: 1", "loops: 0")],
            "the filter of 'S' differs between iterations of 'i', a loop inside of its condition;"
            " let loops count that loop too, or give all of its iterations the same filter",
        ),
        (
            [("[1,1]", "[1,1] : j > 2")],
            "the filter of 'S' differs between iterations of 'j', a loop inside of its condition;"
            " let loops count that loop too, or give all of its iterations the same filter",
        ),
        (
            [("S[i,j] -> s[]", "S[i,j] -> m[]")],
            "S at i=0, j=0 writes 'm' between the test of a condition and S at i=0, j=1, which it"
            " is for; keep the value in an array of its own, or let loops count every loop in which"
            " it changes",
        ),
    ],
)
def test_conditions_that_cannot_be_told(
    changes: list[tuple[str, str]], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert expected in messages(changed(DESIGN, *changes), capsys)


def test_all_problems_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    text = changed(DESIGN, ("T[i] -> [1,i,0,0]", "T[i] -> [1,i,3,0]"), ("[0,0,0,0]", "[2,0,0,0]"))
    found = messages(text, capsys)
    assert [one.split()[9] for one in found] == ["c[0]", "m"]


def test_live_conditions_need_no_statement(capsys: pytest.CaptureFixture[str]) -> None:
    text = changed(DESIGN, ("T[i] -> [1,i,0,0]", "T[i] -> [1,i,3,0]"))
    text += 'live_in: ["[N] -> { c[i] : 0 <= i < N }"]\n'
    Path("design.yaml").write_text(text)
    assert main(["dataflow", "design.yaml"]) == 0
    assert "what was there before: [N] -> { S[i, j]" in capsys.readouterr().out


def test_names_that_dataflow_needs(capsys: pytest.CaptureFixture[str]) -> None:
    text = changed(DESIGN, ("{N: 8}", "{N: 8, beta_S: 1}"))
    text = changed(
        text, ("S[i,j] : 0", "S[i,j] : beta_S > 0 and 0"), ('"[N] -> { S', '"[N, beta_S] -> { S')
    )
    Path("design.yaml").write_text(text)
    assert main(["dataflow", "design.yaml"]) == 2
    assert "the parameter 'beta_S' is called as what" in capsys.readouterr().err


def test_a_loop_without_end(capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing after it ever runs."""
    text = changed(DESIGN, ("S[i,j] : 0 <= i,j < N", "S[i,j] : 0 <= i < N and j >= 0"))
    filter_ = text[text.index("        filter:") : text.index("      R:")]
    (message,) = messages(changed(text, (filter_, "")), capsys)
    assert message == (
        "'S' runs without end before 'R' reads what it writes;"
        " bound its domain, or give it a filter that ends its loop"
    )
