"""State in hardware: set behind a reset, kept from frame to frame, as in C; planted faults."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from hlsmem.check import run_checks
from hlsmem.check.replayed.replay_check import run_of
from hlsmem.core.verdict import Verdict
from hlsmem.emit.output_folder import write_folder
from hlsmem.planner.plan_assembly import Planning
from hlsmem.planner.planning_sequence import plan_design
from tests.plans import whole_files
from tests.steps import load

KERNEL = Path(__file__).parent / "state" / "filter.c"
STREAMS = ("arrays.in.storage=stream", "arrays.out.storage=stream")


@pytest.fixture(scope="module")
def planning() -> Planning:
    return plan_design(load(KERNEL, settings=STREAMS))


@pytest.fixture(scope="module")
def out(planning: Planning, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("state") / "out"
    write_folder(folder, whole_files(planning))
    return folder


def judged(out: Path, *checks: str) -> list[Verdict]:
    return list(run_checks(out, only=checks).verdicts)


def test_state_has_streams_of_statements_alone(planning: Planning) -> None:
    own = [one.name for one in planning.plan.streams if one.array == "z"]
    assert own == ["m_z_S0", "m_z_S1", "s_z_S1", "s_z_S2"]
    assert planning.plan.timing is not None
    assert planning.plan.timing.cycles


@pytest.mark.dear
def test_frames_follow_each_other_as_calls_do(out: Path) -> None:
    verdicts = judged(out, "proof", "replay", "rtl")
    assert [one for one in verdicts if not one.fine] == []
    texts = {(one.check, one.subject): one.detail for one in verdicts}
    assert texts["replay", "z"].endswith("; the same over two frames")
    assert "3 back to back" in texts["rtl", "filter_mem"]


FAULTS = {
    "a first value": ("z", "16'd65534", "16'd65533", "m_z_S1 beat 2"),
    "a cell too few is set": ("z", "first_cell == 3'd4", "first_cell == 3'd3", ""),
    "another cell is set": ("z", "setting ? first_cell", "setting ? first_cell ^ 3'd1", ""),
    "no first values": ("last", "last_0_w_en | setting", "last_0_w_en", ""),
}


@pytest.mark.few("a first value")
@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_seen(fault: str, out: Path, tmp_path: Path) -> None:
    array, before, after, said = FAULTS[fault]
    copy = tmp_path / "out"
    shutil.copytree(out, copy)
    file = copy / "rtl" / f"filter_{array}_buffer.v"
    text = file.read_text()
    assert before in text
    file.write_text(text.replace(before, after))
    failed = [one.detail for one in judged(copy, "rtl") if not one.fine]
    assert failed
    assert said in failed[0]


@pytest.mark.long
def test_a_frame_with_the_first_state_again_is_seen(out: Path, tmp_path: Path) -> None:
    """What keeps the first frame right and no other: a start sets all anew."""
    copy = tmp_path / "out"
    shutil.copytree(out, copy)
    for array in ("z", "last"):
        file = copy / "rtl" / f"filter_{array}_buffer.v"
        text = file.read_text()
        assert "if (rst) setting" in text
        text = text.replace("if (rst) setting", "if (load) setting")
        file.write_text(text.replace("if (rst) first_cell", "if (load) first_cell"))
    failed = [one.detail for one in judged(copy, "rtl") if not one.fine]
    assert failed


def test_first_values_are_those_of_c(planning: Planning) -> None:
    program = planning.program
    assert program is not None
    assert program.arrays["z"].first == {(0,): 1, (1,): 65534, (4,): 7}
    assert program.arrays["gain"].first == {(): 0x40200000}
    assert program.arrays["last"].first == {}


def test_a_call_begins_where_the_one_before_ends(planning: Planning) -> None:
    program = planning.program
    assert program is not None
    planned = program.planned_arrays()
    first, second = (run_of(program, planned, before=calls)[0] for calls in (0, 1))
    for name in ("z", "last", "gain"):
        left = {
            tuple(element): int(bits)
            for element, bits, write in zip(
                first.accesses[name].element.tolist(),
                first.accesses[name].bits,
                first.accesses[name].write,
                strict=True,
            )
            if write
        }
        own = second.accesses[name]
        element, write = tuple(own.element[0].tolist()), bool(own.write[0])
        assert not write
        assert int(own.bits[0]) == left[element]
