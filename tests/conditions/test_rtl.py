"""Beats of all instances (`plan.control: predicate`): every outcome has the predicted cycles."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from hlsmem.cli.main import main
from hlsmem.planner.planning_sequence import plan_hardware
from tests.conditions.designs import CORRECTED, FILTER, WHILE, stored
from tests.read.loading import changed
from tests.steps import load
from tests.studies.dataflow.programs import random_program

SMALL = changed(CORRECTED, ("params: {N: 12}", "params: {N: 7}"))
PREDICATE = ("--set", "plan.control=predicate")


def planned(folder: Path, text: str, *options: str) -> Path:
    path, out = folder / "design.yaml", folder / "out"
    path.write_text(text)
    assert main(["plan", str(path), "-o", str(out), *options]) == 0
    return out


def judged(out: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    capsys.readouterr()
    code = main(["check", str(out), "--only", "rtl"])
    return code, capsys.readouterr().out


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The corrected line, planned."""
    return planned(tmp_path_factory.mktemp("small"), SMALL, *PREDICATE)


@pytest.mark.long
def test_guarded_writes_say_whether_they_happen(
    small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = shutil.copytree(small, tmp_path / "out")
    code, text = judged(out, capsys)
    assert code == 0, text
    assert "the same in 8 outcomes of the conditions" in text
    buffer = (out / "rtl" / "corrected_A_buffer.v").read_text()
    assert "input  wire [0:0] s_A_S_tuser," in buffer
    assert "s_A_L_tuser" not in buffer
    # What only filters look at the datapath has written itself.
    assert not (out / "rtl" / "corrected_c_buffer.v").exists()


BIT = "s_A_S_fire & s_A_S_tuser[0]"
LATE = """\
    reg late;
    always @(posedge clk) if (s_A_S_fire) late <= s_A_S_tuser[0];
    wire write_enable"""


@pytest.mark.dear
@pytest.mark.parametrize(
    "changes",
    [
        [(BIT, "s_A_S_fire & (s_A_S_tuser[0] | 1'b1)")],
        [(BIT, "s_A_S_fire & ~s_A_S_tuser[0]")],
        [(BIT, "s_A_S_fire & late"), ("    wire write_enable", LATE)],
    ],
    ids=["dropped", "inverted", "one beat late"],
)
def test_a_wrong_control_bit_is_caught(
    small: Path,
    tmp_path: Path,
    changes: list[tuple[str, str]],
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = shutil.copytree(small, tmp_path / "out")
    buffer = out / "rtl" / "corrected_A_buffer.v"
    buffer.write_text(changed(buffer.read_text(), *changes))
    code, text = judged(out, capsys)
    assert code == 1
    assert "reads A[" in text or "tdata" in text or "is" in text
    assert "outcome" in text


def test_cycles_are_those_without_filters(tmp_path: Path) -> None:
    """With the same cells: a beat for every instance, whether it runs or not."""
    path = tmp_path / "design.yaml"
    cycles = []
    for text in (CORRECTED, changed(CORRECTED, (FILTER, ""))):
        path.write_text(text)
        settings = ["plan.method=declared", "arrays.A.reads=copies", PREDICATE[1]]
        timing = plan_hardware(load(path, settings=settings)).plan.timing
        assert timing is not None
        cycles.append(timing.cycles)
    assert cycles == [25, 25]


def test_conditions_that_nobody_else_reads_have_no_hardware(tmp_path: Path) -> None:
    path = tmp_path / "design.yaml"
    path.write_text(WHILE)
    plan = plan_hardware(load(path, settings=[PREDICATE[1]])).plan
    assert [one.name for one in plan.streams] == ["s_s_Z", "m_s_S", "s_s_S", "m_s_R"]


# What each does in every outcome is shown without a simulator in test_every_outcome.py.
@pytest.mark.long
@pytest.mark.parametrize("seed", [9, 11, *range(12, 40)])
def test_random_programs(tmp_path: Path, seed: int, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "design.yaml"
    path.write_text(stored(random_program(seed), 2 + seed % 3, live=True))
    if main(["plan", str(path), "-o", str(tmp_path / "out"), *PREDICATE]) == 0:
        code, text = judged(tmp_path / "out", capsys)
        assert code == 0, text
