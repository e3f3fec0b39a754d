"""Two plans side by side: figures, causes, rules."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hlsmem.cli.main import main

BLUR = Path(__file__).resolve().parents[2] / "examples" / "blur"


@pytest.fixture(scope="module")
def four(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The blur with a fourth tap."""
    folder = tmp_path_factory.mktemp("four")
    text = (BLUR / "blur.c").read_text()
    text = text.replace("if (y >= 2)", "if (y >= 3)")
    text = text.replace("= blurx[y - 2][x] +", "= blurx[y - 3][x] + blurx[y - 2][x] +")
    (folder / "blur.c").write_text(text)
    design = (BLUR / "design.yaml").read_text().replace("N >= 3", "N >= 4")
    (folder / "design.yaml").write_text(design)
    return folder / "design.yaml"


@pytest.fixture(scope="module")
def outs(four: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("outs")
    for name, design in (("old", BLUR / "design.yaml"), ("new", four)):
        assert main(["plan", str(design), "-o", str(folder / name)]) == 0
    return folder / "old", folder / "new"


@pytest.mark.parametrize("form", ["text", "markdown", "github"])
def test_a_plan_with_itself_is_empty(
    outs: tuple[Path, Path], capsys: pytest.CaptureFixture[str], form: str
) -> None:
    for side in (outs[0], outs[0] / "plan.json"):
        assert main(["diff", str(side), str(side), "--format", form, "--fail-on", "cells+0"]) == 0
        assert capsys.readouterr() == ("", "")
    assert main(["diff", str(outs[0]), str(outs[0]), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert not any(found[key] for key in ("changes", "came", "went", "keys", "causes", "broken"))


@pytest.mark.dear
def test_the_access_that_came_is_named_with_its_price(
    outs: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["diff", *map(str, outs), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    cells = next(one for one in found["changes"] if one["metric"] == "cells" and one["array"])
    assert (cells["array"], cells["old"], cells["new"]) == ("blurx", 128, 192)
    costly = [one for one in found["causes"] if one["costs"]]
    assert [(one["what"], one["costs"], one["cells"]) for one in costly] == [
        ("read of blurx[y - 3][x] came", 64, 193)
    ]
    assert costly[0]["place"] == "blur.c:12:33"


def test_a_broken_rule_is_exit_code_1(four: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["diff", str(BLUR / "design.yaml"), str(four), "--fail-on", "cells+0"]
    assert main(arguments) == 1
    told = capsys.readouterr()
    assert told.err == "--fail-on cells+0: cells: 128 to 192, 128 allowed\n"
    assert "blur.c:12:33 read of blurx[y - 3][x] came: costs 64 of 193 cells" in told.out


@pytest.mark.parametrize(
    ("rule", "code"),
    [
        ("cells+63", 1),
        ("cells+64", 0),
        ("blurx.cells+49%", 1),
        ("blurx.cells+50%", 0),
        ("standing", 0),
        ("certificate", 0),
        ("gap+0", 0),
    ],
)
def test_rules(
    outs: tuple[Path, Path], capsys: pytest.CaptureFixture[str], rule: str, code: int
) -> None:
    files = [str(out / "plan.json") for out in outs]
    assert main(["diff", *files, "--fail-on", rule]) == code
    assert "causes are not looked for" in capsys.readouterr().out


def test_claims_may_not_weaken(
    tmp_path: Path, outs: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    weak = tmp_path / "weak"
    method = ["--method", "declared", "--set", "arrays.blurx.reads=copies"]
    assert main(["plan", str(BLUR / "design.yaml"), *method, "-o", str(weak)]) == 0
    capsys.readouterr()
    files = [str(out / "plan.json") for out in (outs[0], weak)]
    assert main(["diff", *files, "--fail-on", "standing"]) == 1
    assert "blurx's standing: optimal to 12159 above max-live" in capsys.readouterr().err
    assert main(["diff", *reversed(files), "--fail-on", "standing"]) == 0


@pytest.mark.parametrize(
    ("rule", "told"),
    [
        ("cels+0", "--fail-on cels+0: no rule; write [ARRAY.]METRIC[+N|+N%]"),
        ("cells-3", "--fail-on cells-3: no rule"),
        ("standing+1", "--fail-on standing+1: no rule"),
        (
            "x.cells+0",
            "--fail-on x.cells+0: neither plan has an array 'x'; planned arrays: in, out, blurx",
        ),
        ("blocks+0", "--fail-on blocks+0: the plan of blur has no blocks; blocks, LUTs"),
    ],
)
def test_rules_that_are_none(
    outs: tuple[Path, Path], capsys: pytest.CaptureFixture[str], rule: str, told: str
) -> None:
    files = [str(out / "plan.json") for out in outs]
    assert main(["diff", *files, "--fail-on", rule]) == 2
    assert capsys.readouterr().err.startswith(told)


def test_designs_that_share_no_array_are_refused(
    tmp_path: Path, outs: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    other = str(BLUR.parent / "e1" / "design.yaml")
    assert main(["diff", str(outs[0]), other]) == 2
    assert "'blur' and 'e1' share no array" in capsys.readouterr().err
    assert main(["diff", str(tmp_path), other]) == 2
    assert "plan.json cannot be read" in capsys.readouterr().err
