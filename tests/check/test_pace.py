"""The check `rtl` holds the interval of plan.json, with the steps that plan.json counts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hlsmem.check import run_checks
from hlsmem.emit.output_folder import write_folder
from hlsmem.planner.output_files import simulated_files
from hlsmem.planner.planning_sequence import plan_hardware
from tests.steps import load

# S0 has nine beats in three steps. The one in the middle is the first of its step.
KERNEL = """\
void rows(void)
{
    int A[3][3];
#pragma scop
    for (int x = 0; x < 3; x++)
        for (int y = 0; y < 3; y++)
            A[x][y] = 4;
    for (int i = 3; i >= 0; i -= 2)
        A[i - 1][0] += A[(i % 2) - 1][i - 1] + i;
#pragma endscop
}
"""
IN_COPIES = "arrays.A.parts=[{operands: [m_A_S1.0, m_A_S1.1], kind: ram}]"


@pytest.mark.long
def test_steps_are_counted_behind_that_of_the_beat_in_the_middle(tmp_path: Path) -> None:
    (tmp_path / "rows.c").write_text(KERNEL)
    settings = ("order=iteration", "pipeline.level=1", "plan.strict=true", IN_COPIES)
    planning = plan_hardware(load(tmp_path / "rows.c", settings=settings))
    write_folder(tmp_path / "out", simulated_files(planning))
    assert planning.plan.timing is not None
    assert planning.plan.timing.interval == 5.0
    assert pace(tmp_path / "out") == ""
    file = tmp_path / "out" / "plan.json"
    document = json.loads(file.read_text())
    document["timing"]["interval"] = 6
    file.write_text(json.dumps(document))
    assert pace(tmp_path / "out").startswith("plan.json has a step start every 6 cycles")


def pace(out: Path) -> str:
    """What rtl says that is not fine."""
    return "".join(one.detail for one in run_checks(out, ("rtl",)).verdicts if not one.fine)
