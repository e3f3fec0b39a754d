"""Predicted cycles of the examples at two sizes: what is not a beat a cycle must not grow.

The write port of a memory takes one beat a cycle, whichever stream it comes from, so the
least number of cycles is that of the busiest port or of the longest read stream.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from hlsmem.pipeline import Planning, plan_design
from hlsmem.read.design import load

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Cycles without stalls, and beats of the longest stream and of the busiest port."""

    cycles: int
    longest: int
    busiest: int


def run_of(planning: Planning) -> Run:
    """The predicted run of a plan that has Verilog."""
    if planning.prediction is None:
        raise ValueError(f"{planning.plan.design} has no prediction")
    streams = [stream for memory in planning.circuits for stream in memory.streams]
    writes: Counter[str] = Counter()
    for memory in planning.circuits:
        for stream in memory.streams:
            if stream.is_write:
                writes[memory.array] += stream.beats
    longest = max(stream.beats for stream in streams)
    return Run(
        cycles=planning.prediction.cycles,
        longest=longest,
        busiest=max([longest, *writes.values()]),
    )


def print_table() -> None:
    """Each example at N and 2N, with slack 0 and 1."""
    print(f"\n{'cycles without stalls':24} {'slack':>5} {'size':>6} {'cycles':>8}", end="")
    print(f" {'- longest stream':>17} {'- busiest port':>15} {'per beat':>9}")
    for name, (parameter, size) in SIZES.items():
        for slack in (0, 1):
            for value in (size, 2 * size):
                design = load(
                    EXAMPLES / name / "design.yaml",
                    parameters={parameter: value},
                    settings=[f"plan.slack={slack}"],
                )
                run = run_of(plan_design(design))
                print(
                    f"{name:24} {slack:5} {parameter}={value:<4} {run.cycles:8}"
                    f" {run.cycles - run.longest:17} {run.cycles - run.busiest:15}"
                    f" {run.cycles / run.busiest:9.3f}",
                    flush=True,
                )
