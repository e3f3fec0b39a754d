"""`make bench`: how long things take here, measured side by side; nothing is asserted.

`python -m benchmarks kernels` prints the table of that name alone.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks import (
    banks,
    checks,
    classes,
    designs,
    hardware,
    lifetimes,
    mappings,
    networks,
    pages,
    proofs,
    reading,
    speed,
)

ROOT = Path(__file__).resolve().parent.parent
HLSMEM = [sys.executable, "-m", "hlsmem"]
ROUNDS = 7


def seconds_of(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def median_seconds(action: Callable[[], object]) -> float:
    """Median of several runs after one that is not counted."""
    action()
    return statistics.median(seconds_of(action) for _ in range(ROUNDS))


def process(*arguments: str) -> Callable[[], object]:
    command = [*HLSMEM, *arguments]
    return lambda: subprocess.run(command, check=True, capture_output=True)


def warm_plan(design: Path) -> Callable[[], object]:
    from hlsmem.planner.output_files import output_files
    from hlsmem.planner.planning_sequence import plan_design
    from hlsmem.polyhedra.memoized import forget
    from hlsmem.read.design import load

    def plan() -> None:
        forget()
        output_files(plan_design(load(design)))

    return plan


def main(parts: Sequence[str]) -> None:
    """Print the tables named in `parts`, all of them by default."""
    tables = {
        "plans": print_plans,
        "speed": speed.print_table,
        "pages": pages.print_table,
        "designs": designs.print_table,
        "hardware": hardware.print_table,
        "banks": banks.print_table,
        "methods": mappings.print_methods,
        "variants": mappings.print_variants,
        "searches": mappings.print_searches,
        "papers": lifetimes.print_papers,
        "kernels": lifetimes.print_kernels,
        "classes": classes.print_table,
        "networks": networks.print_table,
        "checks": checks.print_table,
        "proofs": proofs.print_table,
        "reading": reading.print_table,
    }
    if not parts:
        # A process a table: what one left in memory is none of what the next one measures.
        for name in tables:
            subprocess.run([sys.executable, "-m", "benchmarks", name], check=True)
    for name in parts:
        tables[name]()


def print_plans() -> None:
    python = median_seconds(lambda: subprocess.run([sys.executable, "-c", ""], check=True))
    print(f"{'what':44} {'median s':>9} {'x python -c pass':>17}")

    def line(what: str, seconds: float) -> None:
        print(f"{what:44} {seconds:9.3f} {seconds / python:17.1f}", flush=True)

    line("python -c ''", python)
    line("hlsmem --help", median_seconds(process("--help")))
    with tempfile.TemporaryDirectory() as folder:
        blur = str(ROOT / "examples" / "blur" / "design.yaml")
        line("hlsmem plan blur (process)", median_seconds(process("plan", blur, "-o", folder)))
    for design in sorted((ROOT / "examples").glob("*/*.yaml")):
        name = f"plan {design.parent.name}/{design.name} (warm)"
        line(name, median_seconds(warm_plan(design)))


main(sys.argv[1:])
