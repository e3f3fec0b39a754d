"""The cycles from frame to frame: what `check` simulates is held to them."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.planner.planning_sequence import plan_design
from hlsmem.read.design import load

KERNELS = Path(__file__).parents[2] / "datapath/kernels"
# Of the memories alone, each statement a datapath, and from frame to frame, each process one.
SIMULATED = {"gauss3": (806, 807), "dense": (650, 650), "harris": (814, 815)}


@pytest.mark.parametrize("name", SIMULATED)
def test_a_process_of_several_statements_is_one_datapath(name: str) -> None:
    timing = plan_design(load(KERNELS / f"{name}.c")).plan.timing
    assert timing is not None
    assert (timing.cycles, timing.frame) == SIMULATED[name]


EDGES = """
void edges(const int a[6][8], int out[6][8]) {
  for (int y = 1; y < 5; y++)
    for (int x = 1; x < 7; x++) out[y][x] = a[y - 1][x] + a[y + 1][x];
}
"""
FEW = """
void few(const int a[4][4], int out[20][20]) {
  for (int y = 0; y < 4; y++)
    for (int x = 0; x < 4; x++) out[y + 8][x + 8] = a[y][x] + 1;
}
"""


def test_zeros_that_keep_elements_waiting_leave_it_open(tmp_path: Path) -> None:
    """A frame of 400 elements, 16 of which come from memories, takes more than these."""
    found = []
    for name, text in (("edges", EDGES), ("few", FEW)):
        source = tmp_path / f"{name}.c"
        source.write_text(text)
        timing = plan_design(load(source)).plan.timing
        found.append(timing and timing.frame)
    assert found == [53, None]
