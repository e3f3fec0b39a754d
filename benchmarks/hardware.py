"""Predicted cycles of the examples at two sizes, and what a simulation takes.

What a run takes beyond a beat a cycle must not grow with its size. The write port of a memory
takes one beat a cycle, whichever stream it comes from: where several write streams share one, the
least number of cycles is that of the port, not of the longest stream. Where a value has to be
back before the next instance can go, no number of cycles but that of the round is the least.
"""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from hlsmem.check.replayed.replay_check import run_of as recorded_run
from hlsmem.check.rtl.bench_vectors import RUNS, runs_for
from hlsmem.check.rtl.rtl_verdicts import check_design
from hlsmem.check.rtl.simulated_device import read_device
from hlsmem.emit.output_folder import write_folder
from hlsmem.plan import to_json
from hlsmem.planner.output_files import described_files
from hlsmem.planner.plan_assembly import Planning
from hlsmem.planner.planning_sequence import plan_design
from hlsmem.read.design import load
from hlsmem.tools.simulators import find_simulator

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"

# The parameter that is doubled, and where it starts.
SIZES = {
    "blur": ("N", 32),
    "sobel": ("N", 32),
    "half": ("N", 32),
    "triangle": ("N", 16),
    "two_consumers": ("N", 64),
    "jacobi1d": ("N", 32),
    "heat2d": ("N", 8),
    "matmul_relu": ("N", 8),
    "durbin": ("N", 16),
}
# 20 rows of 64 columns, each made from the one before but for the first.
STENCIL = ("jacobi1d", {"N": 64, "T": 19}, 20 * 64)
LARGE = (("blur", {"N": 1024}), ("sobel", {"N": 1024}), ("heat2d", {"N": 128, "T": 20}))


@dataclass(frozen=True, slots=True, kw_only=True)
class Cycles:
    """Cycles without stalls, beats of the longest stream, and of the busiest port or stream."""

    cycles: int
    longest: int
    busiest: int
    where: str


def cycles_of(planning: Planning) -> Cycles:
    """The predicted run of a plan that has Verilog."""
    prediction = planning.prediction
    if prediction is None or prediction.cycles is None:
        raise ValueError(f"{planning.plan.design} has no prediction")
    beats = {s.name: s.beats for memory in planning.circuits for s in memory.streams}
    longest = max(beats.values())
    ports: Counter[str] = Counter()
    for memory in planning.circuits:
        for stream in memory.streams:
            if stream.is_write:
                ports[f"write port of {memory.array}"] += stream.beats
    where, busiest = max({**beats, **ports}.items(), key=lambda item: item[1])
    return Cycles(cycles=prediction.cycles, longest=longest, busiest=busiest, where=where)


def planned(name: str, parameters: dict[str, int], slack: int) -> Planning:
    file = EXAMPLES / name / "design.yaml"
    return plan_design(load(file, parameters=parameters, settings=[f"plan.slack={slack}"]))


def print_table() -> None:
    """Each example at N and 2N with slack 1, the stencil, large sizes, a simulation."""
    print(f"\n{'cycles without stalls, slack 1':32} {'cycles':>8} {'- longest':>10}", end="")
    print(f" {'- busiest':>10} {'interval':>9}  busiest, or what is waited for")
    for name, (parameter, size) in SIZES.items():
        for value in (size, 2 * size):
            planning = planned(name, {parameter: value}, 1)
            found, prediction = cycles_of(planning), planning.prediction
            assert prediction is not None
            print(
                f"{f'{name} {parameter}={value}':32} {found.cycles:8}"
                f" {found.cycles - found.longest:10} {found.cycles - found.busiest:10}"
                f" {prediction.interval:9.2f}  {prediction.reason or found.where}",
                flush=True,
            )
    name, parameters, iterations = STENCIL
    cycles = cycles_of(planned(name, parameters, 1)).cycles
    print(f"\nfeedback stencil of 64 columns, 20 steps: {cycles} cycles, ", end="")
    print(f"{cycles / iterations:.3f} per iteration")
    for name, parameters in LARGE:
        start = time.perf_counter()
        cycles = cycles_of(planned(name, parameters, 0)).cycles
        shown = ", ".join(f"{key}={value}" for key, value in parameters.items())
        print(f"{name} {shown}: planned with its {cycles} cycles in", end="")
        print(f" {time.perf_counter() - start:.1f} s", flush=True)
    print_simulation("blur", {"N": 64})


def print_simulation(name: str, parameters: dict[str, int]) -> None:
    """Seconds to build and run the Verilog of an example and to compare every beat and access."""
    planning = planned(name, parameters, 0)
    program = planning.program
    assert program is not None
    simulator = find_simulator(os.environ.get("PATH", ""))
    run, _ = recorded_run(program, program.planned_arrays())
    with tempfile.TemporaryDirectory() as folder:
        write_folder(Path(folder), described_files(planning))
        device = read_device(Path(folder) / "sim" / f"{planning.plan.design}.json")
        sources = sorted((Path(folder) / "rtl").glob("*.v"))
        document = json.loads(to_json(planning.plan))
        for runs in (RUNS[:1], runs_for(device, sum(stream.beats for stream in device.streams))):
            start = time.perf_counter()
            verdicts = check_design(
                program, device, sources, document, run, simulator, runs=runs, static=False
            )
            seconds = time.perf_counter() - start
            passed = "pass" if all(verdict.fine for verdict in verdicts) else "FAIL"
            many = "1 run" if len(runs) == 1 else f"{len(runs)} runs, all but one with stalls"
            print(f"simulation of {name} 64x64, {simulator.title}, build and comparison", end="")
            print(f" included, {many}: {seconds:.1f} s, {passed}", flush=True)
