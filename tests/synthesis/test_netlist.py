"""Cells of a netlist as engineers count them."""

from __future__ import annotations

import json

import pytest

from hlsmem.core.errors import ToolError
from hlsmem.devices import FAMILIES
from hlsmem.synthesis.netlist import area, cost_of


def counted(family: str, **cells: int) -> tuple[int, int, int, dict[str, int]]:
    text = json.dumps({"design": {"num_cells_by_type": cells}})
    found = area(text, FAMILIES[family])
    return found.luts, found.flip_flops, found.multipliers, dict(found.blocks)


def test_ecp5_counts_carry_cells_twice_and_distributed_rams_four_times() -> None:
    cells = {"LUT4": 10, "CCU2C": 3, "TRELLIS_DPR16X4": 2, "PFUMX": 7, "TRELLIS_FF": 5}
    assert counted("ecp5", **cells, DP16KD=2) == (24, 5, 0, {"DP16KD": 2})


def test_ice40_counts_every_kind_of_flip_flop() -> None:
    cells = {"SB_LUT4": 8, "SB_CARRY": 6, "SB_DFF": 1, "SB_DFFESR": 3, "SB_RAM40_4K": 4}
    assert counted("ice40", **cells, SB_MAC16=1) == (8, 4, 1, {"SB_RAM40_4K": 4})


def test_xc7_tells_block_rams_apart() -> None:
    cells = {"LUT1": 1, "LUT6": 2, "CARRY4": 9, "FDRE": 4, "FDSE": 1, "RAM32M": 2}
    found = counted("xc7", **cells, RAMB18E1=1, RAMB36E1=3, DSP48E1=2)
    assert found == (11, 5, 2, {"RAMB18E1": 1, "RAMB36E1": 3})


def test_lut_rams_of_amd_count_the_luts_that_hold_them() -> None:
    cells = {"RAM32X1D": 3, "RAM128X1D": 1, "RAM64M": 1, "INV": 2}
    assert counted("xc7", **cells)[0] == 3 * 2 + 4 + 4 + 2
    assert counted("xcup", RAM32M16=1, RAM64M8=1, RAM256X1D=1)[0] == 24


def test_cells_that_nobody_counts_are_told_apart() -> None:
    text = json.dumps({"design": {"num_cells_by_type": {"LUT4": 1, "PFUMX": 2, "EHXPLLL": 1}}})
    assert area(text, FAMILIES["ecp5"]).others == {"EHXPLLL": 1}


def test_block_rams_are_counted_in_the_smallest_and_large_ones_apart() -> None:
    text = json.dumps(
        {"design": {"num_cells_by_type": {"RAMB36E2": 3, "RAMB18E2": 1, "URAM288": 2}}}
    )
    cost = cost_of(area(text, FAMILIES["xcup"]), FAMILIES["xcup"])
    assert (cost.blocks, cost.large) == (7, 2)


def test_luts_that_hold_words_are_told_apart() -> None:
    text = json.dumps({"design": {"num_cells_by_type": {"LUT4": 3, "TRELLIS_DPR16X4": 2}}})
    cost = cost_of(area(text, FAMILIES["ecp5"]), FAMILIES["ecp5"])
    assert (cost.luts, cost.lut_ram) == (11, 8)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"design": {}}'])
def test_no_statistics_are_a_fault_of_the_tool(text: str) -> None:
    with pytest.raises(ToolError, match="no statistics"):
        area(text, FAMILIES["ecp5"])
