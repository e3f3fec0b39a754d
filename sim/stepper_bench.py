"""Compares the steppers and RAMs of a conflict set, cycle by cycle, with what they must show.

HLSMEM_VECTORS names a JSON file: per array the inputs of every cycle and the outputs due before
its clock edge (null: not promised). The first difference of each goes to HLSMEM_RESULTS.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, Timer

STEPPER = ("load", "load_cell", "step", "dim", "down")
RAM = ("w_en", "w_cell", "w_data", "r_en", "r_cell")


@cocotb.test()
async def compare(dut: Any) -> None:
    arrays = json.loads(Path(os.environ["HLSMEM_VECTORS"]).read_text())
    faults: dict[str, list[Any]] = {}
    Clock(dut.clk, 10, "ns", impl="gpi").start(start_high=False)
    await FallingEdge(dut.clk)
    for cycle in range(max(len(array["cycles"]) for array in arrays)):
        for number, array in enumerate(arrays):
            if cycle < len(array["cycles"]):
                drive(dut, number, array["cycles"][cycle])
        await Timer(2, "ns")
        for number, array in enumerate(arrays):
            if cycle < len(array["cycles"]) and array["name"] not in faults:
                wrong = difference(dut, number, array["cycles"][cycle])
                if wrong is not None:
                    faults[array["name"]] = [cycle, *wrong]
        await FallingEdge(dut.clk)
    Path(os.environ["HLSMEM_RESULTS"]).write_text(json.dumps(faults))


def drive(dut: Any, number: int, values: dict[str, Any]) -> None:
    for port in (*STEPPER, *RAM):
        getattr(dut, f"a{number}_{port}").value = values[port]


def difference(dut: Any, number: int, values: dict[str, Any]) -> list[Any] | None:
    """The port that shows something else, what it shows and what was due."""
    for port in ("cell_now", "r_data"):
        due = values[port]
        seen = str(getattr(dut, f"a{number}_{port}").value)
        if due is not None and seen != format(due, f"0{len(seen)}b"):
            return [port, seen, due]
    return None
