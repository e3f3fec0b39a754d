"""How long conflicts and bounds take: all arrays of PolyBench, and the programs of three papers.

Processor time, which hardly depends on what else the machine does.
"""

from __future__ import annotations

import json
import resource
import statistics
import subprocess
import sys
import time
from typing import Any

from benchmarks.kernels import KERNELS, program_of
from hlsmem.lifetime.storage_problems import storage_problems

ROUNDS = 5
# Seconds that no program of the papers should take.
_AIM = 0.05


def measured(name: str) -> dict[str, Any]:
    """One kernel, in a process that does nothing else: seconds and megabytes."""
    start = time.process_time()
    program = program_of(name)
    read = time.process_time()
    problems = storage_problems(program)
    done = time.process_time()
    bounds = [bound for problem in problems for bound in problem.bounds]
    return {
        "arrays": len(problems),
        "read": read - start,
        "analysis": done - read,
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "proved": sum(bound.status.startswith("proved") for bound in bounds),
        "cells": sum(bound.cells for bound in bounds),
    }


def print_kernels() -> None:
    """All arrays of the thirty kernels at MEDIUM size, each kernel in a process of its own."""
    print(f"\n{'conflicts and bounds':20} {'arrays':>6} {'read s':>7} {'analysis s':>10}", end="")
    print(f" {'peak MB':>8} {'proved':>7} {'max-live':>9}")
    rows = []
    for name in KERNELS:
        command = [sys.executable, "-m", "benchmarks.lifetimes", name]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        rows.append(json.loads(done.stdout))
        print(_line(name, rows[-1]), flush=True)
    sums = {key: sum(row[key] for row in rows) for key in rows[0]}
    print(_line("together", sums | {"megabytes": max(row["megabytes"] for row in rows)}))


def _line(name: str, row: dict[str, Any]) -> str:
    return (
        f"{name:20} {row['arrays']:6} {row['read']:7.2f} {row['analysis']:10.2f}"
        f" {row['megabytes']:8.0f} {row['proved']:7} {row['cells']:9}"
    )


def print_papers() -> None:
    """The programs of three papers, each at its largest size, in one warm process."""
    from tests.programs import golden_cases, program_from_golden

    print(f"\n{'conflicts and bounds, warm':44} {'median ms':>9}")
    slowest, beyond, programs = 0.0, 0, 0
    for number in ("000", "001", "002"):
        for case in golden_cases(number):
            if case["program"] is None:
                continue
            sizes = case["params"] if isinstance(case["params"], list) else [case["params"]]
            program = program_from_golden(case, sizes[-1])
            storage_problems(program)
            seconds = statistics.median(_seconds(program) for _ in range(ROUNDS))
            slowest, programs = max(slowest, seconds), programs + 1
            beyond += seconds > _AIM
            print(f"{number} {case['id']:40} {1000 * seconds:9.1f}", flush=True)
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{'slowest':44} {1000 * slowest:9.1f}   peak {megabytes:.0f} MB")
    print(f"{programs - beyond} of {programs} below {1000 * _AIM:.0f} ms")


def _seconds(program: Any) -> float:
    start = time.process_time()
    storage_problems(program)
    return time.process_time() - start


if __name__ == "__main__":
    print(json.dumps(measured(sys.argv[1])))
