"""FIFOs: every beat leaves as it came, in the cycles that are predicted; faults are caught."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.emit.verilog.verilog_files import rtl_files
from hlsmem.planner.plan_assembly import Planning
from hlsmem.storage.fifo.circuit import FifoCircuit
from tests.emit.verilog.simulated import write, wrong
from tests.faults.verilog import planted_faults
from tests.plans import hardware_of

FIFOS = Path(__file__).parents[2] / "dependences" / "designs" / "fifos.yaml"


def planned(*settings: str, **parameters: int) -> Planning:
    return hardware_of(FIFOS, parameters=parameters, settings=settings)


def simulated(planning: Planning, folder: Path, *, static: bool = False) -> list[str]:
    assert planning.program is not None
    assert planning.prediction is not None
    write(
        rtl_files(planning.program, planning.plan, planning.circuits, planning.prediction), folder
    )
    return wrong(planning.program, planning.plan, folder, static=static)


@pytest.mark.few("5-", "2-")
@pytest.mark.parametrize(
    ("loop", "settings"),
    [
        (5, ("network.loop.latency=0",)),  # S writes what it reads
        (4, ("target.output_register=yes", "target.device=ecp5")),  # a power of two
        pytest.param(2, ("plan.slack=1", "network.loop.latency=0"), marks=pytest.mark.dear),
        (8, ("network.loop.latency=3", "arrays.b.style=registers")),
    ],
)
def test_fifos_do_what_the_plan_says(loop: int, settings: tuple[str, ...], tmp_path: Path) -> None:
    planning = planned(*settings, D=loop)
    assert all(isinstance(circuit, FifoCircuit) for circuit in planning.circuits)
    assert simulated(planning, tmp_path, static=True) == []


def test_an_operand_that_is_read_twice_is_one_word() -> None:
    planning = planned()
    assert planning.prediction is not None
    files = rtl_files(planning.program, planning.plan, planning.circuits, planning.prediction)
    (text,) = (file.text for file in files if file.name == "rtl/fifos_b_buffer.v")
    assert "assign m_b_T_tdata = {word, word};" in text


@pytest.mark.needs("iverilog")
def test_faults_are_caught(tmp_path: Path) -> None:
    planning = planned(N=20)
    assert planning.program is not None
    assert simulated(planning, tmp_path) == []
    own = {file.name: file.read_text() for file in (tmp_path / "rtl").glob("fifos_*.v")}
    kinds = []
    for fault in planted_faults(own, most=1):
        for name, text in fault.files.items():
            (tmp_path / "rtl" / name).write_text(text)
        assert wrong(planning.program, planning.plan, tmp_path, runs=None), fault
        kinds.append(fault.kind)
    assert kinds == ["one beat short", "tlast early", "run over early", "beat lost in a stall"]
