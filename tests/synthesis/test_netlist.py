"""Cells of a netlist as engineers count them."""

from __future__ import annotations

import json

import pytest

from hlsmem.errors import ToolError
from hlsmem.synthesis.netlist import FAMILIES, area


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


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"design": {}}'])
def test_no_statistics_are_a_fault_of_the_tool(text: str) -> None:
    with pytest.raises(ToolError, match="no statistics"):
        area(text, FAMILIES["ecp5"])
