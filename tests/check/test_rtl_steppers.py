"""The check `rtl` of conflict sets: steppers and RAMs as generated pass, with a fault they fail."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

from hlsmem.check.rtl.stepper_bench import check_steppers
from hlsmem.core.verdict import Verdict
from hlsmem.emit.verilog.verilog_files import stepper_files
from hlsmem.plan import to_json
from hlsmem.planner.plan_assembly import Planning
from hlsmem.planner.planning_sequence import plan_hardware
from hlsmem.program.model import ConflictInput
from hlsmem.tools.simulators import find_simulator
from tests.steps import load

DESIGN = """\
hlsmem: 1
name: two
params: {N: 6}
context: "[N] -> { : N >= 3 }"
arrays:
  A: {type: int7, index: [x, y], elements: "[N] -> { A[x,y] : 0 <= x,y < N }"}
  B: {type: uint16, index: [i, j, k]}
conflicts:
  A: {differences: "[N] -> { [x,y] : 1 <= x < N and 0 <= y <= 1 }"}
  B: {differences: "[N] -> { [i,j,k] : 0 <= i <= 2 and -1 <= j <= 1 and -2 <= k <= 2 }"}
"""


@cache
def planned(method: str) -> Planning:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "two.yaml"
        file.write_text(DESIGN)
        return plan_hardware(load(file, settings=[f"plan.method={method}"]))


def verdicts(
    folder: Path, edits: Sequence[tuple[str, str, str]] = (), *, method: str = "auto"
) -> tuple[Verdict, ...]:
    """The verdicts on the design above after `edits` (file, old, new) of its Verilog."""
    planning = planned(method)
    for file in stepper_files(planning.plan):
        target = folder / file.name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(file.text)
    for name, old, new in edits:
        text = (folder / "rtl" / name).read_text()
        assert old in text
        (folder / "rtl" / name).write_text(text.replace(old, new, 1))
    given = planning.design.input
    assert isinstance(given, ConflictInput)
    document = json.loads(to_json(planning.plan))
    simulator = find_simulator(os.environ["PATH"])
    return check_steppers(
        folder,
        given,
        document,
        "two",
        folder / "sim" / "two.json",
        simulator=simulator,
        static=not edits,
    )


@pytest.mark.few("auto")
@pytest.mark.parametrize("method", ["auto", "successive"])
def test_as_generated(method: str, tmp_path: Path) -> None:
    found = verdicts(tmp_path, method=method)
    assert [verdict.detail for verdict in found if not verdict.fine] == []
    assert [verdict.subject for verdict in found] == ["A", "B"]
    assert found[0].detail.startswith("two_A_step and the mapping agree in ")


FAULTS = (
    ("a step of two", "two_A_step.v", "next_part_0 = ", "next_part_0 = 1'd1 + "),
    ("down is up", "two_A_step.v", "case ({dim, down})", "case ({dim, 1'b0})"),
    ("load loses a bit", "two_A_step.v", "<= load_cell", "<= 1 ^ load_cell"),
    ("never steps", "two_A_step.v", "else if (step)", "else if (step & down)"),
    ("writes always", "two_A.v", ".w_en(w_en)", ".w_en(1'b1)"),
    ("reads the write address", "two_A.v", ".r_addr(r_cell)", ".r_addr(w_cell)"),
)


@pytest.mark.few(1)
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault[0])
def test_with_a_fault(fault: tuple[str, str, str, str], tmp_path: Path) -> None:
    name, file, old, new = fault
    a, b = verdicts(tmp_path, [(file, old, new)])
    assert not a.fine, name
    assert file.removesuffix(".v") in a.detail
    assert "at cycle" in a.detail
    assert b.fine


def test_the_element_of_a_wrong_cell_is_named(tmp_path: Path) -> None:
    a, _ = verdicts(tmp_path, [FAULTS[0][1:]])
    found = re.fullmatch(
        r"two_A_step: A\[(-?\d+)\]\[(-?\d+)\] is in cell (\d+), not (\d+), at cycle \d+"
        r" after a step (up|down) along [xy]",
        a.detail,
    )
    assert found is not None
    mapping = planned("auto").folded.mappings["A"]
    (piece,) = mapping.pieces
    x, y = int(found[1]), int(found[2])
    (row,), (modulus,) = piece.matrix_at({"N": 6}), piece.modulus_at({"N": 6})
    assert (row[0] * x + row[1] * y) % modulus == int(found[4])
