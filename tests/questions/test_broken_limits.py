"""Limits of a design: each that is not met is named at its line, and the plan is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.cli.main import main
from hlsmem.questions.broken_limits import broken_limits
from tests.plans import plan_storage, planning_of
from tests.steps import load

BLUR = Path(__file__).resolve().parents[2] / "examples" / "blur" / "design.yaml"


def broken(*settings: str) -> list[str]:
    planning = planning_of(BLUR, {"N": 8}, settings)
    return [problem.what for problem in broken_limits(planning)]


@pytest.mark.parametrize(
    "setting",
    [
        "limits.cells=16",
        "limits.bits=544",
        "limits.words=17",
        "limits.standing=optimal",
        "limits.standing=modular",
        "limits.arrays.blurx.cells=16",
    ],
)
def test_what_is_just_met_is_no_problem(setting: str) -> None:
    assert broken(setting) == []


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (["limits.cells=15"], "the plan takes 16 cells, and limits allow 15: 1 too many"),
        (["limits.bits=543"], "the plan takes 544 bits, and limits allow 543: 1 too many"),
        (
            ["limits.arrays.blurx.words=16"],
            "blurx takes 17 words, and limits allow 16: 1 too many",
        ),
        (
            ["plan.method=declared", "arrays.blurx.reads=copies", "limits.standing=modular"],
            "blurx takes 192 words: 175 above max-live, and limits ask for modular",
        ),
    ],
)
def test_what_is_not_met_is_said_with_both_figures(settings: list[str], told: str) -> None:
    assert broken(*settings) == [told]


def test_a_figure_that_is_not_known_meets_no_limit() -> None:
    """No hardware and no C: only storage is planned."""
    limits = {"cycles": 9, "cells": 17}
    planning = plan_storage(load(BLUR, settings=[f"limits.{k}={v}" for k, v in limits.items()]))
    assert [problem.what for problem in broken_limits(planning)] == [
        "limits allow 17 cells, and there is no C",
        "limits allow 9 cycles, and no run of the plan is predicted",
    ]


def test_optimal_among_modular_mappings_is_not_optimal(tmp_path: Path) -> None:
    (tmp_path / "design.yaml").write_text(
        "hlsmem: 1\nname: d\narrays: {A: {type: int32, index: [a, b]}}\n"
        'conflicts: {A: {differences: "{ [a,0] : a = 1 or a = 3 or a = 4 }"}}\n'
        "limits: {standing: optimal}\n"
    )
    planning = plan_storage(load(tmp_path / "design.yaml"))
    standings = [problem.what for problem in broken_limits(planning)]
    assert len(standings) == 1
    told = "A takes 5 words: optimal among modular mappings, 2 above clique"
    assert standings[0] == f"{told}, and limits ask for optimal"


def test_every_broken_limit_stands_at_its_line_and_the_plan_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    design = tmp_path / "design.yaml"
    text = BLUR.read_text().rstrip("\n")
    design.write_text(
        f"{text}\nlimits:\n  cells: 15\n  cycles: 10\n  arrays:\n    blurx: {{words: 3}}\n"
    )
    (tmp_path / "blur.c").write_text((BLUR.parent / "blur.c").read_text())
    out = tmp_path / "out"
    assert main(["plan", str(design), "-o", str(out), "--param", "N=8"]) == 1
    assert (out / "plan.json").is_file()
    first = text.count("\n") + 3
    lines = capsys.readouterr().err.splitlines()
    told = [line.rpartition(f"{design}:")[2].split(" ")[0] for line in lines if "limits" in line]
    assert told == [f"{first}:10:", f"{first + 1}:11:", f"{first + 3}:20:"]


def test_blocks_of_limits_are_those_of_the_target() -> None:
    ecp5 = ["target.device=ecp5", "arrays.blurx.reads=copies", "arrays.blurx.style=block"]
    one = load(BLUR, settings=[*ecp5, "limits.blocks=2"])
    other = load(BLUR, settings=[*ecp5, "target.block_rams=2"])
    assert one.target.block_rams == other.target.block_rams == 2
