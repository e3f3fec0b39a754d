"""What proves a plan beside the planning: `hlsmem-verify`, the check `source`; and the sandbox.

Seconds are processor time, those of the processes it starts included, measured in turns: of whole
processes, and of the check and the planning alone, without what Python takes to start and import.
Of the sandbox they are those of the clock, which a user waits.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.reading import side_by_side
from hlsmem.planner.output_files import output_files
from hlsmem.planner.planning_sequence import plan_design
from hlsmem.questions.planned_checks import run_checks
from hlsmem.read.design import load
from hlsmem.tools.run import run
from hlsmem.tools.sandbox import Sandbox, is_isolated, maker, obstacle

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ("blur", "sobel", "stencil5")
STARTS = 21


def _process(*words: str) -> Callable[[], object]:
    command = [sys.executable, "-m", *words]
    return lambda: subprocess.run(command, check=True, capture_output=True, cwd=ROOT)


def print_table() -> None:
    print(f"{'what':44} {'s':>9} {'plan s':>9} {'x':>6}")
    for name in EXAMPLES:
        with tempfile.TemporaryDirectory() as folder:
            plan = _process("hlsmem", "plan", f"examples/{name}/design.yaml", "-o", folder)
            plan()
            for what, other in (
                ("hlsmem-verify", _process("hlsmem_verify", folder)),
                ("check --only source", _process("hlsmem", "check", folder, "--only", "source")),
            ):
                before, own = side_by_side(plan, other)
                _row(f"{what} {name}", own, before)
            before, own = side_by_side(_planned(name), _source_of(Path(folder)))
            _row(f"source alone, without start {name}", own, before)
    print(_sandbox())


def _row(what: str, own: float, before: float) -> None:
    print(f"{what:44} {own:9.3f} {before:9.3f} {own / before:6.2f}")


def _planned(name: str) -> Callable[[], object]:
    file = ROOT / "examples" / name / "design.yaml"
    return lambda: output_files(plan_design(load(file)))


def _source_of(out: Path) -> Callable[[], object]:
    return lambda: run_checks(out, ("source",))


def _sandbox() -> str:
    """What a program takes longer for the sandbox around it."""
    if not is_isolated():
        return f"sandbox: {obstacle() or 'not used here (HLSMEM_TRUST)'}"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        times: dict[str, list[float]] = {"bare": [], "inside": []}
        for _ in range(STARTS):
            for kind, sandbox in (("bare", None), ("inside", Sandbox(writable=folder))):
                start = time.perf_counter()
                run(["true"], folder=folder, seconds=60, sandbox=sandbox)
                times[kind].append(time.perf_counter() - start)
    bare, own = (1000 * statistics.median(found) for found in times.values())
    return f"a program in the sandbox ({maker()}): {own:.0f} ms of the clock, {bare:.0f} without"
