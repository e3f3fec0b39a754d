"""All checks from the files of OUT alone."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hlsmem.check import run_checks
from hlsmem.cli.main import main
from hlsmem.core.errors import InputError
from hlsmem.core.verdict import CHECKS, Status
from hlsmem.planner.planning_sequence import plan_design
from hlsmem.version import TOOL
from tests.holdings import part_in
from tests.plans import files_of, put, whole_files
from tests.steps import load

EXAMPLES = Path(__file__).parents[2] / "examples"

# A kernel that no example has: two filters in a row, the second reads three rows back.
OTHER = """\
#include "sizes.h"
void smooth(const short image[H][W], short result[H][W])
{
    short first[H][W];
#pragma scop
    for (int r = 0; r < H; r++)
        for (int c = 1; c < W; c++) {
            first[r][c] = (image[r][c] + image[r][c - 1]) / 2;
            if (r > 2)
                result[r][c] = (first[r][c] - first[r - 3][c]) / 2;
        }
#pragma endscop
}
"""


def write(folder: Path, files: dict[str, str]) -> None:
    put(folder, files)


def planned(folder: Path, design: Path, *settings: str) -> Path:
    if design.is_relative_to(EXAMPLES):
        write(folder, files_of(design, settings=settings))
    else:
        write(folder, whole_files(plan_design(load(design, settings=settings))))
    return folder


@pytest.fixture
def blur(tmp_path: Path) -> Path:
    return planned(tmp_path / "out", EXAMPLES / "blur" / "design.yaml", "params.N=12")


def edit(out: Path, change: Callable[[Any], None]) -> None:
    document = json.loads((out / "plan.json").read_text())
    change(document)
    (out / "plan.json").write_text(json.dumps(document))


def verdicts(out: Path, *only: str) -> dict[str, set[Status]]:
    found: dict[str, set[Status]] = {}
    for verdict in run_checks(out, only).verdicts:
        found.setdefault(verdict.check, set()).add(verdict.status)
    return found


def fold(document: Any) -> Any:
    return part_in(document["arrays"]["blurx"])["mapping"]["pieces"][0]


@pytest.mark.long
def test_a_fresh_plan_passes_every_check(blur: Path) -> None:
    checks = run_checks(blur)
    usual = {name for name, check in CHECKS.own.items() if check.default}
    assert {verdict.check for verdict in checks.verdicts} == usual
    assert all(verdict.fine for verdict in checks.verdicts), checks.verdicts
    assert checks.warnings == ()


def test_a_modulus_reduced_by_hand_fails_proof_and_replay_each_by_itself(tmp_path: Path) -> None:
    design = EXAMPLES / "blur" / "design.yaml"
    blur = planned(tmp_path / "out", design, "params.N=12", "arrays.blurx.reads=copies")

    def number(document: Any) -> None:
        fold(document)["modulus_value"] = [24]

    def formula(document: Any) -> None:
        fold(document)["modulus_value"] = [25]
        fold(document)["modulus"] = ["2*N"]

    for change in (number, formula):
        edit(blur, change)
        assert Status.FAIL in verdicts(blur, "proof")["proof"]  # C has cells of its own
        assert verdicts(blur, "replay") == {"replay": {Status.FAIL}}


@pytest.mark.long
def test_a_kernel_from_elsewhere_passes_and_fails_the_same_way(tmp_path: Path) -> None:
    write(tmp_path, {"smooth.c": OTHER, "sizes.h": "#define H 10\n#define W 7\n"})
    write(
        tmp_path,
        {
            "d.yaml": "hlsmem: 1\nname: smooth\nparams: {H: 10, W: 7}\n"
            'context: "[H, W] -> { : H >= 4 and W >= 3 }"\n'
            "kernel: {file: smooth.c, function: smooth}\n"
        },
    )
    out = planned(tmp_path / "out", tmp_path / "d.yaml", "arrays.first.reads=copies")
    (tmp_path / "smooth.c").unlink()
    assert all(one.fine for one in run_checks(out, ("proof", "replay", "host")).verdicts)
    first = json.loads((out / "plan.json").read_text())["arrays"]["first"]
    assert part_in(first)["mapping"]["cells"] == 3 * 6 + 1

    def less(document: Any) -> None:
        part_in(document["arrays"]["first"])["mapping"]["pieces"][0]["modulus_value"][-1] -= 1

    edit(out, less)
    found = verdicts(out, "proof", "replay")
    assert Status.FAIL in found["proof"]
    assert found["replay"] == {Status.FAIL}


EVERY_CHECK = [
    pytest.param(name, marks=[pytest.mark.needs("clang")] if name == "reading" else [])
    for name in CHECKS.own
]


@pytest.mark.parametrize("check", EVERY_CHECK)
def test_other_parameters_than_those_of_the_design_fail_every_check(check: str, blur: Path) -> None:
    edit(blur, lambda document: document["params"].update(N=64))
    (verdict,) = run_checks(blur, (check,)).verdicts
    assert (verdict.check, verdict.subject, verdict.status) == (check, "blur", Status.FAIL)
    assert verdict.detail == "params: the plan was made for N=64, the design says N=12"


@pytest.mark.parametrize("check", EVERY_CHECK)
def test_other_arrays_than_those_of_the_design_fail_every_check(check: str, blur: Path) -> None:
    edit(blur, lambda document: document["arrays"].update(b=document["arrays"].pop("blurx")))
    (verdict,) = run_checks(blur, (check,)).verdicts
    assert verdict.status is Status.FAIL
    assert verdict.detail == "arrays: the plan has b, the design blurx"


def test_a_conflict_set_is_proved_and_not_run(tmp_path: Path) -> None:
    out = planned(tmp_path / "out", EXAMPLES / "blur" / "conflicts.yaml", "params.N=12")
    found = run_checks(out)
    assert all(verdict.fine for verdict in found.verdicts)
    assert verdicts(out, "proof") == {"proof": {Status.PASS}}
    assert verdicts(out, "replay") == {"replay": {Status.SKIPPED}}
    assert verdicts(out, "host") == {"host": {Status.SKIPPED}}


@pytest.mark.long
def test_a_body_that_stops_is_named(tmp_path: Path) -> None:
    text = (EXAMPLES / "blur" / "network.yaml").read_text()
    assert "blurx = a0 + a1 + a2" in text
    write(tmp_path, {"d.yaml": text.replace("blurx = a0 + a1 + a2", "blurx = 1 / (a0 - a0)")})
    out = planned(tmp_path / "out", tmp_path / "d.yaml", "params.N=6")
    for verdict in run_checks(out, ("replay", "host")).verdicts:
        assert verdict.status is Status.NOT_JUDGED
        assert re.search(r"SIG\w+ in the body of P$", verdict.detail), verdict


def test_changed_files_are_a_warning_and_no_verdict(blur: Path) -> None:
    source = blur / "design" / "blur.c"
    source.write_text(source.read_text() + "/* later */\n")
    checks = run_checks(blur, ("proof",))
    assert checks.warnings == (f"{source} was changed after the plan was made from it",)
    assert all(verdict.fine for verdict in checks.verdicts)


def test_the_name_of_a_check_that_has_gone_runs_the_one_that_took_over(blur: Path) -> None:
    checks = run_checks(blur, ("exact", "proof"))
    assert {verdict.check for verdict in checks.verdicts} == {"proof"}
    assert checks.asked == ("proof",)
    assert checks.warnings == ("check 'exact' has become part of 'proof', which runs in its place",)


def message(out: Path, *only: str) -> str:
    with pytest.raises(InputError) as refused:
        run_checks(out, only)
    return str(refused.value)


def test_what_is_no_out_is_refused(blur: Path, tmp_path: Path) -> None:
    nothing = tmp_path / "nothing"
    assert message(nothing) == (
        f"{nothing}/plan.json cannot be read; run `hlsmem plan DESIGN -o {nothing}` first"
    )
    known = [f"  {name}: {check.proves}" for name, check in CHECKS.own.items()]
    assert message(blur, "timing").splitlines() == [
        "there is no check 'timing'; choose from",
        *known,
    ]
    edit(blur, lambda document: document["inputs"].clear())
    assert message(blur) == (f"{blur}/plan.json: inputs names no files; run `hlsmem plan` again")
    edit(blur, lambda document: document["memories"]["blurx"].update(copies=0))
    assert message(blur) == (
        f"{blur}/plan.json: memories.blurx.copies is 0; run `hlsmem plan` again"
    )


def test_a_folder_of_another_version_is_planned_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    design = EXAMPLES / "blur" / "design.yaml"
    assert main(["plan", str(design), "-o", str(out), "--param", "N=8"]) == 0
    plan = out / "plan.json"
    plan.write_text(plan.read_text().replace(f'"tool": "{TOOL}"', '"tool": "hlsmem 0.0.1"'))
    capsys.readouterr()
    assert main(["check", str(out), "--only", "proof"]) == 2
    assert capsys.readouterr().err == (
        f"{plan}: hlsmem 0.0.1 wrote this folder, this is {TOOL}; run `hlsmem plan` again, or say "
        "`--foreign` to judge it as it is\n"
    )
    assert main(["check", str(out), "--only", "proof", "--foreign"]) == 0
