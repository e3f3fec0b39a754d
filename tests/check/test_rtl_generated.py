"""The check `rtl` on generated Verilog: it passes as generated, and fails with a fault in it."""

from __future__ import annotations

import dataclasses
import json
import os
import shutil
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from hlsmem.check.replayed.replay_check import run_of
from hlsmem.check.rtl.expected_beats import traffic
from hlsmem.check.rtl.rtl_verdicts import check_design, check_rtl
from hlsmem.check.rtl.simulated_device import read_device
from hlsmem.core.errors import ToolError
from hlsmem.core.verdict import Status, Verdict
from hlsmem.plan import to_json
from hlsmem.planner.output_files import simulated_files
from hlsmem.planner.plan_assembly import Planning
from hlsmem.planner.planning_sequence import plan_hardware
from hlsmem.program.model import Program
from hlsmem.storage.part_streams import streams_of
from hlsmem.tools.simulators import find_simulator
from tests.faults.verilog import PlantedFault, planted_faults
from tests.plans import hardware_of
from tests.steps import load

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

SMALL: tuple[tuple[str, dict[str, int], tuple[str, ...]], ...] = (
    ("blur/design.yaml", {"N": 8}, ()),
    ("blur/network.yaml", {"N": 8}, ()),
    ("blur/design.yaml", {"N": 8}, ("order=iteration",)),
    ("jacobi1d/design.yaml", {"N": 10, "T": 4}, ()),
    ("jacobi1d/design.yaml", {"N": 10, "T": 4}, ("order=iteration",)),
    ("sobel/design.yaml", {"N": 8}, ()),
    ("durbin/design.yaml", {"N": 7}, ()),
    ("matmul_relu/design.yaml", {"N": 4, "M": 3, "P": 3}, ()),
    ("sobel/design.yaml", {"N": 8}, ("arrays.in.storage=memory", "arrays.out.storage=memory")),
)


def planned(name: str, params: Mapping[str, int], settings: Sequence[str]) -> Planning:
    return _planned(name, tuple(params.items()), tuple(settings))


@cache
def _planned(name: str, params: tuple[tuple[str, int], ...], settings: tuple[str, ...]) -> Planning:
    return hardware_of(EXAMPLES / name, parameters=dict(params), settings=settings)


def program_of(planning: Planning) -> Program:
    assert planning.program is not None
    return planning.program


def written(planning: Planning, out: Path) -> Path:
    """OUT as far as the check looks at it."""
    for name, text in simulated_files(planning).items():
        if name.startswith(("rtl/", "sim/")):
            target = out / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)
    return out


def document(planning: Planning) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(to_json(planning.plan))
    return found


def checked(planning: Planning, out: Path, **options: Any) -> tuple[Verdict, ...]:
    plan = planning.plan
    description = out / "sim" / f"{plan.design}.json"
    own = (planning.design, planning.program, plan, document(planning), description)
    return check_rtl(out, *own, **options)


@pytest.mark.few("params0")
@pytest.mark.parametrize(("name", "params", "settings"), SMALL)
def test_beats_are_those_of_the_plan(
    name: str, params: dict[str, int], settings: tuple[str, ...]
) -> None:
    planning = planned(name, params, settings)
    program = program_of(planning)
    run, _ = run_of(program, program.planned_arrays())
    found = traffic(program, run)
    assert found.disagreement is None
    assert {n: len(s.beats) for n, s in found.streams.items()} == {
        s.name: s.beats for s in streams_of(program)
    }


def test_another_schedule_disagrees_with_the_run() -> None:
    program = program_of(planned("blur/design.yaml", {"N": 8}, ()))
    run, _ = run_of(program, program.planned_arrays())
    # The original's values, but statement C reads two rows further up than it says.
    reader = next(s for s in program.statements if s.name == "C")
    moved = dataclasses.replace(reader, reads=(*reader.reads[:-3], *[reader.reads[-1]] * 3))
    other = dataclasses.replace(
        program, statements=tuple(moved if s is reader else s for s in program.statements)
    )
    assert "C[2,0] reads" in (traffic(other, run).disagreement or "")


# The others are alike: durbin is simulated as an example, chains are those of blur.
SIMULATED = (0,)


@pytest.mark.parametrize(
    ("name", "params", "settings"),
    [
        pytest.param(*case, marks=() if number in SIMULATED else pytest.mark.long)
        for number, case in enumerate(SMALL)
    ],
)
def test_generated_verilog_passes(
    name: str, params: dict[str, int], settings: tuple[str, ...], tmp_path: Path
) -> None:
    planning = planned(name, params, settings)
    verdicts = checked(planning, written(planning, tmp_path))
    assert [v.detail for v in verdicts if not v.fine] == []
    assert verdicts[0].detail.startswith("predicted = measured = ")
    assert len(verdicts) == 1 + len(planning.plan.arrays)


CONDITIONAL = """
void k(const float in[9], float out[9])
{
    float a[9];
#pragma scop
    for (int i = 0; i < 9; i++)
P:      a[i] = in[i];
    for (int i = 0; i < 9; i++)
Q:      a[i] = a[i] <= 0.5f ? 1.0f : a[i];
    for (int i = 0; i < 9; i++)
R:      out[i] = a[8 - i] > 0.7f && a[i] > 0.2f ? a[i] + a[8 - i] : a[0];
#pragma endscop
}
"""


@pytest.mark.long
def test_operands_that_c_does_not_always_look_at(tmp_path: Path) -> None:
    (tmp_path / "k.c").write_text(CONDITIONAL)
    planning = plan_hardware(load(tmp_path / "k.c"))
    verdicts = checked(planning, written(planning, tmp_path / "out"))
    assert [v.detail for v in verdicts if not v.fine] == []


@pytest.mark.long
@pytest.mark.needs("iverilog")
def test_waves_are_written_beside_the_description(tmp_path: Path) -> None:
    planning = planned("blur/design.yaml", {"N": 4}, ())
    whole, *_ = checked(planning, written(planning, tmp_path), waves=True)
    assert whole.detail.endswith("; signals over time in sim/blur.fst")
    assert (tmp_path / "sim" / "blur.fst").stat().st_size > 0


@pytest.mark.long
def test_generated_verilog_passes_under_verilator(tmp_path: Path) -> None:
    planning = planned("blur/design.yaml", {"N": 6}, ("order=iteration",))
    simulator = find_simulator(os.environ["PATH"], prefer="verilator")
    verdicts = checked(planning, written(planning, tmp_path), simulator=simulator, waves=True)
    assert [v.detail for v in verdicts if not v.fine] == []
    assert "(Verilator 5." in verdicts[0].detail
    assert (tmp_path / "sim" / "blur.vcd").stat().st_size > 0


def test_without_a_simulator_exit_3_and_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    planning = planned("blur/design.yaml", {"N": 4}, ())
    written(planning, tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ToolError, match="iverilog is not on PATH") as caught:
        checked(planning, tmp_path)
    assert caught.value.exit_code == 3


def test_a_missing_stream_fails_before_any_simulation(tmp_path: Path) -> None:
    planning = planned("blur/design.yaml", {"N": 4}, ())
    description = written(planning, tmp_path) / "sim" / "blur.json"
    content = json.loads(description.read_text())
    content["streams"][0]["beats"] -= 1
    description.write_text(json.dumps(content))
    (whole,) = checked(planning, tmp_path)
    assert whole.status is Status.FAIL
    assert "beats, the program" in whole.detail


def faults_of(name: str, params: dict[str, int], settings: tuple[str, ...], out: Path) -> Any:
    """The faults planted in a design, and a function that checks the design with one of them."""
    planning = planned(name, params, settings)
    program = program_of(planning)
    written(planning, out)
    device = read_device(out / "sim" / f"{planning.plan.design}.json")
    run, _ = run_of(program, program.planned_arrays())
    texts = {file.name: file.read_text() for file in sorted((out / "rtl").glob("*.v"))}
    own = {name: text for name, text in texts.items() if not name.startswith("hlsmem_")}

    def check(fault: PlantedFault) -> tuple[Verdict, ...]:
        faulty = out / "faulty"
        shutil.copytree(out / "rtl", faulty, dirs_exist_ok=True)
        for file, text in fault.files.items():
            (faulty / file).write_text(text)
        sources = sorted(faulty.glob("*.v"))
        simulator = find_simulator(os.environ["PATH"])
        return check_design(
            program, device, sources, document(planning), run, simulator, static=False
        )

    return list(planted_faults(own)), check


KINDS = {
    "modulus minus one",
    "modulus minus one, one walker",
    "wrong step",
    "wrong coefficient",
    "wrong offset",
    "dropped write",
    "dropped read",
    "gate one beat early",
    "gate removed",
    "skid slot lost",
    "tlast early",
    "swapped copies",
}


def test_every_kind_of_fault_has_a_place_in_the_blur(tmp_path: Path) -> None:
    faults, _ = faults_of("blur/design.yaml", {"N": 6}, ("arrays.blurx.reads=copies",), tmp_path)
    assert {fault.kind for fault in faults} == KINDS


def test_a_register_that_moves_alone_in_front_of_a_bank_is_caught(tmp_path: Path) -> None:
    faults, check = faults_of("stencil5/design.yaml", {"N": 5, "M": 6}, (), tmp_path)
    lost = [fault for fault in faults if fault.kind == "read lost in a stall"]
    assert len(lost) == 2
    assert not any(verdict.fine for verdict in check(lost[0]))


CHAIN_KINDS = {
    "wrong tap",
    "delay one beat short",
    "swapped operands",
    "beat out early",
    "beat lost in a stall",
    "tlast early",
}


def test_every_kind_of_fault_in_a_chain_is_caught(tmp_path: Path) -> None:
    faults, check = faults_of("sobel/design.yaml", {"N": 12}, ("order=iteration",), tmp_path)
    assert {fault.kind for fault in faults} == CHAIN_KINDS
    missed = [
        (fault.kind, fault.where)
        for fault in faults
        if all(verdict.fine for verdict in check(fault))
    ]
    assert missed == []


BRANCH_KINDS = {"branch FIFO one beat short", "beat pushed one early", "run over early"}


@pytest.mark.needs("iverilog")
def test_every_kind_of_fault_at_a_branch_fifo_is_caught(tmp_path: Path) -> None:
    """By the cycles, a beat, and busy."""
    faults, check = faults_of("unsharp/design.yaml", {"W": 8, "H": 6}, (), tmp_path)
    own = [fault for fault in faults if fault.where.startswith("unsharp_mem.v")]
    assert {fault.kind for fault in own} == BRANCH_KINDS
    told = {fault.kind: [v.detail for v in check(fault) if not v.fine] for fault in own}
    assert all(told.values()), told
    assert "measured" in told["branch FIFO one beat short"][0]
    assert "busy" in told["run over early"][0]


def test_a_branch_fifo_in_front_of_a_part_that_is_a_beat_short_is_caught(tmp_path: Path) -> None:
    """By the cycles. That busy counts its beats is told by the text alone: the part is busy too."""
    faults, check = faults_of("../tests/storage/designs/waits.yaml", {}, (), tmp_path)
    (short,) = [fault for fault in faults if fault.kind == "branch FIFO one beat short"]
    (told,) = [verdict.detail for verdict in check(short) if not verdict.fine]
    assert "64 cycles measured, 62 predicted" in told


@pytest.mark.needs("iverilog")
def test_a_beat_lost_in_a_skid_is_caught(tmp_path: Path) -> None:
    settings = ("order=iteration", "plan.slack=1")
    faults, check = faults_of("sobel/design.yaml", {"N": 9}, settings, tmp_path)
    lost = [fault for fault in faults if fault.kind == "beat lost in a skid"]
    assert len(lost) == 2
    for fault in lost:
        assert not all(verdict.fine for verdict in check(fault))


@pytest.mark.long
@pytest.mark.parametrize(("name", "params", "settings"), SMALL[:2])
def test_every_planted_fault_is_caught(
    name: str, params: dict[str, int], settings: tuple[str, ...], tmp_path: Path
) -> None:
    faults, check = faults_of(name, params, settings, tmp_path)
    missed = [
        (fault.kind, fault.where)
        for fault in faults
        if all(verdict.fine for verdict in check(fault))
    ]
    assert missed == []
