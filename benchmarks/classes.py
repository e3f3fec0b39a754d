"""How long classes of orders take, beside the given schedule: relation, conflicts and differences,
occupancy vectors, widths, and plans with mappings that are taken over.

Processor time, which hardly depends on what else the machine does.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from hlsmem.lifetime.class_conflicts import class_conflicts, class_problem
from hlsmem.lifetime.class_width import width_bound
from hlsmem.lifetime.storage_problems import storage_problems
from hlsmem.mapping.vectors import vectors_of
from hlsmem.plan import to_json
from hlsmem.planner.planning_sequence import plan_design, plan_hardware
from hlsmem.program.model import Program
from hlsmem.program.schedule_classes import ScheduleClass
from hlsmem.read.design import load
from hlsmem.timing.class_relations import orders_of
from hlsmem.timing.value_flow import dataflow
from tests.classes import AFFINE, ANY, MSA, e1, uniform
from tests.lifetime.test_class_conflicts import CASES, PARAMETERS, triangular, two_statements
from tests.programs import golden_case

ROOT = Path(__file__).resolve().parent.parent
E1 = ROOT / "examples" / "e1" / "design.yaml"
# Seconds and megabytes that nothing here should take.
_CASE, _HEAT_7, _VECTORS, _WIDTH, _REUSED, _MEGABYTES = 0.5, 3.0, 0.5, 3.0, 10.0, 400
HEAT_7 = (
    (1, 0, 0, 0),
    *((1, *(sign * int(k == axis) for k in range(3))) for axis in range(3) for sign in (1, -1)),
)


def print_table() -> None:
    """All the tables on classes."""
    _print_cases()
    _print_vectors()
    _print_width()
    _print_reused()


def _seconds(action: Callable[[], object]) -> float:
    start = time.process_time()
    action()
    return time.process_time() - start


def _conflicts(program: Program, asked: ScheduleClass) -> None:
    orders = orders_of(program, asked)
    for array in program.planned_arrays():
        flow = dataflow(program, array.name)
        found = class_conflicts(flow, orders.precedence, strict=False)
        class_problem(program, array, flow, found)


def _print_cases() -> None:
    print(
        f"\n{'relation, conflicts, differences':34} {'class':>10} {'given s':>8} {'class s':>8} of"
    )
    for name, (vectors, classes) in CASES.items():
        sizes = golden_case("003", name)["expected"][-1]["size"]
        program = uniform(vectors, dict(zip(PARAMETERS, sizes, strict=False)))
        own = _seconds(partial(storage_problems, program))
        for asked in classes:
            took = _seconds(partial(_conflicts, program, asked))
            print(f"{name:34} {asked.name:>10} {own:8.2f} {took:8.2f} {_CASE}", flush=True)
    heat = uniform(HEAT_7, dict(zip(PARAMETERS, (4, 4, 4, 4), strict=True)))
    own = _seconds(lambda: storage_problems(heat))
    took = _seconds(lambda: _conflicts(heat, ANY))
    print(f"{'heat-7, symbolic sizes':34} {'any':>10} {own:8.2f} {took:8.2f} {_HEAT_7}", flush=True)


def _print_vectors() -> None:
    print(f"\n{'affine occupancy vectors':34} {'s':>8} of")
    for name, program in (
        ("E1 9x9", e1(9, 9)),
        ("E2 5x6", two_statements(5, 6)),
        ("E3 4x5x6", uniform(MSA, dict(zip(PARAMETERS, (4, 5, 6), strict=False)))),
        ("E4, n = 5", triangular(5)),
    ):
        took = 0.0
        for array in program.planned_arrays():
            if array.index:
                took += _seconds(partial(vectors_of, program, array, AFFINE, kinds=("aov",)))
        print(f"{name:34} {took:8.2f} {_VECTORS}", flush=True)


def _print_width() -> None:
    print(f"\n{'width':34} {'cells':>8} {'s':>8} {'peak MB':>8} of")
    command = [sys.executable, "-m", "benchmarks.classes"]
    done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT)
    row = json.loads(done.stdout)
    print(
        f"{'E1 96x96, any, 9216 values':34} {row['cells']:8} {row['seconds']:8.2f}"
        f" {row['megabytes']:8.0f} {_WIDTH} and {_MEGABYTES}",
        flush=True,
    )


def measured() -> dict[str, float]:
    """The width of E1 at 96x96 for every order, in a process that does nothing else."""
    program = e1(96, 96)
    orders = orders_of(program, ANY)
    found = class_conflicts(dataflow(program, "A"), orders.precedence, strict=False)
    start = time.process_time()
    bound = width_bound(found, program.values)
    took = time.process_time() - start
    assert bound is not None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"cells": bound.cells, "seconds": took, "megabytes": peak}


def _print_reused() -> None:
    print(f"\n{'plans of one tiling, cells of all':34} {'s':>8} of")
    out = ROOT / "build" / "bench" / "e1.plan.json"
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(to_json(plan_hardware(load(E1)).plan), encoding="utf-8")
    for rows in ((1, 100, 0), (3, 5, 0), (4, 6, 1), (9, 13, 0)):
        schedule = _tiled(*rows)
        settings = [
            "plan.schedules=given",
            "plan.bands=null",
            f"plan.reuse={out}",
            f'schedule="{schedule}"',
        ]
        took = _seconds(partial(_planned, settings))
        print(f"{'E1 9x4, tiles ' + str(rows[:2]):34} {took:8.2f} {_REUSED}", flush=True)


def _planned(settings: Sequence[str]) -> None:
    plan_design(load(E1, settings=settings))


def _tiled(time_size: int, size: int, origin: int) -> str:
    band = f"floor((i - {origin})/{time_size}), floor((i + j - {2 * origin})/{size})"
    return f"{{ S[i,j] -> [{band}, i, i + j] }}"


if __name__ == "__main__":
    print(json.dumps(measured()))
