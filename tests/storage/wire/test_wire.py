"""Wires: chosen where a reader waits for nothing else, and right in every check."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hlsmem.check import run_checks
from hlsmem.core.errors import InputError
from hlsmem.cycle_model import Datapaths, datapaths_of
from hlsmem.emit.output_folder import write_folder
from hlsmem.plan import Plan
from hlsmem.planner.plan_assembly import Planning
from hlsmem.planner.planning_sequence import plan_hardware
from hlsmem.storage.predicted_run import network_of, simulated, without_stalls
from hlsmem.storage.wire.circuit import WireCircuit
from tests.holdings import part_in
from tests.plans import files_of, hardware_of, whole_files
from tests.steps import load

DESIGN = Path(__file__).parents[1] / "designs/wire.yaml"
UNSHARP = Path(__file__).parents[3] / "examples/unsharp/design.yaml"


PROVED = pytest.param(("formal",), marks=pytest.mark.formal)
CHECKS = pytest.mark.parametrize("checks", [("proof", "replay", "rtl"), PROVED], ids=" ".join)


def planning(*settings: str) -> Planning:
    return hardware_of(DESIGN, {"N": 12}, settings)


def listed(operands: str, kind: str, array: str = "m") -> str:
    return f"arrays.{array}.parts=[{{operands: [{operands}], kind: {kind}}}]"


def kinds(plan: Plan) -> dict[str, tuple[str, int]]:
    return {name: (memory.kind, memory.words) for name, memory in plan.memories.items()}


def test_a_reader_that_waits_for_nothing_else_has_a_wire() -> None:
    own = planning()
    assert kinds(own.plan) == {"a": ("chain", 3), "m": ("wire", 0), "s": ("chain", 2)}
    registers = planning(listed("m_m_S.0", "registers"))
    assert kinds(registers.plan)["m"] == ("registers", 1)
    assert own.plan.timing is not None
    assert registers.plan.timing is not None
    assert (own.plan.timing.cycles, registers.plan.timing.cycles) == (20, 21)


@pytest.mark.few("proof")
@CHECKS
def test_a_part_may_be_a_wire(checks: tuple[str, ...], tmp_path: Path) -> None:
    """The reads of D wait for each other, that of T for nothing."""
    text = DESIGN.read_text().replace("  out:\n", SECOND_READER + "  out:\n")
    text = text.replace("  o: {", "  t: {type: int16, extents: [N], storage: external}\n  o: {")
    text = text.replace('live_out: ["', 'live_out: ["[N] -> { t[i] : 4 <= i < N }", "')
    file = tmp_path / "two.yaml"
    file.write_text(text)
    own = plan_hardware(load(file, settings=("params.N=12", BOTH)))
    assert kinds(own.plan)["s_0"] == ("wire", 0)
    write_folder(tmp_path / "out", whole_files(own))
    found = run_checks(tmp_path / "out", checks).verdicts
    assert [(one.subject, one.detail) for one in found if not one.fine] == []


SECOND_READER = """\
  second:
    statements:
      T:
        domain: "[N] -> { T[i] : 4 <= i < N }"
        schedule: "[N] -> { T[i] -> [i,4] }"
        reads: ["[N] -> { T[i] -> s[i] }"]
        writes: ["[N] -> { T[i] -> t[i] }"]
"""
BOTH = (
    "arrays.s.parts=[{operands: [m_s_T.0], kind: wire},"
    " {operands: [m_s_D.0, m_s_D.1], kind: chain}]"
)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (("order=sequential",), "order: sequential has no steps of several statements"),
        (("plan.slack=1",), "with plan.slack ready depends on registers only"),
    ],
)
def test_no_wire_without_steps_or_with_slack(settings: tuple[str, ...], message: str) -> None:
    with pytest.raises(InputError, match=f"'m': no wire for m_m_S.0: {message}"):
        planning(listed("m_m_S.0", "wire"), *settings)


def test_no_wire_where_an_older_element_is_read() -> None:
    message = "m_s_D.1 reads what came 1 beats before the newest"
    with pytest.raises(InputError, match=message):
        planning(listed("m_s_D.0, m_s_D.1", "wire", "s"))


def test_no_wire_where_the_reader_waits_for_another_stream() -> None:
    parts = listed("m_b_S.0", "wire", "b")
    with pytest.raises(InputError, match=r"S waits for m_in_S\.0 too, so that a beat is kept"):
        plan_hardware(load(UNSHARP, settings=("params.W=8", "params.H=6", parts)))


@pytest.mark.few("0-", "4-()")
@pytest.mark.parametrize("settings", [(), ("arrays.a.reads=copies",)], ids=str)
@pytest.mark.parametrize("cycles", [0, 1, 4])
def test_a_play_has_the_cycles_of_the_closed_form(cycles: int, settings: tuple[str, ...]) -> None:
    own = planning(*settings)
    assert own.program is not None
    datapaths = Datapaths(latency=dict.fromkeys(datapaths_of(own.program).latency, cycles))
    network = network_of(own.circuits)
    assert any(isinstance(circuit, WireCircuit) for circuit in own.circuits)
    found = without_stalls(network, datapaths)
    assert (found is None) == bool(settings)
    simulation = simulated(network, datapaths)
    if found is not None:
        assert replace(simulation, wait=None) == found
    else:
        assert simulation.cycles is not None


def written(folder: Path, *settings: str) -> Path:
    write_folder(folder, files_of(DESIGN, {"N": 12}, settings))
    return folder


@pytest.mark.few("()-exact replay rtl", "()-formal")
@CHECKS
@pytest.mark.parametrize(
    "settings",
    [
        (),
        ("arrays.a.reads=copies", "arrays.s.reads=copies"),
        ("network.mean.latency=0", "network.scale.latency=0"),
    ],
    ids=str,
)
def test_wires_pass_all_checks(
    settings: tuple[str, ...], checks: tuple[str, ...], tmp_path: Path
) -> None:
    out = written(tmp_path / "out", *settings)
    found = run_checks(out, checks).verdicts
    assert [(one.subject, one.detail) for one in found if not one.fine] == []
    assert "rtl" not in checks or any("predicted = measured" in one.detail for one in found)


def words(plan: Any) -> None:
    plan["memories"]["m"]["words"] = 1


def tap(plan: Any) -> None:
    part_in(plan["arrays"]["m"])["taps"] = [1]


def of_two(plan: Any) -> None:
    """A chain of two reads of one statement as a wire."""
    plan["memories"]["s"] |= {"kind": "wire", "words": 0}


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (words, "words is 1, not 0"),
        (tap, "taps is "),
        (of_two, "a wire keeps nothing"),
    ],
)
def test_faults_in_the_plan_are_caught(
    fault: Callable[[Any], None], message: str, tmp_path: Path
) -> None:
    file = written(tmp_path / "out") / "plan.json"
    document = json.loads(file.read_text())
    fault(document)
    file.write_text(json.dumps(document))
    found = run_checks(file.parent, ("proof",)).verdicts
    assert any(not one.fine and message in one.detail for one in found)


@pytest.mark.few("rtl", "-open-formal")
@pytest.mark.parametrize("check", ["rtl", pytest.param("formal", marks=pytest.mark.formal)])
@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("open & (m_m_S_tready | ~s_m_M_emit_0)", "open"),
        ("open & s_m_M_tvalid & s_m_M_emit_0", "open & s_m_M_tvalid"),
        ("assign m_m_S_tlast = s_m_M_last_0", "assign m_m_S_tlast = 1'b0"),
        ("at_0 = s_m_M_tdata[15:0]", "at_0 = ~s_m_M_tdata[15:0]"),
    ],
)
def test_faults_in_the_verilog_are_caught(
    check: str, right: str, wrong: str, tmp_path: Path
) -> None:
    file = written(tmp_path / "out") / "rtl/scaled_m_buffer.v"
    text = file.read_text()
    assert text.count(right) == 1
    file.write_text(text.replace(right, wrong))
    verdicts = run_checks(file.parents[1], (check,)).verdicts
    assert any(one.status.value == "fail" for one in verdicts)
