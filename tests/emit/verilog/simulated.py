"""What the simulation of a plan's Verilog finds wrong."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from hlsmem.check.rtl.bench_vectors import RUNS, BenchRun
from hlsmem.check.rtl.rtl_verdicts import check_design
from hlsmem.check.rtl.simulated_device import read_device
from hlsmem.core.verdict import Status
from hlsmem.cycle_model import datapaths_of
from hlsmem.emit.verilog.verilog_files import rtl_files
from hlsmem.plan import Plan, to_json
from hlsmem.program.model import Program, SourceFile
from hlsmem.storage.build import circuits
from hlsmem.storage.predicted_run import predict_circuits
from hlsmem.tools.simulators import find_simulator
from tests.plans import laid


def write(files: Iterable[SourceFile], folder: Path) -> None:
    """Write generated files into a folder."""
    for file in files:
        path = folder / file.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(file.text)


def written(program: Program, plan: Plan, folder: Path, *, registered: bool = False) -> None:
    """Write the Verilog of a plan in which every array is one part."""
    memories = circuits(program, laid(plan), output_register=registered)
    prediction = predict_circuits(memories, datapaths_of(program))
    write(rtl_files(program, plan, memories, prediction), folder)


def wrong(
    program: Program,
    plan: Plan,
    folder: Path,
    *,
    static: bool = False,
    runs: Sequence[BenchRun] | None = RUNS[:3],
) -> list[str]:
    """The details of verdicts on the Verilog in a folder that are not pass; None: in all runs."""
    verdicts = check_design(
        program,
        read_device(folder / "sim" / f"{plan.design}.json"),
        sorted((folder / "rtl").glob("*.v")),
        json.loads(to_json(plan)),
        None,
        simulator=find_simulator(os.environ.get("PATH", "")),
        runs=runs,
        static=static,
    )
    assert verdicts
    return [verdict.detail for verdict in verdicts if verdict.status is not Status.PASS]
