"""`hlsmem dataflow`: what it prints, as text and as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hlsmem import dataflow
from hlsmem.cli.main import main
from tests.studies.dataflow.golden import case_of, design_of

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = Path("hold.yaml")
    path.write_text(design_of(case_of("s004-own-hold")))
    return path


def test_a_value_that_is_held(hold: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dataflow", str(hold)]) == 0
    place = next(
        f"hold.yaml:{number}:{line.index(chr(34)) + 1}"
        for number, line in enumerate(hold.read_text().splitlines(), 1)
        if "R[i] -> s[]" in line
    )
    assert capsys.readouterr().out == (
        "s004_own_hold: 1 read, 1 element of filters, control: least\n"
        "\n"
        f"R reads s ({place})\n"
        "  from S1: [n, beta_S1, lam_S1_0] -> { R[i] -> S1[i' = lam_S1_0] : beta_S1 = 1 and"
        " 0 <= lam_S1_0 < n and i >= lam_S1_0 and 0 <= i < n }\n"
        "  from S0: [n, beta_S1, lam_S1_0] -> { R[i] -> S0[] : beta_S1 = 0 and 0 <= i < n }\n"
        "  beta_S1: 1 where an instance of S1 that writes s as read ran before the read, else 0\n"
        "  lam_S1_0: the i of the last of them\n"
        "\n"
        "S1 looks at T (hold.yaml:19:27)\n"
        "  what was there before: [n] -> { S1[i] : 0 <= i < n }\n"
    )


def test_the_same_as_json(hold: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dataflow", str(hold), "--json", "R", "--control", "strict"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["format"], found["design"], found["control"], found["conditions"]) == (
        "hlsmem-dataflow/1",
        "s004_own_hold",
        "strict",
        [],
    )
    assert found["statements"] == [{"statement": "R", "disjuncts": 2, "parameters": 2}]
    (read,) = found["reads"]
    assert (read["statement"], read["array"], read["operand"], read["exact"]) == ("R", "s", 0, True)
    assert read["parameters"] == [
        {"name": "beta_S1", "statement": "S1", "kind": "ran", "loop": None},
        {"name": "lam_S1_0", "statement": "S1", "kind": "iterator", "loop": "i"},
    ]
    assert [(one["statement"], one["lowest_level"]) for one in read["sources"]] == [
        ("S1", 0),
        ("S0", None),
    ]
    assert read["no_source"] is None
    assert read["steps"][0] == {"statement": "S1", "level": 1, "type": "Input"}


def test_all_sources_that_are_possible(hold: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dataflow", str(hold), "R", "--control", "static"]) == 0
    text = capsys.readouterr().out
    assert "from S1: [n] -> { R[i] -> S1[i'] :" in text
    assert "beta" not in text


def test_beyond_the_limit_of_work(
    hold: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Less work is enough for all sources that are possible than for the right one."""
    monkeypatch.setattr("hlsmem.studies.dataflow.question._OPERATIONS", 3000)
    assert main(["dataflow", str(hold), "R"]) == 0
    text = capsys.readouterr().out
    assert "all sources that are possible: nothing says which one it is" in text
    monkeypatch.setattr("hlsmem.studies.dataflow.question._OPERATIONS", 10)
    assert main(["dataflow", str(hold), "R"]) == 4
    assert "the dataflow takes more than 10 operations of isl" in capsys.readouterr().err


def test_a_kernel_in_c(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dataflow", str(ROOT / "examples" / "blur" / "design.yaml"), "C"]) == 0
    text = capsys.readouterr().out
    assert "from P: [N] -> { C[y, x] -> P[y' = -2 + y, x' = x] :" in text


def test_a_write_that_data_decide(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What may be written hides nothing, and which element is read is not known."""
    file = tmp_path / "k.c"
    file.write_text(
        "void k(const unsigned char in[9], int out[9]) { int t[256];"
        " for (int i = 0; i < 256; i++) Z: t[i] = 0;"
        " for (int i = 0; i < 9; i++) H: t[in[i]] = i;"
        " for (int i = 0; i < 9; i++) R: out[i] = t[in[8 - i]]; }"
    )
    assert main(["dataflow", str(file), "R", "--json"]) == 0
    reads = json.loads(capsys.readouterr().out)["reads"]
    (found,) = [one for one in reads if one["array"] == "t"]
    assert not found["exact"]
    assert sorted(one["statement"] for one in found["sources"]) == ["H", "Z"]


@pytest.mark.parametrize(
    ("design", "arguments", "expected"),
    [
        (None, ["Q"], "there is no statement 'Q'; the statements are: S0, S1, R"),
        (
            'hlsmem: 1\nname: c\narrays: {A: {}}\nconflicts: {A: {differences: "{ [1] }"}}\n',
            [],
            "a conflict set has no reads, and no dataflow; give a program",
        ),
    ],
)
def test_what_has_no_answer(
    hold: Path,
    design: str | None,
    arguments: list[str],
    expected: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if design is not None:
        hold.write_text(design)
    assert main(["dataflow", str(hold), *arguments]) == 2
    assert expected in capsys.readouterr().err


@pytest.mark.parametrize(
    ("listing", "counts"),
    [
        ("1", [("A", 3, 0), ("H", 4, 0)]),
        ("2", [("T", 4, 4), ("Q0", 1, 0), ("Q1", 1, 0)]),
        ("3", [("S2", 2, 0), ("R", 2, 2)]),
    ],
)
def test_disjuncts_and_parameters_of_statements(
    listing: str, counts: list[tuple[str, int, int]], capsys: pytest.CaptureFixture[str]
) -> None:
    """Each of the reads; the pieces of a relation are at most these."""
    design = str(ROOT / "tests" / "seeds" / f"004c-listing-{listing}.yaml")
    assert main(["dataflow", design, "--control", "strict", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["statements"]
    assert [one["statement"] for one in found] == [name for name, _, _ in counts]
    assert [one["parameters"] for one in found] == [many for _, _, many in counts]
    for one, (_, most, _) in zip(found, counts, strict=True):
        assert 1 <= one["disjuncts"] <= most


def test_the_function_takes_what_the_command_takes(capsys: pytest.CaptureFixture[str]) -> None:
    """A loop without end, whose filters decide on values of the run."""
    file = ROOT / "tests" / "seeds" / "004c-listing-2.yaml"
    assert main(["dataflow", str(file)]) == 0
    assert capsys.readouterr().out == f"{dataflow(file)}\n"
