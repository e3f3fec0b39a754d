"""The cocotb bench of the library: every instance of the simulated top against its model.

HLSMEM_BENCH names a JSON file: {"cycles": n, "instances": [..]}, each instance with "name",
"module", "copy" and "parameters".
The first difference of each instance (or null) goes to HLSMEM_DIFFERENCES; judging is left to
the caller, because some copies have faults planted in them. Of these no instance goes on once one
of them differs.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from random import Random
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly, RisingEdge
from models import MODELS, Model


@cocotb.test()
async def compare_with_models(dut: Any) -> None:
    job = json.loads(Path(os.environ["HLSMEM_BENCH"]).read_text())
    differences: dict[str, str | None] = {one["name"]: None for one in job["instances"]}
    copies = {one["name"]: one["copy"] for one in job["instances"]}
    planted = {one["copy"] for one in job["instances"] if one["copy"] != one["module"]}
    running: dict[str, tuple[Model, dict[str, Any]]] = {}
    for one in job["instances"]:
        model = MODELS[one["module"]](one["parameters"], Random(1))
        running[one["name"]] = (model, {})
    Clock(dut.clk, 10, "ns").start(start_high=False)
    for cycle in range(job["cycles"]):
        await FallingEdge(dut.clk)
        given = {}
        for name, (model, handles) in running.items():
            given[name] = model.inputs()
            for port, value in given[name].items():
                handle(dut, name, port, handles).value = value
        await ReadOnly()
        for name in list(running):
            model, handles = running[name]
            for port, promised in model.outputs(given[name]).items():
                seen = handle(dut, name, port, handles).value
                if promised is not None and not (seen.is_resolvable and int(seen) == promised):
                    differences[name] = f"cycle {cycle}: {port} is {seen}, not {promised}"
        for copy in {copies[name] for name in running if differences[name]}:
            # One instance that differs is enough of a copy with a fault.
            ended = [name for name in running if copies[name] == copy]
            for name in ended if copy in planted else filter(differences.get, ended):
                del running[name]
        await RisingEdge(dut.clk)
        for name, (model, _) in running.items():
            model.tick(given[name])
        if not running:
            break
    Path(os.environ["HLSMEM_DIFFERENCES"]).write_text(json.dumps(differences))


def handle(dut: Any, instance: str, port: str, known: dict[str, Any]) -> Any:
    """The handle of a port; a lookup by name is slow, so it is kept."""
    if port not in known:
        known[port] = getattr(getattr(dut, instance), port)
    return known[port]
