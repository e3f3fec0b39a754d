"""Generated Verilog does what the plan says, in the cycles the plan says (Icarus)."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.mapping.storage_mapping import Piece
from hlsmem.plan import Plan
from hlsmem.planner.plan_assembly import Planning
from tests.dependences.cases import planned
from tests.emit.verilog.simulated import written, wrong


def simulated(planning: Planning, plan: Plan, folder: Path, static: bool = False) -> list[str]:
    """What is wrong with the Verilog of a plan: the details of verdicts that are not pass."""
    program = planning.program
    assert program is not None
    written(program, plan, folder)
    return wrong(program, plan, folder, static=static)


@pytest.mark.few("blur", "heat", "gaps")
@pytest.mark.parametrize(
    "name",
    [
        "blur by iteration",
        "durbin",
        pytest.param("heat", marks=pytest.mark.dear),
        "half by iteration",
        "gaps",
        "two",
    ],
)
def test_simulation_agrees_with_the_plan(name: str, tmp_path: Path) -> None:
    planning = planned(name)
    assert simulated(planning, planning.plan, tmp_path, static=name == "two") == []


# The next beat of sobel's reader may be three elements further on, at the end of a row.
@pytest.mark.parametrize(
    ("name", "more"), [pytest.param("blur", 1, marks=pytest.mark.dear), ("sobel", 3)]
)
def test_with_slack_handshakes_are_registered(name: str, more: int, tmp_path: Path) -> None:
    planning = planned(name)
    plan = linear(planning, more)
    assert simulated(planning, plan, tmp_path) == []
    buffer = next((tmp_path / "rtl").glob("*_buffer.v")).read_text()
    assert ".BYPASS(1)" not in buffer
    assert ".COLLISION(0)" in buffer
    cycles = json.loads((tmp_path / "sim" / f"{plan.design}.json").read_text())["prediction"]
    assert cycles["cycles"] == 81 + 3  # a beat a cycle all the same


def linear(planning: Planning, more: int) -> Plan:
    """The plan at slack 1, its one array linearised and folded with some cells more."""
    size = planning.plan.params["N"]
    ((name, array),) = planning.plan.arrays.items()
    cells = 2 * size + (4 if name == "in" else 1) + more
    piece = Piece(
        matrix=((QuasiPolynomial.constant(size), QuasiPolynomial.constant(1)),),
        modulus=(QuasiPolynomial.constant(cells),),
        offset=(QuasiPolynomial.constant(0),),
    )
    mapping = replace(array.hardware.parts[0].mapping, pieces=(piece,), cells=cells)
    part = replace(array.hardware.parts[0], mapping=mapping)
    assert planning.plan.program is not None
    later = replace(planning.plan.program, slack=1)
    held = replace(array.hardware, parts=(part,), words=cells)
    arrays = {name: replace(array, hardware=held)}
    return replace(planning.plan, program=later, arrays=arrays)
