"""Block RAMs that a plan promises are those that synthesis finds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from hlsmem.cli.main import main
from hlsmem.core.errors import Problem, ToolError
from hlsmem.plan import Plan
from hlsmem.planner.output_files import simulated_files
from hlsmem.synthesis import Area, Figures, expected_resources, sources_of, synthesise
from tests.plans import hardware_of

EXAMPLES = Path(__file__).parents[2] / "examples"


def planned(name: str, *settings: str) -> Plan:
    return hardware_of(EXAMPLES / name / "design.yaml", settings=settings).plan


def figures(family: str, **blocks: int) -> list[Figures]:
    area = Area(luts=0, flip_flops=0, multipliers=0, blocks=blocks)
    return [Figures(module="m", family=family, area=area, timed=None)]


def test_a_promise_is_kept_block_by_block() -> None:
    plan = planned("blur", "target.device=ecp5-25k", "arrays.blurx.reads=copies")
    kept = expected_resources(plan, figures("ecp5", DP16KD=3))
    assert kept is not None
    assert kept.kept
    assert kept.text() == "Block RAMs, in DP16KD: 3 planned, 3 found."
    broken = expected_resources(plan, figures("ecp5", DP16KD=4))
    assert broken is not None
    assert not broken.kept


def test_luts_that_hold_words_are_promised_too() -> None:
    plan = planned("sobel", "target.device=ecp5-25k", "order=iteration")
    assert plan.resources.lut_ram == 64
    (found,) = figures("ecp5")
    for lut_ram in (64, 60):
        expected = expected_resources(
            plan, [replace(found, area=replace(found.area, lut_ram=lut_ram))]
        )
        assert expected is not None
        assert expected.kept == (lut_ram == 64)
        assert expected.text() == (
            "Block RAMs, in DP16KD: 0 planned, 0 found."
            f" LUTs that hold words: 64 planned, {lut_ram} found."
        )


@pytest.mark.long
def test_a_ramb36_is_two_blocks() -> None:
    found = expected_resources(
        planned("durbin", "params.N=40", "target.device=xc7"), figures("xc7", RAMB36E1=4)
    )
    assert found is not None
    assert (found.planned.blocks, found.found.blocks) == (8, 8)


def test_nothing_is_promised_for_another_family_or_no_target() -> None:
    plan = planned("blur", "target.device=ecp5")
    assert expected_resources(plan, figures("xc7")) is None
    assert expected_resources(replace(plan, target=None), figures("ecp5")) is None


@pytest.mark.long
@pytest.mark.needs("yosys")
@pytest.mark.parametrize("family", ["ecp5", "ice40", "xc7"])
@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("blur", []),
        ("blur", ["plan.slack=1", "target.output_register=yes"]),
        ("blur", ["arrays.blurx.reads=copies"]),
        ("blur", ["arrays.blurx.reads=banks", "arrays.blurx.style=block"]),
        ("stencil5", []),
        ("bicubic", []),
        ("transpose", ["target.output_register=yes"]),
        ("sobel", ["order=iteration"]),
        ("durbin", ["arrays.y.style=block"]),
        ("heat2d", []),
    ],
)
def test_what_is_promised_is_found(
    family: str, name: str, settings: list[str], tmp_path: Path
) -> None:
    design = EXAMPLES / name / "design.yaml"
    planning = hardware_of(design, settings=[f"target.device={family}", *settings])
    for file, text in simulated_files(planning).items():
        if file.startswith("rtl/"):
            (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / file).write_text(text)
    sources = sources_of(tmp_path / "rtl", family)
    found = synthesise(sources, f"{planning.plan.design}_mem", family, seeds=())
    expected = expected_resources(planning.plan, [found])
    assert expected is not None
    assert expected.kept, expected.text()


@pytest.mark.long
@pytest.mark.needs("yosys")
def test_a_broken_promise_is_exit_code_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    design = str(EXAMPLES / "blur" / "design.yaml")
    settings = ["--set", "target.device=xc7", "--set", "arrays.blurx.reads=copies"]
    assert main(["plan", design, "-o", str(out), *settings]) == 0
    text = (out / "plan.json").read_text()
    (out / "plan.json").write_text(text.replace('"blocks": 3,', '"blocks": 2,', 1))
    assert main(["synth", str(out), "--seeds", "1"]) == 1
    assert "2 planned, 3 found" in capsys.readouterr().err


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("device", "asked", "taken"),
    [("ice40-hx8k", None, "ice40"), ("ice40-hx8k", "xc7", "xc7"), (None, None, "ecp5")],
)
def test_the_family_is_the_targets_unless_told(
    device: str | None,
    asked: str | None,
    taken: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    families: list[str] = []

    def refuse(_sources: object, _top: object, family: str, **_more: object) -> None:
        families.append(family)
        raise ToolError(Problem("no synthesis here", "go on"))

    monkeypatch.setattr("hlsmem.synthesis.synthesise", refuse)
    settings = ["--set", f"target.device={device}"] if device else []
    blur = str(EXAMPLES / "blur" / "design.yaml")
    assert main(["plan", blur, "-o", str(tmp_path / "out"), "--param", "N=8", *settings]) == 0
    family = ["--family", asked] if asked else []
    assert main(["synth", str(tmp_path / "out"), *family]) == 3
    assert families == [taken]


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("family", "seeds", "code"), [("xc7", "5", 3), ("xc7", "0", 0), ("ecp5", "5", 0)]
)
def test_a_clock_that_nothing_tells_is_exit_code_3_with_the_area(
    family: str,
    seeds: str,
    code: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def measured(_sources: object, top: str, family: str, **_more: object) -> Figures:
        return replace(figures(family)[0], module=top)

    monkeypatch.setattr("hlsmem.synthesis.synthesise", measured)
    out = str(tmp_path / "out")
    assert main(["plan", str(EXAMPLES / "blur/design.yaml"), "-o", out, "--param", "N=8"]) == 0
    capsys.readouterr()
    assert main(["synth", out, "--family", family, "--seeds", seeds]) == code
    printed = capsys.readouterr()
    assert f"| blur_mem | {family} " in printed.out
    assert printed.err.count("\n") == (code == 3)
    assert ("no place and route for xc7" in printed.err) == (code == 3)
